"""Bringing a snapshot up to date with changed entities, without reading a dump again.

The changes come one JSON object per line, in the forms that Wikidata itself writes: an entity as
in a dump; `{"id": "Q1", "missing": ""}` for one that was deleted; `{"entity": "Q1", "redirect":
"Q2"}` for one that was merged. Of several for one id the last counts. The old rows, less those of
every id named, and the new ones go through the same selection as a dump's, so the result is, id
included, the snapshot that a dump with these changes would have made.

It cannot know what the old snapshot never held: the report says how many items and classes that
concerns.
"""

import json
import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from makieval.errors import SnapshotError
from makieval.wikidata import builder
from makieval.wikidata.dump import select
from makieval.wikidata.dump.blocks import Truncated, blocks
from makieval.wikidata.dump.entity import AROUND, KINDS, RANKS, Item, Parse, parser
from makieval.wikidata.dump.source import opened
from makieval.wikidata.dump.wanted import Wanted
from makieval.wikidata.snapshot import Snapshot

if TYPE_CHECKING:
    import duckdb

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Updated:
    """What an update did. `unseen_*`: what a build from a dump would have known beside it."""

    before: str
    after: str
    changed: int
    deleted: int
    merged: int
    unseen_items: int
    unseen_classes: int

    def sentences(self) -> Iterator[str]:
        """For a reader."""
        yield f"{self.changed:,} entities changed, {self.merged:,} merged, {self.deleted:,} deleted"
        yield f"{self.before} → {self.after}"
        if self.unseen_items or self.unseen_classes:
            yield (
                f"not known here: {self.unseen_items:,} items that are now referred to, and"
                f" instances of {self.unseen_classes:,} classes that now lie under a root; a build"
                " from a dump has them"
            )


@dataclass(frozen=True, slots=True)
class _Changes:
    items: Mapping[str, Item]
    redirects: Mapping[str, str]
    deleted: frozenset[str]

    @property
    def named(self) -> set[str]:
        return {*self.items, *self.redirects, *self.deleted}


def update(snapshot: Path, delta: Path, to: Path, *, memory: str = select.MEMORY) -> Updated:
    """Write to `to` the snapshot `snapshot` with the changes in the file `delta`.

    A `SnapshotError` where the snapshot was not built from a dump (its choice of topics and
    languages is not known), or a line is damaged: half a change is none.
    """
    with Snapshot.open(snapshot) as old:
        manifest = dict(old.manifest)
    if "filter" not in manifest:
        raise SnapshotError(f"{snapshot}: not built from a dump; build it again from its tables")
    wanted = Wanted.recorded(manifest["filter"])
    changes = _read(delta, wanted)
    work = to.with_name(f"{to.name}.update")
    work.mkdir(parents=True, exist_ok=True)
    try:
        with select.scratch(work, memory) as connection:
            connection.execute(f"ATTACH '{select.quoted(snapshot)}' AS before (READ_ONLY)")
            _view(connection, changes, wanted)
            connection.execute(select.statement("from_snapshot"))
            held = connection.execute('SELECT "from", "to" FROM before.redirects').fetchall()
            # An item that a change brings back is merged no more.
            redirects = {**dict(held), **changes.redirects}
            redirects = {a: b for a, b in redirects.items() if a not in changes.items}
            select.close(connection, wanted, redirects.items())
            select.write(connection, work / "tables", _manifest(manifest, delta, changes))
            items, classes = connection.execute(select.statement("unseen")).fetchall()[0]
        builder.build(
            work / "tables", to, approximate=manifest.get("approximate", True), memory=memory
        )
    finally:
        shutil.rmtree(work, ignore_errors=True)
    with Snapshot.open(to) as new:
        return Updated(
            before=manifest["id"],
            after=new.id,
            changed=len(changes.items),
            deleted=len(changes.deleted),
            merged=len(changes.redirects),
            unseen_items=items,
            unseen_classes=classes,
        )


def _read(delta: Path, wanted: Wanted) -> _Changes:
    parse = parser(wanted.codes, wanted.read)
    items: dict[str, Item] = {}
    redirects: dict[str, str] = {}
    deleted: set[str] = set()
    for number, line in _lines(delta):
        try:
            qid, change = _change(line, parse)
        except (ValueError, LookupError, AttributeError) as error:
            raise SnapshotError(f"{delta}, line {number}: {error}") from None
        if qid is None:
            continue
        items.pop(qid, None)
        redirects.pop(qid, None)
        deleted.discard(qid)
        if isinstance(change, Item):
            items[qid] = change
        elif change is None:
            deleted.add(qid)
        else:
            redirects[qid] = change
    return _Changes(items, redirects, frozenset(deleted))


def _change(line: bytes, parse: Parse) -> tuple[str | None, Item | str | None]:
    """The item a line is about, and what became of it.

    That is the item itself, the one it was merged into, or None where it is gone; no id where the
    line is about a property or lexeme.
    """
    if b'"redirect"' in line or b'"missing"' in line:
        told: dict[str, Any] = json.loads(line)
        if "redirect" in told:
            return _qid(told["entity"]), _qid(told["redirect"])
        if "missing" in told:
            return _qid(told["id"]), None
    item = parse(line)
    return (f"Q{item.qid}", item) if isinstance(item, Item) else (None, None)


def _qid(value: Any) -> str:
    if not re.fullmatch(r"Q[1-9][0-9]*", str(value)):
        raise ValueError(f"{value!r} is no item")
    return str(value)


def _lines(delta: Path) -> Iterator[tuple[int, bytes]]:
    with opened(delta, 1) as source:
        try:
            for block in blocks(source.chunks()):
                for number, line in enumerate(block.data.split(b"\n"), start=block.first):
                    if entity := line.strip(AROUND):
                        yield number, bytes(entity)
        except Truncated as error:
            raise SnapshotError(f"{delta}: {error}") from None


def _view(connection: "duckdb.DuckDBPyConnection", changes: _Changes, wanted: Wanted) -> None:
    """The changes as tables: `changed` and `new_*`."""
    tables: dict[str, tuple[str, list[Row]]] = {
        "changed": ("qid VARCHAR", [(qid,) for qid in sorted(changes.named)]),
        "new_items": ("qid VARCHAR, sitelinks INTEGER", []),
        "new_names": ("qid VARCHAR, lang VARCHAR, kind VARCHAR, name VARCHAR", []),
        "new_statements": ("qid VARCHAR, property VARCHAR, value VARCHAR, rank VARCHAR", []),
        "new_descriptions": ("qid VARCHAR, lang VARCHAR, text VARCHAR", []),
    }
    rows = {name: made for name, (_, made) in tables.items()}
    for qid, item in changes.items.items():
        rows["new_items"].append((qid, item.sitelinks))
        for kind, found in zip(KINDS, (item.labels, item.aliases), strict=True):
            rows["new_names"] += [
                (qid, wanted.codes[at], kind, text) for at, text in zip(*found, strict=True)
            ]
        rows["new_descriptions"] += [
            (qid, wanted.codes[at], text) for at, text in zip(*item.descriptions, strict=True)
        ]
        rows["new_statements"] += [
            (qid, wanted.read[at], f"Q{value}", RANKS[rank])
            for at, value, rank in zip(*item.statements, strict=True)
        ]
    for name, (columns, made) in tables.items():
        connection.execute(f"CREATE TABLE {name} ({columns})")
        select.insert(connection, name, made)


def _manifest(old: Mapping[str, Any], delta: Path, changes: _Changes) -> dict[str, Any]:
    newest = max((item.modified for item in changes.items.values()), default="")
    return {
        "name": old["name"],
        "date": max(str(old["date"]), newest[:10]) if old["date"] != "unknown" else newest[:10],
        "licence": old["licence"],
        "sources": [*old["sources"], f"Changes of {len(changes.named):,} entities: {delta.name}"],
        "notes": list(old.get("notes", ())),
        "filter": old["filter"],
    }
