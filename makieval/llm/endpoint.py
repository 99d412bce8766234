"""An endpoint: where a model is asked, as which model, with which decoding.

Two kinds of facts meet here and must not be mixed. What can change an answer (server, model,
decoding, system text) is the endpoint's `identity` and enters every key; how it is reached (name,
key, number of requests at once, patience) never does, so that a run with another key or another
speed finds the answers that are already paid for.
"""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from makieval.errors import InputError
from makieval.llm import modelfile

#: Body fields that a request sets itself, and those that must never be in a study file.
_OWN_FIELDS = frozenset({"model", "messages", "seed", "n", "stream", "response_format"})
_SECRET_FIELDS = frozenset(
    "apikey key xapikey authorization headers extraheaders token accesstoken secret"
    " password".split()
)
_DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class Endpoint:
    """One model behind one address; `base_url = None` is a model file served by ourselves.

    `decoding` holds fields of the request body (temperature, top_p, max_tokens, and any other
    that the server knows, such as top_k). `api_key_env` names the variable that holds the key.
    `concurrency` bounds the requests in flight, `timeout_s` one attempt, `max_retries` the
    attempts after the first. Raises InputError.
    """

    name: str
    model: str
    base_url: str | None = None
    api_key_env: str | None = None
    decoding: Mapping[str, Any] = field(default_factory=dict[str, Any])
    system: str | None = None
    concurrency: int = 8
    timeout_s: float = 120.0
    max_retries: int = 5

    def __post_init__(self) -> None:
        if self.base_url is None:
            modelfile.check_name(self.model)
        else:
            object.__setattr__(self, "base_url", normalised_url(self.base_url, self.name))
        object.__setattr__(self, "decoding", _plain(self.decoding))
        _check_fields(self.decoding, self.name)
        if self.concurrency < 1 or self.max_retries < 0 or self.timeout_s <= 0:
            raise InputError(
                f"model '{self.name}': concurrency must be at least 1, max_retries at least 0, "
                "timeout_s above 0"
            )

    @property
    def embedded(self) -> bool:
        """Whether the model is a file that makieval serves itself."""
        return self.base_url is None

    @property
    def host(self) -> str:
        """Who is asked, fit for a message: host and port, or `this machine`."""
        return "this machine" if self.base_url is None else urlsplit(self.base_url).netloc

    @cached_property
    def sent_decoding(self) -> Mapping[str, Any]:
        """The decoding fields as they are sent.

        The embedded server gets `cache_prompt: false`: reused prompt states make the same seed
        give different texts.
        """
        return {"cache_prompt": False, **self.decoding} if self.embedded else self.decoding

    @cached_property
    def identity(self) -> Mapping[str, Any]:
        """What can change an answer: server, model, api, decoding, system.

        An embedded model is its file, by SHA-256: the same bytes under another path or name give
        the same identity. The version of the serving library is left out on purpose, as a hosted
        service's is; it stands in each answer's `served_model`.
        """
        server: Any = self.base_url
        model = self.model
        if self.embedded:
            sha256 = modelfile.sha256_of(self.model)
            server, model = {"embedded": sha256}, modelfile.id_of(sha256)
        return {
            "server": server,
            "model": model,
            "api": "chat",
            "decoding": self.sent_decoding,
            "system": self.system,
        }


def normalised_url(url: str, name: str) -> str:
    """`url` with lower-case scheme and host, no default port, no trailing slash.

    Raises InputError for a URL that is none, or that carries credentials or a query: both end up
    in logs and stores. The message never repeats the URL.
    """
    where = f"model '{name}': base_url"
    try:
        parts = urlsplit(url.strip())
        host, port = parts.hostname, parts.port
    except ValueError:
        raise InputError(f"{where} is not a URL such as https://host/v1") from None
    scheme = parts.scheme.lower()
    if scheme not in _DEFAULT_PORTS or not host:
        raise InputError(f"{where} is not a URL such as https://host/v1")
    if "@" in parts.netloc:
        raise InputError(f"{where} holds credentials; remove them and name a variable: api_key_env")
    if parts.query or parts.fragment:
        raise InputError(
            f"{where} holds a '?…' or '#…' part; remove it (keys belong in the variable that "
            "api_key_env names)"
        )
    netloc = f"[{host}]" if ":" in host else host
    if port is not None and port != _DEFAULT_PORTS[scheme]:
        netloc = f"{netloc}:{port}"
    return urlunsplit((scheme, netloc, parts.path.rstrip("/"), "", ""))


def _check_fields(decoding: Mapping[str, Any], name: str) -> None:
    for key in decoding:
        if key in _OWN_FIELDS:
            raise InputError(f"model '{name}': decoding.{key} is set by makieval for each request")
    for key in _keys(decoding):
        if re.sub(r"[^a-z]", "", key.lower()) in _SECRET_FIELDS:
            raise InputError(
                f"model '{name}': decoding.{key} looks like a key; name its variable in api_key_env"
            )


def _keys(value: Any) -> Iterator[str]:
    """Every key of a JSON value, at any depth."""
    match value:
        case Mapping():
            for key, item in value.items():  # pyright: ignore[reportUnknownVariableType]
                yield str(key)  # pyright: ignore[reportUnknownArgumentType]
                yield from _keys(item)
        case list() | tuple():
            for item in value:  # pyright: ignore[reportUnknownVariableType]
                yield from _keys(item)
        case _:
            return


def _plain(value: Any) -> Any:
    """A JSON value in which `1.0` and `1` are one number, so that they make one key."""
    match value:
        case Mapping():
            return {str(key): _plain(item) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        case str() | bool() | int() | None:
            return value
        case float() if math.isfinite(value):
            return int(value) if value.is_integer() else value
        case list() | tuple():
            return [_plain(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
        case _:
            raise InputError(f"a decoding value must be JSON, not {value!r}")
