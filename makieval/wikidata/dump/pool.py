"""The parent's side of the parsing processes: hand out blocks, hear of parts, notice deaths.

One thread per process writes blocks to it, one hears it. Whatever process is free takes the next
block, so a slow one holds nobody up; and one that dies is noticed at once, by the end of its
output.
"""

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from makieval.errors import SnapshotError
from makieval.wikidata.dump.blocks import Block
from makieval.wikidata.dump.parts import message
from makieval.wikidata.dump.sharing import DONE, HEADER, PIPED, SLOT, Shared

_WORKER = "makieval.wikidata.dump.worker"


@dataclass(frozen=True, slots=True)
class _Death:
    number: int
    code: int


class Pool:
    """Some processes that parse blocks. A context manager: leaving it ends them."""

    def __init__(self, workers: int, setting: Mapping[str, Any]) -> None:
        self._blocks: queue.Queue[Block | None] = queue.Queue(workers + 1)
        self._heard: queue.Queue[dict[str, Any] | _Death] = queue.Queue()
        self._setting = setting
        self._shared = [Shared() for _ in range(workers)]
        self._processes = [self._start(shared) for shared in self._shared]
        self._running = workers
        self._threads: list[threading.Thread] = []

    @property
    def pids(self) -> list[int]:
        """The processes' numbers."""
        return [process.pid for process in self._processes]

    def __enter__(self) -> Self:
        for number, process in enumerate(self._processes):
            for work in (self._feed, self._hear):
                thread = threading.Thread(target=work, args=(number, process), daemon=True)
                thread.start()
                self._threads.append(thread)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        if kind is not None:
            for process in self._processes:
                process.kill()
        for _ in self._processes:
            with suppress(queue.Full):
                self._blocks.put_nowait(None)
        for process in self._processes:
            process.wait()
        for thread in self._threads:
            thread.join(timeout=5)
        for shared in self._shared:
            shared.close()
        for process in self._processes:
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    with suppress(OSError):
                        stream.close()

    def give(self, block: Block) -> Iterator[dict[str, Any]]:
        """Hand `block` out, waiting for a free place; meanwhile, the records of parts written."""
        while True:
            yield from self._records()
            try:
                self._blocks.put(block, timeout=0.2)
            except queue.Full:
                continue
            return

    def finish(self) -> Iterator[dict[str, Any]]:
        """No block is left: the records of the last parts, until every process has ended well."""
        for _ in self._processes:
            self._put_end()
        while self._running:
            yield from self._records(wait=True)

    def _put_end(self) -> None:
        while True:
            try:
                self._blocks.put(None, timeout=0.2)
            except queue.Full:
                self._check_alive()
                continue
            return

    def _check_alive(self) -> None:
        if not any(process.poll() is None for process in self._processes):
            raise SnapshotError("every reading process ended before its work was done")

    def _records(self, *, wait: bool = False) -> Iterator[dict[str, Any]]:
        while True:
            try:
                heard = self._heard.get(timeout=0.5) if wait else self._heard.get_nowait()
            except queue.Empty:
                return
            if isinstance(heard, _Death):
                raise SnapshotError(_obituary(heard, self._processes[heard.number].pid))
            if heard.get("finished"):
                self._running -= 1
            yield heard
            if wait and not self._running:
                return

    def _start(self, shared: Shared) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            [sys.executable, "-c", f"from {_WORKER} import main; main()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            pass_fds=(shared.file,),
            env={**os.environ, "POLARS_MAX_THREADS": "1", "PYTHONPATH": os.pathsep.join(sys.path)},
        )

    def _feed(self, number: int, process: "subprocess.Popen[bytes]") -> None:
        """Write blocks to a process until none is left, or it is gone (which `_hear` tells)."""
        pipe, shared = process.stdin, self._shared[number]
        assert pipe is not None
        with suppress(OSError, ValueError):
            pipe.write(message({**self._setting, "memory": shared.file}))
            pipe.flush()
            while (block := self._blocks.get()) is not None:
                slot: int | None = PIPED
                if len(block.data) <= SLOT:
                    while (slot := shared.write(block.data)) is None:
                        if process.poll() is not None:
                            return
                pipe.write(HEADER.pack(block.number, block.first, len(block.data), slot))
                if slot == PIPED:
                    pipe.write(block.data)
                pipe.flush()
            pipe.close()

    def _hear(self, number: int, process: "subprocess.Popen[bytes]") -> None:
        """Pass on what a process says; when it says no more, how it ended."""
        pipe = process.stdout
        assert pipe is not None
        finished = False
        with suppress(OSError, ValueError):
            for line in pipe:
                if line == DONE:
                    self._shared[number].done()
                    continue
                record = json.loads(line)
                finished = not record.get("part")
                self._heard.put(record)
        if not finished:
            self._heard.put(_Death(number, process.wait()))


def _obituary(death: _Death, pid: int) -> str:
    how = f"exit code {death.code}"
    if death.code < 0:
        with suppress(ValueError):
            how = signal.Signals(-death.code).name
    return (
        f"reading process {pid} died ({how}); what it had finished is kept,"
        " run the same command again to go on"
    )
