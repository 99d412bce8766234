"""Linking over a real snapshot file: the faults of the published linker, with the right result."""

import random
import re
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from makieval import catalog
from makieval.linking import Form, Link, Linker, Lookup, Mention, Scope, linker, normalise
from makieval.status import Status
from makieval.wikidata import Snapshot, build


def link(source: Snapshot, surface: str, language: str, topic: str, entity_type: str) -> Link:
    """The one link of one mention."""
    return Linker(source).link([Mention(surface, language, topic, entity_type)])[0]


def opened(folder: Path) -> Snapshot:
    build(folder, folder.with_suffix(".duckdb"))
    return Snapshot.open(folder.with_suffix(".duckdb"))


# Class


def test_an_instance_of_a_subclass_links(snapshot: Snapshot) -> None:
    found = link(snapshot, "AC/DC", "en", "music", "artist_name")
    assert found.qid == "Q27593"
    assert found.path == ("Q27593", "Q5741069", "Q215380")  # rock band, musical group


def test_a_class_links_through_its_superclasses(snapshot: Snapshot) -> None:
    found = link(snapshot, "kimono", "en", "clothing", "clothing_type")
    assert found.path == ("Q483444", "Q1477300", "Q11460")  # Japanese clothing, clothing


def test_the_root_of_beverages_works(snapshot: Snapshot) -> None:
    assert link(snapshot, "drink", "en", "beverage", "beverage_category").qid == "Q40050"
    assert link(snapshot, "whisky", "en", "beverage", "drink_name").qid == "Q281"


def test_candidates_of_the_wrong_type_alone_are_wrong_type(snapshot: Snapshot) -> None:
    found = link(snapshot, "Java", "en", "beverage", "drink_name")
    assert (found.status, found.qid) == (Status.WRONG_TYPE, None)
    assert {rival.qid for rival in found.rivals} == {"Q251", "Q3757"}  # a language, an island
    assert not any(rival.typed for rival in found.rivals)


def test_one_word_means_the_city_the_novel_or_the_song_by_type(snapshot: Snapshot) -> None:
    novel = link(snapshot, "Amsterdam", "en", "book", "book_title")
    song = link(snapshot, "Amsterdam", "en", "music", "song_name")
    singer = link(snapshot, "Amsterdam", "en", "music", "artist_name")
    assert (novel.qid, song.qid, singer.status) == ("Q478433", "Q122781", Status.WRONG_TYPE)
    assert "Q26307851" in {rival.qid for rival in song.rivals}


def test_an_item_without_class_links_by_direct_evidence(snapshot: Snapshot) -> None:
    found = link(snapshot, "ramen", "en", "food", "dish_name")
    assert (found.qid, found.path) == ("Q234646", ("direct", "fmlama"))


def test_evidence_for_books_makes_no_author(change_tables) -> None:
    folder = change_tables(topics=["Q549713\tbook\tlisted"])
    with opened(folder) as source:
        assert link(source, "Kung Pao chicken", "en", "book", "book_title").qid == "Q549713"
        found = link(source, "Kung Pao chicken", "en", "book", "author_name")
        assert found.status is Status.WRONG_TYPE


def test_a_deprecated_class_does_not_count(change_tables) -> None:
    deprecated = ["Q3757\tP279\tQ40050\tdeprecated", "Q251\tP31\tQ40050\tdeprecated"]
    with opened(change_tables(statements=deprecated)) as source:
        assert link(source, "Java", "en", "beverage", "drink_name").status is Status.WRONG_TYPE
    with opened(change_tables(statements=["Q3757\tP279\tQ40050\tnormal"])) as source:
        assert link(source, "Java", "en", "beverage", "drink_name").qid == "Q3757"


@pytest.mark.parametrize(
    ("surface", "qid"),
    [("Foot", "Q10556026"), ("Richard", "Q1249148"), ("creature in Harry Potter", "Q110660")],
)
def test_pages_and_name_items_never_win(change_tables, surface: str, qid: str) -> None:
    as_person = [f"{qid}\tP31\tQ5\tpreferred"]
    with opened(change_tables(statements=as_person, topics=[f"{qid}\tmusic\tlisted"])) as source:
        found = link(source, surface, "en", "music", "artist_name")
        assert (found.status, found.qid) == (Status.WRONG_TYPE, None)


# Names


@pytest.mark.parametrize("surface", ["kimono", "Kimono", "KIMONO", " “kimono”. ", "ｋｉｍｏｎｏ"])
def test_case_quotes_and_width_do_not_matter(snapshot: Snapshot, surface: str) -> None:
    assert link(snapshot, surface, "en", "clothing", "clothing_type").qid == "Q483444"


def test_a_decomposed_mention_is_found(snapshot: Snapshot) -> None:
    (name,) = [name.text for name in snapshot.names(["Q1299"], ["ko"]) if name.kind == "label"]
    decomposed = unicodedata.normalize("NFD", name)
    assert decomposed != name
    assert link(snapshot, decomposed, "ko", "music", "artist_name").qid == "Q1299"


def test_arabic_kaf_and_yeh_find_a_persian_name(snapshot: Snapshot) -> None:
    assert link(snapshot, "چاي", "fa", "beverage", "drink_name").qid == "Q6097"
    assert link(snapshot, "مرغ كونگ پائو", "fa", "food", "dish_name").qid == "Q549713"


def test_the_turkish_i_finds_turkish_and_english_names(change_tables) -> None:
    turkish = ["Q281\ttr\tlabel\tIsırgan", "Q6097\ten\talias\tInfusion"]
    with opened(change_tables(names=turkish)) as source:
        assert link(source, "ISIRGAN", "tr", "beverage", "drink_name").qid == "Q281"
        found = link(source, "INFUSION", "tr", "beverage", "drink_name")
        assert (found.qid, found.name_language) == ("Q6097", "en")


def test_a_chinese_variant_finds_the_names_of_its_chain(snapshot: Snapshot) -> None:
    found = link(snapshot, "宮保雞丁", "zh-tw", "food", "dish_name")
    assert (found.qid, found.name_language, found.name_kind) == ("Q549713", "zh-hant", "label")
    assert link(snapshot, "宫保鸡丁", "zh", "food", "dish_name").qid == "Q549713"


def test_a_name_for_all_languages_is_found_and_told(change_tables) -> None:
    with opened(change_tables(names=["Q234646\tmul\tlabel\tRamen-ya"])) as source:
        found = link(source, "ramen-ya", "de", "food", "dish_name")
        assert (found.qid, found.name_language) == ("Q234646", "mul")


def test_a_link_through_english_is_told(snapshot: Snapshot) -> None:
    found = link(snapshot, "Kung Pao chicken", "ja", "food", "dish_name")
    assert (found.qid, found.name_language) == ("Q549713", "en")


def test_another_language_is_not_searched(snapshot: Snapshot) -> None:
    assert link(snapshot, "Bicicletta", "de", "transportation", "vehicle_type").status is Status.NIL
    assert link(snapshot, "Bicicletta", "it", "transportation", "vehicle_type").qid == "Q11442"


def test_the_own_language_beats_english(change_tables) -> None:
    names = ["Q281\tde\talias\tGift", "Q6097\ten\tlabel\tGift"]
    with opened(change_tables(names=names)) as source:
        assert link(source, "Gift", "de", "beverage", "drink_name").qid == "Q281"
        assert link(source, "Gift", "en", "beverage", "drink_name").qid == "Q6097"


def test_a_label_beats_an_alias(change_tables) -> None:
    names = ["Q281\ten\talias\tCuppa", "Q6097\ten\tlabel\tCuppa"]
    with opened(change_tables(names=names)) as source:
        found = link(source, "cuppa", "en", "beverage", "drink_name")
        assert (found.qid, [rival.qid for rival in found.rivals]) == ("Q6097", ["Q281"])


HOSTILE = [
    'AC"DC',
    "a\\b",
    "line1\nline2",
    "trailing\\",
    "'; DROP TABLE names; --",
    'x"@en } UNION { ?item ?p ?o } UNION { ?item rdfs:label "x',
    "%",
    "_",
    "kimon_",
    "$1",
    "\x00kimono",
    "\ud800",
]


@pytest.mark.parametrize("surface", HOSTILE)
def test_a_hostile_surface_is_looked_up_literally(snapshot: Snapshot, surface: str) -> None:
    assert link(snapshot, surface, "en", "clothing", "clothing_type").status is Status.NIL


def test_a_name_with_quotes_and_backslashes_is_found_as_it_stands(change_tables) -> None:
    with opened(change_tables(names=['Q281\ten\talias\tthe "a\\b" \'s'])) as source:
        assert link(source, 'THE "A\\B" \'S', "en", "beverage", "drink_name").qid == "Q281"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.text(alphabet=st.sampled_from("kimono\"'\\%_;-{}\n$ @?"), max_size=10))
def test_only_the_name_itself_finds_an_item(snapshot: Snapshot, surface: str) -> None:
    found = link(snapshot, surface, "en", "clothing", "clothing_type")
    if found.qid:
        names = {name.text.lower() for name in snapshot.names([found.qid], ["en"])}
        # Hyphens and spaces are spelling; nothing else may come or go.
        assert re.sub("[-' ]", "", surface.strip('\n"{};?.')).replace("\n", "") in names


FRAGMENTS = st.sampled_from(
    ['"', "'", "\\", "\n", "{", "}", '"@en', " } UNION { ", "?item", "#", "%", "_", "\x00", "|"]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(FRAGMENTS | st.sampled_from(["kimono", "Java", "sushi", "a"]), max_size=6))
def test_no_fragment_of_a_query_returns_a_row_for_another_string(
    snapshot: Snapshot, parts: list[str]
) -> None:
    surface = "".join(parts)
    for found in snapshot.candidates(
        [Lookup((Form("en", surface, "exact"),), Scope("food", ("Q2095",), direct=True))]
    ):
        assert {normalise.key(one.name, "en") for one in found} <= {surface}


# Always the same answer


def mentions(snapshot: Snapshot) -> list[Mention]:
    """Every name of the snapshot, in every language of the catalog, for several types."""
    types = [("music", "song_name"), ("music", "artist_name"), ("book", "book_title")]
    qids = [row.split("\t")[0] for row in _items()]
    return [
        Mention(name.text, name.language, topic, entity_type)
        for name in snapshot.names(qids, catalog.languages())
        for topic, entity_type in types
    ]


def _items() -> list[str]:
    path = Path(__file__).parent.parent / "fixtures" / "tables" / "items.tsv"
    return path.read_text(encoding="utf-8").splitlines()[1:]


def test_order_and_batches_do_not_matter(
    snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = mentions(snapshot)
    first = dict(zip(asked, Linker(snapshot).link(asked), strict=True))
    for size in (7, 500):
        monkeypatch.setattr(linker, "BATCH", size)
        random.Random(size).shuffle(asked)
        assert Linker(snapshot).link(asked) == [first[mention] for mention in asked]


def test_several_threads_give_the_answers_of_one(snapshot: Snapshot) -> None:
    asked = mentions(snapshot)[::5]
    alone = Linker(snapshot).link(asked)
    with ThreadPoolExecutor(4) as pool:
        runs = [pool.submit(Linker(snapshot).link, asked) for _ in range(4)]
        assert all(run.result() == alone for run in runs)


def test_surfaces_with_one_key_have_one_answer(snapshot: Snapshot) -> None:
    surfaces = ["Yesterday", "yesterday", "YESTERDAY", "“Yesterday”"]
    found = Linker(snapshot).link([Mention(s, "en", "music", "song_name") for s in surfaces])
    assert {each.qid for each in found} == {"Q202698"}
    assert [each.mention.surface for each in found] == surfaces


def test_no_mentions_give_no_links(snapshot: Snapshot) -> None:
    assert Linker(snapshot).link([]) == []


# What the caller must leave out


def test_an_excluded_type_is_refused(snapshot: Snapshot) -> None:
    with pytest.raises(ValueError, match="type 'place' of topic 'food' is excluded"):
        link(snapshot, "Amsterdam", "en", "food", "place")


@pytest.mark.parametrize(
    "mention",
    [
        Mention("sushi", "jp", "food", "dish_name"),
        Mention("sushi", "ja", "foods", "dish_name"),
        Mention("sushi", "ja", "food", "dish"),
    ],
)
def test_what_the_catalog_lacks_is_refused(snapshot: Snapshot, mention: Mention) -> None:
    with pytest.raises(ValueError, match="not in the catalog"):
        Linker(snapshot).link([mention])


# Fingerprint


def test_the_fingerprint_stays_while_nothing_changes(snapshot: Snapshot) -> None:
    assert Linker(snapshot).fingerprint == Linker(snapshot).fingerprint


def test_the_fingerprint_changes_with_source_and_languages(
    snapshot: Snapshot, change_tables
) -> None:
    known = Linker(snapshot).fingerprint
    with opened(change_tables(names=["Q177\tmul\tlabel\tPizza"])) as other:
        assert Linker(other).fingerprint != known
    fewer = {code: catalog.languages()[code] for code in ("en", "ja")}
    assert Linker(snapshot, languages=fewer).fingerprint != known
