"""Asking a SPARQL service politely, from any number of threads.

Retried are a service that is busy, out of reach or out of order, a few times, as long after as it
asks; a query that is too much for it is the caller's to make smaller. A service that keeps failing
is left alone (the circuit breaker): what was not asked then has a status, and the next run asks.
"""

import threading
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from makieval.errors import ServiceError
from makieval.status import Status
from makieval.wikidata.snapshot import cache_folder
from makieval.wikidata.sparql.answers import Row
from makieval.wikidata.sparql.service import Service
from makieval.wikidata.sparql.traffic import MOST_AT_ONCE, Traffic

if TYPE_CHECKING:
    from makieval.wikidata.sparql.courier import Courier

#: Statuses that may pass by themselves.
PASSING = frozenset({Status.RATE_LIMITED, Status.UNREACHABLE, Status.SERVER_ERROR})
TRIES = 5
#: A wait of 0 would hammer the service (covid-19-open-data#183); after a longer one than this, a
#: later run is the better answer.
SHORTEST_WAIT, LONGEST_WAIT = 1.0, 120.0
#: Seconds: a bit more than the public service gives a query.
TIMEOUT = 70.0
#: How much each failure weighs, and how much is enough. Batches that are split fail by the dozen.
WEIGHTS: Mapping[Status, int] = {
    Status.POLICY: 36,
    Status.BANNED: 36,
    Status.UNAUTHORIZED: 36,
    Status.UNREACHABLE: 36,
    Status.RATE_LIMITED: 18,
    Status.SERVER_ERROR: 12,
}
ENOUGH = 36
#: Seconds after which one more query may find out whether the service is back.
REST = 300.0


class CircuitOpen(ServiceError):
    """The service has failed too often; this query was not put to it."""


class Breaker:
    """Open once failures have added up to `ENOUGH` with no answer between them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._weight = 0
        self._last: ServiceError | None = None
        self._since = 0.0

    def check(self) -> None:
        """Raise the last failure again while the circuit is open."""
        with self._lock:
            if self._last is None or self._weight < ENOUGH:
                return
            if time.monotonic() - self._since >= REST:
                self._weight = ENOUGH - 1
                return
            raise CircuitOpen(f"not asked, because before: {self._last}", self._last.status)

    def failed(self, error: ServiceError) -> None:
        """The service failed for good."""
        with self._lock:
            self._weight += WEIGHTS.get(error.status, 1)
            self._last = error
            self._since = time.monotonic()

    def answered(self) -> None:
        """It answered: all is forgotten."""
        with self._lock:
            self._weight, self._last = 0, None


class SparqlClient:
    """Asks one service; safe in threads, each of which gets a courier of its own.

    `traffic` tells what went over the wire. `wait` sleeps; `only_cached` never asks the service.
    Use as a context manager, or `close()` it.
    """

    def __init__(
        self,
        service: Service,
        *,
        cache: Path | None = None,
        at_once: int = MOST_AT_ONCE,
        timeout: float = TIMEOUT,
        tries: int = TRIES,
        only_cached: bool = False,
        wait: Callable[[float], Any] = time.sleep,
    ) -> None:
        from makieval.wikidata.sparql.cache import open_cache
        from makieval.wikidata.sparql.gate import Gate

        self.service = service
        self.traffic = Traffic()
        self._cache = open_cache(cache or cache_folder() / "sparql.sqlite")
        self._gate = Gate(self.traffic, at_once, wait)
        self._breaker = Breaker()
        self._timeout, self._tries, self._only_cached = timeout, tries, only_cached
        self._mine = threading.local()
        self._couriers: list[Courier] = []
        self._lock = threading.Lock()
        self._flights: dict[str, tuple[threading.Lock, int]] = {}

    def select(self, query: str) -> list[Row]:
        """The rows that answer `query`; a `ServiceError` where there is no answer.

        Equal queries of several threads at once are asked once.
        """
        with self._alone(query):
            for attempt in range(1, self._tries + 1):
                self._breaker.check()
                try:
                    found = self._courier.rows(query)
                except ServiceError as error:
                    self.traffic.failed(error.status)
                    self._hold_or_raise(error, attempt)
                else:
                    if self._courier.from_cache:
                        self.traffic.add(cached=1)
                    else:
                        self._breaker.answered()
                    return found
        raise AssertionError("the last try raises")

    def close(self) -> None:
        """Close the connections and the cache."""
        for courier in self._couriers:
            courier.close()
        self._cache.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _hold_or_raise(self, error: ServiceError, attempt: int) -> None:
        """Keep everybody from the service for a while, or give up."""
        if self._only_cached:
            raise ServiceError(
                f"{self.service.address}: offline, and this query was never answered before",
                Status.UNREACHABLE,
            )
        seconds = max(SHORTEST_WAIT, error.retry_after or 0.0, 2.0 ** (attempt - 1))
        if error.status not in PASSING or attempt == self._tries:
            self._breaker.failed(error)
            raise error
        if seconds > LONGEST_WAIT:
            told = ServiceError(f"{error} (come back in {seconds:.0f} s)", error.status, seconds)
            self._breaker.failed(told)
            raise told
        self.traffic.add(retries=1)
        self._gate.hold(seconds)

    @property
    def _courier(self) -> "Courier":
        """This thread's courier."""
        if not hasattr(self._mine, "courier"):
            self._mine.courier = self._new_courier()
        return self._mine.courier

    def _new_courier(self) -> "Courier":
        from makieval.wikidata.sparql.cache import session
        from makieval.wikidata.sparql.courier import Courier
        from makieval.wikidata.sparql.gate import GatedAdapter

        made = Courier(
            self.service.address,
            self.service.agent,
            session(self._cache, self._only_cached),
            GatedAdapter(self._gate, self._timeout),
            self._timeout,
        )
        with self._lock:
            self._couriers.append(made)
        return made

    @contextmanager
    def _alone(self, query: str) -> Generator[None]:
        """One thread at a time per query: the second finds the first one's answer in the cache."""
        with self._lock:
            lock, users = self._flights.get(query, (threading.Lock(), 0))
            self._flights[query] = (lock, users + 1)
        try:
            with lock:
                yield
        finally:
            with self._lock:
                lock, users = self._flights[query]
                if users == 1:
                    del self._flights[query]
                else:
                    self._flights[query] = (lock, users - 1)
