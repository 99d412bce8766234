"""A model file served on loopback by a child process of our own, for as long as a run lasts.

A process of its own, because the server is native code: its log stays out of our terminal, a
crash there is an error line here, and it ends with us however we end. It listens on 127.0.0.1
with a key drawn for this run, so that nothing else on the machine (a web page, say) can use it.

The parent holds the write end of the child's standard input: settings go through it, and its end
(also after `kill -9` of the parent) is the child's signal to leave. Not PR_SET_PDEATHSIG, which
fires when the *thread* that started the child ends.
"""

import contextlib
import importlib
import importlib.util
import json
import os
import secrets
import subprocess
import sys
import tempfile
import threading
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from makieval.errors import ModelError
from makieval.llm.filehash import file_sha256
from makieval.llm.modelfile import id_of

#: Tokens of prompt and answer together; a prompt of ours has under 1,000.
CONTEXT = 4096
START_TIMEOUT_S = 300.0
_MOST_THREADS = 8


class EmbeddedServer:
    """Serves the GGUF file at `path` while open; `base_url` and `key` say how to reach it.

    One slot: with several, requests are computed in one batch, and which ones share it changes
    the texts of a seed (for 1.2 times the speed on two cores). `threads`: as many as there are
    processors for us, at most 8. Raises ModelError when xllamacpp is missing or the server does
    not start.
    """

    def __init__(self, path: Path, *, threads: int | None = None) -> None:
        self.key = secrets.token_hex(16)
        self.base_url = ""
        self._path = path
        self._threads = threads or min(_processors(), _MOST_THREADS)
        self._child: subprocess.Popen[bytes] | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    @property
    def alive(self) -> bool:
        """Whether the child process runs."""
        return self._child is not None and self._child.poll() is None

    @property
    def pid(self) -> int | None:
        """The child's process id."""
        return self._child.pid if self._child else None

    def start(self) -> None:
        """Starts the child and returns once it answers; a few seconds for a gigabyte."""
        check_installed()
        self._folder = tempfile.TemporaryDirectory(prefix="makieval-model-")
        with self._log.open("wb") as log:
            self._child = subprocess.Popen(
                [sys.executable, "-m", "makieval.llm.embedded", str(self._path)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                env=_child_environment(),
                start_new_session=True,  # Ctrl-C is ours to handle, after the last answer
            )
        settings = {"key": self.key, "threads": self._threads, "name": served_name(self._path)}
        said = self._converse(self._child, json.dumps(settings).encode() + b"\n")
        if not said:
            raise ModelError(f"the embedded model server did not start: {self.last_words()}")
        self.base_url = json.loads(said)["address"] + "/v1"

    def stop(self) -> None:
        """Ends the child; harmless when it has ended."""
        child, self._child = self._child, None
        if child is not None:
            child.kill()
            child.wait()
            for pipe in (child.stdin, child.stdout):
                if pipe is not None:
                    with contextlib.suppress(OSError):
                        pipe.close()
        folder, self._folder = self._folder, None
        if folder is not None:
            folder.cleanup()

    def last_words(self) -> str:
        """The end of the child's log, on one line."""
        try:
            lines = self._log.read_text("utf-8", "replace").split("\n")
        except OSError:
            return "no log"
        return " | ".join(line.strip() for line in lines if line.strip())[-600:] or "no word"

    @property
    def _log(self) -> Path:
        return Path(self._folder.name if self._folder else os.devnull) / "server.log"

    @staticmethod
    def _converse(child: "subprocess.Popen[bytes]", settings: bytes) -> bytes:
        """Sends the settings and reads the one line that says where the server listens."""
        assert child.stdin is not None
        assert child.stdout is not None
        timer = threading.Timer(START_TIMEOUT_S, child.kill)
        timer.daemon = True
        timer.start()
        try:
            child.stdin.write(settings)
            child.stdin.flush()
            return child.stdout.readline()
        except (OSError, ValueError):
            return b""
        finally:
            timer.cancel()


def check_installed() -> None:
    """Raises ModelError where the package that serves model files is missing."""
    if importlib.util.find_spec("xllamacpp") is None:
        raise ModelError(
            "the embedded model needs the package xllamacpp: pip install 'makieval[local]'"
        )


def served_name(path: Path) -> str:
    """What the server calls its model: the file and the version of the library."""
    return f"{id_of(file_sha256(path))} (xllamacpp {version('xllamacpp')})"


def _processors() -> int:
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def _child_environment() -> dict[str, str]:
    """Our environment without anybody's keys, with this very package importable."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not any(word in name.upper() for word in ("KEY", "TOKEN", "SECRET", "PASSWORD"))
    }
    package = str(Path(__file__).parents[2])
    path = [package, *filter(None, [os.environ.get("PYTHONPATH")])]
    # Threads that wait by spinning take the processors from everything else.
    return {**kept, "PYTHONPATH": os.pathsep.join(path), "OMP_WAIT_POLICY": "passive"}


def _serve(path: str) -> None:
    """The child: serves until its standard input ends."""
    told = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # native code prints where it likes
    settings: dict[str, Any] = json.loads(sys.stdin.readline())
    watch = threading.Thread(target=_leave_with_parent, daemon=True)
    watch.start()

    server = native_server(
        Path(path),
        name=settings["name"],
        host="127.0.0.1",
        port=0,
        key=settings["key"],
        threads=settings["threads"],
    )
    print(json.dumps({"address": server.listening_address}), file=told, flush=True)
    watch.join()


def native_server(path: Path, *, name: str, host: str, port: int, key: str, threads: int) -> Any:
    """llama.cpp's server in this process, running; `listening_address` says where."""
    xllamacpp: Any = importlib.import_module("xllamacpp")  # untyped
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.model_alias = {name}
    params.n_parallel = 1
    params.n_ctx = CONTEXT
    params.cpuparams.n_threads = threads
    params.cpuparams_batch.n_threads = threads
    params.hostnames = [host]
    params.port = port
    params.api_keys = [key]
    params.ui = False
    params.warmup = False
    return xllamacpp.Server(params)


def _leave_with_parent() -> None:
    while sys.stdin.buffer.read(1):
        pass
    os._exit(0)


if __name__ == "__main__":
    _serve(sys.argv[1])
