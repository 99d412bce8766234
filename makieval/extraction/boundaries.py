"""Where a surface form may begin and end: between characters as readers see them, and at words.

Python counts code points; a reader sees clusters: a consonant with its vowel signs, a syllable of
Hangul, an emoji with its skin tone. A span that starts or ends inside one would show as a broken
character and match words that are not there. The rules follow Unicode's grapheme clusters
(UAX #29) as far as the scripts of the catalog need them, and add the Thai vowels that are written
before or after their consonant.
"""

import unicodedata

_JOINERS = frozenset("\u200c\u200d")
_VIRAMAS = frozenset("\u094d\u09cd\u0a4d\u0acd\u0b4d\u0c4d\u0ccd\u0d4d")
_THAI_BEFORE = frozenset("เแโใไ")
_THAI_AFTER = frozenset("ะาำๅ")


def is_boundary(text: str, index: int) -> bool:
    """Whether a span of `text` may start or end before code point `index`."""
    if index <= 0 or index >= len(text):
        return 0 <= index <= len(text)
    before, after = text[index - 1], text[index]
    if _extends(after) or before in _THAI_BEFORE or before == "\u200d":
        return False
    if before in _VIRAMAS and after.isalpha():
        return False
    return not (_is_flag(before) and _is_flag(after) and _flags_before(text, index) % 2)


def begins_word(text: str, index: int) -> bool:
    """Whether no letter or digit of a word runs on from before `index` into it."""
    return not (0 < index < len(text) and _runs_on(text[index - 1]) and _runs_on(text[index]))


def is_unspaced(char: str) -> bool:
    """Whether `char` belongs to a script that writes words without spaces: Han, kana or Thai."""
    point = ord(char)
    return (
        0x3040 <= point <= 0x30FF  # Hiragana, Katakana
        or 0x31F0 <= point <= 0x31FF
        or 0x3400 <= point <= 0x9FFF  # Han
        or 0xF900 <= point <= 0xFAFF
        or 0x20000 <= point <= 0x3FFFF
        or point in (0x3005, 0x3007)
        or 0x0E00 <= point <= 0x0E7F  # Thai
    )


def _runs_on(char: str) -> bool:
    in_word = char.isalnum() or _extends(char)
    return in_word and not is_unspaced(char)


def _extends(char: str) -> bool:
    """Whether `char` belongs to the cluster of what stands before it."""
    return (
        unicodedata.category(char).startswith("M")
        or char in _JOINERS
        or char in _THAI_AFTER
        or "\u1160" <= char <= "\u11ff"  # Hangul jamo: vowels and finals
        or "\ud7b0" <= char <= "\ud7ff"
        or "\U0001f3fb" <= char <= "\U0001f3ff"  # skin tones
    )


def _is_flag(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _flags_before(text: str, index: int) -> int:
    start = index
    while start > 0 and _is_flag(text[start - 1]):
        start -= 1
    return index - start
