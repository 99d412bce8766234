"""How far a dump has been read, on disk: a killed run goes on where it stood.

`progress.jsonl` in the work folder: first what is read and how, then one line per part. A line is
written after its part is whole on disk, so what the file names is there, and what it does not
name is read again.
"""

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from makieval.errors import SnapshotError
from makieval.wikidata.dump.blocks import Block, Cut, Place
from makieval.wikidata.dump.parts import LAYOUT, message

#: Version of the parts' layout.
VERSION = 1


@dataclass
class Report:
    """What reading a dump brought to light."""

    lines: int = 0
    types: Counter[str] = field(default_factory=Counter[str])
    damaged_count: int = 0
    damaged: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    truncated: str | None = None
    newest: str = ""

    @property
    def entities(self) -> int:
        """Well-formed lines, whatever they describe."""
        return self.types.total()

    def sentences(self) -> Iterator[str]:
        """The report in lines for a reader."""
        kinds = ", ".join(f"{n:,} {kind}" for kind, n in sorted(self.types.items()))
        yield f"{self.lines:,} lines read: {kinds or 'no entity'}"
        if self.damaged_count:
            line, reason = self.damaged[0]
            yield (
                f"{self.damaged_count:,} damaged lines left out;"
                f" the first is line {line:,}: {reason}"
            )
        if self.truncated:
            yield f"the dump is cut off after line {self.lines:,}: {self.truncated}"


class Progress:
    """The progress file of one work folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.parts = folder / "parts"
        self._path = folder / "progress.jsonl"
        self._records: list[dict[str, Any]] = []
        self.ended: dict[str, Any] | None = None

    def open(self, setting: Mapping[str, Any]) -> None:
        """Begin, or go on; a `SnapshotError` where another dump or choice was begun here."""
        setting = {"version": VERSION, **setting}
        self.parts.mkdir(parents=True, exist_ok=True)
        found = self._read()
        if not found:
            self._append(setting)
        elif found[0] != json.loads(json.dumps(setting)):
            raise SnapshotError(
                f"{self.folder}: holds what was read of another dump, or for another choice of"
                " languages or properties; remove that folder to begin anew"
            )
        for record in found[1:]:
            if record.get("ended"):
                self.ended = record
            else:
                self._records.append(record)
        named = {record["part"] for record in self._records}
        for path in self.parts.iterdir():
            if path.suffix != ".parquet" or path.name.split(".")[0] not in named:
                path.unlink()

    @property
    def done(self) -> set[int]:
        """Numbers of the blocks whose rows are on disk."""
        return {number for record in self._records for number in record["blocks"]}

    def cut(self) -> Cut:
        """From where reading must go on: one block before the first that is not done.

        So the last block is always seen, and how the dump ends.
        """
        ends = {end["number"]: end for record in self._records for end in record["ends"]}
        number = 0
        while number + 1 in ends and number in ends:
            number += 1
        if not number:
            return Cut()
        before = ends[number - 1]
        return Cut(number, before["lines"], before["text"], Place(*before["again"]))

    def add(self, record: Mapping[str, Any], blocks: Mapping[int, Block]) -> None:
        """Keep a part's record, with where its blocks end."""
        ends = [
            {
                "number": number,
                "lines": (block := blocks[number]).first + block.lines - 1,
                "text": block.end,
                "again": block.again,
            }
            for number in record["blocks"]
        ]
        whole = {**record, "ends": ends}
        self._append(whole)
        self._records.append(whole)

    def end(self, lines: int, truncated: str | None) -> None:
        """All of the dump is read."""
        self.ended = {"ended": True, "lines": lines, "truncated": truncated}
        self._append(self.ended)

    def report(self) -> Report:
        """What has been read so far."""
        ended = self.ended or {}
        report = Report(lines=ended.get("lines", 0), truncated=ended.get("truncated"))
        for record in self._records:
            report.types.update(record["types"])
            report.damaged_count += record["damaged_count"]
            report.damaged += [(line, reason) for line, reason in record["damaged"]]
            report.newest = max(report.newest, record["modified"])
        report.damaged.sort()
        return report

    def rows(self) -> dict[str, int]:
        """Rows that the parts must hold, by table."""
        total = dict.fromkeys(LAYOUT, 0)
        for record in self._records:
            for table, rows in record["rows"].items():
                total[table] += rows
        return total

    def _read(self) -> list[dict[str, Any]]:
        if not self._path.is_file():
            return []
        records: list[dict[str, Any]] = []
        whole = 0
        with self._path.open("rb") as file:
            for line in file:
                if not line.endswith(b"\n"):
                    break  # the run was killed while it wrote this; its part is read again
                records.append(json.loads(line))
                whole += len(line)
        if whole < self._path.stat().st_size:
            os.truncate(self._path, whole)
        return records

    def _append(self, record: Mapping[str, Any]) -> None:
        with self._path.open("ab") as file:
            file.write(message(record))
            file.flush()
            os.fsync(file.fileno())
