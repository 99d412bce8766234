"""A real Oxigraph server on loopback, filled with tables as Wikidata would hold them.

    python benchmarks/oxigraph_server.py TABLES

serves a folder of tables until Ctrl-C, for `makieval wikidata check` and studies to try.
"""

import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from makieval.wikidata.sparql import triples
from makieval.wikidata.tables import LAYOUT, Tables, read

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


def write(tables: Tables, folder: Path) -> None:
    """The tables as a folder that a snapshot can be built from."""
    for name in LAYOUT:
        frame = tables.frames[name]
        frame.write_csv(folder / f"{name}.tsv", separator="\t", quote_style="never")
    (folder / "manifest.toml").write_text('name = "as Wikidata"\n', encoding="utf-8")


def main() -> None:
    """Serve the folder named on the command line."""
    tables = triples.as_wikidata(read(Path(sys.argv[1])))
    with (
        tempfile.TemporaryDirectory(prefix="makieval-oxigraph-") as folder,
        served(triples.triples(tables), Path(folder)) as address,
    ):
        print(address, flush=True)
        try:
            while True:
                time.sleep(3600)
        except KeyboardInterrupt:
            pass


if __name__ == "__main__":
    main()
