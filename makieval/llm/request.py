"""A request: one question to one endpoint, and the key under which its answer is kept.

The key is computed from `fields()`, a small readable mapping in which long texts stand by their
SHA-256. The journal keeps that mapping beside the answer, so that any key can be verified from
the journal alone and two keys can be compared field by field.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from makieval.fingerprint import canonical, fingerprint
from makieval.llm.endpoint import Endpoint


@dataclass(frozen=True)
class Message:
    """One turn of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True)
class Request:
    """`messages` to `endpoint`; `sample` numbers the repeats of one prompt, from 0.

    `schema` is a JSON schema that the answer must follow, or None for free text.
    """

    endpoint: Endpoint
    messages: tuple[Message, ...]
    seed: int | None = None
    sample: int = 0
    schema: Mapping[str, Any] | None = None

    @cached_property
    def id(self) -> str:
        """The key of the answer: changes exactly when the answer could change."""
        return request_id(self.fields())

    def fields(self) -> dict[str, Any]:
        """All that can change the answer, as JSON; texts by their SHA-256."""
        return {
            **self.endpoint.identity,
            "system": _digest(self.endpoint.system),
            "messages": _digest([[each.role, each.content] for each in self.messages]),
            "seed": self.seed,
            "sample": self.sample,
            "schema": _digest(self.schema),
        }

    def body(self) -> dict[str, Any]:
        """The body of the HTTP request, as the chat API takes it."""
        turns = [{"role": each.role, "content": each.content} for each in self.messages]
        if self.endpoint.system is not None:
            turns.insert(0, {"role": "system", "content": self.endpoint.system})
        body = {"model": self.endpoint.model, "messages": turns, **self.endpoint.sent_decoding}
        if self.seed is not None:
            body["seed"] = self.seed
        if self.schema is not None:
            name = re.sub(r"[^A-Za-z0-9_-]+", "_", str(self.schema.get("title", "answer")))[:64]
            body["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": name, "schema": self.schema, "strict": True},
            }
        return body


def request_id(fields: Mapping[str, Any]) -> str:
    """The key that belongs to the mapping of `Request.fields`, for verifying a journal."""
    return fingerprint("answer", fields)


def _digest(value: Any) -> str | None:
    if value is None:
        return None
    text = canonical(value)
    return "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
