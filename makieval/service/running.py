"""Serving the application with uvicorn, which comes with the extra `serve`."""

import importlib.util
import socket
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from makieval.errors import InputError

if TYPE_CHECKING:
    import uvicorn
    from fastapi import FastAPI

    from makieval.linking.reviewed import Decision
    from makieval.wikidata import Snapshot


def serve(
    snapshot: "Snapshot",
    decisions: "Sequence[Decision]",
    *,
    host: str,
    port: int,
    said: Callable[[str], None],
) -> None:
    """Serve until stopped; `said` gets the address. An `InputError` where it cannot listen."""
    for package in ("fastapi", "uvicorn"):
        if importlib.util.find_spec(package) is None:
            raise InputError(f"serving needs the package {package}: pip install 'makieval[serve]'")
    import uvicorn

    from makieval.service.app import create_app

    listening = _listening(host, port)
    address = f"[{host}]" if ":" in host else host
    said(f"http://{address}:{listening.getsockname()[1]}/reconcile/en  (Ctrl-C ends it)")
    uvicorn.Server(config(create_app(snapshot, decisions))).run(sockets=[listening])


def config(app: "FastAPI") -> "uvicorn.Config":
    """How `app` is served: quietly, over HTTP alone."""
    import uvicorn

    return uvicorn.Config(app, log_level="warning", access_log=False, ws="none")


def _listening(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot listen at {host}, port {port} ({reason})") from None
    return listening
