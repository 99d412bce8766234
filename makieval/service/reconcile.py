"""Reconciliation queries answered by the linker (Entity Reconciliation API 0.2).

A type is a topic (`food`) or an entity type of one (`food.dish_name`). A query without type asks
every topic; those whose items carry the very name come first, and only where there are none do the
linker's guesses count. The candidate that the linker links to is a `match` if no other topic links
elsewhere; scores are the linker's, from 0 to 100, and fall with the place among the rivals.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from makieval import catalog
from makieval.linking import asked, candidates, normalise
from makieval.linking.candidates import Candidate, KnowledgeSource, Mention, number
from makieval.linking.choose import SCORES, Link
from makieval.linking.linker import Linker, name_languages
from makieval.linking.reviewed import Decision, Reviewed
from makieval.nearest import nearest
from makieval.service.batches import Query, Wanted
from makieval.service.refused import bad
from makieval.service.texts import Texts

_QID = re.compile("Q[1-9][0-9]*")
#: A rival loses this much of its method's score with each place.
_FALL = 0.9
#: What a name of an item that does not fit the type is worth.
_UNFIT = 0.3
#: What is left of the score of an item that lacks a wanted property's value.
_LACKS = 0.5


@dataclass(frozen=True, slots=True)
class Found:
    """A candidate of an answer. `score` is 0 to 1, `features` are what it was made of."""

    qid: str
    name: str
    language: str
    types: tuple[str, ...]
    score: float
    match: bool
    features: Mapping[str, float | bool]


class Reconciler:
    """Answers batches of queries over `source`; decisions of people come first."""

    def __init__(self, source: KnowledgeSource, decisions: Iterable[Decision] = ()) -> None:
        self._source = source
        self._linker = Linker(source, topics=asked.topics())
        self._links = Reviewed(self._linker, decisions)
        self.texts = Texts(source)

    def answer(self, batch: Mapping[str, Query], language: str) -> dict[str, Any]:
        """The result batch, for names in this catalog language."""
        mentions = {
            name: self._mentions(query, language) for name, query in batch.items() if query.text
        }
        mentions = self._named(mentions)
        distinct = list(dict.fromkeys(one for many in mentions.values() for one in many))
        links = dict(zip(distinct, self._links.link(distinct), strict=True))
        found = {
            name: self._found(query, [links[one] for one in mentions.get(name, ())], language)
            for name, query in batch.items()
        }
        self._check_properties(batch, found, language)
        chosen = {
            name: sorted(many, key=_order)[: batch[name].limit] for name, many in found.items()
        }
        texts = self.texts.of((one.qid for many in chosen.values() for one in many), language)
        return {
            name: {"result": [self._record(one, texts) for one in many]}
            for name, many in chosen.items()
        }

    def _mentions(self, query: Query, language: str) -> list[Mention]:
        types = [named_type(one) for one in query.types] or [
            (topic, asked.ANY) for topic in asked.topics()
        ]
        return [Mention(query.text or "", language, topic, kind) for topic, kind in types]

    def _named(self, mentions: Mapping[str, list[Mention]]) -> dict[str, list[Mention]]:
        """Of a query's topics, those with an item of that very name that fits; all where none."""
        open_ = [one for many in mentions.values() if len(many) > 1 for one in many]
        if not open_:
            return dict(mentions)
        lookups = [self._linker.lookup(one) for one in open_]
        fits = {
            one
            for one, found in zip(open_, self._source.candidates(lookups), strict=True)
            if any(candidate.typed for candidate in candidates.known(found))
        }
        return {
            name: [one for one in many if one in fits] or many for name, many in mentions.items()
        }

    def _found(self, query: Query, links: Sequence[Link], language: str) -> list[Found]:
        best: dict[str, Found] = {}
        for link in links:
            for one in _candidates(link):
                if one.qid not in best or best[one.qid].score < one.score:
                    best[one.qid] = one
        linked = {link.qid for link in links if link.qid}
        if query.text and _QID.fullmatch(query.text.strip()):
            known = self.texts.of([query.text.strip()], language)
            for qid, text in known.items():
                features = {"id": True}
                best[qid] = Found(qid, text.label, language, (), 1.0, True, features)
                linked = {qid}
        return [replace(one, match=one.match and linked == {one.qid}) for one in best.values()]

    def _check_properties(
        self, batch: Mapping[str, Query], found: dict[str, list[Found]], language: str
    ) -> None:
        """Lower what lacks a wanted property's value; it is no match any more."""
        wanted = {name: query.properties for name, query in batch.items() if query.properties}
        if not wanted:
            return
        values = self._values(
            {one.qid for name in wanted for one in found[name]},
            {each.property for many in wanted.values() for each in many},
        )
        named = self._names_of({qid for many in values.values() for qid in many}, language)
        for name, many in wanted.items():
            for each in many:
                keys = {_value_key(value, language) for value in each.values}
                found[name] = [
                    _weighed(one, each, _has(values[one.qid, each.property], keys, named))
                    for one in found[name]
                ]

    def _values(
        self, qids: Iterable[str], properties: Iterable[str]
    ) -> dict[tuple[str, str], set[str]]:
        values: dict[tuple[str, str], set[str]] = defaultdict(set)
        for statement in self._source.statements(qids, properties):
            if statement.rank != "deprecated":
                values[statement.qid, statement.property].add(statement.value)
        return values

    def _names_of(self, qids: Iterable[str], language: str) -> dict[str, set[str]]:
        keys: dict[str, set[str]] = defaultdict(set)
        for name in self._source.names(qids, name_languages(catalog.language(language))):
            keys[name.qid].add(normalise.key(name.text, language))
        return keys

    def _record(self, found: Found, texts: Mapping[str, Any]) -> dict[str, Any]:
        known = texts.get(found.qid)
        record: dict[str, Any] = {
            "id": found.qid,
            "name": known.label if known else found.name,
            "type": [type_record(one) for one in found.types],
            "score": round(100 * found.score, 1),
            "match": found.match,
            "features": [{"id": name, "value": value} for name, value in found.features.items()],
        }
        if known and known.description:
            record["description"] = known.description
        return record


def types() -> list[dict[str, str]]:
    """Every type that a query may name: each topic, then what mentions of it may be."""
    return [
        type_record(topic.id if kind.id == asked.ANY else f"{topic.id}.{kind.id}")
        for topic in asked.topics().values()
        for kind in topic.types.values()
        if kind.granularity != "excluded"
    ]


def type_record(type_id: str) -> dict[str, str]:
    """A type as the API wants it."""
    topic, _, kind = type_id.partition(".")
    english = asked.topics()[topic].english
    return {"id": type_id, "name": f"{english}: {kind.replace('_', ' ')}" if kind else english}


def named_type(type_id: str) -> tuple[str, str]:
    """(topic, entity type) of a type's id; refused with the nearest one where there is none."""
    known = [one["id"] for one in types()]
    if type_id not in known:
        raise bad(f"unknown type {type_id!r}{nearest(type_id, known)}; see /suggest/type")
    topic, _, kind = type_id.partition(".")
    return topic, kind or asked.ANY


def _candidates(link: Link) -> Iterable[Found]:
    """The linked item, then its rivals in the order of the rules."""
    mention = link.mention
    kind = "" if mention.entity_type == asked.ANY else f".{mention.entity_type}"
    type_id = mention.topic + kind
    if link.qid:
        features = {"method": link.score or 0.0, "fits": True, "place": 0}
        name, language = link.name or mention.surface, link.name_language or mention.language
        yield Found(link.qid, name, language, (type_id,), link.score or 0.0, True, features)
    for place, rival in enumerate(link.rivals, start=1 if link.qid else 0):
        yield _rival(rival, place, type_id)


def _rival(rival: Candidate, place: int, type_id: str) -> Found:
    method = SCORES[rival.method.partition(":")[0]]
    score = method * _FALL**place * (1 if rival.typed else _UNFIT)
    features = {"method": method, "fits": rival.typed, "place": place}
    shown = (type_id,) if rival.typed else ()
    return Found(rival.qid, rival.name, rival.language, shown, score, False, features)


def _order(found: Found) -> tuple[float, bool, int, int]:
    place = int(found.features.get("place", 0))
    return (-found.score, not found.match, place, number(found.qid))


def _value_key(value: str, language: str) -> str:
    return value if _QID.fullmatch(value) else normalise.key(value, language)


def _has(values: Iterable[str], keys: set[str], named: Mapping[str, set[str]]) -> bool:
    return any(value in keys or not keys.isdisjoint(named.get(value, ())) for value in values)


def _weighed(found: Found, wanted: Wanted, has: bool) -> Found:
    features = {**found.features, wanted.property: has}
    if has:
        return replace(found, features=features)
    return replace(found, score=found.score * _LACKS, match=False, features=features)
