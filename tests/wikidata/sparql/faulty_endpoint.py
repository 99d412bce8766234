"""A SPARQL endpoint on loopback that fails in every way that endpoints have been seen to fail.

`plan` is a list of replies, given one after the other; when it is used up, `echo` answers: a row
with the query that was asked. A reply may be a function of the query.
"""

import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qs

JSON = "application/sparql-results+json;charset=utf-8"


@dataclass(frozen=True)
class Reply:
    """What the endpoint says: a code, headers, a body; `pause` seconds before each of its `parts`.

    `cut` closes the connection before the announced length is sent.
    """

    code: int = 200
    body: bytes = b""
    kind: str = JSON
    headers: dict[str, str] = field(default_factory=dict)
    pause: float = 0.0
    parts: int = 1
    cut: bool = False


@dataclass(frozen=True)
class Asked:
    """A request as it came in."""

    method: str
    query: str
    headers: dict[str, str]
    at: float


def result(*rows: dict[str, str]) -> Reply:
    """A whole JSON result of literals."""
    bindings = [
        {name: {"type": "literal", "value": text} for name, text in row.items()} for row in rows
    ]
    document = {"head": {"vars": []}, "results": {"bindings": bindings}}
    return Reply(body=json.dumps(document).encode())


def echo(query: str) -> Reply:
    """The query itself as the only row."""
    return result({"query": query})


TIMEOUT_IN_200 = Reply(
    body=b'{"head":{"vars":["item"]},"results":{"bindings":[{"item":{"type":"uri","value":"x"}},'
    b"\nSPARQL-QUERY: queryStr=SELECT ...\njava.util.concurrent.TimeoutException\n"
    b"\tat java.util.concurrent.FutureTask.get(FutureTask.java:205)\n"
)
TIMEOUT_AS_429 = Reply(
    429,
    b'{"exception":"Operation timed out. Timeout was 10 s","status":"ERROR"}',
    "application/json",
)
MEMORY = Reply(
    500,
    b'{"exception":"Tried to allocate 12.1 GB, but only 4.0 GB were available.","status":"ERROR"}',
    "application/json",
)
POLICY_IN_200 = Reply(
    body=b"Please set a user-agent and respect our robot policy", kind="text/plain"
)
FORBIDDEN = Reply(403, b"<html><body>Forbidden</body></html>", "text/html")
BANNED = Reply(
    429,
    b"You have been banned until 2026-12-01T00:00:00Z. Please respect throttling.",
    "text/plain",
    {"Retry-After": "86400"},
)
SYNTAX = Reply(400, b"MalformedQueryException: Encountered x at line 1", "text/plain")
REFUSED_SLOT = Reply(503, b"Service Unavailable", "text/plain", {"Retry-After": "3"})


def slow_down(after: str) -> Reply:
    """429 with this Retry-After."""
    return Reply(429, b"Too Many Requests", "text/plain", {"Retry-After": after})


class FaultyEndpoint:
    """The server; `asked` lists what came in. Use as a context manager."""

    def __init__(self) -> None:
        self.plan: list[Reply | Callable[[str], Reply]] = []
        self.otherwise: Callable[[str], Reply] = echo
        self.asked: list[Asked] = []
        self._lock = threading.Lock()
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                self._answer(parse_qs(self.path.partition("?")[2]))

            def do_POST(self) -> None:
                length = int(self.headers.get("Content-Length", 0))
                self._answer(parse_qs(self.rfile.read(length).decode("ascii")))

            def _answer(self, form: dict[str, list[str]]) -> None:
                query = form.get("query", [""])[0]
                headers = {name.lower(): value for name, value in self.headers.items()}
                reply = endpoint.next(Asked(self.command, query, headers, time.monotonic()))
                self.send_response(reply.code)
                self.send_header("Content-Type", reply.kind)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                extra = 1000 if reply.cut else 0
                self.send_header("Content-Length", str(len(reply.body) + extra))
                self.end_headers()
                size = -(-len(reply.body) // reply.parts) or 1
                try:
                    for at in range(0, len(reply.body), size):
                        time.sleep(reply.pause)
                        self.wfile.write(reply.body[at : at + size])
                        self.wfile.flush()
                except OSError:
                    self.close_connection = True
                self.close_connection = self.close_connection or reply.cut

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._server.server_port}/sparql"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))

    def next(self, asked: Asked) -> Reply:
        """The reply to a request."""
        with self._lock:
            self.asked.append(asked)
            planned = self.plan.pop(0) if self.plan else self.otherwise
        return planned(asked.query) if callable(planned) else planned

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
