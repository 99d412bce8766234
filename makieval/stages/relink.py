"""Relink: what of a study's figures would change with another snapshot, and by how much.

Links and facts are made anew on a copy of the store; texts and mentions stay. So every difference
comes from Wikidata's changes, none from a model, and the study's own figures are not touched. The
links before are made with today's rules too, where the study's own snapshot is at hand: a change
of the linker is not a change of Wikidata either.
"""

import shutil
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from makieval.errors import InputError, SnapshotError
from makieval.stages.describe import describe
from makieval.stages.job import Job
from makieval.stages.link import link
from makieval.store import Store
from makieval.study import Study

if TYPE_CHECKING:
    import duckdb

#: Metric → the column that holds its value. `linked` and `known origin` are shares of mentions.
_METRICS: Mapping[str, str] = {
    "granularity": "SELECT {key}, value FROM granularity",
    "diversity": "SELECT {key}, value FROM diversity",
    "specificity": "SELECT {key}, target, value FROM specificity",
    "specificity gain": "SELECT study, model, topic, language, target, gain FROM specificity_gain",
    "consensus": (
        "SELECT study, model, topic, country, framing, language_a, language_b, value FROM consensus"
    ),
    "linked": "SELECT {key}, linked / nullif(cultural, 0) FROM coverage",
    "known origin": "SELECT {key}, known_origin / nullif(linked, 0) FROM coverage",
}
_KEYS: Mapping[str, str] = {
    "specificity": "study, model, topic, language, framing",
}
_KEY = "study, model, topic, language, country, framing"
#: Changes that are told one by one.
_TOLD = 20

Asked = tuple[str, str, str, str]  # surface, language, topic, entity type


@dataclass(frozen=True, slots=True)
class Relinked:
    """One mention whose link changes: `kind` is another, merged, gained, lost, or status."""

    surface: str
    language: str
    topic: str
    entity_type: str
    kind: str
    before: str
    after: str
    mentions: int


@dataclass(frozen=True, slots=True)
class Moved:
    """One metric of one topic. Means are over the cells that have a value on both sides."""

    metric: str
    topic: str
    cells: int
    changed: int
    before: float | None
    after: float | None
    largest: float


@dataclass(frozen=True, slots=True)
class Relink:
    """What another snapshot does to a study."""

    study: str
    before: str
    after: str
    note: str | None
    links: int
    changes: tuple[Relinked, ...]
    metrics: tuple[Moved, ...]

    def record(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)

    def lines(self) -> Iterator[str]:
        """For a reader."""
        yield f"{self.study}: {self.before} → {self.after}"
        if self.note:
            yield self.note
        kinds = Counter(change.kind for change in self.changes)
        told = ", ".join(f"{n:,} {kind}" for kind, n in sorted(kinds.items())) or "none changes"
        yield f"{self.links:,} distinct mentions: {told}"
        for change in self.changes[:_TOLD]:
            yield (
                f"  {change.surface!r} ({change.language}, {change.topic}, {change.entity_type}):"
                f" {change.before} → {change.after}  [{change.kind}, {change.mentions:,} mentions]"
            )
        if len(self.changes) > _TOLD:
            yield f"  and {len(self.changes) - _TOLD:,} more (--json lists them)"
        yield f"{'metric':<17} {'topic':<15} {'cells':>6} {'changed':>8} {'before':>8} {'after':>8}"
        for row in self.metrics:
            before, after = ("–" if v is None else f"{v:.3f}" for v in (row.before, row.after))
            yield (
                f"{row.metric:<17} {row.topic:<15} {row.cells:>6,} {row.changed:>8,}"
                f" {before:>8} {after:>8}"
            )


def relink(store: Store, study: str, source: str) -> Relink:
    """The links and metrics of `study` with the snapshot `source`, beside what they are now.

    `study` must be in the store. A `SnapshotError` where `source` cannot be opened.
    """
    with tempfile.TemporaryDirectory(prefix="makieval-relink-") as folder:
        with store.connect(read_only=True) as connection:  # nobody writes meanwhile
            defined, linked = connection.execute(
                "SELECT definition, linker FROM studies WHERE study = ?", [study]
            ).fetchall()[0]
            for path in (store.database, store.database.with_name(f"{store.database.name}.wal")):
                if path.is_file():
                    shutil.copyfile(path, Path(folder) / path.name)
        if linked is None:
            raise InputError(f"{study}: has no links yet; run it first")
        copy = Store(folder)
        own = Study.model_validate_json(defined)
        note = _with_todays_rules(Job(own, copy), linked)
        links, values, ident = _state(copy, study)
        linking = own.linking.model_copy(update={"source": source})
        job = Job(own.model_copy(update={"linking": linking}), copy)
        _again(job)
        new_links, new_values, new_ident = _state(copy, study)
        merged = _merged(job.snapshot.path)
        return Relink(
            study=study,
            before=ident,
            after=new_ident,
            note=note,
            links=len(links),
            changes=tuple(_changes(links, new_links, merged)),
            metrics=tuple(_moved(values, new_values)),
        )


def _with_todays_rules(job: Job, linked: str) -> str | None:
    """Link with the study's own snapshot, should the rules have changed; a note for the reader."""
    with job.store.connect(read_only=True) as connection:
        recorded = connection.execute(
            "SELECT snapshot FROM studies WHERE study = ?", [job.study.name]
        ).fetchall()[0][0]
    try:
        same = job.snapshot.id == recorded
    except SnapshotError:
        same = False
    if not same:
        return "The study's own snapshot is not at hand: before is as its last run left it."
    if job.linker.fingerprint == linked:
        return None
    _again(job)
    return "The linker has changed since the study's last run: both sides are linked anew."


def _again(job: Job) -> None:
    try:
        link(job)
        describe(job)
    finally:
        job.snapshot.close()


def _state(
    store: Store, study: str
) -> tuple[dict[Asked, tuple[str, str | None, int]], dict[str, dict[Any, float | None]], str]:
    """Links by mention, values by metric and cell, and the snapshot's id."""
    with store.connect(read_only=True) as connection:
        rows = connection.execute(
            """
            SELECT surface, language, topic, entity_type,
                   any_value(link_status), any_value(qid), count(*)
            FROM cultural_mentions WHERE study = ?
            GROUP BY surface, language, topic, entity_type
            ORDER BY ALL
            """,
            [study],
        ).fetchall()
        links = {tuple(row[:4]): tuple(row[4:]) for row in rows}
        values = {metric: _cells(connection, metric, study) for metric in _METRICS}
        ident = connection.execute(
            "SELECT snapshot FROM studies WHERE study = ?", [study]
        ).fetchall()[0][0]
    return links, values, ident  # type: ignore[return-value]


def _cells(
    connection: "duckdb.DuckDBPyConnection", metric: str, study: str
) -> dict[Any, float | None]:
    query = _METRICS[metric].format(key=_KEYS.get(metric, _KEY))
    rows = connection.execute(f"{query} WHERE study = ?", [study]).fetchall()
    return {row[:-1]: row[-1] for row in rows}


def _merged(path: Path) -> dict[str, str]:
    import duckdb

    with duckdb.connect(str(path), read_only=True) as connection:
        return dict(connection.execute('SELECT "from", "to" FROM redirects').fetchall())


def _changes(
    before: Mapping[Asked, tuple[str, str | None, int]],
    after: Mapping[Asked, tuple[str, str | None, int]],
    merged: Mapping[str, str],
) -> Iterator[Relinked]:
    """Every mention whose link changes, those with most mentions first."""
    found: list[Relinked] = []
    for asked, (status, qid, mentions) in before.items():
        new_status, new_qid, _ = after[asked]
        if (status, qid) == (new_status, new_qid):
            continue
        if qid and new_qid:
            kind = "merged" if merged.get(qid) == new_qid else "another"
        elif qid or new_qid:
            kind = "lost" if qid else "gained"
        else:
            kind = "status"
        found.append(
            Relinked(*asked, kind, qid or status or "–", new_qid or new_status or "–", mentions)
        )
    yield from sorted(
        found, key=lambda c: (-c.mentions, c.topic, c.language, c.surface, c.entity_type)
    )


def _moved(
    before: Mapping[str, Mapping[Any, float | None]],
    after: Mapping[str, Mapping[Any, float | None]],
) -> Iterator[Moved]:
    for metric, cells in before.items():
        by_topic: defaultdict[str, list[tuple[float | None, float | None]]] = defaultdict(list)
        for key in sorted(cells.keys() | after[metric].keys(), key=str):
            topic = key[2]
            by_topic[topic].append((cells.get(key), after[metric].get(key)))
        for topic, pairs in sorted(by_topic.items()):
            both = [(old, new) for old, new in pairs if old is not None and new is not None]
            yield Moved(
                metric=metric,
                topic=topic,
                cells=len(pairs),
                changed=sum(old != new for old, new in pairs),
                before=sum(old for old, _ in both) / len(both) if both else None,
                after=sum(new for _, new in both) / len(both) if both else None,
                largest=max((abs(new - old) for old, new in both), default=0.0),
            )
