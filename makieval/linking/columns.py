"""Keys of whole columns: `normalise.key` for millions of names, without a call for each.

Most names are words of signs each of which has a key of one sign, whatever stands beside it. Those
names are told by one regular expression and translated as a column; all others go through
`normalise.key`. Which signs are that plain is asked of `normalise.key` itself, so the recipe stands
in one place.
"""

import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from makieval.linking import normalise

if TYPE_CHECKING:
    import polars

#: Below so many texts it takes longer to find out which signs are plain.
FEW = 20_000


class Plain(NamedTuple):
    """`words` matches texts of plain signs; `changed` the lower-cased ones that `table` changes."""

    words: str
    changed: str
    table: dict[str, str]


def keys(texts: "polars.Series", languages: "polars.Series") -> "polars.Series":
    """The key of each text, read as a name in the language (a Wikidata code) beside it."""
    import polars as pl

    if texts.len() < FEW:
        return pl.Series(_each(zip(texts, languages, strict=True)), dtype=pl.String)
    plain = plain_signs()
    told = texts.str.contains(plain.words)
    turkic = languages.is_in(list(normalise.TURKIC)) & texts.str.contains("[Iı]")
    keyed = texts.str.to_lowercase()
    changed = keyed.str.contains(plain.changed).arg_true()
    signs, becoming = list(plain.table), list(plain.table.values())
    keyed = keyed.scatter(changed, keyed.gather(changed).str.replace_many(signs, becoming))
    rest = (~told | turkic).arg_true()
    pairs = zip(texts.gather(rest), languages.gather(rest), strict=True)
    return keyed.scatter(rest, pl.Series(_each(pairs), dtype=pl.String))


def _each(pairs: Iterable[tuple[str, str]]) -> list[str]:
    return [normalise.key(text, language) for text, language in pairs]


@cache
def plain_signs() -> Plain:
    """The plain signs of the first plane, by trying each."""
    composing = _composing()
    ends: list[int] = []
    marks: list[int] = []
    inner: list[int] = []
    table: dict[str, str] = {}
    for code in range(0x21, 0x10000):
        sign = chr(code)
        becoming = _becoming(sign)
        if becoming is None or code in composing or ord(becoming) in composing:
            continue
        if unicodedata.combining(sign):
            marks.append(code)
        elif normalise.key(sign, "en") == becoming and unicodedata.category(sign)[0] in "LNM":
            ends.append(code)
        else:
            inner.append(code)
        if becoming != sign.lower():
            table[sign.lower()] = becoming
    end = f"[{_class(ends)}][{_class(marks)}]?"
    between = f"(?: ?[{_class(inner)}]| ?{end})*"
    changed = f"[{_class(sorted(map(ord, table)))}]"
    return Plain(f"^{end}(?:{between} ?{end})?$", changed, table)


def _becoming(sign: str) -> str | None:
    """The one sign that stands for `sign` in the key of any text that has it inside."""
    lower = sign.lower()
    key = normalise.key(f"a{sign}b", "en")
    told = key[1:-1]
    if (
        unicodedata.category(sign)[0] == "C"
        or len(lower) != 1
        or len(told) != 1
        or told.isspace()
        or key != f"a{told}b"
    ):
        return None
    same = normalise.key(f"a{lower}b", "en") == key
    twice = normalise.key(f"a{sign}{sign}b", "en") == f"a{told}{told}b"
    return told if same and twice else None


def _composing() -> set[int]:
    """Code points that NFC may join to their neighbours, but for the first of a pair."""
    jamo = set(range(0x1100, 0x1200))
    decomposed = (unicodedata.decomposition(chr(code)).split() for code in range(0x20000))
    seconds = {int(parts[1], 16) for parts in decomposed if len(parts) == 2 and parts[0][0] != "<"}
    return jamo | seconds


def _class(codes: Iterable[int]) -> str:
    """The inside of a character class of a regular expression."""
    return "".join(f"\\x{{{low:x}}}-\\x{{{high:x}}}" for low, high in _ranges(codes))


def _ranges(codes: Iterable[int]) -> Iterator[tuple[int, int]]:
    first = last = -2
    for code in codes:
        if code != last + 1:
            if first >= 0:
                yield first, last
            first = code
        last = code
    if first >= 0:
        yield first, last
