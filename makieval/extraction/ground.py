"""Grounding: a surface form counts only where the text really has it.

Models translate, correct and invent; a mention that does not stand in the text is dropped and
counted. What is kept is the text's own slice, with its place, so that every figure can be traced
to the characters behind it. Offsets are code points of the text in NFC.
"""

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from makieval.extraction.boundaries import begins_word, is_boundary
from makieval.extraction.parse import Entity
from makieval.status import Status

#: Part of the extractor's fingerprint; changes when the same entities would be grounded otherwise.
GROUND_VERSION = "1"
#: Longer surface forms are sentences, not names.
LONGEST_SURFACE = 120

_QUOTES = (
    "“”",
    "„“",
    "„”",
    "»«",
    "«»",
    "‘’",
    "‚‘",
    "《》",
    "〈〉",
    "「」",
    "『』",
    "【】",
    '""',
    "''",
)
_FOLDED = {
    **dict.fromkeys(map(ord, "’‘‚ʼ`´＇"), "'"),
    **dict.fromkeys(map(ord, "“”„«»"), '"'),
    **dict.fromkeys(map(ord, "‐‑‒–—"), "-"),
    **dict.fromkeys(map(ord, "İı"), "i"),
}
_IGNORED = frozenset("\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff")


@dataclass(frozen=True)
class GroundedMention:
    """One surface form with its place, in the order of the answer; no place unless it stands there.

    `surface` is `text[start:end]` of the NFC text where there is a place, else what the model gave.
    """

    ordinal: int
    surface: str
    type: str
    status: Status
    start: int | None
    end: int | None


def ground(text: str, entities: Iterable[Entity]) -> list[GroundedMention]:
    """Find each entity in `text`; one mention per entity, in the same order.

    An entity takes the first free occurrence: as written before any other spelling (case, width,
    spaces, quotation marks, hyphens), then one that overlaps no other mention, then a whole word.
    Longer surface forms choose first, then places and people (small models list them as dishes
    too), then what is listed first. No two mentions share a place, so that a name listed more
    often than it occurs, or under two types, is `ungrounded` from then on. An unknown type is
    located, takes no place, and stays `unknown_type`.
    """
    normal = unicodedata.normalize("NFC", text)
    listed = [entity._replace(surface=_trimmed(entity.surface)) for entity in entities]
    folded = _Folded(normal)
    taken: set[tuple[int, int]] = set()
    places: dict[int, tuple[int, int]] = {}
    for index, entity in sorted(enumerate(listed), key=_turn):
        place = folded.place(entity.surface, taken)
        if place is not None:
            places[index] = place
            if entity.known:
                taken.add(place)
    return [
        _mention(normal, ordinal, entity, places.get(ordinal))
        for ordinal, entity in enumerate(listed)
    ]


def _turn(indexed: tuple[int, Entity]) -> tuple[int, bool, int]:
    index, entity = indexed
    return -len(entity.surface), not entity.excluded, index


def _mention(
    text: str, ordinal: int, entity: Entity, place: tuple[int, int] | None
) -> GroundedMention:
    if place is None:
        return GroundedMention(
            ordinal, entity.surface, entity.type, Status.UNGROUNDED, start=None, end=None
        )
    start, end = place
    status = Status.GROUNDED if entity.known else Status.UNKNOWN_TYPE
    return GroundedMention(ordinal, text[start:end], entity.type, status, start, end)


def _trimmed(surface: str) -> str:
    """`surface` in NFC without the spaces, invisible signs and one pair of quotes around it."""
    edges = "".join(_IGNORED)
    bare = unicodedata.normalize("NFC", surface).strip().strip(edges).strip()
    if len(bare) > 2 and bare[0] + bare[-1] in _QUOTES:
        return bare[1:-1].strip()
    return bare


def _fold(char: str) -> str:
    """One code point without what a copyist changes: case, width, kind of quote, hidden signs."""
    if char in _IGNORED:
        return ""
    wide = unicodedata.normalize("NFKC", char.translate(_FOLDED))
    return "".join(" " if c.isspace() else c.translate(_FOLDED) for c in wide.casefold())


class _Folded:
    """A text in its folded spelling, and where each folded character came from."""

    def __init__(self, text: str) -> None:
        self.text = text
        letters: list[str] = []
        self.origin: list[int] = []
        for index, char in enumerate(text):
            for letter in _fold(char):
                if letter == " " and letters and letters[-1] == " ":
                    continue
                letters.append(letter)
                self.origin.append(index)
        self.folded = "".join(letters)

    def place(self, surface: str, taken: set[tuple[int, int]]) -> tuple[int, int] | None:
        """The occurrence that `surface` takes, or None."""
        if len(surface) > LONGEST_SURFACE or not any(map(str.isalnum, surface)):
            return None
        free = [place for place in self._occurrences(surface) if place not in taken]

        def preference(place: tuple[int, int]) -> tuple[bool, bool, bool, int]:
            start, end = place
            exact = self.text[start:end] == surface
            overlaps = any(start < other_end and other < end for other, other_end in taken)
            return not exact, overlaps, not self._is_word(start, end), start

        return min(free, key=preference, default=None)

    def _occurrences(self, surface: str) -> Iterator[tuple[int, int]]:
        needle = " ".join("".join(map(_fold, surface)).split())
        at = self.folded.find(needle)
        while at >= 0:
            place = self._whole(at, at + len(needle))
            if place is not None:
                yield place
            at = self.folded.find(needle, at + 1)

    def _whole(self, first: int, last: int) -> tuple[int, int] | None:
        """The span of the text behind folded[first:last], if it cuts no character or word."""
        start, end = self.origin[first], self.origin[last - 1] + 1
        if first > 0 and self.origin[first - 1] == start:
            return None
        if last < len(self.origin) and self.origin[last] == end - 1:
            return None
        if not (is_boundary(self.text, start) and is_boundary(self.text, end)):
            return None
        return (start, end) if self._touches_edge(start, end) else None

    def _is_word(self, start: int, end: int) -> bool:
        return begins_word(self.text, start) and begins_word(self.text, end)

    def _touches_edge(self, start: int, end: int) -> bool:
        """False for what lies deep inside a word of a cased script: no "tea" in "steak"."""
        if self.text[start].lower() == self.text[start].upper():
            return True
        return begins_word(self.text, start) or begins_word(self.text, end)
