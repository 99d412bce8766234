"""How a name may be spelt so that an endpoint, which matches literals alone, finds it by its key.

A snapshot files names under keys and finds all that share one. An endpoint holds no keys: the
spellings that share the key must be guessed. Guessed are the text as it stands and without quotes
around it, composed, in lower, upper, title and sentence case (Turkish i included), the usual
shapes of apostrophe and dash, Arabic and Persian yeh and kaf, space and half space. A spelling
whose key is not the wanted one is never asked for, so what comes back is what a snapshot would
find too. Not found: capitals inside a word that the text does not have (`ipod` for iPod), full
width, vowel points and digits of other scripts that only the name has.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from unicodedata import normalize

from makieval.linking.candidates import Form
from makieval.linking.normalise import TURKIC, key
from makieval.wikidata.sparql.terms import writable

#: A change of the spellings that are guessed changes this.
VERSION = 1

_WORD = re.compile(r"[^\W\d_]+")
#: Words that stay small inside a title in one language or another.
_SMALL = frozenset(
    "a an and as at but by for from in into nor of on or over the to up via with "
    "am an auf aus bei das dem den der des die ein eine für im mit nach und vom von vor zu zum zur "
    "al allo alla con da dal dalla de degli dei del dell della delle di e ed gli i il in la le lo "
    "nel nella per su un una uno à au aux d des du en et l les ou par pour sous sur une "
    "con del el en las los o para por sin un una y da das do dos na no "
    "ve ile için bir bin ibn al el ud ul".split()
)
#: Whether a word stays small: none does; a short one; a known one.
_STAYS: tuple[Callable[[str], bool], ...] = (
    lambda word: False,
    lambda word: len(word) <= 3,
    lambda word: word in _SMALL,
)
_EDGES = "\"'“”„‟«»‘’‚‹›「」『』《》〈〉()[]【】.,;:!?¿¡。、،؛؟ \t\n"
#: Shapes of the same sign; of Arabic letters those of Persian keyboards, or those of Arabic ones.
_SWAPS = tuple(
    str.maketrans(shapes)
    for shapes in (
        {"'": "’"},
        {"’": "'"},
        {"-": "–"},
        {"–": "-"},
        {"ي": "ی", "ك": "ک"},
        {"ی": "ي", "ک": "ك"},
        {"\u200c": " "},
        {"・": "·"},
    )
)


def spellings(form: Form) -> tuple[str, ...]:
    """The spellings that share a form's key in its language, the form's text first.

    A form without a text is itself a guess (a peeled plural, another script), and gets few.
    """
    if form.text:
        return _spellings(form.text, form.key, form.language)
    return _few(form.key, form.language)


@lru_cache(maxsize=100_000)
def _spellings(text: str, wanted: str, language: str) -> tuple[str, ...]:
    turkic = language in TURKIC
    bases = dict.fromkeys((text, *_shapes(text), wanted))
    cased = dict.fromkeys(spelt for base in bases for spelt in (base, *_cases(base, turkic)))
    swapped = dict.fromkeys(spelt for each in cased for spelt in (each, *_swaps(each)))
    return _sharing(swapped, wanted, language)


def _few(key_: str, language: str) -> tuple[str, ...]:
    """Small, like a sentence, and like a title."""
    turkic = language in TURKIC
    title = _first_up(_title(key_, _STAYS[-1], turkic), turkic)
    return _sharing(dict.fromkeys((key_, _first_up(key_, turkic), title)), key_, language)


def _sharing(texts: Iterable[str], wanted: str, language: str) -> tuple[str, ...]:
    return tuple(each for each in texts if writable(each) and key(each, language) == wanted)


def _shapes(text: str) -> Iterator[str]:
    composed = " ".join(normalize("NFC", text).split())
    yield composed
    yield composed.strip(_EDGES)
    yield " ".join(normalize("NFKC", text).split()).strip(_EDGES)


def _cases(text: str, turkic: bool) -> Iterator[str]:
    small = _lower(text, turkic)
    yield small
    yield _first_up(text, turkic)
    yield _first_up(small, turkic)
    for stays in _STAYS:
        yield _first_up(_title(small, stays, turkic), turkic)
    yield _upper(text, turkic)


def _title(small: str, stays: Callable[[str], bool], turkic: bool) -> str:
    """Every word with a capital, but for those that stay small, and 's, 't and the like."""

    def up(match: re.Match[str]) -> str:
        ending = match.start() > 0 and len(match[0]) < 3 and small[match.start() - 1] in "'’"
        return match[0] if ending or stays(match[0]) else _first_up(match[0], turkic)

    return _WORD.sub(up, small)


def _swaps(text: str) -> Iterator[str]:
    for shapes in _SWAPS:
        yield text.translate(shapes)


def _lower(text: str, turkic: bool) -> str:
    return (text.replace("I", "ı").replace("İ", "i") if turkic else text).lower()


def _upper(text: str, turkic: bool) -> str:
    return (text.replace("i", "İ") if turkic else text).upper()


def _first_up(text: str, turkic: bool) -> str:
    """`text` with its first letter in title case."""
    for at, letter in enumerate(text):
        if letter.isalpha():
            up = "İ" if turkic and letter == "i" else letter.title()
            return f"{text[:at]}{up}{text[at + 1 :]}"
    return text
