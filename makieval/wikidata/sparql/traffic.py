"""What went over the wire, counted, so that a run can say what it cost the service."""

import threading
from collections import Counter
from dataclasses import dataclass, field

#: Requests at the same time: what Wikimedia's policy allows.
MOST_AT_ONCE = 3


@dataclass
class Traffic:
    """What went over the wire: `requests` sent, `retries` among them, seconds `waited`, answers
    from the cache, batches `split`, and how often each status came instead of an answer."""

    requests: int = 0
    cached: int = 0
    retries: int = 0
    splits: int = 0
    waited: float = 0.0
    failures: Counter[str] = field(default_factory=Counter[str])
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def add(self, **counts: float) -> None:
        """Add to these counts; from any thread."""
        with self._lock:
            for name, count in counts.items():
                setattr(self, name, getattr(self, name) + count)

    def failed(self, status: str) -> None:
        """One more failure of this status."""
        with self._lock:
            self.failures[status] += 1
