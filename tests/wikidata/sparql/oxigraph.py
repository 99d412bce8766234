"""A real Oxigraph server on loopback, filled with tables as Wikidata would hold them."""

import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

_TRIES = 200


def binary() -> str:
    """The server that the package `oxigraph` (an extra of the tests) brings."""
    beside = Path(sys.executable).parent / "oxigraph"
    found = str(beside) if beside.is_file() else shutil.which("oxigraph")
    assert found, "the tests need the package oxigraph: pip install 'makieval[dev]'"
    return found


@contextmanager
def served(lines: Iterable[str], folder: Path) -> Iterator[str]:
    """The address of an endpoint over these N-Triples, for as long as the block lasts."""
    dump, store = folder / "data.nt", folder / "store"
    dump.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    loading = [binary(), "load", "--location", str(store), "--file", str(dump)]
    subprocess.run(loading, check=True, capture_output=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [binary(), "serve-read-only", "--location", str(store), "--bind", f"127.0.0.1:{port}"]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as server:
        try:
            _wait(f"http://127.0.0.1:{port}/")
            yield f"http://127.0.0.1:{port}/query"
        finally:
            server.terminate()
            server.wait()


def _wait(address: str) -> None:
    for _ in range(_TRIES):
        try:
            with urlopen(address, timeout=5):
                return
        except (URLError, ConnectionError):
            time.sleep(0.05)
    raise TimeoutError(address)
