"""Which letters a language writes with, by Unicode name: the measure of the catalog's texts."""

import unicodedata
from collections.abc import Callable

import pytest

LETTERS: dict[str, tuple[str, ...]] = {
    "Latn": ("LATIN",),
    "Hans": ("CJK UNIFIED IDEOGRAPH",),
    "Hant": ("CJK UNIFIED IDEOGRAPH",),
    "Jpan": ("CJK UNIFIED IDEOGRAPH", "HIRAGANA", "KATAKANA"),
    "Arab": ("ARABIC",),
    "Kore": ("HANGUL",),
    "Deva": ("DEVANAGARI",),
    "Thai": ("THAI",),
}

# What may stand between letters: word space, apostrophe, hyphen, the dots that join the parts of a
# transcribed name, and the zero-width non-joiner of Persian.
JOINERS = " '-·‧・\u200c"


@pytest.fixture
def foreign_characters() -> Callable[[str, str], list[str]]:
    """The characters of a text that are neither of a script (ISO 15924) nor a joiner."""

    def found(text: str, script: str) -> list[str]:
        return [
            character
            for character in text
            if character not in JOINERS
            and not unicodedata.name(character).startswith(LETTERS[script])
        ]

    return found
