"""The dictionary extractor, over a real snapshot of a few items."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from makieval.catalog import languages, topics
from makieval.extraction.gazetteer import Gazetteer, name_languages
from makieval.status import Status
from makieval.wikidata import Snapshot, build

NAMES = """\
Q648352 en label bibimbap
Q648352 ko label 비빔밥
Q648352 zh-hant label 拌飯
Q1298577 zh-hans label 麻婆豆腐
Q1298577 en label mapo doufu
Q1298577 de label Mapo Tofu
Q1197104 ar label كشري
Q1052469 th label ต้มยำ
Q271555 hi label बिरयानी
Q271555 fa label بریانی
Q271555 en label biryani
Q177 en label pizza
Q177 en alias pie
Q177 ja label ピザ
Q177 de label Pizza
Q177 tr label pizza
Q903997 tr label simit
Q5090 th label ข้าว
Q5090 zh label 稻
Q41542 en label Dracula
Q208460 en label Nineteen Eighty-Four
Q208460 en name 1984
Q36184 en label Bram Stoker
Q1057172 en label fantasy literature"""
STATEMENTS = """\
Q648352 P31 Q746549
Q41542 P31 Q7725634
Q208460 P31 Q47461344
Q36184 P31 Q5
Q1057172 P31 Q223393"""
FOODS = ["Q1298577", "Q1197104", "Q1052469", "Q271555", "Q177", "Q903997", "Q5090"]


def snapshot_of(folder, names):
    """A snapshot built in `folder` of these rows of names and of the statements above."""

    def write(name, header, rows):
        lines = ["\t".join(row) for row in [header.split(), *rows]]
        (folder / f"{name}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")

    rows = [line.split(" ", 3) for line in names.splitlines()]
    write("names", "qid lang kind name", rows)
    write("items", "qid sitelinks", [(qid, "") for qid in dict.fromkeys(row[0] for row in rows)])
    statements = [(*line.split(), "normal") for line in STATEMENTS.splitlines()]
    write("statements", "qid property value rank", statements)
    write("topics", "qid topic evidence", [(qid, "food", "test") for qid in FOODS])
    write("descriptions", "qid lang text", [])
    write("redirects", "from to", [])
    (folder / "manifest.toml").write_text('name = "gazetteer test"\n', encoding="utf-8")
    build(folder, folder / "snapshot.duckdb")
    return Snapshot.open(folder / "snapshot.duckdb")


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory):
    with snapshot_of(tmp_path_factory.mktemp("tables"), NAMES) as snapshot:
        yield snapshot


@pytest.fixture(scope="module")
def gazetteer(snapshot):
    return Gazetteer(snapshot)


def mentions(gazetteer, text, language, topic="food"):
    (found,) = gazetteer.extract([(text, topics()[topic], languages()[language])])
    return found


def surfaces(gazetteer, text, language, topic="food"):
    return [mention.surface for mention in mentions(gazetteer, text, language, topic)]


@pytest.mark.parametrize(
    ("language", "text", "names"),
    [
        ("en", "She ate bibimbap, then pizza.", ["bibimbap", "pizza"]),
        ("de", "Es gibt Mapo Tofu und Pizza.", ["Mapo Tofu", "Pizza"]),
        ("zh", "她喜欢吃麻婆豆腐和饺子。", ["麻婆豆腐"]),
        ("zh-tw", "她喜歡吃拌飯。", ["拌飯"]),
        ("ja", "彼はピザを食べた。", ["ピザ"]),
        ("ko", "민수는 비빔밥을 먹었다.", ["비빔밥"]),
        ("ar", "أكلت سارة كشري في القاهرة", ["كشري"]),
        ("ar", "أكلت سارة الكشري في القاهرة", ["كشري"]),
        ("th", "เธอกินต้มยำกับข้าวทุกวัน", ["ต้มยำ", "ข้าว"]),
        ("hi", "उसने बिरयानी खाई।", ["बिरयानी"]),
        ("fa", "او بریانی خورد.", ["بریانی"]),
        ("tr", "Ali SİMİT yedi, sonra bir Pizza.", ["SİMİT", "Pizza"]),
    ],
)
def test_names_are_found_in_every_kind_of_script(gazetteer, language, text, names):
    assert surfaces(gazetteer, text, language) == names


def test_a_mention_says_where_it_stands_and_what_it_is(gazetteer):
    text = "Cafe\u0301: bibimbap"
    (mention,) = mentions(gazetteer, text, "en")
    assert (mention.ordinal, mention.type) == (0, "dish_name")
    assert mention.status is Status.GROUNDED
    assert (mention.start, mention.end) == (6, 14)


def test_a_name_inside_a_word_is_not_a_name(gazetteer):
    assert surfaces(gazetteer, "The magpie saw pizzas and a piece of bread.", "en") == []
    assert surfaces(gazetteer, "비빔밥집에 갔다", "ko") == []


def test_the_longest_name_wins_and_its_parts_are_not_counted_again(gazetteer):
    text = "Dracula by Bram Stoker; Nineteen Eighty-Four is another."
    assert surfaces(gazetteer, text, "en", "book") == ["Bram Stoker", "Nineteen Eighty-Four"]


def test_every_occurrence_is_a_mention(gazetteer):
    assert surfaces(gazetteer, "pizza, Pizza and PIZZA", "en") == ["pizza", "Pizza", "PIZZA"]


def test_a_title_of_one_word_needs_a_capital_that_says_something(gazetteer):
    assert surfaces(gazetteer, "He read Dracula twice.", "en", "book") == ["Dracula"]
    assert surfaces(gazetteer, "He met a dracula.", "en", "book") == []
    assert surfaces(gazetteer, "It was late. Dracula slept.", "en", "book") == []


def test_a_kind_of_thing_needs_no_capital(gazetteer):
    (mention,) = mentions(gazetteer, "She loves fantasy literature.", "en", "book")
    assert (mention.surface, mention.type) == ("fantasy literature", "book_genre")


def test_numbers_and_single_characters_are_no_names(gazetteer):
    assert surfaces(gazetteer, "It was 1984.", "en", "book") == []
    assert surfaces(gazetteer, "农民种稻。", "zh") == []


def test_english_names_are_looked_for_only_where_the_script_differs(gazetteer):
    assert surfaces(gazetteer, "Die pie war gut.", "de") == []
    assert surfaces(gazetteer, "그는 mapo doufu를 먹었다.", "ko") == ["mapo doufu"]
    assert "en" not in name_languages(languages()["de"])


def test_a_name_of_another_topic_is_not_found(gazetteer):
    assert surfaces(gazetteer, "He read Dracula and ate bibimbap.", "en", "food") == ["bibimbap"]


def test_many_texts_come_back_in_order(gazetteer):
    food, english, korean = topics()["food"], languages()["en"], languages()["ko"]
    texts = [("pizza", food, english), ("", food, english), ("비빔밥", food, korean)]
    found = [[m.surface for m in each] for each in gazetteer.extract(texts)]
    assert found == [["pizza"], [], ["비빔밥"]]


def test_the_fingerprint_follows_the_snapshot(snapshot, tmp_path):
    with snapshot_of(tmp_path, NAMES.replace("Bram Stoker", "Abraham Stoker")) as changed:
        assert Gazetteer(changed).fingerprint != Gazetteer(snapshot).fingerprint
    assert Gazetteer(snapshot).fingerprint == Gazetteer(snapshot).fingerprint


@given(
    st.lists(st.sampled_from(["pizza", "비빔밥을", "ต้มยำ", "麻婆豆腐", "x", "。", " ", "e\u0301"])),
    st.sampled_from(sorted(languages())),
)
def test_mentions_are_slices_that_do_not_overlap(gazetteer, parts, language):
    text = "".join(parts)
    normal, free_from = unicodedata.normalize("NFC", text), 0
    for ordinal, mention in enumerate(mentions(gazetteer, text, language)):
        assert mention.ordinal == ordinal
        assert free_from <= mention.start < mention.end
        assert normal[mention.start : mention.end] == mention.surface
        free_from = mention.end
