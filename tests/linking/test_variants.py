"""Other spellings of the same words, as a second attempt."""

import pytest

from makieval.linking import normalise
from makieval.linking.variants import variants


def spellings(surface: str, language: str) -> dict[str, tuple[str, ...]]:
    key = normalise.key(surface, language)
    return {one.key: one.tags for one in variants(key, language)}


@pytest.mark.parametrize(
    ("one", "other", "language", "tag"),
    [
        ("宮保雞丁", "宫保鸡丁", "zh", "script"),
        ("宫保鸡丁", "宮保雞丁", "zh-tw", "script"),
        ("すし", "スシ", "ja", "script"),
        ("ラーメン", "らーめん", "ja", "script"),
        ("Fish & Chips", "fish and chips", "en", "conjunction"),
        ("fish and chips", "fish & chips", "en", "conjunction"),
        ("Brot & Butter", "Brot und Butter", "de", "conjunction"),
        ("pan y tomate", "pan & tomate", "es", "conjunction"),
        ("파리대왕", "파리대왕", "ko", None),
        ("파리 대왕", "파리대왕", "ko", "joint"),
        ("アイスクリーム・コーン", "アイスクリームコーン", "ja", "joint"),
        ("Coca Cola", "Coca-Cola", "en", "joint"),
        ("क़ोरमा", "कोरमा", "hi", "nukta"),
        ("हाँग काँग", "हांग कांग", "hi", "candrabindu"),
        ("أرز", "ارز", "ar", "hamza"),
        ("كبسة", "كبسه", "ar", "teh marbuta"),
        ("آفریقا", "افریقا", "fa", "hamza"),
        ("lâhmacun", "lahmacun", "tr", "circumflex"),
        ("Kaesespaetzle", "Käsespätzle", "de", "umlaut"),
    ],
)
def test_another_spelling_is_tried(one: str, other: str, language: str, tag: str | None) -> None:
    found = spellings(one, language).get(normalise.key(other, language))
    assert (found and found[0]) == tag


@pytest.mark.parametrize(
    ("one", "other", "language"),
    [("चाय", "चय", "hi"), ("ガム", "カム", "ja"), ("papá", "papa", "es"), ("茶", "抹茶", "zh")],
)
def test_marks_that_tell_words_apart_are_never_dropped(one: str, other: str, language: str) -> None:
    assert other not in spellings(one, language)
