"""Labels, descriptions and countries of origin, from a real snapshot."""

from dataclasses import replace
from pathlib import Path

from makieval import catalog
from makieval.linking import Facts, Origin, describe, facts_fingerprint
from makieval.wikidata import Snapshot, build

NOVEL = ("Q478433", "book", "book_title")
SONG = ("Q122781", "music", "song_name")
TWO_COMPOSERS = ("Q1522773", "music", "song_name")
DISH = ("Q549713", "food", "dish_name")


def described(folder: Path, item: tuple[str, str, str], *languages: str) -> Facts:
    build(folder, folder.with_suffix(".duckdb"))
    with Snapshot.open(folder.with_suffix(".duckdb")) as source:
        return describe(source, [item], languages)[0]


def test_a_book_comes_from_its_author_s_country(snapshot: Snapshot) -> None:
    (facts,) = describe(snapshot, [NOVEL], ["en"])
    assert facts.origins == (Origin("Q145", "P50/P27", "Q190379"),)


def test_a_song_comes_from_its_performer_s_country(snapshot: Snapshot) -> None:
    (facts,) = describe(snapshot, [SONG], ["en"])
    assert facts.origins == (Origin("Q31", "P175/P27", "Q1666"),)


def test_the_next_path_counts_where_the_first_yields_nothing(snapshot: Snapshot) -> None:
    (facts,) = describe(snapshot, [TWO_COMPOSERS], ["en"])
    assert facts.origins == (  # its performer's country is not known, two composers' is
        Origin("Q145", "P86/P27", "Q367617"),
        Origin("Q145", "P86/P27", "Q541573"),
    )


def test_a_dish_comes_from_its_own_country(snapshot: Snapshot) -> None:
    (facts,) = describe(snapshot, [DISH], ["en"])
    assert facts.origins == (Origin("Q148", "P495", None),)


def test_the_same_item_has_the_origin_of_the_type_it_was_found_as(snapshot: Snapshot) -> None:
    as_title, as_genre = describe(snapshot, [NOVEL, ("Q478433", "book", "book_genre")], ["en"])
    assert as_title.origins[0].path == "P50/P27"
    assert as_genre.origins == (Origin("Q145", "P495", None),)


def test_all_values_of_the_deciding_path_count(change_tables) -> None:
    folder = change_tables(statements=["Q549713\tP495\tQ17\tnormal", "Q549713\tP17\tQ38\tnormal"])
    origins = described(folder, DISH, "en").origins
    assert [origin.country_qid for origin in origins] == ["Q17", "Q148"]


def test_a_preferred_statement_sets_normal_ones_aside(change_tables) -> None:
    folder = change_tables(statements=["Q549713\tP495\tQ17\tpreferred"])
    assert described(folder, DISH, "en").origins == (Origin("Q17", "P495", None),)


def test_a_deprecated_statement_never_counts(change_tables) -> None:
    folder = change_tables(
        statements=["Q234646\tP17\tQ38\tnormal", "Q420646\tP495\tQ17\tdeprecated"]
    )
    assert described(folder, ("Q420646", "food", "dish_name"), "en").origins == (
        Origin("Q881", "P495", None),
    )


def test_an_unknown_origin_is_empty(snapshot: Snapshot) -> None:
    (facts,) = describe(snapshot, [("Q281", "beverage", "drink_name")], ["en"])
    assert facts.origins == ()


def test_a_label_follows_the_chain_of_its_language(snapshot: Snapshot) -> None:
    (facts,) = describe(snapshot, [DISH], ["zh-tw", "zh", "fa", "en"])
    assert (facts.labels["zh-tw"].text, facts.labels["zh-tw"].language) == ("宮保雞丁", "zh-hant")
    assert facts.labels["zh"].text == "宫保鸡丁"
    assert facts.labels["en"].text == "Kung Pao chicken"


def test_a_label_in_another_language_of_the_chain_beats_an_alias(change_tables) -> None:
    folder = change_tables(names=["Q549713\tth\talias\tไก่กังเปา"])
    label = described(folder, DISH, "th").labels["th"]
    assert label.text != "ไก่กังเปา"


def test_a_description_falls_back_to_english_and_says_so(snapshot: Snapshot) -> None:
    (facts,) = describe(snapshot, [NOVEL], ["ko", "en"])
    assert facts.descriptions["ko"] == facts.descriptions["en"]
    assert facts.descriptions["ko"].language == "en"


def test_an_item_without_texts_has_none(snapshot: Snapshot) -> None:
    (facts,) = describe(snapshot, [("Q105543609", "music", "song_name")], ["en"])
    assert (facts.labels, facts.descriptions) == ({}, {})


def test_facts_come_in_the_order_asked(snapshot: Snapshot) -> None:
    items = [SONG, DISH, NOVEL, DISH]
    assert [facts.qid for facts in describe(snapshot, items, ["en"])] == [
        qid for qid, _, _ in items
    ]
    assert describe(snapshot, [], ["en"]) == []


def test_another_origin_rule_is_another_fingerprint(snapshot: Snapshot) -> None:
    topics = dict(catalog.topics())
    known = facts_fingerprint(snapshot, ["en"])
    assert facts_fingerprint(snapshot, ["en"], topics) == known
    assert facts_fingerprint(snapshot, ["en", "ja"]) != known
    food = topics["food"]
    dish = replace(food.types["dish_name"], origin=("P17",))
    topics["food"] = replace(food, types={**food.types, "dish_name": dish})
    assert facts_fingerprint(snapshot, ["en"], topics) != known
