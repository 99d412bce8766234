"""What a server's reply means: one word of the closed list, and what goes with it.

Replies are read from their bytes and not through the client library's models: servers leave out
`usage`, send null where a list should be, or cut the JSON short, and each of these is a status
rather than an exception.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from makieval.errors import MakievalError, ModelError, Unauthorized
from makieval.llm.endpoint import Endpoint
from makieval.retry_after import asked_wait
from makieval.status import Status

_FINISHED = {"length": Status.TRUNCATED, "content_filter": Status.FILTERED}


@dataclass(frozen=True)
class Outcome:
    """What one attempt came to; `trouble` is set where the whole endpoint is at fault."""

    status: Status
    text: str | None = None
    finish_reason: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    served_model: str | None = None
    error: str | None = None
    asked_wait_s: float | None = None
    trouble: MakievalError | None = None


def read_success(content: bytes) -> Outcome:
    """The meaning of the body of a 200 reply of the chat API."""
    try:
        reply = json.loads(content)
        choice = reply["choices"][0]
        message = choice["message"]
        text, refusal = message.get("content"), message.get("refusal")
        finish = choice.get("finish_reason")
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        return Outcome(Status.SERVER_ERROR, error="the reply is not a chat completion")
    if not isinstance(text, str | None):
        return Outcome(Status.SERVER_ERROR, error="the reply's content is not text")
    usage = reply.get("usage")
    status = _FINISHED.get(finish, Status.OK) if isinstance(finish, str) else Status.OK
    if isinstance(refusal, str) and refusal.strip():
        status, text = Status.REFUSED, refusal
    elif status is not Status.FILTERED and not (text and text.strip()):
        status = Status.EMPTY
    return Outcome(
        status,
        text=None if text is None else _whole(text),
        finish_reason=finish if isinstance(finish, str) else None,
        prompt_tokens=_count(usage, "prompt_tokens"),
        completion_tokens=_count(usage, "completion_tokens"),
        served_model=reply["model"] if isinstance(reply.get("model"), str) else None,
    )


def read_error(
    code: int, headers: Mapping[str, str], body: object, endpoint: Endpoint, key: str | None
) -> Outcome:
    """The meaning of a reply with an HTTP status of 400 and above.

    `body` is the error object as the client library found it; `key` is cut out of every text.
    """
    error = _error_object(body)
    said = _said(error, body, key)
    line = f"HTTP {code}" + (f": {said}" if said else "")
    name = f"model '{endpoint.name}' at {endpoint.host}"
    match code, error.get("code"):
        case ((401 | 403), _):
            # The server's own words stay out: some repeat the key.
            trouble = Unauthorized(f"{name} refuses {_key_words(endpoint)} (HTTP {code})")
            return Outcome(Status.UNAUTHORIZED, error=f"HTTP {code}", trouble=trouble)
        case (404, _) | (_, "model_not_found"):
            trouble = ModelError(
                f"{name} has no model '{endpoint.model}' or no chat API at this base_url ({line})"
            )
            return Outcome(Status.REJECTED, error=line, trouble=trouble)
        case (402, _) | (429, "insufficient_quota"):
            trouble = ModelError(f"{name}: the account or quota is used up ({line})")
            return Outcome(Status.RATE_LIMITED, error=line, trouble=trouble)
        case 429, _:
            return Outcome(Status.RATE_LIMITED, error=line, asked_wait_s=asked_wait(headers))
        case _, "content_filter":
            return Outcome(Status.FILTERED, error=line)
        case 408, _:
            return Outcome(Status.TIMEOUT, error=line)
        case _:
            status = Status.SERVER_ERROR if code >= 500 or code == 409 else Status.REJECTED
            return Outcome(status, error=line, asked_wait_s=asked_wait(headers))


def redacted(text: str, key: str | None) -> str:
    """`text` on one line of at most 300 characters, with the key cut out."""
    if key:
        text = text.replace(key, "***")
    line = " ".join(text.split())
    return line if len(line) <= 300 else f"{line[:299]}…"


def _key_words(endpoint: Endpoint) -> str:
    if endpoint.api_key_env is None:
        return "requests without a key; name the key's variable in api_key_env"
    return f"the key in the variable {endpoint.api_key_env}"


def _error_object(body: object) -> Mapping[str, Any]:
    if not isinstance(body, Mapping):
        return {}
    found = cast("Mapping[str, Any]", body)
    inner = found.get("error")
    return cast("Mapping[str, Any]", inner) if isinstance(inner, Mapping) else found


def _said(error: Mapping[str, Any], body: object, key: str | None) -> str:
    message = error.get("message") or error.get("detail") or error.get("error")
    if message is None and isinstance(body, str) and not body.lstrip().startswith("<"):
        message = body
    return redacted(str(message), key) if message else ""


def _count(usage: Any, field: str) -> int | None:
    value = usage.get(field) if isinstance(usage, dict) else None  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
    return value if isinstance(value, int) else None


def _whole(text: str) -> str:
    """`text` with lone surrogates replaced: no store takes them."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
