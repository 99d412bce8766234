"""The stages of the linker: a guess never beats a name, and says what it is."""

import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from makieval.linking import Link, Linker, Mention, linker
from makieval.status import Status
from makieval.wikidata import Snapshot, build


def link(source: Snapshot, surface: str, language: str, topic: str, entity_type: str) -> Link:
    return Linker(source).link([Mention(surface, language, topic, entity_type)])[0]


def opened(folder: Path) -> Snapshot:
    build(folder, folder.with_suffix(".duckdb"))
    return Snapshot.open(folder.with_suffix(".duckdb"))


@pytest.mark.parametrize(
    ("surface", "language", "topic", "entity_type", "qid", "method"),
    [
        ("the kimonos", "en", "clothing", "clothing_type", "Q483444", "peeled:article+plural"),
        ("스시를", "ko", "food", "dish_name", "Q46383", "peeled:particle"),
        ("寿司を", "ja", "food", "dish_name", "Q46383", "peeled:particle"),
        ("お寿司", "ja", "food", "dish_name", "Q46383", "peeled:honorific"),
        ("البيتزا", "ar", "food", "dish_name", "Q177", "peeled:article"),
        ("وبيتزا", "ar", "food", "dish_name", "Q177", "peeled:clitic"),
        ("پیتزا‌ها", "fa", "food", "dish_name", "Q177", "peeled:plural"),
        ("pizzalar", "tr", "food", "dish_name", "Q177", "peeled:plural"),
        ("pizza'nın", "tr", "food", "dish_name", "Q177", "peeled:apostrophe"),
        ("la pizza", "it", "food", "dish_name", "Q177", "peeled:article"),
        ("die Pizza", "de", "food", "dish_name", "Q177", "peeled:article"),
        ("una pizza", "es", "food", "dish_name", "Q177", "peeled:article"),
        ("पिज्जा में", "hi", "food", "dish_name", "Q177", "peeled:postposition"),
        ("一份比萨饼", "zh", "food", "dish_name", "Q177", "peeled:measure"),
        ("พิซซ่า 2 ถาด", "th", "food", "dish_name", None, None),
        ("Kung-Pao chicken", "en", "food", "dish_name", "Q549713", "variant:joint"),
        ("Kung Pao chickne", "en", "food", "dish_name", "Q549713", "similar:letter"),
        ("KungPao chicken", "en", "food", "dish_name", "Q549713", "similar:joint"),
    ],
)
def test_what_was_done_to_a_mention_is_recorded(
    snapshot: Snapshot, surface, language, topic, entity_type, qid, method
) -> None:
    found = link(snapshot, surface, language, topic, entity_type)
    assert (found.qid, found.method) == (qid, method)


def test_a_name_as_it_stands_beats_every_guess(change_tables) -> None:
    with opened(change_tables(names=["Q281\ten\talias\tThe Tea"])) as source:
        found = link(source, "the tea", "en", "beverage", "drink_name")
        assert (found.qid, found.method) == ("Q281", "exact")
        assert link(source, "some tea", "en", "beverage", "drink_name").qid == "Q6097"


def test_a_surer_method_scores_higher(snapshot: Snapshot) -> None:
    surfaces = ["Kung Pao chicken", "Kung-Pao chicken", "the Kung Pao chicken", "Kung Pao chickne"]
    asked = [Mention(surface, "en", "food", "dish_name") for surface in surfaces]
    scores = [found.score or 0 for found in Linker(snapshot).link(asked)]
    assert scores == sorted(scores, reverse=True) and len(set(scores)) == len(scores)


def test_a_peeled_form_of_the_wrong_class_does_not_count(snapshot: Snapshot) -> None:
    found = link(snapshot, "the bicycles", "en", "food", "dish_name")
    assert (found.status, found.rivals) == (Status.NIL, ())


def test_guesses_are_not_looked_up_in_english(snapshot: Snapshot) -> None:
    assert link(snapshot, "die Kung Pao chicken", "de", "food", "dish_name").status is Status.NIL


def test_a_snapshot_without_approximate_search_gives_no_similar_names(tmp_path: Path) -> None:
    tables = Path(__file__).parents[1] / "fixtures" / "tables"
    build(tables, tmp_path / "exact.duckdb", approximate=False)
    with Snapshot.open(tmp_path / "exact.duckdb") as source:
        assert link(source, "Kung Pao chickne", "en", "food", "dish_name").status is Status.NIL
        assert link(source, "Kung-Pao chicken", "en", "food", "dish_name").qid == "Q549713"


UNKNOWN = ["Q999\t", "Q998\t"]


def test_an_item_of_unknown_class_counts_alone_and_last(change_tables) -> None:
    folder = change_tables(items=UNKNOWN, names=["Q999\ten\tlabel\tApple sauce"])
    with opened(folder) as source:
        found = link(source, "apple sauce", "en", "food", "dish_name")
        assert (found.qid, found.method, found.path) == ("Q999", "unclassed", ("unclassed",))
        assert found.score == 0.5
        for surface, language, topic, kind in (
            ("apple sauces", "en", "food", "dish_name"),  # a guess
            ("apple sauce", "de", "food", "dish_name"),  # another language
            ("apple sauce", "en", "book", "author_name"),  # an author is a person
        ):
            assert link(source, surface, language, topic, kind).qid is None


def test_an_item_of_unknown_class_does_not_count_beside_another_or_with_a_figure(
    change_tables,
) -> None:
    names = [
        "Q999\ten\tlabel\tApple sauce",
        "Q998\ten\talias\tApple sauce",
        "Q999\ten\talias\tSymphony No. 2",
    ]
    with opened(change_tables(items=UNKNOWN, names=names)) as source:
        assert link(source, "apple sauce", "en", "food", "dish_name").qid is None
        assert link(source, "Symphony No. 2", "en", "music", "song_name").qid is None


def test_a_song_is_no_book_though_wikidata_calls_it_a_literary_work(change_tables) -> None:
    classes = ["Q7366\tP279\tQ7725634\tnormal"]
    with opened(change_tables(statements=classes)) as source:
        assert link(source, "Yesterday", "en", "book", "book_title").status is Status.WRONG_TYPE
        assert link(source, "Yesterday", "en", "music", "song_name").qid == "Q202698"


def test_perturbed_mentions_have_one_answer_in_any_order_and_any_number_of_workers(
    snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ["pizza", "kimono", "Kung Pao chicken", "Amsterdam", "The Beatles", "寿司", "Java"]
    shapes = ["{}", "the {}", "{}s", "{}を", "{} (song)", "{}x", "la {}", "{}'s"]
    asked = [
        Mention(shape.format(name), language, topic, kind)
        for name in names
        for shape in shapes
        for language in ("en", "de", "ja")
        for topic, kind in (("food", "dish_name"), ("music", "song_name"))
    ]
    first = dict(zip(asked, Linker(snapshot).link(asked), strict=True))
    monkeypatch.setattr(linker, "DERIVED_BATCH", 3)
    random.Random(3).shuffle(asked)
    again = Linker(snapshot)
    parts = [asked[at::8] for at in range(8)]
    with ThreadPoolExecutor(8) as pool:
        for part, links in zip(parts, pool.map(again.link, parts), strict=True):
            assert links == [first[mention] for mention in part]
