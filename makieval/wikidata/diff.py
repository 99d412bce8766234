"""What changed from one snapshot to another: Wikidata's edits, not to be taken for a model's.

Items, names, statements and classes that were added, removed or changed, counted per topic, with
the best-known of them as examples. Items under no topic's roots (creators, countries) are `other`.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from makieval.resources import shipped
from makieval.wikidata.snapshot import Snapshot

if TYPE_CHECKING:
    import duckdb

EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class Count:
    """Differences of one table (items, names, statements, classes) within one topic."""

    topic: str
    table: str
    added: int
    removed: int
    changed: int


@dataclass(frozen=True, slots=True)
class Example:
    """One difference: `sign` is +, - or ~ (changed); `said` what there is or was."""

    topic: str
    table: str
    sign: str
    qid: str
    label: str | None
    said: str


@dataclass(frozen=True, slots=True)
class Difference:
    """Everything that differs between the snapshots `before` and `after` (their ids)."""

    before: str
    after: str
    counts: tuple[Count, ...]
    examples: tuple[Example, ...]

    def record(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)

    def lines(self) -> Iterator[str]:
        """As a table, and the examples below it."""
        yield f"{self.before} → {self.after}"
        if not self.counts:
            yield "no difference"
            return
        yield f"{'topic':<15} {'':<11} {'added':>10} {'removed':>10} {'changed':>10}"
        for row in self.counts:
            yield (
                f"{row.topic:<15} {row.table:<11} {row.added:>10,} {row.removed:>10,}"
                f" {row.changed:>10,}"
            )
        for one in self.examples:
            label = f" ({one.label})" if one.label else ""
            yield f"{one.topic} {one.table} {one.sign} {one.qid}{label}: {one.said}"


def compare(before: str, after: str, examples: int = EXAMPLES) -> Difference:
    """The difference between two snapshots, each `starter` or a file.

    A `SnapshotError` where one cannot be opened.
    """
    import duckdb

    with Snapshot.named(before) as a, Snapshot.named(after) as b:
        ids, paths = (a.id, b.id), (a.path, b.path)
    connection = duckdb.connect()
    try:
        for name, path in zip("ab", paths, strict=True):
            quoted = str(path).replace("'", "''")
            connection.execute(f"ATTACH '{quoted}' AS {name} (READ_ONLY)")
        connection.execute(_statement("members"))
        connection.execute(_statement("changes"))
        return Difference(
            *ids,
            counts=tuple(Count(*row) for row in _rows(connection, "totals")),
            examples=tuple(
                Example(*row) for row in _rows(connection, "examples", {"most": examples})
            ),
        )
    finally:
        connection.close()


def _rows(
    connection: "duckdb.DuckDBPyConnection", name: str, given: dict[str, Any] | None = None
) -> list[tuple[Any, ...]]:
    return connection.execute(_statement(name), given).fetchall()


def _statement(name: str) -> str:
    return (shipped("sql") / "diff" / f"{name}.sql").read_text(encoding="utf-8")
