"""One thread's way to a service: SPARQLWrapper writes the request and reads the result, a session
of requests-cache carries it.

SPARQLWrapper by itself opens a connection of its own for each query, which no cache sees; here its
`_query` hands the request over instead. A courier must not be shared between threads: SPARQLWrapper
keeps the query in itself, and would answer one thread with the rows of another.
"""

from collections.abc import Callable, Mapping
from typing import Any, cast
from urllib.request import Request

import requests
from requests_cache import CachedSession
from SPARQLWrapper import JSON, POST, URLENCODED, SPARQLWrapper

from makieval.errors import ServiceError
from makieval.status import Status
from makieval.wikidata.sparql import answers
from makieval.wikidata.sparql.gate import GatedAdapter

#: Seconds to wait for a connection.
_CONNECT = 15.0


class _Reply:
    """A response in the shape that SPARQLWrapper reads: `info` and `read`."""

    def __init__(self, response: requests.Response) -> None:
        self._response = response

    def info(self) -> Mapping[str, str]:
        """The headers. What has parsed as JSON is JSON, whatever the service calls it."""
        return {"content-type": "application/sparql-results+json"}

    def read(self) -> bytes:
        """The body."""
        return self._response.content


class Courier(SPARQLWrapper):
    """Asks the service at `address` as `agent`, within `timeout` seconds."""

    def __init__(
        self, address: str, agent: str, session: CachedSession, gated: GatedAdapter, timeout: float
    ) -> None:
        super().__init__(address, returnFormat=JSON, agent=agent)
        self.setMethod(POST)
        self.setRequestMethod(URLENCODED)
        self.setOnlyConneg(True)
        session.mount("http://", gated)
        session.mount("https://", gated)
        self._session = session
        self._limits = (_CONNECT, timeout)
        self.from_cache = False

    def rows(self, query: str) -> list[answers.Row]:
        """The rows that answer `query`; a `ServiceError` where the service does not answer."""
        self.setQuery(query)
        return answers.rows(self.query().convert())

    def close(self) -> None:
        """Close its connections; the cache stays open."""
        for adapter in self._session.adapters.values():
            adapter.close()

    def _query(self) -> Any:
        """SPARQLWrapper's own, but for the road the request takes."""
        made: Request = self._createRequest()
        try:
            response = self._sent(made)
        except requests.RequestException as error:
            told = (str(error).splitlines() or [type(error).__name__])[0][:200]
            raise ServiceError(f"{self.endpoint}: {told}", _status(error)) from error
        self.from_cache = bool(getattr(response, "from_cache", False))
        headers = {name.lower(): value for name, value in response.headers.items()}
        failed = answers.failure(
            self.endpoint, response.status_code, headers, response.content or b""
        )
        if failed:
            raise failed
        return _Reply(response), JSON

    def _sent(self, made: Request) -> requests.Response:
        send = cast("Callable[..., requests.Response]", self._session.request)  # pyright: ignore[reportUnknownMemberType]
        return send(
            made.get_method(),
            made.full_url,
            data=made.data,
            headers=dict(made.header_items()),
            timeout=self._limits,
            allow_redirects=False,
        )


def _status(error: requests.RequestException) -> Status:
    """Too slow, or not there at all; a connection that takes too long to open is not there."""
    if isinstance(error, requests.ConnectTimeout):
        return Status.UNREACHABLE
    slow = isinstance(error, requests.ReadTimeout) or "timed out" in str(error)
    return Status.TIMEOUT if slow else Status.UNREACHABLE
