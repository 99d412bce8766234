"""What a source makes of the odd corners of Wikidata, on a real endpoint."""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from makieval.errors import ServiceError, SnapshotError
from makieval.linking import Failure, Linker, Mention
from makieval.linking.candidates import Statement
from makieval.status import UNANSWERED, Status
from makieval.wikidata.sparql import Service, SparqlClient, SparqlSource, terms, triples
from makieval.wikidata.tables import LAYOUT, Tables

ServeTriples = Callable[[Iterable[str], Path], AbstractContextManager[str]]
DISH, FOOD, COUNTRY, PAGE = "Q746549", "Q2095", "Q17", "Q4167410"

ROWS: dict[str, list[tuple[str, ...]]] = {
    "items": [("Q100", "50"), ("Q101", "9"), ("Q102", "")],
    "names": [
        ("Q100", "en", "label", "ramen"),
        ("Q100", "en", "alias", "Ramen"),
        ("Q100", "mul", "label", "Rāmen"),
        ("Q101", "mul", "label", "Laksa"),
        ("Q102", "en", "label", "Ramen"),
        ("Q103", "zh-hant", "label", "擔擔麵"),
        ("Q104", "en", "label", "noodle soup"),
        ("Q105", "en", "label", "Bratwurst (disambiguation)"),
        ("Q106", "en", "label", "Pudding"),
    ],
    "statements": [
        ("Q100", "P31", "Q300", "normal"),
        ("Q101", "P31", "Q301", "normal"),
        ("Q102", "P31", PAGE, "normal"),
        ("Q102", "P31", DISH, "normal"),
        ("Q103", "P31", DISH, "preferred"),
        ("Q104", "P279", "Q999", "normal"),
        ("Q105", "P31", DISH, "deprecated"),
        ("Q106", "P31", "Q302", "normal"),
        ("Q300", "P279", "Q301", "normal"),
        ("Q301", "P279", "Q301", "normal"),
        ("Q301", "P279", "Q999", "normal"),
        ("Q302", "P279", DISH, "deprecated"),
        (DISH, "P279", FOOD, "normal"),
        ("Q100", "P495", "Q997", "normal"),
    ],
    "descriptions": [("Q100", "en", "Japanese dish")],
    "topics": [],
    # Q999 was merged into the class of dishes, Q997 over Q998 into a country, Q990 into Q100.
    "redirects": [("Q999", DISH), ("Q997", "Q998"), ("Q998", COUNTRY), ("Q990", "Q100")],
}
LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"
WIKIBASE = "http://wikiba.se/ontology#"
STRANGE = [
    # A property, a lexeme's form and a page carry the name too: none of them is an item.
    f'<{terms.ENTITY}P5> {LABEL} "ramen"@en .',
    f'<{terms.ENTITY}L5-F1> {LABEL} "ramen"@en .',
    f'<https://en.wikipedia.org/wiki/Q5> {LABEL} "ramen"@en .',
    # An unknown value of P31.
    f"<{terms.ENTITY}Q100> <http://www.wikidata.org/prop/P31> <http://x.invalid/s> .",
    "<http://x.invalid/s> <http://www.wikidata.org/prop/statement/P31> _:unknown .",
    f"<http://x.invalid/s> <{WIKIBASE}rank> <{WIKIBASE}NormalRank> .",
]


@pytest.fixture(scope="module")
def small(
    serve_triples: ServeTriples, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[SparqlSource]:
    import polars as pl

    folder = tmp_path_factory.mktemp("small")
    frames = {
        name: pl.DataFrame(ROWS[name], schema=dict.fromkeys(LAYOUT[name], pl.String), orient="row")
        for name in LAYOUT
    }
    lines = [*triples.triples(Tables(folder, {}, frames)), *STRANGE]
    with serve_triples(lines, folder) as address:
        client = SparqlClient(Service.of(address), cache=folder / "answers.sqlite")
        with SparqlSource(client, sizes=folder / "classes.json") as source:
            yield source


def dish(surface: str, language: str = "en") -> Mention:
    return Mention(surface, language, "food", "dish_name")


def test_the_path_goes_over_a_merged_class_and_a_circle(small: SparqlSource) -> None:
    """Fault 33, and P279 that points to itself."""
    (link,) = Linker(small).link([dish("ramen")])
    assert link.qid == "Q100"
    assert link.path == ("Q100", "Q300", "Q301", DISH)


def test_an_item_that_carries_a_name_twice_is_one_candidate(small: SparqlSource) -> None:
    """Fault 13 (ad-freiburg/qlever#2820)."""
    (link,) = Linker(small).link([dish("ramen")])
    assert link.name_kind == "label"
    assert [rival.qid for rival in link.rivals] == []


def test_pages_properties_and_lexemes_are_never_linked(small: SparqlSource) -> None:
    linker = Linker(small)
    (found,) = small.candidates([linker.lookup(dish("ramen"))])
    assert not isinstance(found, Failure)
    assert {candidate.qid: candidate.typed for candidate in found} == {"Q100": True, "Q102": False}


def test_a_label_in_mul_is_found_and_named_so(small: SparqlSource) -> None:
    """Fault 40 (WDscholia/scholia#2646)."""
    (link,) = Linker(small).link([dish("laksa", "tr")])
    assert (link.qid, link.name, link.name_language) == ("Q101", "Laksa", "mul")


def test_the_chain_of_chinese_is_followed(small: SparqlSource) -> None:
    """Fault 54."""
    (link,) = Linker(small).link([dish("擔擔麵", "zh-tw")])
    assert (link.qid, link.name_language) == ("Q103", "zh-hant")


def test_a_class_itself_fits(small: SparqlSource) -> None:
    (link,) = Linker(small).link([dish("Noodle soup")])
    assert link.path == ("Q104", DISH)


@pytest.mark.parametrize("surface", ["Bratwurst (disambiguation)", "Pudding"])
def test_a_deprecated_statement_never_counts(surface: str, small: SparqlSource) -> None:
    (link,) = Linker(small).link([dish(surface)])
    assert link.status is Status.WRONG_TYPE


def test_merged_items_are_followed_and_both_ids_are_kept(small: SparqlSource) -> None:
    """Fault 33 (dahlia/wikidata#3)."""
    assert small.resolve(["Q990", "Q997", "Q100"]) == {
        "Q990": "Q100",
        "Q997": COUNTRY,
        "Q100": "Q100",
    }
    assert small.statements(["Q990", "Q100"], ["P495"]) == [
        Statement("Q100", "P495", COUNTRY, "normal"),
        Statement("Q990", "P495", COUNTRY, "normal"),
    ]
    assert {name.qid for name in small.names(["Q990"], ["en"])} == {"Q990"}
    assert [text.text for text in small.descriptions(["Q990"], ["en", "de"])] == ["Japanese dish"]


def test_nothing_asked_is_nothing_found(small: SparqlSource) -> None:
    assert small.candidates([]) == []
    assert small.statements([], ["P31"]) == []
    assert small.statements(["Q100"], []) == []
    assert small.names([], ["en"]) == []


def test_similar_keys_are_not_searched(small: SparqlSource) -> None:
    lookup = Linker(small).lookup(dish("ramne"))
    assert small.approximate is False
    assert small.similar(lookup.forms) == [[] for _ in lookup.forms]


def test_a_class_that_has_grown_fivefold_stops_the_work(
    small: SparqlSource, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fault 12 (ad-freiburg/qlever#1474)."""
    sizes = tmp_path / "classes.json"
    address = small._client.service.address
    sizes.write_text(json.dumps({address: {DISH: 1}}))
    monkeypatch.setattr("makieval.wikidata.sparql.classes.GROWTH", 3)
    monkeypatch.setattr("makieval.wikidata.sparql.classes._FEW", 2)
    client = SparqlClient(Service.of(address), cache=tmp_path / "answers.sqlite")
    with (
        SparqlSource(client, sizes=sizes) as source,
        pytest.raises(SnapshotError, match="bad edit"),
    ):
        Linker(source).link([dish("ramen")])


def test_sizes_of_classes_are_remembered(small: SparqlSource, tmp_path: Path) -> None:
    sizes = tmp_path / "classes.json"
    address = small._client.service.address
    client = SparqlClient(Service.of(address), cache=tmp_path / "answers.sqlite")
    with SparqlSource(client, sizes=sizes) as source:
        Linker(source).link([dish("ramen")])
    assert json.loads(sizes.read_text())[address][DISH] == 4


def failing(faulty: Any, tmp_path: Path) -> SparqlSource:
    client = SparqlClient(
        Service.of(faulty.address), cache=tmp_path / "answers.sqlite", wait=lambda seconds: None
    )
    return SparqlSource(client, sizes=tmp_path / "classes.json")


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        ("FORBIDDEN", Status.POLICY),
        ("BANNED", Status.BANNED),
        ("TIMEOUT_IN_200", Status.TIMEOUT),
        ("REFUSED_SLOT", Status.SERVER_ERROR),
        ("SYNTAX", Status.REJECTED),
    ],
)
def test_a_service_that_fails_never_makes_a_nil(
    reply: str, status: Status, faulty: Any, fault: Any, tmp_path: Path
) -> None:
    faulty.otherwise = lambda query: getattr(fault, reply)
    with failing(faulty, tmp_path) as source:
        links = Linker(source).link([dish(f"dish {number}") for number in range(500)])
    assert {link.status for link in links} == {status}
    assert status in UNANSWERED
    assert len(faulty.asked) < 100


def test_one_broken_batch_leaves_the_other_links_whole(
    faulty: Any, fault: Any, tmp_path: Path
) -> None:
    """Fault 7: an incomplete answer is no short answer."""

    def partly(query: str) -> Any:
        return fault.SYNTAX if '"broken"@' in query else fault.result()

    faulty.otherwise = partly
    with failing(faulty, tmp_path) as source:
        links = Linker(source).link([dish("ramen"), dish("broken"), dish("laksa")])
    assert [link.status for link in links] == [Status.NIL, Status.REJECTED, Status.NIL]


def test_a_rate_limit_while_facts_are_read_is_an_error_and_not_no_facts(
    faulty: Any, fault: Any, tmp_path: Path
) -> None:
    """Fault 35 (dahlia/wikidata#43)."""
    faulty.otherwise = lambda query: fault.slow_down("1")
    with failing(faulty, tmp_path) as source:
        for ask in (
            lambda: source.names(["Q1"], ["en"]),
            lambda: source.descriptions(["Q1"], ["en"]),
            lambda: source.statements(["Q1"], ["P31"]),
        ):
            with pytest.raises(ServiceError) as caught:
                ask()
            assert caught.value.status is Status.RATE_LIMITED


def test_classes_are_asked_for_once_and_never_per_candidate(
    small: SparqlSource, faulty: Any, fault: Any, tmp_path: Path
) -> None:
    """Fault 37 (openrefine-wikibase#131): no property path is ever sent."""
    with failing(faulty, tmp_path) as source:
        faulty.otherwise = lambda query: fault.result()
        for number in range(3):
            Linker(source).link([dish(f"dish {number}"), dish(f"plate {number}")])
    about_classes = [asked for asked in faulty.asked if "P279" in asked.query]
    assert len(about_classes) == 1
    assert not any("P279*" in asked.query or "P31/" in asked.query for asked in faulty.asked)


def test_every_query_declares_its_prefixes_and_asks_no_service(
    faulty: Any, fault: Any, tmp_path: Path
) -> None:
    """Faults 10 and 11 (ad-freiburg/qlever#1829, #2363)."""
    import re

    faulty.otherwise = lambda query: fault.result()
    with failing(faulty, tmp_path) as source:
        Linker(source).link([dish("ramen")])
        source.names(["Q1"], ["en"])
        source.descriptions(["Q1"], ["en"])
        source.statements(["Q1"], ["P31", "P495"])
    assert faulty.asked
    for asked in faulty.asked:
        declared = set(re.findall(r"^PREFIX (\w+):", asked.query, re.MULTILINE))
        body = re.sub(r'"(?:[^"\\]|\\.)*"', "", asked.query.partition("SELECT")[2])
        assert set(re.findall(r"(\w+):\w", body)) <= declared
        assert "SERVICE" not in body
        assert "hint:" not in body
    looked_up = [asked.query for asked in faulty.asked if '"ramen"@en' in asked.query]
    assert looked_up
    assert not any("LANG(" in query for query in looked_up)
