"""Which service is asked, and who says they are asking.

Wikimedia's access policy wants a client with a name and a contact, blocks library defaults and
empty agents, and forbids passing for a browser (T400119). What does not conform is refused here,
before any request. An address never holds a key or a password: it would end up in caches and logs.
"""

import ipaddress
import os
import re
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Self
from urllib.parse import urlsplit

from makieval.errors import InputError

#: What a study calls the public service, and where it is.
WIKIDATA = "wikidata"
PUBLIC = "https://query.wikidata.org/sparql"
CONTACT = "MAKIEVAL_CONTACT"

_EMAIL = re.compile(r"[^@\s()<>]+@[^@\s()<>]+\.[^@\s()<>]+")
_PAGE = re.compile(r"https?://[^\s()<>]+")
_BROWSER = re.compile(r"mozilla|chrome|safari|webkit|gecko|firefox|opera", re.IGNORECASE)
_WANTED = "an e-mail address or the address of a page about you, as the service's policy asks"


def is_endpoint(source: str) -> bool:
    """Whether a study's `source` names a service and not a snapshot."""
    return source == WIKIDATA or source.startswith(("http://", "https://"))


def checked_contact(contact: str) -> str:
    """`contact`, if it can stand in a User-Agent; an InputError where it cannot."""
    contact = contact.strip()
    if _BROWSER.search(contact):
        raise InputError(f"contact '{contact}' passes for a browser; it must be {_WANTED}")
    if not (_EMAIL.fullmatch(contact) or _PAGE.fullmatch(contact)):
        raise InputError(f"contact '{contact}' must be {_WANTED}")
    return contact


def checked_address(address: str) -> str:
    """`address`, if it is that of a SPARQL endpoint and holds no secret; else an InputError."""
    parts = urlsplit(address)
    try:
        fits = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        fits = False
    if not fits:
        raise InputError(f"endpoint '{_shown(address)}' is not the address of a SPARQL service")
    if parts.username is not None or parts.password is not None:
        raise InputError(f"endpoint '{_shown(address)}': no user or password in an address, please")
    if parts.query or parts.fragment:
        raise InputError(
            f"endpoint '{_shown(address)}': an address ends before '?' and '#'; keys do not belong"
            " there"
        )
    return address


@dataclass(frozen=True, slots=True)
class Service:
    """A SPARQL endpoint that may be asked: a checked address, and the agent that asks."""

    address: str
    agent: str

    @classmethod
    def of(cls, source: str, contact: str | None = None, *, silent: bool = False) -> Self:
        """The service a study names: `wikidata` or an address; an InputError where it may not be.

        The contact comes from the study or from `MAKIEVAL_CONTACT`; only a service on this
        machine or in a private network is asked without one, or nobody (`silent`).
        """
        address = checked_address(PUBLIC if source == WIKIDATA else source)
        contact = contact or os.environ.get(CONTACT) or ""
        if contact.strip():
            contact = checked_contact(contact)
        elif not silent and not _private(urlsplit(address).hostname or ""):
            raise InputError(
                f"{address} is not asked without a contact: set `contact` in the study's [linking]"
                f" or {CONTACT} to {_WANTED}"
            )
        about = f" ({contact})" if contact else ""
        library = f"SPARQLWrapper/{version('SPARQLWrapper')} requests/{version('requests')}"
        return cls(address, f"makieval/{_own_version()}{about} {library}")


def _own_version() -> str:
    try:
        return version("makieval")
    except PackageNotFoundError:  # run from a checkout that nobody installed
        return "0"


def _private(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return "." not in host or host.endswith((".localhost", ".local", ".internal"))


def _shown(address: str) -> str:
    """`address` without whatever may be secret in it."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
