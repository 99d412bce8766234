"""The journal: answers on disk before anything else happens to them.

A folder of JSON Lines segments. A process appends to a segment of its own and never touches
another's, so a torn last line (a kill, a full disk) spoils nothing that came before it, and the
next process starts on a clean line. The DuckDB file is rebuilt from here; this is the truth.
"""

import errno
import gzip
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from makieval.errors import DiskFull, StoreError

_NO_ROOM = {errno.ENOSPC, errno.EFBIG, errno.EDQUOT}


class Journal:
    """The segments under one folder; `with journal.writer() as w` appends."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def segments(self) -> list[Path]:
        """Every segment, oldest first."""
        return sorted((*self.folder.glob("*.jsonl"), *self.folder.glob("*.jsonl.gz")))

    def writer(self) -> "Writer":
        """A writer onto a segment of its own."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise failed(self.folder, error) from None
        return Writer(self.folder)

    @staticmethod
    def read(segment: Path, start: int = 0) -> tuple[list[dict[str, Any]], int]:
        """The whole records of `segment` from byte `start` on, and the byte after the last one.

        A torn last line is left for later; a damaged line within is an error that names it.
        """
        data = _bytes(segment, start)
        whole = data[: data.rfind(b"\n") + 1]
        records: list[dict[str, Any]] = []
        for number, line in enumerate(whole.splitlines(), start=1):
            try:
                records.append(json.loads(line))
            except ValueError:
                raise StoreError(
                    f"{segment}: line {number} after byte {start} is damaged;"
                    " move the segment away to go on without it"
                ) from None
        return records, start + len(whole)

    def records(self) -> Iterator[dict[str, Any]]:
        """Every whole record of every segment, in order."""
        for segment in self.segments():
            yield from self.read(segment)[0]


class Writer:
    """Appends records to one new segment; each call is on disk when it returns."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file: IO[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        if self._file is not None:
            self._file.close()

    def append(self, records: Iterable[Mapping[str, Any]]) -> None:
        """Write and flush `records` to disk (fsync); raises `DiskFull` or `StoreError`."""
        lines = b"".join(
            json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
            for record in records
        )
        if not lines:
            return
        try:
            if self._file is None:
                self._file = self._new_segment()
            self._file.write(lines)
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise failed(self._folder, error) from None

    def _new_segment(self) -> IO[bytes]:
        last = max((int(path.name[:6]) for path in self._folder.glob("[0-9]*.jsonl*")), default=0)
        while True:
            last += 1
            try:
                return (self._folder / f"{last:06d}.jsonl").open("xb", buffering=0)
            except FileExistsError:
                continue


def failed(where: Path, error: OSError) -> StoreError:
    """The error a user reads when `where` cannot be written."""
    if error.errno in _NO_ROOM:
        return DiskFull(
            f"{where}: no room left on the disk; every answer up to here is kept:"
            " make room and run the same command again"
        )
    return StoreError(f"{where}: cannot be written ({error.strerror})")


def _bytes(segment: Path, start: int) -> bytes:
    with gzip.open(segment) if segment.suffix == ".gz" else segment.open("rb") as file:
        file.seek(start)
        return file.read()
