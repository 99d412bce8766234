"""Names one edit away: which mentions may look for them, and which of them may count.

An edit is one of optimal string alignment: a character taken away, added or exchanged, or two
neighbours swapped. Ungated, a mention whose item is absent gets a wrong one in 20 to 60 of 100
cases. So the edit decides how long a mention must be:

 - joint: a space, hyphen, middle dot or apostrophe; the letters are the same;
 - accent: one letter with or without its accent or other mark of the Latin script;
 - spelling: letters that names are spelt with one for another (`data/spelling.tsv`), or a letter
   doubled;
 - letter: any other, and two neighbours swapped.

 - figure: an edit in a word with a figure, a Roman one, an ordinal or a sign; never let through.
   The Fourth Symphony is not the Fifth, an SM-65E no SM-65.

The lengths are measured with names that were hidden (`benchmarks/absent_mentions.py`). A name that
merely contains the mention is not one edit away unless the rest is one character, and then it must
be long (Pho, Phone; 茶, 抹茶).
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from unicodedata import category, name, normalize

from makieval.linking import rules

VERSION = 1

#: Kind of edit → script → least letters of a mention (marks not counted). Per script, the length
#: from which right links clearly outnumber wrong ones; a script that is missing is let through by
#: nothing. `figure` is never let through.
LEAST: dict[str, dict[str, int]] = {
    "joint": dict.fromkeys(
        ("LATIN", "ARABIC", "DEVANAGARI", "HANGUL", "KATAKANA", "HIRAGANA", "THAI", "CJK"), 3
    ),
    "accent": {"LATIN": 4},
    "spelling": {
        "LATIN": 8,
        "ARABIC": 6,
        "DEVANAGARI": 4,
        "HANGUL": 3,
        "KATAKANA": 5,
        "HIRAGANA": 5,
        "THAI": 5,
        "CJK": 7,
    },
    "letter": {
        "LATIN": 10,
        "ARABIC": 8,
        "DEVANAGARI": 6,
        "HANGUL": 6,
        "KATAKANA": 7,
        "HIRAGANA": 7,
        "THAI": 9,
        "CJK": 7,
    },
}
_SHORTEST = 3
_NEVER = 99
_JOINTS = frozenset(" -·'.,=")
_NONE = "-"
_ROMAN = re.compile("[ivxlc]+")
#: Words of one syllable or character that tell things of a kind apart; East Asian figures are
#: numeric by Unicode.
_ORDINALS = frozenset("첫둘셋넷上中下前後后大小新旧舊古東东西南北左右")


@dataclass(frozen=True, slots=True)
class Closeness:
    """How alike two keys are: the kind of edit, and a score between 0 and 1."""

    kind: str
    score: float


def admits(key: str) -> bool:
    """Whether a mention with this key may look for similar names at all."""
    return sum(map(str.isalpha, key)) >= _SHORTEST


def closeness(key: str, other: str) -> Closeness | None:
    """How like `key` the name `other` is, or None where it may not count."""
    from rapidfuzz.distance import OSA

    if OSA.distance(key, other, score_cutoff=1) != 1:
        return None
    kind = _kind(key, other)
    if sum(map(str.isalpha, key)) < _least(key + other, LEAST.get(kind, {})):
        return None
    return Closeness(kind, OSA.normalized_similarity(key, other))


def _kind(key: str, other: str) -> str:
    """What sort of edit lies between two keys that are one edit apart."""
    start = 0
    while start < min(len(key), len(other)) and key[start] == other[start]:
        start += 1
    end = 0
    while end < min(len(key), len(other)) - start and key[-1 - end] == other[-1 - end]:
        end += 1
    gone, come = key[start : len(key) - end], other[start : len(other) - end]
    if set(gone + come) <= _JOINTS:
        return "joint"
    if _tells(gone + come, _word(key, start), _word(other, start)):
        return "figure"
    if len(gone) == 2:
        return "letter"
    if not gone or not come:
        longer = key if gone else other
        if start and longer[start - 1] == longer[start]:
            return "spelling"
    return _exchange(gone or _NONE, come or _NONE)


def _word(key: str, at: int) -> str:
    """The word of `key` that the character at `at` is in, or that ends there."""
    begin = max((key.rfind(joint, 0, at) for joint in _JOINTS), default=-1) + 1
    ends = [end for joint in _JOINTS if (end := key.find(joint, at)) >= 0]
    return key[begin : min(ends, default=len(key))]


def _tells(changed: str, word: str, other: str) -> bool:
    """Whether an edit from one word to the other changes a figure, an ordinal or a sign."""
    if any(map(str.isnumeric, word + other)):
        return True
    if any(category(one)[0] in "PS" and one not in _JOINTS for one in changed):
        return True
    roman = (_ROMAN.fullmatch(one) for one in (word, other) if one)
    return not _ORDINALS.isdisjoint(changed) or all(roman)


def _exchange(gone: str, come: str) -> str:
    before, after = normalize("NFD", gone), normalize("NFD", come)
    if script(gone) == "LATIN" and before[0] == after[0]:
        return "accent"
    if script(gone) == script(come) == "HANGUL" and len(before) == len(after):
        differing = [pair for pair in zip(before, after, strict=True) if pair[0] != pair[1]]
        if len(differing) == 1:
            gone, come = differing[0]
    return "spelling" if (gone, come) in _spellings() else "letter"


@cache
def _spellings() -> frozenset[tuple[str, str]]:
    """The pairs of letters that are spelt one for another, both ways."""
    groups = [letters.split(" ") for _, letters in rules.read("spelling")]
    return frozenset((one, other) for group in groups for one in group for other in group)


def _least(characters: Iterable[str], table: Mapping[str, int]) -> int:
    """The least length for the scripts of the letters: the strictest counts."""
    scripts = {script(character) for character in characters if character.isalpha()}
    return max((table.get(one, _NEVER) for one in scripts), default=_NEVER)


@cache
def script(character: str) -> str:
    """The script of a letter, as its Unicode name begins (`ー` is in the names of two)."""
    first = name(character, "").partition(" ")[0]
    return {"KATAKANA-HIRAGANA": "KATAKANA"}.get(first, first)
