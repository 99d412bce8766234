"""An endpoint and a snapshot of the same data give the same links, and where they do not, why.

The shipped tables stand in a real Oxigraph and in a snapshot; mentions are the names themselves,
in several letter cases.
"""

from collections import Counter
from collections.abc import Iterator

import pytest

from makieval import catalog
from makieval.linking import Link, Linker, Mention, describe
from makieval.status import Status
from makieval.wikidata.snapshot import Snapshot
from makieval.wikidata.sparql import SparqlSource
from makieval.wikidata.tables import Tables

CASES = {"as it stands": str, "lower": str.lower, "upper": str.upper, "title": str.title}
EVERY = 200


def own_names(tables: Tables) -> Iterator[tuple[str, str]]:
    """(name, catalog language) of every name that is in the first language of a chain."""
    own = {language.chain[0]: language.code for language in catalog.languages().values()}
    for _, lang, _, name in tables.frames["names"].iter_rows():
        if lang in own:
            yield name, own[lang]


def mentions(tables: Tables, case: str) -> list[Mention]:
    """Every 200th name, as something of each topic."""
    types = [
        (topic.id, next(t.id for t in topic.types.values() if t.granularity == "specific"))
        for topic in catalog.topics().values()
    ]
    names = list(own_names(tables))[::EVERY]
    return list(
        dict.fromkeys(
            Mention(CASES[case](name), language, topic, entity_type)
            for name, language in names
            for topic, entity_type in types
        )
    )


def kind(here: Link, there: Link) -> str:
    """How two links of one mention differ."""
    if here == there:
        return "same"
    if Status.NIL in {here.status, there.status} or len(there.rivals) < len(here.rivals):
        return "not found by the endpoint"
    if (here.status, here.qid) == (there.status, there.qid):
        return "same item by another name"
    return "another item"


@pytest.mark.parametrize("case", CASES)
def test_an_endpoint_links_like_a_snapshot_of_the_same_data(
    case: str, starter: Tables, snapshot: Snapshot, source: SparqlSource
) -> None:
    asked = mentions(starter, case)
    pairs = zip(Linker(snapshot).link(asked), Linker(source).link(asked), strict=True)
    kinds = Counter(kind(here, there) for here, there in pairs)
    assert len(asked) > 1_000
    assert kinds["another item"] == 0
    # Names in capitals that no rule can guess from the mention: iPod for IPOD, beef Burgundy.
    least = {"as it stands": 0.99, "lower": 0.93, "upper": 0.93, "title": 0.88}
    assert kinds["same"] >= least[case] * len(asked), kinds


def test_an_endpoint_never_says_nil_of_a_name_as_it_stands(
    starter: Tables, snapshot: Snapshot, source: SparqlSource
) -> None:
    asked = mentions(starter, "as it stands")
    for here, there in zip(Linker(snapshot).link(asked), Linker(source).link(asked), strict=True):
        assert (here.status, here.qid, here.path) == (there.status, there.qid, there.path)


def test_facts_are_those_of_the_snapshot(
    starter: Tables, snapshot: Snapshot, source: SparqlSource
) -> None:
    items = [
        (qid, topic.id, entity_type)
        for number, (qid, _) in enumerate(starter.frames["items"].iter_rows())
        if number % 20 == 0
        for topic in [list(catalog.topics().values())[number % 6]]
        for entity_type in [next(iter(topic.types))]
    ]
    languages = list(catalog.languages())
    assert describe(source, items, languages) == describe(snapshot, items, languages)


def test_statements_are_those_of_the_snapshot(
    starter: Tables, snapshot: Snapshot, source: SparqlSource
) -> None:
    frame = starter.frames["statements"]
    qids, properties = set(frame["qid"].to_list()[:2000]), set(frame["property"].to_list())
    there = source.statements(qids, properties)
    assert there == snapshot.statements(qids, properties)
    assert len(there) > 1_000


def test_the_answer_does_not_depend_on_what_else_is_asked(
    starter: Tables, source: SparqlSource
) -> None:
    asked = mentions(starter, "lower")[:300]
    together = Linker(source).link([*mentions(starter, "as it stands")[:300], *asked])[
        -len(asked) :
    ]
    assert together == Linker(source).link(asked)
    assert list(reversed(together)) == Linker(source).link(list(reversed(asked)))
