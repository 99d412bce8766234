"""Names, order and writing direction of what the store keeps as ids.

Everything shown is ordered as the catalog lists it, and ids that the catalog does not hold
(a language of an imported data set) still show, after the others, under their own id.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from makieval import catalog

NEUTRAL = "no country named"


def language(code: str) -> str:
    """The English name of a language: `zh-tw` → `Chinese (Taiwan)`."""
    known = catalog.languages().get(code)
    return known.english if known else code


def autonym(code: str) -> str:
    """What a language calls itself: `ja` → `日本語`."""
    known = catalog.languages().get(code)
    return known.autonym if known else code


def tag(code: str) -> str:
    """The BCP 47 tag for a `lang` attribute, with the script where it matters (`zh-hans`)."""
    known = catalog.languages().get(code)
    return known.chain[0] if known else code


def direction(code: str) -> str:
    """`rtl` or `ltr`; `auto` (the reader's browser decides) for a language we do not know."""
    known = catalog.languages().get(code)
    if known is None:
        return "auto"
    return "rtl" if known.rtl else "ltr"


def country(key: str | None) -> str:
    """The English name of a country, or that the prompt names none."""
    if key is None:
        return NEUTRAL
    known = catalog.countries().get(key)
    return known.english if known else key


def native(country_key: str | None, code: str) -> bool | None:
    """Whether a language is native to a country; None where that cannot be said."""
    known = catalog.countries().get(country_key) if country_key else None
    return code in known.native_languages if known else None


def topic(key: str) -> str:
    """A topic's English name with a capital: `Food`."""
    known = catalog.topics().get(key)
    name = known.english if known else key
    return name[:1].upper() + name[1:]


def framing(key: str) -> str:
    """A framing's id in words: `implicit-male` → `implicit male`."""
    return key.replace("-", " ")


def framing_meaning(key: str) -> str:
    """One phrase that says what a framing shows the model."""
    known = catalog.framings().get(key)
    return known.english if known else framing(key)


def _position(loader: Callable[[], Mapping[str, Any]], key: str) -> tuple[int, str]:
    order = list(loader())
    return (order.index(key) if key in order else len(order), key)


_LOADERS: Mapping[str, Callable[[], Mapping[str, Any]]] = {
    "language": catalog.languages,
    "country": catalog.countries,
    "topic": catalog.topics,
    "framing": catalog.framings,
}


def rank(dimension: str, key: str | None) -> tuple[int, str]:
    """Where `key` stands among its kind: the catalog's order, `None` first, strangers last.

    `dimension` is a column of the views; one that the catalog does not order (`model`) is
    alphabetical.
    """
    if key is None:
        return (-1, "")
    kind = {"target": "country", "language_a": "language", "language_b": "language"}
    loader = _LOADERS.get(kind.get(dimension, dimension))
    return _position(loader, key) if loader else (0, key)


def ordered(dimension: str, keys: Iterable[str]) -> list[str]:
    """The distinct `keys` in display order."""
    return sorted(set(keys), key=lambda key: rank(dimension, key))


def named(dimension: str, key: str | None) -> str:
    """The display name of a key of any dimension."""
    if dimension in {"country", "target"}:
        return country(key)
    if key is None:
        return "–"
    namers = {
        "language": language,
        "language_a": language,
        "language_b": language,
        "topic": topic,
        "framing": framing,
    }
    namer = namers.get(dimension)
    return namer(key) if namer else key
