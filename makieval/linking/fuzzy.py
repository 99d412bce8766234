"""Names one edit away: which mentions may look for them, and which of them may count.

An edit is one of optimal string alignment: a character taken away, added or exchanged, or two
neighbours swapped. Ungated, a mention whose item is absent gets a wrong one in 20 to 60 of 100
cases; so a mention must be long enough for its script, and the edit must be of a kind that people
and languages make. A name that merely contains the mention is never one edit away, unless the
rest is one character, and then the lengths below keep it out (Pho, Phone; 茶, 抹茶).
"""

from dataclasses import dataclass
from unicodedata import category, name

VERSION = 1

#: Least letters of a mention, per script, for an edit that changes letters.
LEAST = {"LATIN": 6, "ARABIC": 6, "DEVANAGARI": 6, "HANGUL": 5, "KATAKANA": 6, "THAI": 7}
#: Scripts that are not in the table, Chinese characters among them: one stands for a word.
LEAST_OTHER = 99
#: What joins words. Where only this differs, the letters are the same and three are enough.
_JOINTS = frozenset(" -·'.,")
_LEAST_JOINED = 3


@dataclass(frozen=True, slots=True)
class Closeness:
    """How alike two keys are: `kind` of edit, and a score between 0 and 1."""

    kind: str
    score: float


def admits(key: str) -> bool:
    """Whether a mention with this key may look for similar names at all."""
    return sum(map(str.isalpha, key)) >= _LEAST_JOINED


def closeness(key: str, other: str) -> Closeness | None:
    """How like `key` the name `other` is, or None where it may not count."""
    from rapidfuzz.distance import OSA

    if OSA.distance(key, other, score_cutoff=1) != 1:
        return None
    score = OSA.normalized_similarity(key, other)
    changed = _changed(key, other)
    if set(changed) <= _JOINTS:
        return Closeness("joint", score)
    if any(map(str.isnumeric, changed)) or _letters(key) < _least(key):
        return None
    if all(category(character) in ("Mn", "Mc") for character in changed):
        return Closeness("mark", score)
    return Closeness("letter", score)


def _changed(key: str, other: str) -> str:
    """The characters that differ, of both."""
    start = 0
    while start < min(len(key), len(other)) and key[start] == other[start]:
        start += 1
    end = 0
    while end < min(len(key), len(other)) - start and key[-1 - end] == other[-1 - end]:
        end += 1
    return key[start : len(key) - end] + other[start : len(other) - end]


def _letters(key: str) -> int:
    """Letters, without the marks on them: what a reader would count."""
    return sum(map(str.isalpha, key))


def _least(key: str) -> int:
    """The least length for the scripts in `key`: the strictest counts."""
    scripts = {_script(character) for character in key if character.isalpha()}
    return max((LEAST.get(script, LEAST_OTHER) for script in scripts), default=LEAST_OTHER)


def _script(character: str) -> str:
    """The first word of a letter's Unicode name, which names its script."""
    return name(character, "").partition(" ")[0]
