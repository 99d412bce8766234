"""The ontology guard: stops a build that one bad edit of Wikidata has blown up.

A single wrong "subclass of" can put millions of items under a root (from 3,161 to 11.4 million
once, ad-freiburg/qlever#1474). So every root is held against the snapshot before; where it grows
beyond five times, the build stops and names the statements that did it.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from makieval import catalog
from makieval.errors import SnapshotError
from makieval.wikidata.dump.select import quoted, statement

if TYPE_CHECKING:
    import duckdb

FACTOR = 5.0
#: What is smaller than this may grow up to five times this: three items more are no explosion.
SMALL = 20
_TOLD = 5


@dataclass(frozen=True, slots=True)
class Growth:
    """A root that has grown too much: `what` is `items` or `classes`."""

    topic: str
    root: str
    what: str
    before: int
    now: int


def check(connection: "duckdb.DuckDBPyConnection", before: Path, *, explicit: bool = True) -> None:
    """Hold the closures just computed against the snapshot `before`; a `SnapshotError` stops.

    Where `before` was not named by the user and is not comparable (of another version, or not made
    from a dump), nothing is checked.
    """
    topics = _attach(connection, before, explicit=explicit)
    if topics is None:
        return
    try:
        grown = too_much(connection, topics)
        if grown:
            raise SnapshotError(_sentence(connection, before, grown))
    finally:
        connection.execute("DETACH before")


def check_tables(folder: Path, before: Path, memory: str) -> None:
    """The same for a folder of tables, of which nothing is chosen."""
    import tempfile

    from makieval.wikidata.dump import select
    from makieval.wikidata.dump.wanted import Wanted

    with (
        tempfile.TemporaryDirectory() as work,
        select.scratch(Path(work), memory) as connection,
    ):
        connection.execute(select.statement("from_tables").replace("$folder", quoted(folder)))
        redirects = select.read_redirects(folder / "redirects.tsv")
        select.close(connection, Wanted.of(), redirects)
        check(connection, before)


def too_much(connection: "duckdb.DuckDBPyConnection", topics: Collection[str]) -> list[Growth]:
    """Every root of these topics that has grown too much, worst first."""
    grown: list[Growth] = []
    for topic, root, old_classes, classes, old_items, items, creator in connection.execute(
        statement("growth")
    ).fetchall():
        if topic not in topics:
            continue
        pairs = [("classes", old_classes, classes)]
        if not creator:
            pairs.insert(0, ("items", old_items, items))
        for what, old, new in pairs:
            if new > FACTOR * max(old, SMALL):
                grown.append(Growth(topic, root, what, old, new))
                break
    return sorted(grown, key=lambda growth: -growth.now / max(growth.before, SMALL))


def culprits(connection: "duckdb.DuckDBPyConnection", root: str) -> list[tuple[int, int, int]]:
    """(class, class above it, items it brought) for the statements that made `root` grow.

    They lead from a class that the snapshot before had under the root to one that it had not.
    Instances count once per class that they name; worst first.
    """
    rows = connection.execute(statement("entries"), {"root": int(root[1:])}).fetchall()
    below: defaultdict[int, list[int]] = defaultdict(list)
    items: dict[int, int] = {}
    entries: dict[int, int] = {}
    for child, parent, entry, instances in rows:
        below[parent].append(child)
        items[child] = instances
        if entry:
            entries.setdefault(child, parent)
    brought = [
        (child, parent, sum(items[cls] + 1 for cls in _under(child, below)))
        for child, parent in entries.items()
    ]
    return sorted(brought, key=lambda row: (-row[2], row[0]))[:_TOLD]


def _under(start: int, below: dict[int, list[int]]) -> set[int]:
    seen, todo = {start}, [start]
    while todo:
        for child in below.get(todo.pop(), ()):
            if child not in seen:
                seen.add(child)
                todo.append(child)
    return seen


def _attach(
    connection: "duckdb.DuckDBPyConnection", before: Path, *, explicit: bool
) -> Collection[str] | None:
    """Attach the snapshot as `before`; the topics it was built for, None where it is no measure."""
    import duckdb

    from makieval.wikidata.snapshot import Snapshot

    try:
        with Snapshot.open(before) as snapshot:
            choice = snapshot.manifest.get("filter")
        if choice is None and not explicit:
            return None
        connection.execute(f"ATTACH '{quoted(before)}' AS before (READ_ONLY)")
    except (SnapshotError, duckdb.Error):
        if explicit:
            raise
        return None
    return choice["topics"] if choice else catalog.topics().keys()


def _sentence(connection: "duckdb.DuckDBPyConnection", before: Path, grown: list[Growth]) -> str:
    worst = grown[0]
    brought = culprits(connection, worst.root)
    names = _names(connection, {int(worst.root[1:]), *(q for row in brought for q in row[:2])})
    times = worst.now / max(worst.before, 1)
    told = [
        f"{names[child]} is now a subclass of {names[parent]} and brings {items:,}"
        for child, parent, items in brought
    ] or ["no new subclass; its classes have more instances"]
    more = f" (and {len(grown) - 1} more roots)" if len(grown) > 1 else ""
    return (
        f"the root {names[int(worst.root[1:])]} of topic {worst.topic} has {worst.now:,}"
        f" {worst.what} under it, {worst.before:,} in {before}: {times:,.0f} times as many,"
        f" allowed {FACTOR:.0f}{more}. {'; '.join(told)}. If that is right, --accept-growth"
    )


def _names(connection: "duckdb.DuckDBPyConnection", qids: Iterable[int]) -> dict[int, str]:
    """`Q42 (label)` for each."""
    wanted = sorted(qids)
    rows = connection.execute(
        "SELECT qid, min(name) FROM read_name"
        " WHERE kind = 'label' AND lang IN ('en', 'mul') AND list_contains($qids, qid)"
        " GROUP BY qid",
        {"qids": wanted},
    ).fetchall()
    labels = dict(rows)
    return {qid: f"Q{qid} ({labels[qid]})" if qid in labels else f"Q{qid}" for qid in wanted}
