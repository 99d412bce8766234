"""From a dump to a snapshot: read, close, guard, choose, write the tables, build.

Everything on the way lies in `<snapshot>.work`, so that a run that was killed goes on where it
stood; the snapshot itself appears only when it is complete. The dump is read once: what decides
which items stay is known only at its end, so all that could stay is kept in parts until then.
"""

import fcntl
import re
import shutil
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from makieval.errors import SnapshotError
from makieval.wikidata import builder
from makieval.wikidata.dump import guard, select
from makieval.wikidata.dump.entity import KINDS, RANKS
from makieval.wikidata.dump.parts import LAYOUT
from makieval.wikidata.dump.progress import Progress, Report
from makieval.wikidata.dump.reader import Reading, read
from makieval.wikidata.dump.wanted import Wanted

if TYPE_CHECKING:
    import duckdb

#: Table of the parts → the view that `select` reads, and what its columns of places stand for.
_VIEWS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "items": ("read_item", {}),
    "names": ("read_name", {"lang": "codes", "kind": "kinds"}),
    "statements": ("read_statement", {"property": "properties", "rank": "ranks"}),
    "descriptions": ("read_description", {"lang": "codes"}),
}


@dataclass(frozen=True)
class Options:
    """How to build. `redirects` is a file of merged items, which dumps do not hold.

    `against` is the snapshot before, for the guard; `accept_growth` switches that off. `keep`
    leaves the tables beside the snapshot, as `<snapshot>.tables`.
    """

    reading: Reading = field(default_factory=Reading)
    redirects: Path | None = None
    memory: str = select.MEMORY
    against: Path | None = None
    accept_growth: bool = False
    name: str | None = None
    date: str | None = None
    keep: bool = False


@dataclass(frozen=True)
class Built:
    """What came of it: the reading's report, and rows by table."""

    report: Report
    counts: Mapping[str, int]


def build(source: Path | str, path: Path, wanted: Wanted, options: Options | None = None) -> Built:
    """Build the snapshot `path` from the dump at `source` (or `-`); go on where a run stood.

    A `SnapshotError` for what `read` refuses, where the guard stops, and where nothing is kept.
    """
    options = options or Options()
    work = path.with_name(f"{path.name}.work")
    try:
        with _alone(work):
            built = _build(source, path, work, wanted, options)
        shutil.rmtree(work)
    except OSError as error:
        raise SnapshotError(f"{error.filename or work}: {error.strerror or error}") from error
    return built


def _build(source: Path | str, path: Path, work: Path, wanted: Wanted, options: Options) -> Built:
    progress = read(source, wanted, work, options.reading)
    report = progress.report()
    folder = work / "tables"
    shutil.rmtree(folder, ignore_errors=True)
    redirects = select.read_redirects(options.redirects) if options.redirects else None
    with select.scratch(work, options.memory) as connection:
        view(connection, progress, wanted)
        select.close(connection, wanted, redirects)
        before = options.against or (path if path.is_file() else None)
        if before and not options.accept_growth:
            guard.check(connection, before, explicit=options.against is not None)
        counts = select.write(connection, folder, _manifest(source, wanted, report, options))
    builder.build(folder, path, memory=options.memory)
    if options.keep:
        kept = path.with_name(f"{path.name}.tables")
        shutil.rmtree(kept, ignore_errors=True)
        folder.replace(kept)
    return Built(report, counts)


@contextmanager
def _alone(work: Path) -> Generator[None]:
    """Nobody else works in the folder meanwhile; the lock goes with the process."""
    work.mkdir(parents=True, exist_ok=True)
    with (work / "lock").open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise SnapshotError(f"{work}: another build works there; wait for it") from None
        yield


def view(connection: "duckdb.DuckDBPyConnection", progress: Progress, wanted: Wanted) -> None:
    """The parts as the views that `select` reads; a `SnapshotError` where rows are missing."""
    words = {"codes": wanted.codes, "properties": wanted.read, "kinds": KINDS, "ranks": RANKS}
    told = progress.rows()
    for table, (name, coded) in _VIEWS.items():
        files = f"'{select.quoted(progress.parts)}/*.{table}.parquet'"
        columns = [
            f"CAST({_list(words[coded[column]])}[{column} + 1] AS VARCHAR) AS {column}"
            if column in coded
            else column
            for column in LAYOUT[table]
        ]
        connection.execute(
            f"CREATE VIEW {name} AS SELECT {', '.join(columns)} FROM read_parquet({files})"
        )
        held = connection.execute(f"SELECT count(*) FROM {name}").fetchall()[0][0]
        if held != told[table]:
            raise SnapshotError(
                f"{progress.parts}: {held:,} rows of {table}, {told[table]:,} were written;"
                f" remove {progress.folder} and build again"
            )


def _list(words: tuple[str, ...]) -> str:
    return "[" + ", ".join(f"'{word}'" for word in words) + "]"


def _manifest(
    source: Path | str, wanted: Wanted, report: Report, options: Options
) -> dict[str, Any]:
    name = options.name or ("dump" if str(source) == "-" else Path(source).name)
    notes = list(report.sentences())[1:]
    if report.newest:
        notes.append(f"The newest item was changed on {report.newest}.")
    if options.redirects is None:
        notes.append("No redirects are known: dumps hold none.")
    return {
        "name": name,
        "date": options.date or _date(str(source), report),
        "licence": "CC0-1.0",
        "sources": [f"Wikidata JSON dump {name}: {next(report.sentences())}"],
        "notes": notes,
        "filter": wanted.record(),
    }


def _date(source: str, report: Report) -> str:
    """The day in the file's name, else that of the newest change in it."""
    found = re.search(r"(20[0-9]{2})-?([01][0-9])-?([0-3][0-9])", Path(source).name)
    return "-".join(found.groups()) if found else report.newest[:10] or "unknown"
