"""Answers of services, kept on disk and shared by threads and processes.

One SQLite file through requests-cache. It is put into WAL mode before requests-cache opens it,
because several processes that switch the mode at once find the file locked; after that readers
never wait, and writers wait their turn. Bodies are stored as JSON, not as pickles, so that a file
from somebody else is data and nothing more.
"""

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from requests import PreparedRequest, Response
from requests_cache import CachedSession, SQLiteCache

from makieval.errors import StoreError
from makieval.fingerprint import fingerprint
from makieval.wikidata.sparql import answers

#: How long an answer is believed. Wikidata moves; a study's links are kept in its store anyway.
KEPT_FOR = timedelta(days=7)
_BUSY_MS = 60_000


def open_cache(path: Path) -> SQLiteCache:
    """The cache in the file `path`, made if need be; a StoreError where that cannot be."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _use_wal(path)
        return SQLiteCache(path, serializer="json", wal=True, busy_timeout=_BUSY_MS)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"{path}: answers cannot be kept there ({error})") from error


def session(cache: SQLiteCache, only_cached: bool = False) -> CachedSession:
    """A session over `cache`, for one thread: POST as well as GET, and whole answers only."""
    made = CachedSession(
        backend=cache,
        allowable_methods=("GET", "POST"),
        allowable_codes=(200,),
        match_headers=["Accept"],
        key_fn=request_key,
        filter_fn=_whole,
        expire_after=KEPT_FOR,
    )
    made.settings.only_if_cached = only_cached
    made.auth = _no_credentials
    return made


def request_key(request: PreparedRequest, **_: Any) -> str:
    """Method, address, form and what is accepted, byte for byte.

    requests-cache's own key cannot tell a decomposed name from its composed form; other headers
    (the agent, cookies) change nothing in an answer.
    """
    body = request.body or b""
    form = body.decode("ascii") if isinstance(body, bytes) else str(body)
    fields: dict[str, Any] = {
        "method": request.method,
        "url": request.url,
        "form": parse_qs(form, keep_blank_values=True),
        "accept": request.headers.get("Accept", ""),
    }
    return fingerprint("sparql", fields)


def _whole(response: Response) -> bool:
    """Whether a response may be kept. Also asked of what comes out of the cache."""
    return response.status_code == 200 and (
        not _json(response) or answers.complete(response.content)
    )


def _json(response: Response) -> bool:
    """Whether JSON was asked for; the whole of other formats cannot be told from a part."""
    return "json" in str(response.request.headers.get("Accept", ""))


def _no_credentials(request: PreparedRequest) -> PreparedRequest:
    """Stands where requests would otherwise look into ~/.netrc for a password to send along."""
    return request


def _use_wal(path: Path) -> None:
    """Switch the file to WAL, which it remembers; other processes may be doing the same."""
    _patiently(lambda: _switch(path))


def _switch(path: Path) -> None:
    with closing(
        sqlite3.connect(path, timeout=_BUSY_MS / 1000, isolation_level=None)
    ) as connection:
        mode = connection.execute("PRAGMA journal_mode").fetchone()[0]
        if mode != "wal":
            connection.execute("PRAGMA journal_mode=WAL")


def _patiently(action: Callable[[], None], tries: int = 200) -> None:
    for _ in range(tries - 1):
        try:
            return action()
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) and "busy" not in str(error):
                raise
            time.sleep(0.02)
    return action()
