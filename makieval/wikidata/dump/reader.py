"""Reading a dump into parts: decompress here, parse in other processes, keep what is whole.

On two processors the parsing processes share them with the decompression; on more, the slower of
the two sets the pace. What is in memory is a few blocks and each process's open part.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from makieval.errors import SnapshotError
from makieval.wikidata.dump.blocks import BLOCK, Block, Cut, Truncated, blocks
from makieval.wikidata.dump.entity import parser
from makieval.wikidata.dump.pool import Pool
from makieval.wikidata.dump.progress import Progress, Report
from makieval.wikidata.dump.source import Source, opened
from makieval.wikidata.dump.wanted import Wanted
from makieval.wikidata.dump.worker import PART

#: A dump's text is at most about this many times as long as the file.
_COMPRESSED = 10


@dataclass(frozen=True)
class Reading:
    """How to read. `heard` is told the bytes taken of the source, and of how many (None: a stream).

    `started` is told the numbers of the processes.
    """

    workers: int = field(default_factory=lambda: os.cpu_count() or 1)
    strict: bool = False
    part: int = PART
    heard: Callable[[int, int | None], None] | None = None
    started: Callable[[list[int]], None] | None = None


def read(
    path: Path | str, wanted: Wanted, folder: Path, reading: Reading | None = None
) -> Progress:
    """Read the dump at `path` (or `-`) into the work folder, from wherever an earlier run stood.

    A `SnapshotError` where it is no dump, a reading process dies, or (strict) a line is damaged or
    the dump is cut off.
    """
    reading = reading or Reading()
    progress = Progress(folder)
    with opened(path, reading.workers) as source:
        progress.open({"source": source.identity, "codes": wanted.codes, "properties": wanted.read})
        if progress.ended is None:
            _read(source, wanted, progress, reading)
    report = progress.report()
    if not report.entities:
        first = f"; line {report.damaged[0][0]}: {report.damaged[0][1]}" if report.damaged else ""
        raise SnapshotError(f"{source.name}: no entity of Wikidata in it{first}")
    if reading.strict:
        _refuse(source.name, report)
    return progress


def _refuse(name: str, report: Report) -> None:
    if report.damaged:
        line, reason = report.damaged[0]
        raise SnapshotError(f"{name}, line {line}: {reason} (--strict)")
    if report.truncated:
        raise SnapshotError(f"{name}, line {report.lines}: {report.truncated} (--strict)")


def _read(source: Source, wanted: Wanted, progress: Progress, reading: Reading) -> None:
    after, done = progress.cut(), progress.done
    if source.size is None and after.number:
        after = Cut()  # a stream begins at its beginning
    setting = {
        "codes": wanted.codes,
        "properties": wanted.read,
        "folder": str(progress.parts),
        "part": reading.part,
        "strict": reading.strict,
    }
    parser(wanted.codes, wanted.read)  # says at once what is not installed
    given: dict[int, Block] = {}
    last: bytes | bytearray = b""
    lines = after.lines
    truncated: str | None = None

    def keep(record: dict[str, Any]) -> None:
        if strict := record.get("strict"):
            line, reason = strict
            raise SnapshotError(f"{source.name}, line {line}: {reason} (--strict)")
        if failed := record.get("failed"):
            raise SnapshotError(f"{progress.folder}: cannot be written ({failed})")
        if "part" in record:
            progress.add(record, given)
            for number in record["blocks"]:
                del given[number]

    with Pool(_workers(source, reading), setting) as pool:
        if reading.started:
            reading.started(pool.pids)
        try:
            for block in blocks(source.chunks(after.again.source), after):
                lines, last = block.first + block.lines - 1, block.data[-64:]
                if block.number in done:
                    continue
                given[block.number] = block._replace(data=b"")
                for record in pool.give(block):
                    keep(record)
                if reading.heard:
                    reading.heard(source.taken, source.size)
        except Truncated as error:
            truncated = str(error)
        for record in pool.finish():
            keep(record)
    progress.end(lines, truncated or _cut_off(last))


def _workers(source: Source, reading: Reading) -> int:
    """As many processes as asked for, but none that would have nothing to do."""
    if source.size is None:
        return reading.workers
    blocks_at_most = source.size * _COMPRESSED // BLOCK + 1
    return max(1, min(reading.workers, blocks_at_most))


def _cut_off(last: bytes | bytearray) -> str | None:
    """A dump is an array: its last line closes it. (A plain list of lines closes its last one.)"""
    end = last.rstrip()
    if end.endswith((b"]", b"}")) or not end:
        return None
    return "the last line is not complete" if not end.endswith(b",") else "the array is not closed"
