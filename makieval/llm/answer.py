"""An answer: what came of one request, whatever came of it.

Every request ends as exactly one `Answer` with a status of the closed list; a failure is a row
like any other and never an exception, so that nothing is lost and everything is counted.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from makieval.status import Status


@dataclass(frozen=True)
class Answer:
    """What came of the request with the key `id`.

    `text` is what the model said (also the words of a refusal); token counts are None where the
    server tells none; `latency_ms` is that of the last attempt; `received_at` is UTC, ISO 8601;
    `error` is one line that holds no key, None where nothing went wrong.
    """

    id: str
    status: Status
    text: str | None
    finish_reason: str | None
    prompt_tokens: int | None
    completion_tokens: int | None
    served_model: str | None
    latency_ms: int
    received_at: str
    error: str | None = None

    def as_record(self) -> dict[str, Any]:
        """The answer as plain JSON, for the journal."""
        return {**asdict(self), "status": str(self.status)}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> "Answer":
        """The answer that `as_record` wrote; unknown keys are left aside."""
        known: dict[str, Any] = {key: record[key] for key in cls.__dataclass_fields__}
        known["status"] = Status(record["status"])
        return cls(**known)
