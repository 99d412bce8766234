"""A SPARQL service as a source of candidates and facts, with the answers of a snapshot.

Three rounds for a batch of lookups: what carries these names (VALUES of tagged literals), which
classes and sitelinks those items have, and, once, which classes lie under the roots. The choice
is made elsewhere, by the same rules as on a snapshot. An item is never found through a spelling
that another mention of the batch brought: what a mention links to depends on itself alone.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from makieval.errors import ServiceError
from makieval.fingerprint import fingerprint
from makieval.linking.barred import barred_classes
from makieval.linking.candidates import (
    Candidate,
    Description,
    Failure,
    Form,
    Lookup,
    Name,
    NameKind,
    Statement,
    number,
)
from makieval.wikidata.snapshot import cache_folder
from makieval.wikidata.sparql import queries, terms, variants
from makieval.wikidata.sparql.answers import Row
from makieval.wikidata.sparql.batches import Batches
from makieval.wikidata.sparql.classes import Classes
from makieval.wikidata.sparql.client import SparqlClient
from makieval.wikidata.sparql.service import Service
from makieval.wikidata.sparql.traffic import MOST_AT_ONCE, Traffic

#: Literals and items that one query asks for.
LITERALS, ITEMS = 400, 200
#: Items whose facts one query asks for.
FACTS = 100

_KINDS: Mapping[str, NameKind] = {"label": "label", "alias": "alias"}
_RANKS = {"NormalRank": "normal", "PreferredRank": "preferred", "DeprecatedRank": "deprecated"}

#: (Wikidata language, text), as names are asked for.
Literal = tuple[str, str]


@dataclass(frozen=True, slots=True)
class _Item:
    """What the choice needs to know of an item."""

    instance_of: tuple[str, ...]
    sitelinks: int | None


@dataclass(frozen=True, slots=True)
class _Carriers:
    """(QID, kind of name) of all that carries a literal, and the literals that have no answer."""

    rows: Mapping[Literal, set[tuple[str, NameKind]]]
    failures: Mapping[Literal, ServiceError]


class SparqlSource:
    """A `KnowledgeSource` over one SPARQL service. Use as a context manager, or `close()` it.

    `id` names the service and the way it is asked, not its data, which change by the minute: a
    study keeps its links, and an interrupted one goes on the next day.
    """

    approximate = False

    def __init__(self, client: SparqlClient, sizes: Path | None = None) -> None:
        self._client = client
        self._batches = Batches(client, MOST_AT_ONCE)
        address = client.service.address
        sizes = sizes or cache_folder() / "classes.json"
        self._classes = Classes(self._batches, sizes, address)
        self._targets: dict[str, str] = {}
        self.id = fingerprint(
            "endpoint",
            {"address": address, "queries": queries.VERSION, "spellings": variants.VERSION},
        )

    @classmethod
    def open(cls, name: str, contact: str | None = None, *, only_cached: bool = False) -> Self:
        """The service a study names: `wikidata` or an address; see `Service.of`."""
        service = Service.of(name, contact, silent=only_cached)
        return cls(SparqlClient(service, only_cached=only_cached))

    @property
    def traffic(self) -> Traffic:
        """What went over the wire so far."""
        return self._client.traffic

    def close(self) -> None:
        """Let go of threads, connections and the cache."""
        self._batches.close()
        self._client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # KnowledgeSource

    def candidates(self, lookups: Sequence[Lookup]) -> list[list[Candidate] | Failure]:
        """See `KnowledgeSource.candidates`; a lookup any part of which failed is a `Failure`."""
        spelt = {form: variants.spellings(form) for each in lookups for form in each.forms}
        literals = {(form.language, text) for form, texts in spelt.items() for text in texts}
        roots = {root for lookup in lookups for root in lookup.scope.roots}
        try:
            self._classes.load(roots | set(barred_classes()))
        except ServiceError as error:
            return [Failure(error.status, str(error)) for _ in lookups]
        carriers = self._carriers(literals)
        qids = {qid for found in carriers.rows.values() for qid, _ in found}
        items, lost = self._items(qids)
        failures: dict[Literal | str, ServiceError] = {**carriers.failures, **lost}
        return [self._of(lookup, spelt, carriers.rows, items, failures) for lookup in lookups]

    def similar(self, forms: Sequence[Form]) -> list[list[str]]:
        """Nothing: an endpoint holds no keys to search."""
        return [[] for _ in forms]

    def statements(self, qids: Iterable[str], properties: Iterable[str]) -> list[Statement]:
        """See `KnowledgeSource.statements`; a merged item has those of its target."""
        wanted = sorted(set(properties))
        asked = self._by_target(qids)
        rows = self._facts(asked, lambda batch: queries.statements(batch, wanted)) if wanted else []
        found = [
            (qid, row["property"].text, value, _rank(row))
            for row in rows
            if (qid := terms.qid(row["item"].text)) and (value := terms.qid(row["value"].text))
        ]
        targets = self.resolve(value for _, _, value, _ in found)
        made = {
            Statement(asking, property_, targets[value], rank)
            for qid, property_, value, rank in found
            for asking in asked[qid]
        }
        return sorted(made, key=lambda s: (s.qid, s.property, s.value, s.rank))

    def names(self, qids: Iterable[str], languages: Iterable[str]) -> list[Name]:
        """See `KnowledgeSource.names`."""
        wanted = sorted(set(languages))
        asked = self._by_target(qids)
        made = {
            Name(asking, row["name"].language, _KINDS[row["kind"].text], row["name"].text)
            for row in self._facts(asked, lambda batch: queries.names(batch, wanted))
            if (qid := terms.qid(row["item"].text))
            for asking in asked[qid]
        }
        return sorted(made, key=lambda n: (n.qid, n.language, n.kind, n.text))

    def descriptions(self, qids: Iterable[str], languages: Iterable[str]) -> list[Description]:
        """See `KnowledgeSource.descriptions`."""
        wanted = sorted(set(languages))
        asked = self._by_target(qids)
        made = {
            Description(asking, row["text"].language, row["text"].text)
            for row in self._facts(asked, lambda batch: queries.descriptions(batch, wanted))
            if (qid := terms.qid(row["item"].text))
            for asking in asked[qid]
        }
        return sorted(made, key=lambda d: (d.qid, d.language, d.text))

    def resolve(self, qids: Iterable[str]) -> dict[str, str]:
        """Each QID and the item it was merged into, itself where it was not."""
        wanted = set(qids)
        new = sorted(wanted - self._targets.keys(), key=number)
        hops = {
            old: target
            for row in self._facts(new, queries.merged)
            if (old := terms.qid(row["item"].text)) and (target := terms.qid(row["target"].text))
        }
        if hops:
            # Items are merged more than once; the service keeps each hop.
            ends = self.resolve(set(hops.values()) - set(hops))
            for old in hops:
                self._targets[old] = _end(old, hops, ends)
        self._targets.update((qid, qid) for qid in new if qid not in hops)
        return {qid: self._targets[qid] for qid in wanted}

    # How

    def _carriers(self, literals: Iterable[Literal]) -> _Carriers:
        """Who carries each literal."""
        gathered = self._batches.gather(
            sorted(literals),
            LITERALS,
            lambda batch: queries.named([terms.literal(text, tag) for tag, text in batch]),
        )
        found: dict[Literal, set[tuple[str, NameKind]]] = defaultdict(set)
        for row in gathered.rows:
            if qid := terms.qid(row["item"].text):
                name = row["name"]
                found[name.language, name.text].add((qid, _KINDS[row["kind"].text]))
        return _Carriers(found, gathered.failures)

    def _items(self, qids: Iterable[str]) -> tuple[dict[str, _Item], dict[str, ServiceError]]:
        """Classes (followed where merged) and sitelinks of each item."""
        wanted = sorted(qids, key=number)
        gathered = self._batches.gather(wanted, ITEMS, queries.classes)
        instance_of: dict[str, set[str]] = defaultdict(set)
        sitelinks: dict[str, int] = {}
        for row in gathered.rows:
            qid = terms.qid(row["item"].text)
            if not qid:
                continue
            if "sitelinks" in row:
                sitelinks[qid] = int(row["sitelinks"].text)
            elif (cls := terms.qid(row["value"].text)) and _rank(row) != "deprecated":
                instance_of[qid].add(cls)
        try:
            targets = self.resolve(cls for classes in instance_of.values() for cls in classes)
        except ServiceError as error:
            return {}, dict.fromkeys(wanted, error)
        items = {
            qid: _Item(tuple(targets[cls] for cls in instance_of[qid]), sitelinks.get(qid))
            for qid in wanted
        }
        return items, gathered.failures

    def _of(
        self,
        lookup: Lookup,
        spelt: Mapping[Form, Sequence[str]],
        carriers: Mapping[Literal, set[tuple[str, NameKind]]],
        items: Mapping[str, _Item],
        failures: Mapping[Literal | str, ServiceError],
    ) -> list[Candidate] | Failure:
        """The candidates of one lookup."""
        found: list[Candidate] = []
        for rank, form in enumerate(lookup.forms):
            for text in spelt[form]:
                literal = (form.language, text)
                if failed := failures.get(literal):
                    return Failure(failed.status, str(failed))
                for qid, kind in sorted(carriers.get(literal, ())):
                    if failed := failures.get(qid):
                        return Failure(failed.status, str(failed))
                    item = items[qid]
                    root, path = self._fit(qid, item, lookup)
                    found.append(
                        Candidate(
                            qid=qid,
                            name=text,
                            language=form.language,
                            kind=kind,
                            sitelinks=item.sitelinks,
                            root=root,
                            path=path,
                            method=form.method,
                            typed=bool(path),
                            rank=rank,
                        )
                    )
        return found

    def _fit(self, qid: str, item: _Item, lookup: Lookup) -> tuple[str, tuple[str, ...]]:
        barred = any(
            self._classes.holds(page, cls) for page in barred_classes() for cls in item.instance_of
        )
        return ("", ()) if barred else self._classes.fit(qid, item.instance_of, lookup.scope)

    def _by_target(self, qids: Iterable[str]) -> dict[str, list[str]]:
        """Item → the ids under which it was asked for."""
        asked: dict[str, list[str]] = defaultdict(list)
        for qid, target in self.resolve(qids).items():
            asked[target].append(qid)
        return asked

    def _facts(self, qids: Iterable[str], query: Callable[[Sequence[str]], str]) -> list[Row]:
        return self._batches.gather(sorted(qids, key=number), FACTS, query).or_raise()


def _rank(row: Row) -> str:
    return _RANKS[row["rank"].text.rpartition("#")[2]]


def _end(qid: str, hops: Mapping[str, str], ends: Mapping[str, str]) -> str:
    """Where a merged item's hops lead; a circle ends where it closes."""
    seen: set[str] = set()
    while qid in hops and qid not in seen:
        seen.add(qid)
        qid = hops[qid]
    return ends.get(qid, qid)
