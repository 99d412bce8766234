"""What a study says about an item beside its link: label, description, country of origin.

An origin follows the ordered property paths of the entity type (`P50/P27`: the author's country
of citizenship). The first path that reaches any value decides, with all its values; deprecated
statements never count, and a preferred one sets the normal ones of its property aside, as in
Wikidata's own truthy statements.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from makieval import catalog
from makieval.fingerprint import fingerprint
from makieval.linking.candidates import KINDS, KnowledgeSource, Statement, number
from makieval.linking.linker import name_languages

#: A change of any rule in this module changes this.
VERSION = 1


@dataclass(frozen=True, slots=True)
class Text:
    """A label or description and the Wikidata language it is really in."""

    text: str
    language: str


@dataclass(frozen=True, slots=True)
class Origin:
    """A country, the property path that gave it, and the creator on the way, if any."""

    country_qid: str
    path: str
    via_qid: str | None


@dataclass(frozen=True, slots=True)
class Facts:
    """An item as an entity type of a topic sees it.

    `labels` and `descriptions` hold the best text for each language asked for (its chain, then
    `mul` and English); a language without any is missing. No `origins` means: not known.
    """

    qid: str
    topic: str
    entity_type: str
    labels: Mapping[str, Text]
    descriptions: Mapping[str, Text]
    origins: tuple[Origin, ...]


def describe(
    source: KnowledgeSource,
    items: Sequence[tuple[str, str, str]],
    languages: Sequence[str],
    topics: Mapping[str, catalog.Topic] | None = None,
) -> list[Facts]:
    """The facts of each (QID, topic, entity type), with texts for these catalog languages."""
    known = topics if topics is not None else catalog.topics()
    qids = sorted({qid for qid, _, _ in items}, key=number)
    chains = {code: name_languages(catalog.language(code)) for code in languages}
    labels = _labels(source, qids, chains)
    descriptions = _descriptions(source, qids, chains)
    paths = {
        (topic, entity_type): known[topic].types[entity_type].origin
        for _, topic, entity_type in items
    }
    origins = _origins(source, {(qid, paths[topic, kind]) for qid, topic, kind in items})
    return [
        Facts(qid, topic, kind, labels[qid], descriptions[qid], origins[qid, paths[topic, kind]])
        for qid, topic, kind in items
    ]


def facts_fingerprint(
    source: KnowledgeSource,
    languages: Sequence[str],
    topics: Mapping[str, catalog.Topic] | None = None,
) -> str:
    """Changes exactly when what `describe` says could change: rules, origin paths, the source."""
    known = topics if topics is not None else catalog.topics()
    return fingerprint(
        "facts",
        {
            "version": VERSION,
            "source": source.id,
            "names": {code: list(name_languages(catalog.language(code))) for code in languages},
            "origins": {
                f"{topic.id}.{entity_type.id}": list(entity_type.origin)
                for topic in known.values()
                for entity_type in topic.types.values()
            },
        },
    )


def _labels(
    source: KnowledgeSource, qids: Sequence[str], chains: Mapping[str, Sequence[str]]
) -> dict[str, dict[str, Text]]:
    """Per item and language: a label along the chain, else a name, else an alias."""
    wanted = sorted({code for chain in chains.values() for code in chain})
    names: dict[str, dict[tuple[str, str], str]] = defaultdict(dict)
    # Of several names of a kind the shortest counts, then the first by code point.
    for name in sorted(source.names(qids, wanted), key=lambda name: (len(name.text), name.text)):
        names[name.qid].setdefault((name.kind, name.language), name.text)
    return {
        qid: {
            language: text
            for language, chain in chains.items()
            if (text := _first(names[qid], [(kind, code) for kind in KINDS for code in chain]))
        }
        for qid in qids
    }


def _first(names: Mapping[tuple[str, str], str], places: Iterable[tuple[str, str]]) -> Text | None:
    return next((Text(names[place], place[1]) for place in places if place in names), None)


def _descriptions(
    source: KnowledgeSource, qids: Sequence[str], chains: Mapping[str, Sequence[str]]
) -> dict[str, dict[str, Text]]:
    wanted = sorted({code for chain in chains.values() for code in chain})
    texts = {(row.qid, row.language): row.text for row in source.descriptions(qids, wanted)}
    return {
        qid: {
            language: Text(texts[qid, code], code)
            for language, chain in chains.items()
            if (code := next((code for code in chain if (qid, code) in texts), None))
        }
        for qid in qids
    }


def _origins(
    source: KnowledgeSource, asked: Iterable[tuple[str, tuple[str, ...]]]
) -> dict[tuple[str, tuple[str, ...]], tuple[Origin, ...]]:
    """The origins of each (QID, ordered paths): two batches, the items and their creators."""
    asked = list(asked)
    firsts = {path.split("/")[0] for _, paths in asked for path in paths}
    seconds = {path.split("/")[1] for _, paths in asked for path in paths if "/" in path}
    values = _truthy(source.statements(sorted({qid for qid, _ in asked}), sorted(firsts)))
    creating = {path.split("/")[0] for _, paths in asked for path in paths if "/" in path}
    creators = {
        creator
        for (_, property_), found in values.items()
        if property_ in creating
        for creator in found
    }
    if creators:
        # The two batches may hold the same statements of the same item: the later one repeats.
        values = {**values, **_truthy(source.statements(sorted(creators), sorted(seconds)))}
    return {
        (qid, paths): next(filter(None, (_walk(values, qid, path) for path in paths)), ())
        for qid, paths in asked
    }


def _walk(
    values: Mapping[tuple[str, str], Sequence[str]], qid: str, path: str
) -> tuple[Origin, ...]:
    """Every country that `path` reaches from `qid`, lowest QID first."""
    first, _, second = path.partition("/")
    reached = values.get((qid, first), ())
    if not second:
        return tuple(Origin(country, path, None) for country in reached)
    pairs = [(country, via) for via in reached for country in values.get((via, second), ())]
    pairs.sort(key=lambda pair: (number(pair[0]), number(pair[1])))
    return tuple(Origin(country, path, via) for country, via in pairs)


def _truthy(statements: Iterable[Statement]) -> dict[tuple[str, str], list[str]]:
    """(QID, property) → values of the best rank, lowest QID first, without deprecated ones."""
    by_rank: dict[tuple[str, str], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for row in statements:
        by_rank[row.qid, row.property][row.rank].add(row.value)
    return {
        place: sorted(values, key=number)
        for place, ranks in by_rank.items()
        if (values := ranks.get("preferred") or ranks.get("normal"))
    }
