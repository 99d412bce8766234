"""Faults other linkers are known for, by where they were reported, each with the right behaviour.

The hostile surfaces of string-built SPARQL are in `test_linker.py`.
"""

import unicodedata
from itertools import combinations
from pathlib import Path

import pytest
from rapidfuzz.distance import OSA

from makieval.linking import Link, Linker, Mention, fuzzy
from makieval.linking.normalise import key
from makieval.resources import shipped
from makieval.status import Status
from makieval.wikidata import Snapshot, build


def link(source: Snapshot, surface: str, language: str, topic: str, entity_type: str) -> Link:
    return Linker(source).link([Mention(surface, language, topic, entity_type)])[0]


def opened(folder: Path) -> Snapshot:
    build(folder, folder.with_suffix(".duckdb"))
    return Snapshot.open(folder.with_suffix(".duckdb"))


def test_combining_marks_are_not_dropped_before_scoring() -> None:
    """rapidfuzz/RapidFuzz#29, seatgeek/fuzzywuzzy#270: ข้าวผัด scored 100 against ข่าวผิด."""
    one, other = key("ข้าวผัด", "th"), key("ข่าวผิด", "th")
    assert OSA.normalized_similarity(one, other) < 0.85
    assert fuzzy.closeness(one, other) is None


def test_case_is_settled_before_scoring() -> None:
    """RapidFuzz 3.0 no longer normalises: NEW YORK scored 12.5 against new york."""
    assert key("NEW YORK", "en") == key("new york", "en")


def test_signs_keep_names_apart() -> None:
    """rapidfuzz/RapidFuzz#186: № 5 became 5."""
    keys = [key(name, "en") for name in ("№ 5", "5", "C++", "C#", "C", "P!nk", "AC/DC", "!!!")]
    assert all(keys) and all(one != other for one, other in combinations(keys, 2))


@pytest.mark.parametrize(
    ("surface", "language"),
    [("宫保鸡丁", "zh"), ("宮保雞丁", "zh"), ("宫保鸡丁", "zh-tw"), ("宮保雞丁", "zh-tw")],
)
def test_both_chinese_scripts_find_an_item_that_has_one(
    change_tables, surface: str, language: str
) -> None:
    """seatgeek/fuzzywuzzy#240, nvkelso/natural-earth-vector#533, osmandapp/OsmAnd#9682."""
    items, names = ["Q999\t"], ["Q999\tzh-hant\tlabel\t糖醋排骨"]
    folder = change_tables(items=items, names=names, topics=["Q999\tfood\tlisted"])
    with opened(folder) as source:
        assert link(source, surface, language, "food", "dish_name").qid == "Q549713"
        found = link(source, "糖醋排骨", language, "food", "dish_name")
        assert (found.qid, found.name_language) == ("Q999", "zh-hant")


@pytest.mark.parametrize(("one", "other"), [("茶", "酒"), ("김치", "김지"), ("寿司", "寿命")])
def test_distances_are_counted_in_characters(one: str, other: str) -> None:
    """duckdb/duckdb#25113: levenshtein counted bytes, jaro_winkler changed between versions."""
    assert OSA.distance(one, other) == 1
    assert fuzzy.closeness(one, other) is None


def test_no_string_distance_of_duckdb_decides_anything() -> None:
    queries = "".join(path.read_text("utf-8") for path in (shipped("sql") / "snapshot").iterdir())
    for function in ("levenshtein", "jaro", "jaccard", "damerau", "hamming", "fts"):
        assert function not in queries.lower()


def test_one_candidate_is_not_reason_enough(snapshot: Snapshot) -> None:
    """explosion/spaCy#9114: the only candidate was always linked."""
    found = link(snapshot, "ramen", "en", "clothing", "clothing_type")
    assert (found.status, found.qid) == (Status.WRONG_TYPE, None)


def test_case_of_a_name_does_not_matter(snapshot: Snapshot) -> None:
    """explosion/spaCy#4981: pizza was not Pizza."""
    found = [link(snapshot, name, "de", "food", "dish_name") for name in ("pizza", "Pizza")]
    assert [each.qid for each in found] == ["Q177", "Q177"]


def test_the_type_beats_the_prior(change_tables) -> None:
    """egerber/spaCy-entity-linker#1: Pirates were Pittsburgh's; Java a language in any text."""
    links = ["Q251\t180", "Q3757\t200", "Q2642722\t1"]
    with opened(change_tables(items=links, names=["Q2642722\ten\talias\tJava"])) as source:
        if link(source, "Java", "en", "beverage", "drink_name").qid is not None:
            assert link(source, "Java", "en", "beverage", "drink_name").qid == "Q2642722"
        assert link(source, "Java", "en", "beverage", "drink_name").qid not in ("Q251", "Q3757")


def test_an_item_needs_no_page_in_the_language(change_tables) -> None:
    """kermitt2/entity-fishing#157: only items with an article in that language were found."""
    with opened(change_tables(names=["Q281\tko\tlabel\t위스키"])) as source:
        assert link(source, "위스키", "ko", "beverage", "drink_name").qid == "Q281"


def test_what_the_snapshot_is_too_old_for_is_nil_and_the_snapshot_tells_its_age(
    snapshot: Snapshot,
) -> None:
    """amazon-science/ReFinED#30, facebookresearch/BLINK#56: stale knowledge, silently."""
    assert link(snapshot, "Labubu", "en", "clothing", "clothing_type").status is Status.NIL
    assert snapshot.manifest["date"]


@pytest.mark.parametrize(
    ("surface", "language"), [(unicodedata.normalize("NFD", "스시"), "ko"), ("SUSHI", "en")]
)
def test_decomposed_and_upper_case_names_are_found(
    snapshot: Snapshot, surface: str, language: str
) -> None:
    """symspellpy finds neither a decomposed 김치 nor CAFÉ."""
    assert link(snapshot, surface, language, "food", "dish_name").qid == "Q46383"


@pytest.mark.parametrize("surface", ["سوشی", "سوشي", "سوشي‌ها", "سوشي ها"])
def test_persian_letters_and_half_spaces_are_one(snapshot: Snapshot, surface: str) -> None:
    """NFKC does not unify ي and ی, ك and ک, nor the zero-width non-joiner."""
    assert link(snapshot, surface, "fa", "food", "dish_name").qid == "Q46383"


def test_the_arabic_article_comes_off_only_where_that_finds_something(change_tables) -> None:
    """MAKIEval's own cleaning made المانيا into مانيا, and الو into و."""
    names = ["Q281\tar\tlabel\tشاي", "Q6097\tar\talias\tو"]
    with opened(change_tables(names=names)) as source:
        assert link(source, "الشاي", "ar", "beverage", "drink_name").qid in ("Q281", "Q6097")
        assert link(source, "الو", "ar", "beverage", "drink_name").status is Status.NIL
        assert link(source, "المانيا", "ar", "beverage", "drink_name").status is Status.NIL
