"""A surface form is looked up literally, whatever it holds (fault 17)."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from makieval.linking import Failure, Linker, Mention
from makieval.linking.normalise import key
from makieval.wikidata.sparql import Service, SparqlClient, SparqlSource, queries, terms, triples
from makieval.wikidata.sparql.answers import Row
from makieval.wikidata.tables import Tables

ServeTriples = Callable[[Iterable[str], Path], AbstractContextManager[str]]

WORDS = [
    'AC"DC',
    "a\\b",
    "trailing\\",
    'x"@en } UNION { ?item ?p ?o } UNION { ?item rdfs:label "x',
    "L'Oréal",
    "jalapeño's",
    "C:\\new\\table",
    "{curly} [square] <angle> $dollar ?question #hash",
    "\\u0022",
    "\\u0022@en } UNION { ?item rdfs:label ?name } #",
    "\\U00000022",
    "\\\\u0022",
    '"""',
    "'''",
    "line1\\nline2",
    "%22",
    "&quot;",
    "김치",
    "🍜",
]


LINES = ["line1\nline2", "tab\there", "carriage\rreturn", "form\ffeed"]


@pytest.fixture(scope="module")
def asking(
    starter: Tables, serve_triples: ServeTriples, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[SparqlClient]:
    """A client of an Oxigraph with items of these names, and ordinary ones to betray a leak."""
    ordinary = list(triples.triples(starter))[:30_000]
    named = [
        f"<{terms.ENTITY}Q{9_000_000 + number}> "
        f"<http://www.w3.org/2000/01/rdf-schema#label> {terms.literal(word, 'en')} ."
        for number, word in enumerate([*WORDS, *LINES])
    ]
    folder = tmp_path_factory.mktemp("hostile")
    with (
        serve_triples([*ordinary, *named], folder) as address,
        SparqlClient(Service.of(address), cache=folder / "answers.sqlite") as client,
    ):
        yield client


@pytest.fixture(scope="module")
def linking(
    asking: SparqlClient, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[SparqlSource]:
    """The same endpoint as a source."""
    sizes = tmp_path_factory.mktemp("sizes") / "classes.json"
    with SparqlSource(asking, sizes=sizes) as source:
        yield source


def carriers(client: SparqlClient, *texts: str) -> list[Row]:
    return client.select(queries.named([terms.literal(text, "en") for text in texts]))


@pytest.mark.parametrize("word", [*WORDS, *LINES])
def test_a_hostile_name_finds_the_item_of_that_name_alone(word: str, asking: SparqlClient) -> None:
    number = [*WORDS, *LINES].index(word)
    (row,) = carriers(asking, word)
    assert row["item"].text == f"{terms.ENTITY}Q{9_000_000 + number}"
    assert row["name"].text == word


PIECES = [
    *['"', "'", "\\", "\n", "\r", "{", "}", "<", ">", "#", "?x", "@en", " . ", "UNION", "VALUES"],
    *["\\u0022", "\\U00000022", "\\u005C", '"@en } UNION { ?item ?p ?o', "}} #", "u", "U", "0022"],
    *[
        "*/",
        "SELECT",
        "rdfs:label",
        '"""',
        "sushi",
        "a",
        " ",
        "\x00",
        "\ud800",
        "\u2028",
        "寿司",
        "İ",
    ],
]
SURFACES = st.one_of(
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=8).map("".join),
    st.text(min_size=1, max_size=20),
    st.text(st.characters(codec=None), min_size=1, max_size=10),
)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(SURFACES, min_size=1, max_size=5))
def test_no_query_returns_a_row_for_another_string(
    asking: SparqlClient, surfaces: list[str]
) -> None:
    texts = [surface for surface in surfaces if terms.writable(surface)]
    if texts:
        assert {row["name"].text for row in carriers(asking, *texts)} <= set(texts)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(SURFACES, min_size=1, max_size=5), st.sampled_from(["en", "tr", "ar", "zh"]))
def test_no_mention_finds_a_name_with_another_key(
    linking: SparqlSource, surfaces: list[str], code: str
) -> None:
    linker = Linker(linking)
    lookups = [linker.lookup(Mention(each, code, "food", "dish_name")) for each in surfaces]
    for lookup, found in zip(lookups, linking.candidates(lookups), strict=True):
        assert not isinstance(found, Failure)
        keys = {form.language: form.key for form in lookup.forms}
        for candidate in found:
            assert key(candidate.name, candidate.language) == keys[candidate.language]


@pytest.mark.parametrize("language", ["en } #", "", "EN", 'en"', "en\n", "e", "en-"])
def test_a_language_that_is_none_is_never_written(language: str) -> None:
    with pytest.raises(ValueError, match="not to be written"):
        terms.literal("x", language)


@pytest.mark.parametrize("qid", ["Q", "Q0", "42", "Q42 }", "P31", "Q1\n", "q1"])
def test_an_item_that_is_none_is_never_written(qid: str) -> None:
    with pytest.raises(ValueError, match="not to be written"):
        terms.item(qid)
