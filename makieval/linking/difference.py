"""How a mention differs from a name, in one word of a closed list: what a linker has to learn.

same name        one key: only letter case, width, quotes or composition differ
absent name      the item has no name in the mention's language (its chain) at all
transliteration  the nearest name is in another script
marks            equal but for accents, vowel points, nuktas, tone marks
spacing          equal but for spaces, hyphens, apostrophes, dots
article          one has an article (or a prefix that serves as one) more
plural           one is the plural of the other, by a regular rule
particle         one has a particle, case ending or possessive more
word order       the same words in another order
words            all words of one stand in the other
ending           one begins as the other and goes on for up to three letters
typo             one edit apart (optimal string alignment), in five letters or more
spelling         similar: at least 70 % by edits
other name       none of these
"""

import re
from collections.abc import Iterable
from itertools import groupby
from unicodedata import category, normalize
from unicodedata import name as character_name

from makieval import catalog
from makieval.linking import normalise
from makieval.linking.changes import changed, changes

SAME, ABSENT, OTHER = "same name", "absent name", "other name"
DIFFERENCES = (
    *(SAME, "marks", "spacing", "article", "plural", "particle", "word order", "words"),
    *("ending", "typo", "spelling", "transliteration", OTHER, ABSENT),
)

_SPACING = re.compile(r"[\s\-'’·.,:&/]+")
#: Unicode names its characters by script; these differ from what their languages are called.
_SCRIPTS = {"CJK": "Han", "HIRAGANA": "Kana", "KATAKANA": "Kana", "KATAKANA-HIRAGANA": "Kana"}


def script(text: str) -> str:
    """The script most letters of `text` are in (`Latin`, `Han`, `Kana`, …)."""
    found = sorted(_script(letter) for letter in text if category(letter)[0] == "L")
    runs = [(len(list(run)), one) for one, run in groupby(found)]
    return max(runs, key=lambda run: (run[0], run[1]), default=(0, "no letters"))[1]


def nearest(surface: str, names: Iterable[str], language: str) -> tuple[str, str | None]:
    """The difference to the name that is nearest, and that name; (`absent name`, None) of none.

    Nearest is the name whose difference comes first in `DIFFERENCES`, then by edits, then by
    code point.
    """
    from rapidfuzz.distance import OSA

    mention = normalise.key(surface, language)
    ranked = [
        (DIFFERENCES.index(difference(surface, one, language)), distance, one)
        for one in set(names)
        for distance in (OSA.distance(mention, normalise.key(one, language)),)
    ]
    if not ranked:
        return ABSENT, None
    at, _, one = min(ranked)
    return DIFFERENCES[at], one


def difference(surface: str, name: str, language: str) -> str:
    """How `surface`, a mention in `language`, differs from `name`; one of `DIFFERENCES`."""
    from rapidfuzz.distance import OSA

    one, other = normalise.key(surface, language), normalise.key(name, language)
    if one == other:
        return SAME
    if _unmarked(one) == _unmarked(other):
        return "marks"
    if _joined(one) == _joined(other):
        return "spacing"
    for kind in ("article", "plural", "particle"):
        if _by_rule(surface, name, language, kind):
            return kind
    if script(one) != script(other):
        return "transliteration"
    shorter, longer = sorted((one, other), key=len)
    if found := _by_words(one.split(), other.split()):
        return found
    if not catalog.language(language).spaced and len(shorter) >= 2 and shorter in longer:
        return "words"
    if 2 <= len(shorter) < len(longer) <= len(shorter) + 3 and longer.startswith(shorter):
        return "ending"
    edits = OSA.distance(one, other)
    if edits == 1 and len(longer) >= 5:
        return "typo"
    return "spelling" if edits <= 0.3 * len(longer) else OTHER


def _by_words(some: list[str], others: list[str]) -> str | None:
    if sorted(some) == sorted(others):
        return "word order"
    fewer, more = sorted((set(some), set(others)), key=len)
    return "words" if fewer < more else None


def _by_rule(surface: str, name: str, language: str, kind: str) -> bool:
    """Whether a rule of this kind leads from either to the other."""
    one, other = normalise.key(surface, language), normalise.key(name, language)
    for rules in changes(language).get(kind, {}).values():
        for start, end in ((one, other), (other, one)):
            made = changed(start, rules)
            if made is not None and normalise.key(made, language) == end:
                return True
    return False


def _unmarked(text: str) -> str:
    return "".join(letter for letter in normalize("NFD", text) if category(letter)[0] != "M")


def _joined(text: str) -> str:
    return _SPACING.sub("", text)


def _script(letter: str) -> str:
    word = character_name(letter, "UNNAMED").split()[0]
    return _SCRIPTS.get(word, word.capitalize())
