"""The names that cue a country: all there, all distinct, each in the right letters."""

import unicodedata
from collections.abc import Callable
from itertools import product

import pytest

from makieval import catalog
from makieval.errors import CatalogError

LANGUAGES = list(catalog.languages())
EVALUATED = [key for key, country in catalog.countries().items() if country.evaluated]


def test_every_evaluated_country_has_a_man_s_and_a_woman_s_name_in_every_language() -> None:
    assert set(catalog.person_names()) == set(product(EVALUATED, ("male", "female")))
    for name in catalog.person_names().values():
        assert list(name.forms) == LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_names_are_the_same(language: str) -> None:
    forms = [name.forms[language] for name in catalog.person_names().values()]
    assert len(forms) == 38
    assert len(set(forms)) == len(forms)


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_are_written_in_the_script_of_the_language(
    language: str, foreign_characters: Callable[[str, str], list[str]]
) -> None:
    script = catalog.language(language).script
    for name in catalog.person_names().values():
        assert foreign_characters(name.forms[language], script) == []


def test_names_are_stored_in_nfc_without_outer_spaces() -> None:
    for name in catalog.person_names().values():
        for form in name.forms.values():
            assert form == unicodedata.normalize("NFC", form.strip())


@pytest.mark.parametrize(
    ("language", "joiner"), [("zh", "·"), ("zh-tw", "‧"), ("ja", "・"), ("en", " "), ("th", " ")]
)
def test_a_foreign_name_is_joined_as_the_language_does(language: str, joiner: str) -> None:
    assert joiner in catalog.person_name("germany", "female", language)


def test_east_asian_names_keep_their_own_characters_and_order() -> None:
    assert catalog.person_name("china", "male", "zh") == "张伟"
    assert catalog.person_name("china", "male", "zh-tw") == "張偉"
    assert catalog.person_name("japan", "female", "ja") == "佐藤結衣"
    assert catalog.person_name("south-korea", "female", "ko") == "김서연"
    assert catalog.person_name("japan", "male", "ko") == "사토 하루토"


@pytest.mark.parametrize("language", ["en", "de", "es", "it", "tr"])
def test_latin_spellings_keep_the_letters_of_the_origin(language: str) -> None:
    assert catalog.person_name("turkey", "female", language) == "Ayşe Yılmaz"
    assert catalog.person_name("spain", "male", language) == "Álvaro Navarro"


def test_no_family_name_is_shared_by_two_countries() -> None:
    family: dict[str, set[str]] = {}
    for country in EVALUATED:
        words = [
            set(catalog.person_name(country, gender, "en").split()) for gender in ("male", "female")
        ]
        shared = words[0] & words[1]
        assert shared, country
        for word in shared:
            family.setdefault(word, set()).add(country)
    assert {word: owners for word, owners in family.items() if len(owners) > 1} == {}


def test_a_country_without_names_is_refused_and_never_becomes_john_doe() -> None:
    with pytest.raises(CatalogError, match="unknown country for a name 'rwanda'"):
        catalog.person_name("rwanda", "male", "en")


def test_a_mistaken_country_or_language_is_named() -> None:
    with pytest.raises(CatalogError, match=r"unknown country 'japn'.*did you mean 'japan'"):
        catalog.person_name("japn", "male", "en")
    with pytest.raises(CatalogError, match=r"unknown language 'jp'.*did you mean 'ja'"):
        catalog.person_name("japan", "male", "jp")


def test_names_cannot_be_edited() -> None:
    name = catalog.person_names()["japan", "male"]
    with pytest.raises(TypeError):
        name.forms["en"] = "John Doe"  # type: ignore[index]
