"""What a reply of a SPARQL service really says: rows, or why there are none.

The status line is not enough. A service that runs out of time may say 200 and break off in the
middle of the JSON with a Java trace (T283962), or say 429 where nobody was too fast (QLever,
ad-freiburg/qlever#2002); one that refuses its client may say 200 and plain text. A reply counts as
an answer only when the whole of it has parsed.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from makieval.errors import ServiceError
from makieval.retry_after import asked_wait
from makieval.status import Status

#: Words by which a body tells what went wrong, the most telling first.
_SAID: tuple[tuple[Status, re.Pattern[str]], ...] = tuple(
    (status, re.compile(words, re.IGNORECASE))
    for status, words in (
        (Status.BANNED, r"you have been banned|banned until"),
        (Status.POLICY, r"set a user-?agent|user-?agent policy|respect our robot|robot policy"),
        (
            Status.OUT_OF_MEMORY,
            (
                r"tried to allocate|outofmemory|out of memory|memory limit|not enough memory"
                r"|allocation exceed|stackoverflowerror"
            ),
        ),
        (
            Status.TIMEOUT,
            (
                r"timeoutexception|querytimeout|operation timed out|query timed out"
                r"|timeout exceeded|time limit exceeded|timed out after"
                r"|cancelled because of timeout|query was cancelled|deadline exceeded"
                r"|upstream request timeout|gateway time-?out"
            ),
        ),
    )
)
#: And what the code alone tells, where the body is silent.
_CODES: Mapping[int, Status] = {
    401: Status.UNAUTHORIZED,
    403: Status.POLICY,
    408: Status.TIMEOUT,
    429: Status.RATE_LIMITED,
    504: Status.TIMEOUT,
}
#: Error codes that Wikimedia's interfaces put into a reply of 200.
_API_CODES: Mapping[str, Status] = {
    "maxlag": Status.RATE_LIMITED,
    "ratelimited": Status.RATE_LIMITED,
    "readonly": Status.SERVER_ERROR,
}
_SHOWN = 300


class Term(NamedTuple):
    """A value of a row: its text, and the language of a tagged literal (in lower case)."""

    text: str
    language: str = ""


class Row(dict[str, Term]):
    """A row by the names of its columns; a column that should be there and is not is an error."""

    def __missing__(self, name: str) -> Term:
        raise ServiceError(f"a row of the result lacks ?{name}", Status.SERVER_ERROR)


def complete(body: bytes) -> bool:
    """Whether `body` is the whole of a JSON result, rows or a boolean."""
    try:
        return _is_result(json.loads(body))
    except ValueError:
        return False


def rows(result: Any) -> list[Row]:
    """The rows of a parsed JSON result; a cell without a value is left out of its row."""
    return [
        Row(
            (name, Term(cell["value"], cell.get("xml:lang", "").lower()))
            for name, cell in binding.items()
            if isinstance(cell.get("value"), str)
        )
        for binding in result["results"]["bindings"]
    ]


def failure(
    address: str, code: int, headers: Mapping[str, str], body: bytes
) -> ServiceError | None:
    """Why this reply is no answer; None where it is one. Names of `headers` are in lower case."""
    if code == 200 and complete(body):
        return None
    text = "\n".join(part.decode("utf-8", "replace") for part in (body[:2_000], body[-20_000:]))
    status = _status(code, body, text)
    asked = asked_wait(headers)
    return ServiceError(f"{address}: {_told(code, headers, text)}", status, asked)


def _status(code: int, body: bytes, text: str) -> Status:
    for status, words in _SAID:
        if words.search(text):
            return status
    if code == 200:
        return _API_CODES.get(_api_code(body), Status.SERVER_ERROR)
    if code in _CODES:
        return _CODES[code]
    return Status.SERVER_ERROR if code >= 500 else Status.REJECTED


def _is_result(result: Any) -> bool:
    if not isinstance(result, dict):
        return False
    table: Any = result.get("results")  # pyright: ignore[reportUnknownVariableType,reportUnknownMemberType]
    if isinstance(table, dict):
        return isinstance(table.get("bindings"), list)  # pyright: ignore[reportUnknownMemberType]
    return isinstance(result.get("boolean"), bool)  # pyright: ignore[reportUnknownMemberType]


def _api_code(body: bytes) -> str:
    try:
        return str(json.loads(body)["error"]["code"])
    except (ValueError, KeyError, TypeError):
        return ""


def _told(code: int, headers: Mapping[str, str], text: str) -> str:
    """The reply in one line."""
    if 300 <= code < 400:
        return f"HTTP {code}: it has moved to {headers.get('location', 'somewhere else')}"
    said = " ".join(re.sub(r"<[^>]*>", " ", text[:2_000]).split())
    if code == 200:
        return f"a reply that breaks off or is no result: {said[:_SHOWN]}"
    return f"HTTP {code}: {said[:_SHOWN]}" if said else f"HTTP {code}"
