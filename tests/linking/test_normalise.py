"""Keys: what counts as the same written word, and what never may."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from makieval.linking.normalise import key

LANGUAGES = ["en", "de", "zh", "zh-hant", "it", "ja", "es", "ar", "ko", "hi", "th", "fa", "tr"]

# Real names in many scripts, so that Hypothesis mixes letters that belong together.
WORDS = ["i\u0307", "김치", "カ", "ガ", "ｶﾞ", "चाय", "क़", "न्त", "म्प", "هٔ", "ۀ", " - ", "·"]
PIECES = st.sampled_from([*WORDS, *"İIıßΐیيکـَ\"'´()「》!。№™ \u3000\u200cﷺé"])
TEXTS = st.text(max_size=12) | st.lists(PIECES, max_size=8).map("".join)


@given(TEXTS, st.sampled_from(LANGUAGES))
def test_a_key_is_its_own_key(text: str, language: str) -> None:
    assert key(key(text, language), language) == key(text, language)


@given(TEXTS, st.sampled_from(LANGUAGES))
def test_only_white_space_has_an_empty_key(text: str, language: str) -> None:
    assert bool(key(text, language)) == bool(text.strip())


@given(TEXTS, st.sampled_from(LANGUAGES))
def test_composed_and_decomposed_text_have_one_key(text: str, language: str) -> None:
    composed = unicodedata.normalize("NFC", text)
    decomposed = unicodedata.normalize("NFD", text)
    assert key(composed, language) == key(decomposed, language)


@given(TEXTS)
def test_the_key_for_another_language_can_be_taken_from_the_key(text: str) -> None:
    assert key(key(text, "tr"), "en") == key(text, "en")
    assert key(key(text, "fa"), "en") == key(text, "en")


@pytest.mark.parametrize(
    ("one", "other", "language"),
    [
        ("pizza", "Pizza", "en"),
        ("NEW YORK", "new york", "en"),
        ("STRASSE", "Straße", "de"),
        ("김치", unicodedata.normalize("NFD", "김치"), "ko"),
        ("CAFÉ", "cafe\u0301", "en"),
        ("ＳＵＳＨＩ", "sushi", "ja"),
        ("ｶﾞﾑ", "ガム", "ja"),
        ("  Coq   au\u00a0vin ", "coq au vin", "en"),
        ("«Pizza»", "pizza", "it"),
        ("“Heroes”", "Heroes", "en"),
        ("「寿司」", "寿司", "ja"),
        ("《红楼梦》", "红楼梦", "zh"),
        ("sushi.", "sushi", "en"),
        ("寿司。", "寿司", "ja"),
        ("كباب؟", "كباب", "ar"),
        ("(sushi)", "sushi", "en"),
        ('"sushi', "sushi", "en"),
        ("L’Oréal", "L'Oréal", "en"),
        ("L´Oréal", "L'Oréal", "en"),
        ("Jean–Paul", "Jean-Paul", "en"),
        ("哈利·波特", "哈利・波特", "zh"),
        ("کباب", "كباب", "fa"),
        ("چای", "چاي", "fa"),
        ("قورمه\u200cسبزی", "قورمه سبزی", "fa"),
        ("شَاي", "شاي", "ar"),
        ("شـــاي", "شاي", "ar"),
        ("क़ोरमा", "क\u093cोरमा", "hi"),
        ("क\u200dष", "कष", "hi"),
        ("٧ أب", "7 أب", "ar"),
        ("۷", "٧", "fa"),
        ("İSKENDER", "iskender", "tr"),
        ("ISPANAK", "ıspanak", "tr"),
        ("İskender", "Iskender", "en"),
        ("Coca-Cola®", "coca-cola", "en"),
        ("№ 5", "No 5", "en"),
        ("हिन्दी", "हिंदी", "hi"),
        ("थाईलैण्ड", "थाईलैंड", "hi"),
        ("कोलम्बिया", "कोलंबिया", "hi"),
        ("کرهٔ جنوبی", "کره جنوبی", "fa"),
        ("خامۀ ترش", "خامه ترش", "fa"),
        ("Congo - Kinshasa", "Congo-Kinshasa", "en"),
        ("ハリー ・ ポッター", "ハリー・ポッター", "ja"),
    ],
)
def test_spellings_of_one_word_have_one_key(one: str, other: str, language: str) -> None:
    assert key(one, language) == key(other, language)


@pytest.mark.parametrize(
    ("one", "other", "language"),
    [
        ("चाय", "चय", "hi"),
        ("ガム", "カム", "ja"),
        ("ข้าวผัด", "ข่าวผิด", "th"),
        ("寿司", "寿命", "ja"),
        ("김치", "김지", "ko"),
        ("pâté", "pate", "en"),
        ("№ 5", "5", "en"),
        ("C++", "C", "en"),
        ("C#", "C", "en"),
        ("C++", "C#", "en"),
        ("P!nk", "Pnk", "en"),
        ("AC/DC", "ACDC", "en"),
        ("!!!", "???", "en"),
        ("مدرسة", "مدرسه", "ar"),
        ("أب", "اب", "ar"),
        ("ज़", "ज", "hi"),
        ("हँस", "हंस", "hi"),
        ("अन्न", "अंन", "hi"),
        ("Coca-Cola", "Coca Cola", "en"),
        ("ISPANAK", "ispanak", "tr"),
    ],
)
def test_different_words_have_different_keys(one: str, other: str, language: str) -> None:
    assert key(one, language) != key(other, language)


def test_half_a_surrogate_pair_has_a_key_that_can_be_stored() -> None:
    assert key("\ud83c", "en").encode()


@pytest.mark.parametrize("text", ["!!!", "...", "?", '""', "()", "ـ", "™", "\u200b", "。"])
def test_punctuation_alone_keeps_a_key(text: str) -> None:
    assert key(text, "en")


def test_a_bracket_that_belongs_to_the_name_stays() -> None:
    assert key("(I Can't Get No) Satisfaction", "en") == "(i can't get no) satisfaction"
    assert key("Amsterdam (song)", "en") == "amsterdam (song)"


def test_a_quote_inside_the_name_stays() -> None:
    assert key("Rock 'n' Roll", "en") == "rock 'n' roll"
    assert key("'O sole mio", "it") == "o sole mio"


def test_backslashes_and_line_breaks_are_text() -> None:
    assert key("a\\b", "en") == "a\\b"
    assert key("line1\nline2", "en") == "line1 line2"
