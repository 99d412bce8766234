"""Proves that a folder of snapshot tables hangs together, before anyone links against it.

A snapshot that lacks a class between an item and its root, points at an item it does not hold, or
carries a disambiguation page does not fail: it links a little worse, in silence. So each fault is
looked for by name and told in a sentence. Plain Python over the TSV rows: a whole starter snapshot
takes well under two seconds, and a broken table can still be read.
"""

import re
import tomllib
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from makieval import catalog
from makieval.errors import SnapshotError
from makieval.wikidata.tables import LAYOUT

NOT_ENTITIES: Mapping[str, str] = {
    "Q4167410": "Wikimedia disambiguation page",
    "Q13406463": "Wikimedia list article",
    "Q33532284": "Wikimedia list of lists",
    "Q80096233": "information list",
    "Q15623926": "Wikimedia set index article",
    "Q17362920": "Wikimedia duplicated page",
    "Q21286738": "Wikimedia permanent duplicate item",
    "Q21528878": "Wikimedia redirect page",
    "Q4167836": "Wikimedia category",
    "Q11266439": "Wikimedia template",
    "Q4663903": "Wikimedia portal",
    "Q14204246": "Wikimedia project page",
    "Q15138389": "Wikimedia article page",
    "Q17442446": "Wikimedia internal item",
    "Q101352": "family name",
    "Q18972245": "male family name",
    "Q202444": "given name",
    "Q12308941": "male given name",
    "Q11879590": "female given name",
    "Q3409032": "unisex given name",
}
"""Classes of pages and bare names: an instance is nothing that a text can mean as culture."""

CLASS_PROPERTIES = frozenset({"P31", "P279"})

Row = Sequence[str]


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault: `check` names the kind, `where` the table or item, `message` says it in words."""

    check: str
    where: str
    message: str

    def __str__(self) -> str:
        return f"{self.check}: {self.where}: {self.message}"


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of a snapshot, columns as in `tables.LAYOUT`, and its manifest.

    Unlike `tables.read`, which refuses the first fault, this holds faulty rows too, so that all
    faults can be told at once.
    """

    items: Sequence[Row]
    names: Sequence[Row]
    statements: Sequence[Row]
    descriptions: Sequence[Row] = ()
    topics: Sequence[Row] = ()
    redirects: Sequence[Row] = ()
    manifest: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def counts(self) -> dict[str, int]:
        """Rows per table: what the manifest's `counts` must repeat."""
        return {name: len(getattr(self, name)) for name in LAYOUT}


def number(identifier: str) -> int:
    """The numeric part of `Q42` or `P31`, by which ids are ordered."""
    return int(identifier[1:])


def read_rows(folder: Path) -> Rows:
    """The tables and manifest under `folder`; `SnapshotError` where one cannot be read."""
    manifest = folder / "manifest.toml"
    try:
        told = tomllib.loads(manifest.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise SnapshotError(f"{manifest}: not a readable manifest ({error})") from error
    return Rows(**{name: _read(folder / f"{name}.tsv", name) for name in LAYOUT}, manifest=told)


def _read(path: Path, name: str) -> list[list[str]]:
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, ValueError) as error:
        raise SnapshotError(f"{path}: not a readable table ({error})") from error
    header, width = "\t".join(LAYOUT[name]), len(LAYOUT[name])
    if lines[0] != header:
        raise SnapshotError(f"{path}: the header must read {header!r}, not {lines[0]!r}")
    if lines[-1]:
        raise SnapshotError(f"{path}: the last line is not ended; the file may be cut off")
    table = [line.split("\t") for line in lines[1:-1]]
    for place, row in enumerate(table, start=2):
        if len(row) != width:
            raise SnapshotError(f"{path}: line {place} has {len(row)} columns, not {width}")
    return table


def check(folder: Path | Rows) -> list[Finding]:
    """Every fault of the tables under `folder` (or of rows already read), in a stable order.

    An empty list is the proof. Raises `SnapshotError` where a table cannot be read at all.
    """
    rows = folder if isinstance(folder, Rows) else read_rows(folder)
    checks: tuple[Callable[[Rows], Iterable[Finding]], ...] = (
        _forms,
        _duplicates,
        _dangling,
        _names,
        _roots,
        _countries,
        _pages,
        _cycles,
        _unreached,
        _counts,
    )
    return [finding for one in checks for finding in one(rows)]


def below(roots: Iterable[str], rows: Rows) -> set[str]:
    """`roots` and every class that reaches one of them by P279*; deprecated statements not read."""
    children: dict[str, list[str]] = defaultdict(list)
    for child, prop, parent, rank in rows.statements:
        if prop == "P279" and rank != "deprecated":
            children[parent].append(child)
    seen = set(roots)
    todo = list(seen)
    while todo:
        for child in children[todo.pop()]:
            if child not in seen:
                seen.add(child)
                todo.append(child)
    return seen


def members(roots: Iterable[str], rows: Rows) -> set[str]:
    """Every item that reaches one of `roots` by P31/P279* or P279*."""
    classes = below(roots, rows)
    instances = {
        qid
        for qid, prop, value, rank in rows.statements
        if prop == "P31" and value in classes and rank != "deprecated"
    }
    return (classes | instances) & {qid for qid, _ in rows.items}


def _by_size(qid: str) -> tuple[int, str]:
    """Numeric order of well-formed ids; any order will do for others."""
    return len(qid), qid


def components(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """The cycles of a directed graph: its strongly connected components of two or more nodes.

    Tarjan (1972), without recursion. Nodes within a component, and components, are in id order.
    """
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    on_path: set[str] = set()
    path: list[str] = []
    found: list[list[str]] = []
    for start in graph:
        if start in index:
            continue
        work: list[tuple[str, Iterator[str]]] = [(start, iter(sorted(graph[start])))]
        index[start] = low[start] = len(index)
        path.append(start)
        on_path.add(start)
        while work:
            node, successors = work[-1]
            for successor in successors:
                if successor not in index:
                    index[successor] = low[successor] = len(index)
                    path.append(successor)
                    on_path.add(successor)
                    work.append((successor, iter(sorted(graph.get(successor, ())))))
                    break
                if successor in on_path:
                    low[node] = min(low[node], index[successor])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    group = path[path.index(node) :]
                    del path[path.index(node) :]
                    on_path.difference_update(group)
                    if len(group) > 1 or node in graph.get(node, ()):
                        found.append(sorted(group, key=_by_size))
    return sorted(found, key=lambda group: _by_size(group[0]))


def _forms(rows: Rows) -> Iterator[Finding]:
    for name, columns in LAYOUT.items():
        patterns = [re.compile(pattern) for pattern in columns.values()]
        for place, row in enumerate(getattr(rows, name), start=2):
            for column, pattern, text in zip(columns, patterns, row, strict=True):
                if not pattern.search(text):
                    must = f"{column} {text!r} must match {pattern.pattern}"
                    yield Finding("form", f"{name}, line {place}", must)


def _duplicates(rows: Rows) -> Iterator[Finding]:
    keys: dict[str, Iterable[tuple[str, ...]]] = {
        "items": ((row[0],) for row in rows.items),
        "names": ((row[0], row[1], row[3]) for row in rows.names),
        "statements": ((row[0], row[1], row[2]) for row in rows.statements),
        "descriptions": ((row[0], row[1]) for row in rows.descriptions),
        "topics": ((row[0], row[1]) for row in rows.topics),
        "redirects": ((row[0],) for row in rows.redirects),
    }
    for name, table in keys.items():
        for key, times in Counter(table).items():
            if times > 1:
                yield Finding("duplicate", name, f"{' '.join(key)} occurs {times} times")


def _dangling(rows: Rows) -> Iterator[Finding]:
    held = {qid for qid, _ in rows.items}
    for qid, prop, value, _ in rows.statements:
        for end in (qid, value):
            if end not in held:
                yield Finding("dangling", f"{qid} {prop} {value}", f"{end} is not among the items")
    for name in ("names", "descriptions", "topics"):
        for qid in sorted({row[0] for row in getattr(rows, name)} - held):
            yield Finding("dangling", name, f"{qid} is not among the items")
    for old, new in rows.redirects:
        if new not in held or old in held:
            yield Finding(
                "dangling", f"redirect {old}", f"must lead from no item to an item ({new})"
            )


def _names(rows: Rows) -> Iterator[Finding]:
    known = {code for one in catalog.languages().values() for code in (one.code, *one.chain)}
    known |= {"en", "mul"}
    labels = Counter((qid, lang) for qid, lang, kind, _ in rows.names if kind == "label")
    for qid, lang, _, name in rows.names:
        where = f"{qid} {lang}"
        if lang not in known:
            yield Finding("language", where, f"{lang!r} is not a code of the catalog's languages")
        if not name or name != " ".join(name.split()):
            yield Finding("name", where, f"{name!r} is empty or not trimmed")
        if not unicodedata.is_normalized("NFC", name):
            yield Finding("name", where, f"{name!r} is not in NFC")
    for (qid, lang), times in labels.items():
        if times > 1:
            yield Finding("label", f"{qid} {lang}", f"has {times} labels; Wikidata allows one")
    named = {row[0] for row in rows.names}
    roots = {root for topic in catalog.topics().values() for root in topic.all_roots}
    for qid, _ in rows.items:
        if qid not in named and qid not in roots:
            yield Finding("unnamed", qid, "has no name in any language")


def _roots(rows: Rows) -> Iterator[Finding]:
    held = {qid for qid, _ in rows.items}
    for topic in catalog.topics().values():
        for root, label in topic.all_roots.items():
            if root not in held:
                yield Finding("root", root, f"root {label!r} of {topic.id} is not among the items")


def _countries(rows: Rows) -> Iterator[Finding]:
    named = {row[0] for row in rows.names}
    for country in catalog.countries().values():
        if country.qid not in named:
            yield Finding("country", country.qid, f"{country.english} is missing or has no name")


def _pages(rows: Rows) -> Iterator[Finding]:
    for qid, _ in rows.items:
        if qid in NOT_ENTITIES:
            yield Finding("page", qid, f"is the class {NOT_ENTITIES[qid]!r} itself")
    for qid, prop, value, _ in rows.statements:
        if prop in CLASS_PROPERTIES and value in NOT_ENTITIES:
            yield Finding("page", qid, f"is a {NOT_ENTITIES[value]}")


def _cycles(rows: Rows) -> Iterator[Finding]:
    graph: dict[str, set[str]] = defaultdict(set)
    for child, prop, parent, _ in rows.statements:
        if prop == "P279":
            graph[child].add(parent)
    for group in components(dict(graph)):
        yield Finding("cycle", group[0], f"P279 runs in a circle through {', '.join(group)}")


def _unreached(rows: Rows) -> Iterator[Finding]:
    topics = catalog.topics()
    roots = {root for topic in topics.values() for root in topic.all_roots}
    reached = members(roots, rows)
    for qid, topic, evidence in rows.topics:
        if topic not in topics:
            yield Finding("topic", qid, f"{topic!r} is none of {', '.join(topics)}")
        elif not evidence:
            yield Finding("topic", qid, f"no evidence is given for {topic}")
        else:
            reached.add(qid)
    serves = {value for _, prop, value, _ in rows.statements if prop not in CLASS_PROPERTIES}
    serves |= {country.qid for country in catalog.countries().values()}
    for qid, _ in rows.items:
        if qid not in reached and qid not in serves:
            yield Finding("unreached", qid, "reaches no root, has no evidence and serves no item")


def _counts(rows: Rows) -> Iterator[Finding]:
    for key in ("name", "date", "licence", "sources"):
        if not rows.manifest.get(key):
            yield Finding("manifest", key, "is missing")
    told = rows.manifest.get("counts", {})
    for name, held in rows.counts().items():
        if told.get(name) != held:
            yield Finding(
                "manifest", f"counts.{name}", f"says {told.get(name)}, the table has {held}"
            )
