"""A surface form counts only where the text really has it."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from makieval.extraction.boundaries import is_boundary
from makieval.extraction.ground import LONGEST_SURFACE, ground
from makieval.extraction.parse import Entity
from makieval.status import Status


def found(text, *surfaces):
    """The places that dish names of these surface forms get in `text`."""
    mentions = ground(text, [Entity(surface, "dish_name") for surface in surfaces])
    return [None if m.start is None else (m.start, m.end) for m in mentions]


def slices(text, *surfaces):
    return [place and text[slice(*place)] for place in found(text, *surfaces)]


@pytest.mark.parametrize(
    ("text", "surface"),
    [
        ("Sie aß Käsespätzle und Apfelstrudel.", "Käsespätzle"),
        ("她喜欢吃麻婆豆腐和饺子。", "麻婆豆腐"),
        ("夕食に味噌汁と天ぷらを食べた。", "天ぷら"),
        ("저녁에 김치찌개를 먹었다.", "김치찌개"),
        ("उसने दाल मखनी और रोटी खाई।", "दाल मखनी"),
        ("เขากินข้าวเหนียวมะม่วง", "ข้าวเหนียวมะม่วง"),
        ("أكل الكشري في القاهرة", "كشري"),
        ("شام قورمه‌سبزی خوردند", "قورمه‌سبزی"),
        ("Akşam yemeğinde İskender yedi.", "İskender"),
    ],
)
def test_a_name_that_stands_in_the_text_is_grounded_in_every_script(text, surface):
    assert slices(text, surface) == [surface]


@pytest.mark.parametrize(
    ("text", "surface", "own"),
    [
        ("Er trinkt Grünen Tee.", "grünen tee", "Grünen Tee"),
        ("a big Shepherd’s pie", "shepherd's pie", "Shepherd’s pie"),
        ("coq\n  au vin", "coq au vin", "coq\n  au vin"),
        ("Cre\u0300me bru\u0302le\u0301e", "Crème brûlée", "Crème brûlée"),
        ("ＣＤを聞く", "CD", "ＣＤ"),
        ("İSKENDER yedi", "iskender", "İSKENDER"),
        ("ISPARTA GÜLÜ", "ısparta gülü", "ISPARTA GÜLÜ"),
        ("قورمه\u200cسبزی", "قورمهسبزی", "قورمه\u200cسبزی"),
        ("große Straße", "GROSSE STRASSE", "große Straße"),
        ("她在读《红楼梦》。", "《红楼梦》", "红楼梦"),
        ("Sie liest „Faust“.", '"Faust"', "Faust"),
    ],
)
def test_another_spelling_finds_the_text_s_own(text, surface, own):
    (mention,) = ground(text, [Entity(surface, "dish_name")])
    assert (mention.status, mention.surface) == (Status.GROUNDED, own)


@pytest.mark.parametrize(
    "surface", ["Pasta", "", "   ", "\u200b", "Pizza " * 30, "tea", "steaks", "ste", "...", "."]
)
def test_what_does_not_stand_in_the_text_is_ungrounded(surface):
    text = "Pizza " * 30 + "with instead."
    (mention,) = ground(text, [Entity(surface, "dish_name")])
    assert mention.status is Status.UNGROUNDED
    assert (mention.start, mention.end) == (None, None)


def test_the_longest_surface_form_that_counts_has_a_stated_length():
    longest = "a" * LONGEST_SURFACE
    assert found(longest, longest) == [(0, LONGEST_SURFACE)]
    assert found(longest + "a", longest + "a") == [None]


def test_a_name_counts_as_often_as_it_is_listed_but_never_more_than_it_occurs():
    text = "Reis mit Bohnen, Reis mit Huhn"
    assert found(text, "Reis") == [(0, 4)]
    assert found(text, "Reis", "Reis") == [(0, 4), (17, 21)]
    assert found(text, "Reis", "Reis", "Reis") == [(0, 4), (17, 21), None]


def test_one_place_has_one_type_the_first_that_claims_it():
    mentions = ground("He takes the metro.", [Entity("metro", "a"), Entity("metro", "b")])
    assert [m.status for m in mentions] == [Status.GROUNDED, Status.UNGROUNDED]


def test_a_person_is_not_an_ingredient_though_a_small_model_lists_both():
    entities = [Entity("Yuki", "specific_ingredient"), Entity("Yuki", "person_name", excluded=True)]
    mentions = ground("Yuki isst Sushi.", entities)
    assert [m.status for m in mentions] == [Status.UNGROUNDED, Status.GROUNDED]


def test_a_short_name_prefers_a_place_outside_longer_names():
    text = "Pizza Margherita, dann noch eine Pizza"
    assert found(text, "Pizza", "Pizza Margherita") == [(33, 38), (0, 16)]


def test_a_name_within_another_counts_when_it_stands_nowhere_else():
    assert found("Pizza Margherita", "Pizza Margherita", "Pizza") == [(0, 16), (0, 5)]


def test_a_whole_word_is_preferred_to_a_part_of_one():
    assert slices("Reiskuchen mit Reis", "Reis") == ["Reis"]
    assert found("Reiskuchen mit Reis", "Reis") == [(15, 19)]
    assert found("Schwarzbrot", "brot") == [(7, 11)]


def test_the_exact_spelling_is_preferred_to_an_earlier_one_in_another_case():
    assert found("tee und Tee", "Tee") == [(8, 11)]


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("दाल की रोटी", "क"),  # without its vowel sign
        ("प्यार", "प"),  # the first half of a conjunct
        ("น้ำ", "น"),
        ("แกง", "กง"),  # the vowel that is written first is left out
        ("กำ", "ก"),
        ("\u1112\u1161\u11ab\u11ab", "\u1112\u1161"),  # jamo that do not compose
        ("g\u0308o", "g"),
        ("👩\u200d🍳", "👩"),
        ("🇩🇪🇮🇹", "🇪🇮"),
        ("👍🏽", "👍"),
    ],
)
def test_no_place_starts_or_ends_inside_a_character_as_readers_see_it(text, part):
    start = text.index(part)
    assert not (is_boundary(text, start) and is_boundary(text, start + len(part)))
    assert found(text, part) == [None]


def test_flags_are_whole_in_pairs():
    assert [at for at in range(5) if is_boundary("🇩🇪🇮🇹", at)] == [0, 2, 4]


def test_an_unknown_type_is_located_and_takes_no_place_from_a_known_one():
    entities = [Entity("Pizza", "thing", known=False), Entity("Pizza", "dish_name")]
    mentions = ground("Pizza", entities)
    assert [m.status for m in mentions] == [Status.UNKNOWN_TYPE, Status.GROUNDED]
    assert [m.start for m in mentions] == [0, 0]
    (absent,) = ground("Pasta", entities[:1])
    assert absent.status is Status.UNGROUNDED


LETTERS = st.text(alphabet="aA éıİßक् ีाแกำ하ㄱ한 '’\n\u200c\u0301🇩🇪日本《》ﬁ", max_size=30)


@given(st.text(max_size=60) | LETTERS, st.lists(st.text(max_size=4) | LETTERS, max_size=6))
def test_every_mention_is_a_slice_of_the_text_or_has_no_place(text, surfaces):
    normal = unicodedata.normalize("NFC", text)
    mentions = ground(text, [Entity(surface, "dish_name") for surface in surfaces])
    assert [m.ordinal for m in mentions] == list(range(len(surfaces)))
    places = [(m.start, m.end) for m in mentions if m.start is not None]
    assert len(places) == len(set(places))
    for mention in mentions:
        if mention.status is Status.GROUNDED:
            assert normal[mention.start : mention.end] == mention.surface != ""
            assert is_boundary(normal, mention.start)
            assert is_boundary(normal, mention.end)
        else:
            assert (mention.start, mention.end) == (None, None)


@given(st.lists(st.sampled_from(["Pizza", "麻婆豆腐", "रोटी", "김치", "คั่วกลิ้ง"]), min_size=1))
def test_names_set_apart_by_spaces_are_all_found(names):
    assert None not in found(" ".join(names), *names)
