"""The gate that every live request passes: few at once, none while the service wants its peace.

What the cache answers passes no gate.
"""

import threading
import time
from collections.abc import Callable
from io import BytesIO
from typing import Any

import requests
from requests.adapters import HTTPAdapter
from urllib3 import HTTPResponse

from makieval.wikidata.sparql.traffic import MOST_AT_ONCE, Traffic

#: No answer that linking asks for comes near this size.
_LARGEST = 256 * 1024 * 1024
_PIECE = 64 * 1024
#: Headers that no longer hold once a body is read, or that would make equal answers differ.
_DROPPED = frozenset(
    "content-encoding content-length transfer-encoding vary set-cookie etag last-modified".split()
)


class Gate:
    """Lets at most `at_once` requests through, and none before `hold` is over.

    `wait` sleeps for the seconds it is given.
    """

    def __init__(
        self,
        traffic: Traffic,
        at_once: int = MOST_AT_ONCE,
        wait: Callable[[float], Any] = time.sleep,
    ) -> None:
        self._traffic = traffic
        self._places = threading.BoundedSemaphore(min(max(at_once, 1), MOST_AT_ONCE))
        self._wait = wait
        self._lock = threading.Lock()
        self._opens = 0.0

    def hold(self, seconds: float) -> None:
        """Nobody passes for so many seconds."""
        with self._lock:
            self._opens = max(self._opens, time.monotonic() + seconds)

    def __enter__(self) -> None:
        self._places.acquire()
        with self._lock:
            seconds = self._opens - time.monotonic()
        if seconds > 0:
            self._traffic.add(waited=seconds)
            self._wait(seconds)
        self._traffic.add(requests=1)

    def __exit__(self, *_: object) -> None:
        self._places.release()


class GatedAdapter(HTTPAdapter):
    """Sends through the gate, and reads the whole reply within `deadline` seconds.

    The time limits of requests are per piece: a service that trickles would hold a place for ever.
    """

    def __init__(self, gate: Gate, deadline: float) -> None:
        super().__init__(max_retries=0)
        self._gate = gate
        self._deadline = deadline

    def send(
        self, request: requests.PreparedRequest, *args: Any, **options: Any
    ) -> requests.Response:
        """See `HTTPAdapter.send`; raises what it raises, and ReadTimeout at the deadline."""
        with self._gate:
            ends = time.monotonic() + self._deadline
            options["stream"] = True
            response = super().send(request, *args, **options)
            with response:
                body = self._read(response, ends, request)
            return self.build_response(request, _whole(response, body))

    def _read(
        self, response: requests.Response, ends: float, request: requests.PreparedRequest
    ) -> bytes:
        pieces: list[bytes] = []
        size = 0
        for piece in response.iter_content(_PIECE):
            pieces.append(piece)
            size += len(piece)
            if time.monotonic() > ends:
                raise requests.ReadTimeout(
                    f"no whole reply in {self._deadline:g} s", request=request
                )
            if size > _LARGEST:
                raise requests.exceptions.ContentDecodingError(
                    f"a reply of more than {_LARGEST} bytes", request=request
                )
        return b"".join(pieces)


def _whole(response: requests.Response, body: bytes) -> HTTPResponse:
    """The reply with its body at hand, without headers that would vary or track."""
    headers = {
        name: text for name, text in response.headers.items() if name.lower() not in _DROPPED
    }
    return HTTPResponse(
        BytesIO(body),
        headers=headers,
        status=response.status_code,
        reason=response.reason,
        preload_content=False,
    )
