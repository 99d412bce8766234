"""The 13 languages: their order, their chains, and what a typing mistake is told."""

import dataclasses
import unicodedata

import pytest

from makieval import catalog
from makieval.errors import CatalogError

ORDER = ["en", "de", "zh", "zh-tw", "it", "ja", "es", "ar", "ko", "hi", "th", "fa", "tr"]


def test_there_are_thirteen_languages_in_the_agreed_order() -> None:
    assert list(catalog.languages()) == ORDER


def test_every_language_knows_its_own_code() -> None:
    assert [language.code for language in catalog.languages().values()] == ORDER


def test_every_chain_starts_in_the_language_itself_and_names_nothing_twice() -> None:
    for language in catalog.languages().values():
        assert language.chain[0] in {language.code, "zh-hans"}
        assert len(set(language.chain)) == len(language.chain)


def test_the_last_resorts_mul_and_english_are_left_to_the_linker() -> None:
    for language in catalog.languages().values():
        assert "mul" not in language.chain
        assert language.code == "en" or "en" not in language.chain


def test_both_chinese_chains_hold_the_same_codes_and_prefer_their_own_script() -> None:
    mainland, taiwan = catalog.language("zh").chain, catalog.language("zh-tw").chain
    assert set(mainland) == set(taiwan)
    assert mainland.index("zh-hans") < mainland.index("zh-hant")
    assert taiwan.index("zh-hant") < taiwan.index("zh-hans")


def test_right_to_left_languages_are_those_whose_own_name_runs_right_to_left() -> None:
    for language in catalog.languages().values():
        direction = unicodedata.bidirectional(language.autonym[0])
        assert language.rtl == (direction in {"R", "AL"})


def test_words_are_not_spaced_in_chinese_japanese_and_thai_alone() -> None:
    unspaced = {code for code, language in catalog.languages().items() if not language.spaced}
    assert unspaced == {"zh", "zh-tw", "ja", "th"}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("jp", "ja"),
        ("kr", "ko"),
        ("cn", "zh"),
        ("zh_TW", "zh-tw"),
        ("zh-Hant", "zh-tw"),
        ("EN", "en"),
        ("German", "de"),
        ("farsi", "fa"),
        ("日本語", "ja"),
    ],
)
def test_a_mistaken_code_is_told_the_one_that_was_meant(written: str, meant: str) -> None:
    with pytest.raises(CatalogError) as raised:
        catalog.language(written)
    message = str(raised.value)
    assert repr(written) in message
    assert message.endswith(f"did you mean '{meant}'?")
    assert "allowed: en, de, zh, zh-tw" in message
    assert "\n" not in message


def test_a_code_unlike_any_is_told_what_is_allowed_and_no_more() -> None:
    with pytest.raises(CatalogError) as raised:
        catalog.language("qqq")
    assert "did you mean" not in str(raised.value)


def test_the_languages_cannot_be_edited() -> None:
    with pytest.raises(TypeError):
        catalog.languages()["xx"] = catalog.language("en")  # type: ignore[index]
    with pytest.raises(dataclasses.FrozenInstanceError):
        catalog.language("en").script = "Cyrl"  # type: ignore[misc]
