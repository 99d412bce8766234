"""Gold links, and how to ask a linker about them.

A gold set tells a topic but no entity type, and one of its topics, countries, is none of the
benchmark's. So it is asked through topics of its own: every topic has the type `thing` (all the
topic's published roots in one scope) and, for rows that are about people, `creator`. Countries get
a scope of their own; since no snapshot holds its closure, `Countries` works it out from the
source's P31 and P279 statements.

    linker = Linker(gold.Countries(snapshot), topics=gold.topics())
    links = linker.link([row.mention for row in gold.load(path)])
"""

import gzip
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from makieval import catalog
from makieval.errors import MakievalError
from makieval.linking.candidates import (
    Candidate,
    Description,
    Form,
    KnowledgeSource,
    Lookup,
    Mention,
    Name,
    Scope,
    Statement,
)

COUNTRY = "country"
THING, CREATOR = "thing", "creator"
#: Classes of what CLDR calls a territory (its codes name groupings too: UN), as the items' P31.
COUNTRY_ROOTS: Mapping[str, str] = {
    "Q3624078": "sovereign state",
    "Q6256": "country",
    "Q161243": "dependent territory",
    "Q1048835": "political territorial entity",
    "Q33837": "archipelago",
    "Q23442": "island",
    "Q5107": "continent",
    "Q484652": "international organization",
}
#: What a gold set calls the kinds of its rows that are about people.
_PEOPLE = frozenset({"author"})
#: Gold sets name Chinese by script.
_LANGUAGES = {"zh-hans": "zh", "zh-hant": "zh-tw"}
_FIELDS = ("id", "source", "tier", "lang", "mention", "topic", "qid", "in_kb")


@dataclass(frozen=True, slots=True)
class GoldRow:
    """A surface form and the item it means. `kind` and `text` (the context) are often unknown.

    `in_kb`: whether the set's makers knew the item; a source at hand may know more or fewer.
    """

    id: str
    source: str
    tier: str
    language: str
    surface: str
    topic: str
    kind: str | None
    qid: str
    in_kb: bool
    text: str | None

    @property
    def mention(self) -> Mention:
        """The row as a question to a linker over `topics()`."""
        entity_type = CREATOR if self.kind in _PEOPLE else THING
        return Mention(self.surface, self.language, self.topic, entity_type)


def load(path: str | Path) -> list[GoldRow]:
    """The rows of a JSON-lines file, plain or gzipped; a `MakievalError` names a bad line."""
    path = Path(path)
    rows: list[GoldRow] = []
    try:
        with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    rows.append(_row(line, f"{path}, line {number}"))
    except (OSError, UnicodeDecodeError) as error:
        raise MakievalError(f"{path}: not a readable gold set ({error})") from error
    return rows


def _row(line: str, where: str) -> GoldRow:
    try:
        fields: Mapping[str, Any] = json.loads(line)
    except json.JSONDecodeError as error:
        raise MakievalError(f"{where}: not JSON ({error})") from error
    missing = [name for name in _FIELDS if name not in fields]
    if missing:
        raise MakievalError(f"{where}: lacks {', '.join(missing)}")
    language = _LANGUAGES.get(fields["lang"], fields["lang"])
    if language not in catalog.languages() or fields["topic"] not in topics():
        raise MakievalError(
            f"{where}: language {fields['lang']!r} or topic {fields['topic']!r} is not known "
            f"(topics: {', '.join(topics())}; languages: {', '.join(catalog.languages())})"
        )
    return GoldRow(
        id=fields["id"],
        source=fields["source"],
        tier=fields["tier"],
        language=language,
        surface=fields["mention"],
        topic=fields["topic"],
        kind=fields.get("kind"),
        qid=fields["qid"],
        in_kb=fields["in_kb"],
        text=fields.get("text"),
    )


@cache
def topics() -> Mapping[str, catalog.Topic]:
    """The topics that a gold set is asked through: the catalog's, with other types, and country."""
    asked = {
        topic.id: replace(topic, types=_types(tuple(topic.roots), tuple(topic.creators)))
        for topic in catalog.topics().values()
    }
    asked[COUNTRY] = catalog.Topic(
        id=COUNTRY,
        number=len(asked) + 1,
        english=COUNTRY,
        scene="",
        roots=COUNTRY_ROOTS,
        creators={},
        types=_types(tuple(COUNTRY_ROOTS), ()),
    )
    return asked


def _types(things: tuple[str, ...], creators: tuple[str, ...]) -> dict[str, catalog.EntityType]:
    kinds = {THING: things, CREATOR: creators}
    return {
        kind: catalog.EntityType(kind, "specific", roots, (), ())
        for kind, roots in kinds.items()
        if roots
    }


def scope_of(row: GoldRow) -> Scope:
    """Which items may be what `row` means."""
    topic = topics()[row.topic]
    return Scope.of(topic, topic.types[row.mention.entity_type])


class Countries:
    """A source that also knows which items are countries, by the statements of another source."""

    def __init__(self, source: KnowledgeSource) -> None:
        self._source = source
        # The source must get a scope it knows; what it says of fitting is not used.
        topic = next(iter(catalog.topics().values()))
        self._stand_in = Scope(topic.id, tuple(topic.roots), direct=False)

    @property
    def id(self) -> str:
        return self._source.id

    def candidates(self, lookups: Sequence[Lookup]) -> list[list[Candidate]]:
        """The source's, but for countries typed by its statements."""
        passed = [
            replace(lookup, scope=self._stand_in) if lookup.scope.topic == COUNTRY else lookup
            for lookup in lookups
        ]
        found = self._source.candidates(passed)
        places = [at for at, lookup in enumerate(lookups) if lookup.scope.topic == COUNTRY]
        paths = self._paths({candidate.qid for at in places for candidate in found[at]})
        for at in places:
            found[at] = [_typed(each, paths.get(each.qid, ())) for each in found[at]]
        return found

    def _paths(self, qids: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """The items that are countries, each with the nearest path up to a root."""
        trails = {qid: [(qid,)] for qid in sorted(qids)}
        above: dict[str, tuple[str, ...]] = {}
        paths: dict[str, tuple[str, ...]] = {}
        step = ("P31",)
        while trails:
            heads = {trail[-1] for many in trails.values() for trail in many} - above.keys()
            above.update(self._above(heads, step))
            longer: dict[str, list[tuple[str, ...]]] = {}
            for qid, many in trails.items():
                grown: dict[str, tuple[str, ...]] = {}
                for trail in many:
                    for parent in above[trail[-1]]:
                        if parent not in trail:
                            grown.setdefault(parent, (*trail, parent))
                reached = next((grown[root] for root in COUNTRY_ROOTS if root in grown), None)
                if reached:
                    paths[qid] = reached
                elif grown and len(next(iter(grown.values()))) < 8:
                    longer[qid] = list(grown.values())
            if step == ("P31",):
                above, step = {}, ("P279",)
            trails = longer
        return paths

    def _above(
        self, qids: Iterable[str], properties: tuple[str, ...]
    ) -> dict[str, tuple[str, ...]]:
        found: dict[str, list[str]] = {qid: [] for qid in qids}
        for statement in self._source.statements(sorted(found), properties):
            if statement.rank != "deprecated":
                found[statement.qid].append(statement.value)
        return {qid: tuple(sorted(set(values))) for qid, values in found.items()}

    def similar(self, forms: Sequence[Form]) -> list[list[str]]:
        """The source's."""
        return self._source.similar(forms)

    @property
    def approximate(self) -> bool:
        return self._source.approximate

    def statements(self, qids: Iterable[str], properties: Iterable[str]) -> list[Statement]:
        """The source's."""
        return self._source.statements(qids, properties)

    def names(self, qids: Iterable[str], languages: Iterable[str]) -> list[Name]:
        """The source's."""
        return self._source.names(qids, languages)

    def descriptions(self, qids: Iterable[str], languages: Iterable[str]) -> list[Description]:
        """The source's."""
        return self._source.descriptions(qids, languages)


def _typed(candidate: Candidate, path: tuple[str, ...]) -> Candidate:
    root = path[-1] if path else ""
    return replace(candidate, typed=bool(path), path=path, root=root)
