"""The store: opening its DuckDB file, keeping it up to date, and giving it back quickly.

A DuckDB file that one process writes cannot be opened by another, not even to read. So nobody
here holds it: every reader and writer connects for one piece of work and lets go, and waits a
little when somebody else is at it. The run lock keeps two runs from doing the same work at once.
"""

import fcntl
import os
import re
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from makieval.errors import StoreBusy, StoreError
from makieval.store.journal import Journal, failed
from makieval.store.migrations import is_current, migrate
from makieval.store.rows import insert

if TYPE_CHECKING:
    import duckdb

#: The parts of a journalled answer that make a row of `answers`, after its id.
_ANSWER = (
    "status text finish_reason prompt_tokens completion_tokens served_model"
    " latency_ms received_at error fields"
)
_WAIT_S = 10.0


class Store:
    """A store folder. `Store(path)` touches nothing; `create()` or `existing()` decide."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.database = self.folder / "store.duckdb"
        self.journal = Journal(self.folder / "journal")

    def create(self) -> "Store":
        """This store, made and migrated where it is new or older."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise failed(self.folder, error) from None
        with self.connect() as connection:
            migrate(connection, self.database)
        return self

    def existing(self) -> "Store":
        """This store; raises `StoreError` where there is none."""
        if not self.database.is_file():
            raise StoreError(f"{self.folder}: no store here; `makieval run STUDY` makes one")
        with self.connect(read_only=True) as connection:
            current = is_current(connection)
        return self if current else self.create()

    @contextmanager
    def connect(
        self, *, read_only: bool = False, wait_s: float = _WAIT_S
    ) -> Generator["duckdb.DuckDBPyConnection"]:
        """A connection for one piece of work.

        Waits up to `wait_s` seconds while another process holds the file, then raises
        `StoreBusy` with that process's number.
        """
        import duckdb

        connection = self._open(read_only=read_only, wait_s=wait_s)
        try:
            yield connection
        except duckdb.Error as error:
            if isinstance(error, duckdb.IOException) or _no_room(error):
                raise self._input_output(error) from None
            raise
        finally:
            connection.close()

    def _open(self, *, read_only: bool, wait_s: float) -> "duckdb.DuckDBPyConnection":
        import duckdb

        deadline = time.monotonic() + wait_s
        while True:
            try:
                return duckdb.connect(str(self.database), read_only=read_only)
            except duckdb.IOException as error:
                if "lock" not in str(error) or time.monotonic() > deadline:
                    raise self._input_output(error) from None
                time.sleep(0.05)
            except duckdb.Error as error:
                raise StoreError(f"{self.database}: {_first_line(error)}") from None

    def _input_output(self, error: Exception) -> StoreError:
        text = str(error)
        if "lock" in text:
            found = re.search(r"PID (\d+)", text)
            holder = found[1] if found else "unknown"
            return StoreBusy(
                f"{self.database}: process {holder} holds it; close that and run the same command"
                " again. Everything already paid for is in the journal"
            )
        if _no_room(error):
            return failed(self.database, OSError(28, "No space left on device"))
        return StoreError(
            f"{self.database}: {_first_line(error)} (if the file is damaged, delete it: the next"
            " run rebuilds it from the journal)"
        )

    @contextmanager
    def run_lock(self) -> Generator[None]:
        """Held by the one run that writes; raises `StoreBusy` where another run holds it."""
        path = self.folder / "run.lock"
        try:
            file = path.open("a+")
        except OSError as error:
            raise failed(path, error) from None
        with file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                file.seek(0)
                raise StoreBusy(
                    f"{self.folder}: another run (process {file.read().strip() or 'unknown'})"
                    " works on this store; wait for it, or give this one another --store"
                ) from None
            file.truncate(0)
            file.write(str(os.getpid()))
            file.flush()
            yield

    def ingest(self) -> int:
        """Bring what the journal holds into the tables; the number of new final answers.

        A record enters once, in one transaction with the mark of how far its segment was read.
        """
        from makieval.status import FINAL

        new = 0
        with self.connect() as connection:
            marks = dict(
                connection.execute("SELECT segment, ingested FROM journal_segments").fetchall()
            )
            for segment in self.journal.segments():
                start = int(marks.get(segment.name, 0))
                if start and (segment.suffix == ".gz" or segment.stat().st_size <= start):
                    continue  # a compressed segment is closed: it was read whole
                records, end = self.journal.read(segment, start)
                if end == start:
                    continue
                final = [r for r in records if r["status"] in FINAL]
                passing = [r for r in records if r["status"] not in FINAL]
                connection.begin()
                new += insert(
                    connection,
                    "answers",
                    f"answer_id {_ANSWER}",
                    [(r["id"], *(_cell(r, part) for part in _ANSWER.split())) for r in final],
                )
                insert(
                    connection,
                    "attempts",
                    "answer_id status error received_at",
                    [(r["id"], r["status"], r.get("error"), r["received_at"]) for r in passing],
                )
                connection.execute(
                    "INSERT OR REPLACE INTO journal_segments VALUES (?, ?)", [segment.name, end]
                )
                connection.commit()
        return new


def _no_room(error: Exception) -> bool:
    return any(words in str(error) for words in ("No space left", "File too large"))


def _cell(record: Mapping[str, Any], column: str) -> Any:
    value = record.get(column)
    if column == "fields" and value is not None:
        from makieval.fingerprint import canonical

        return canonical(value)
    return value


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0]
