"""Spellings that are guessed for an endpoint: all with the wanted key, the text itself first."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from makieval.linking import Form
from makieval.linking.normalise import key
from makieval.wikidata.sparql.terms import writable
from makieval.wikidata.sparql.variants import spellings


def of(text: str, language: str) -> tuple[str, ...]:
    return spellings(Form(language, key(text, language), "exact", text))


@pytest.mark.parametrize(
    ("text", "language", "name"),
    [
        ("LE SEIGNEUR DES ANNEAUX", "fr", "Le Seigneur des Anneaux"),
        ("nick cave and the bad seeds", "en", "Nick Cave and the Bad Seeds"),
        ("mémoires d'hadrien", "es", "Mémoires d'Hadrien"),
        ("l'étranger", "it", "L'Étranger"),
        ("SUSHI", "en", "sushi"),
        ("sushi", "de", "Sushi"),
        ("bbc", "en", "BBC"),
        ("ISPANAK", "tr", "ıspanak"),
        ("istanbul", "tr", "İstanbul"),
        ("İÇLİ KÖFTE", "tr", "içli köfte"),
        ("„Döner“", "de", "Döner"),
        ("《红楼梦》", "zh-hans", "红楼梦"),
        ("L’Oréal", "en", "L'Oréal"),
        ("L'Oréal", "en", "L’Oréal"),
        ("كباب", "fa", "کباب"),
        ("چلوكبابي", "fa", "چلوکبابی"),
        ("می\u200cگو", "fa", "می گو"),
        ("Cafe\u0301", "en", "Café"),
        ("ｒａｍｅｎ", "en", "ramen"),
        ("  pad \n thai ", "en", "Pad thai"),
    ],
)
def test_a_name_is_among_the_spellings(text: str, language: str, name: str) -> None:
    assert name in of(text, language)


def test_the_text_itself_comes_first_and_a_missing_one_is_the_key() -> None:
    assert of("McDonald's", "en")[0] == "McDonald's"
    assert spellings(Form("en", "sushi", "exact"))[0] == "sushi"


def test_script_without_case_costs_one_spelling() -> None:
    for text, language in (("寿司", "ja"), ("ผัดไทย", "th"), ("비빔밥", "ko"), ("चाय", "hi")):
        assert of(text, language) == (text,)


@given(st.text(max_size=30), st.sampled_from(["en", "tr", "fa", "zh-hant", "mul"]))
def test_every_spelling_has_the_key_and_can_be_written(text: str, language: str) -> None:
    wanted = key(text, language)
    for spelling in of(text, language):
        assert key(spelling, language) == wanted
        assert writable(spelling)
