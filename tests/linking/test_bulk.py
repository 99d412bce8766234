"""Linking in bulk gives the links of the linker, all of them and every detail."""

from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from makieval import catalog
from makieval.linking import Linker, Mention, bulk, columns, normalise
from makieval.status import Status
from makieval.wikidata import Snapshot, build

TABLES = Path(__file__).parents[1] / "fixtures" / "tables"
TYPES = [
    (topic.id, entity_type.id)
    for topic in catalog.topics().values()
    for entity_type in topic.types.values()
    if entity_type.granularity != "excluded"
]


def frame(mentions: list[Mention]) -> pl.DataFrame:
    rows = [(each.surface, each.language, each.topic, each.entity_type) for each in mentions]
    return pl.DataFrame(rows, schema=dict.fromkeys(bulk.MENTION, pl.String), orient="row")


def agrees(source: Snapshot, mentions: list[Mention]) -> bulk.Links:
    """Bulk and linker say the same of each mention, in the order asked."""
    linker = Linker(source)
    links = bulk.link(linker, frame(mentions))
    each = list(links.each())
    assert [each[at] for at in links.of] == linker.link(mentions)
    return links


def rows(table: str) -> list[list[str]]:
    lines = (TABLES / f"{table}.tsv").read_text(encoding="utf-8").splitlines()[1:]
    return [line.split("\t") for line in lines]


def test_every_name_of_the_snapshot_for_every_type(snapshot: Snapshot) -> None:
    mentions = [
        Mention(name, language, *kind)
        for _, language, _, name in rows("names")
        if language in catalog.languages()
        for kind in TYPES[::3]
    ]
    links = agrees(snapshot, mentions)
    assert links.links["status"].is_in([Status.LINKED]).sum() > 200


def test_a_name_that_is_not_there_goes_through_the_stages(snapshot: Snapshot) -> None:
    mentions = [Mention(surface, "en", "food", "dish_name") for surface in ("pizzza", "", "Pizza")]
    links = agrees(snapshot, mentions * 2)
    assert links.links.height == 3
    assert links.of.to_list() == [0, 1, 2] * 2


def test_turkish_mentions_find_names_by_both_rules_of_the_letter_i(change_tables) -> None:
    turkish = ["Q281\ttr\tlabel\tIsırgan", "Q6097\ten\talias\tInfusion", "Q281\tmul\talias\tIRIŞ"]
    with opened(change_tables(names=turkish)) as source:
        surfaces = ["ISIRGAN", "INFUSION", "infusion", "iriş", "ırış", "IRIŞ"]
        agrees(source, [Mention(s, "tr", "beverage", "drink_name") for s in surfaces])


def opened(folder: Path) -> Snapshot:
    build(folder, folder.with_suffix(".duckdb"))
    return Snapshot.open(folder.with_suffix(".duckdb"))


QIDS = ("Q281", "Q6097", "Q177", "Q3757", "Q40050")
NAME_ROWS = st.tuples(
    st.sampled_from(QIDS),
    st.sampled_from(["en", "mul", "zh", "zh-hant", "tr"]),
    st.sampled_from(["label", "alias", "name"]),
    st.sampled_from(["Tea", "tea", "TEA", "Isı", "isi", "ISI"]),
)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(NAME_ROWS, max_size=12),
    st.lists(st.tuples(st.sampled_from(QIDS), st.sampled_from(["0", "3", ""])), max_size=4),
    st.lists(st.tuples(st.sampled_from(QIDS), st.sampled_from(["Q40050", "Q154", "Q8492"]))),
    st.lists(st.sampled_from(QIDS), max_size=2),
)
def test_any_homonyms_are_ordered_by_the_rules_of_choose(
    change_tables,
    named: list[tuple[str, str, str, str]],
    linked: list[tuple[str, str]],
    classed: list[tuple[str, str]],
    evident: list[str],
) -> None:
    folder = change_tables(
        names=["\t".join(row) for row in named],
        items=["\t".join(row) for row in linked],
        statements=[f"{qid}\tP31\t{cls}\tnormal" for qid, cls in classed],
        topics=[f"{qid}\tbeverage\tlisted" for qid in evident],
    )
    mentions = [
        Mention(surface, language, "beverage", "drink_name")
        for surface in ("tea", "ISI", "isi", "ısı")
        for language in ("en", "zh", "zh-tw", "tr", "de")
    ]
    with opened(folder) as source:
        agrees(source, mentions)


@pytest.mark.parametrize("kind", [("jp", "food", "dish_name"), ("en", "food", "place")])
def test_it_refuses_what_the_linker_refuses(snapshot: Snapshot, kind: tuple[str, str, str]) -> None:
    with pytest.raises(ValueError, match=r"not in the catalog|excluded"):
        bulk.link(Linker(snapshot), frame([Mention("pizza", *kind)]))


def test_no_mentions_give_no_links(snapshot: Snapshot) -> None:
    links = bulk.link(Linker(snapshot), frame([]))
    assert (list(links.each()), links.of.to_list(), links.rivals.height) == ([], [], 0)


# Keys of columns


WORDS = st.text(st.one_of(st.characters(), st.sampled_from("aAIıİ'-. ·ー茶ガไทยचाय김치کيی\u0301")))


@given(st.lists(st.tuples(WORDS, st.sampled_from(["en", "tr", "fa", "ja"])), max_size=20))
@settings(deadline=None, max_examples=300)
def test_a_column_has_the_keys_of_its_texts(pairs: list[tuple[str, str]]) -> None:
    texts = [
        (text.encode("utf-8", "replace").decode(), language)
        for text, language in [*pairs, *((text * 2, language) for text, language in pairs)]
    ]
    column = pl.DataFrame(texts, schema={"text": pl.String, "lang": pl.String}, orient="row")
    few = columns.FEW
    columns.FEW = 0
    try:
        found = columns.keys(column["text"], column["lang"]).to_list()
    finally:
        columns.FEW = few
    assert found == [normalise.key(text, language) for text, language in texts]


def test_most_names_of_the_fixture_are_plain() -> None:
    names = pl.Series([name for *_, name in rows("names")])
    assert names.str.contains(columns.plain_signs().words).mean() > 0.8
