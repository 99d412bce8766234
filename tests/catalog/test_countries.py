"""The 21 countries: counts, names and the phrase "from X" in 13 languages."""

import dataclasses
import re
import unicodedata
from collections.abc import Callable

import pytest

from makieval import catalog
from makieval.errors import CatalogError

LANGUAGES = list(catalog.languages())
COUNTRIES = list(catalog.countries().values())


def origin(country: str, language: str) -> str:
    return catalog.country(country).origin_phrase[language]


def test_the_grid_of_the_paper_has_1716_prompts() -> None:
    neutral = 1
    prompts = len(LANGUAGES) * len(catalog.topics()) * (len(COUNTRIES) + neutral)
    assert (len(LANGUAGES), len(catalog.topics()), len(COUNTRIES)) == (13, 6, 21)
    assert prompts == 1716


def test_nineteen_countries_are_evaluated() -> None:
    left_out = [country.id for country in COUNTRIES if not country.evaluated]
    assert left_out == ["rwanda", "bulgaria"]


def test_ids_are_slugs_of_the_english_names() -> None:
    for key, country in catalog.countries().items():
        assert key == country.id == country.english.lower().replace(" ", "-")


def test_no_two_countries_share_a_qid_an_iso_code_or_an_alias() -> None:
    for values in (
        [country.qid for country in COUNTRIES],
        [country.iso for country in COUNTRIES],
        [alias for country in COUNTRIES for alias in country.aliases],
    ):
        assert len(set(values)) == len(values)


def test_qids_and_iso_codes_look_like_what_they_are() -> None:
    for country in COUNTRIES:
        assert re.fullmatch(r"Q[1-9]\d*", country.qid)
        assert re.fullmatch(r"[A-Z]{2}", country.iso)


def test_every_language_is_native_somewhere_and_only_known_ones_are() -> None:
    native = {code for country in COUNTRIES for code in country.native_languages}
    assert native == set(LANGUAGES)


def test_every_evaluated_country_has_a_native_language_and_the_other_two_have_none() -> None:
    for country in COUNTRIES:
        assert bool(country.native_languages) == country.evaluated


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_country_has_a_distinct_name_and_phrase_in_every_language(language: str) -> None:
    for texts in (
        [country.name[language] for country in COUNTRIES],
        [country.origin_phrase[language] for country in COUNTRIES],
    ):
        assert len(set(texts)) == len(COUNTRIES)
        assert all(text == text.strip() and text for text in texts)
        assert all(text == unicodedata.normalize("NFC", text) for text in texts)


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_and_phrases_are_written_in_the_script_of_the_language(
    language: str, foreign_characters: Callable[[str, str], list[str]]
) -> None:
    script = catalog.language(language).script
    for country in COUNTRIES:
        assert foreign_characters(country.name[language], script) == []
        assert foreign_characters(country.origin_phrase[language], script) == []


@pytest.mark.parametrize("language", ["zh", "zh-tw", "ja", "ar", "ko", "hi", "th", "fa", "tr"])
def test_the_phrase_holds_the_name_where_the_language_does_not_inflect_it(language: str) -> None:
    for country in COUNTRIES:
        assert country.name[language] in country.origin_phrase[language]


@pytest.mark.parametrize(
    ("country", "language", "phrase"),
    [
        ("united-states", "en", "from the United States"),
        ("japan", "en", "from Japan"),
        ("united-states", "de", "aus den Vereinigten Staaten"),
        ("united-kingdom", "de", "aus dem Vereinigten Königreich"),
        ("united-arab-emirates", "de", "aus den Vereinigten Arabischen Emiraten"),
        ("turkey", "de", "aus der Türkei"),
        ("iran", "de", "aus dem Iran"),
        ("united-states", "it", "dagli Stati Uniti"),
        ("united-arab-emirates", "it", "dagli Emirati Arabi Uniti"),
        ("italy", "it", "dall'Italia"),
        ("china", "it", "dalla Cina"),
        ("japan", "it", "dal Giappone"),
        ("taiwan", "it", "da Taiwan"),
        ("germany", "es", "de Alemania"),
        ("united-kingdom", "es", "del Reino Unido"),
        ("united-arab-emirates", "es", "de los Emiratos Árabes Unidos"),
        ("germany", "tr", "Almanya'dan"),
        ("turkey", "tr", "Türkiye'den"),
        ("united-kingdom", "tr", "Birleşik Krallık'tan"),
        ("united-states", "tr", "Amerika Birleşik Devletleri'nden"),
        ("japan", "th", "จากประเทศญี่ปุ่น"),
        ("thailand", "th", "จากประเทศไทย"),
        ("united-states", "th", "จากสหรัฐอเมริกา"),
        ("taiwan", "th", "จากไต้หวัน"),
        ("south-korea", "fa", "از کرهٔ جنوبی"),
        ("united-arab-emirates", "fa", "از امارات متحدهٔ عربی"),
        ("japan", "ja", "日本出身の"),
        ("japan", "ko", "일본 출신의"),
        ("japan", "zh", "来自日本的"),
        ("japan", "zh-tw", "來自日本的"),
        ("united-states", "ar", "من الولايات المتحدة"),
        ("japan", "hi", "जापान के"),
    ],
)
def test_the_phrase_is_grammatical(country: str, language: str, phrase: str) -> None:
    assert origin(country, language) == phrase


def test_no_german_phrase_leaves_an_adjective_undeclined() -> None:
    for country in COUNTRIES:
        phrase = country.origin_phrase["de"]
        assert phrase.startswith("aus ")
        assert not re.search(r"Vereinigte[s]? |Arabische |Emirate$", phrase)


def test_italian_contracts_the_preposition_and_never_leaves_the_article_apart() -> None:
    for country in COUNTRIES:
        phrase = country.origin_phrase["it"]
        assert re.match(r"(dal|dalla|dagli|da) [A-Z]|dall'[AEIO]", phrase)


def test_the_thai_word_for_country_is_never_doubled() -> None:
    for country in COUNTRIES:
        phrase = country.origin_phrase["th"]
        assert phrase.startswith("จาก")
        assert phrase.count("ประเทศ") <= 1
        assert "ประเทศสห" not in phrase
        assert "ประเทศ" not in country.name["th"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("japan", "japan"),
        ("Japan", "japan"),
        ("USA", "united-states"),
        ("us", "united-states"),
        ("the United States", "united-states"),
        ("united_states", "united-states"),
        ("UK", "united-kingdom"),
        ("Britain", "united-kingdom"),
        ("UAE", "united-arab-emirates"),
        ("Türkiye", "turkey"),
        ("Korea", "south-korea"),
        ("Q17", "japan"),
        ("gb", "united-kingdom"),
    ],
)
def test_a_country_is_found_by_any_of_its_spellings(written: str, meant: str) -> None:
    assert catalog.country(written).id == meant


def test_every_country_is_found_by_its_name_its_code_its_qid_and_its_aliases() -> None:
    for country in COUNTRIES:
        for spelling in (country.english, country.iso, country.qid, *country.aliases):
            assert catalog.country(spelling) is country


def test_a_mistaken_country_is_told_the_nearest_one() -> None:
    with pytest.raises(CatalogError, match=r"unknown country 'germny' \(allowed: china, .*india\)"):
        catalog.country("germny")
    with pytest.raises(CatalogError, match=r"did you mean 'argentina'\?$"):
        catalog.country("Argentinia")


def test_a_country_can_be_hashed_and_not_edited() -> None:
    japan = catalog.country("japan")
    assert {japan: 1}[catalog.country("JP")] == 1
    with pytest.raises(TypeError):
        japan.name["en"] = "Nippon"  # type: ignore[index]
    with pytest.raises(TypeError):
        japan.origin_phrase["en"] = "of Japan"  # type: ignore[index]
    with pytest.raises(dataclasses.FrozenInstanceError):
        japan.qid = "Q1"  # type: ignore[misc]
