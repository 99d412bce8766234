"""One thread's way to a service: SPARQLWrapper writes the request and reads the result, a session
of requests-cache carries it.

SPARQLWrapper by itself opens a connection of its own for each query, which no cache sees; here its
`_query` hands the request over instead. A courier must not be shared between threads: SPARQLWrapper
keeps the query in itself, and would answer one thread with the rows of another.
"""

from collections.abc import Mapping
from typing import Any
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
            response: requests.Response = self._session.request(  # pyright: ignore[reportUnknownMemberType]
                made.get_method(),
                made.full_url,
                data=made.data,
                headers=dict(made.header_items()),
                timeout=self._limits,
                allow_redirects=False,
            )
        except requests.RequestException as error:
            slow = "timed out" in str(error) or isinstance(error, requests.ReadTimeout)
            status = Status.TIMEOUT if slow else Status.UNREACHABLE
            if isinstance(error, requests.ConnectTimeout):
                status = Status.UNREACHABLE
            raise ServiceError(f"{self.endpoint}: {_first(error)}", status) from error
        self.from_cache = bool(getattr(response, "from_cache", False))
        given: Mapping[str, str] = response.headers  # pyright: ignore[reportUnknownMemberType]
        headers = {name.lower(): value for name, value in given.items()}
        failed = answers.failure(
            self.endpoint, response.status_code, headers, response.content or b""
        )
        if failed:
            raise failed
        return _Reply(response), JSON


def _first(error: Exception) -> str:
    return str(error).splitlines()[0][:200]
