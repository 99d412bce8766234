"""The dictionary extractor: finds in a text the names that the snapshot knows, without a model.

A baseline. It knows no context, so it takes the longest name at each place, from left to right,
and gives it the first entity type, in the catalog's order, under whose roots an item of that name
lies. What it finds is what the linker could link.

Names are compared by the key under which the snapshot files them (`linking/normalise.py`). A name
starts and ends with a word; in scripts without spaces, between any two characters. Where a
language writes particles into the word, the name may leave them out (`data/gazetteer.toml`).
"""

import re
import tomllib
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Protocol

from makieval.catalog import languages, topics
from makieval.extraction.boundaries import begins_word, is_boundary
from makieval.extraction.ground import GroundedMention
from makieval.fingerprint import fingerprint
from makieval.linking import normalise
from makieval.status import Status

if TYPE_CHECKING:
    from makieval.catalog import Language, Topic

#: Part of the extractor's fingerprint; changes when the same names would be found otherwise.
GAZETTEER_VERSION = "1"
#: Shorter names say too little without their context; in Han, that leaves out single characters.
SHORTEST_NAME = 2

_SENTENCE_START = re.compile(r"(?:^|[.!?…:\n])[\s\"'“”„«»¿¡(]*\Z")


class NameSource(Protocol):
    """What the gazetteer needs of a snapshot."""

    @property
    def id(self) -> str:
        """Changes whenever a name or its types could change."""
        ...

    def dictionary(self, topic: str, languages: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """Key of a name in these Wikidata languages → the entity types that it may have."""
        ...


class Gazetteer:
    """Extracts by the names of `source`; keeps one dictionary per topic and language."""

    def __init__(self, source: NameSource) -> None:
        self._source = source
        self._dictionaries: dict[tuple[str, str], _Dictionary] = {}

    @cached_property
    def fingerprint(self) -> str:
        """The extractor's part of an extraction key: rules, keys, roots, languages, names."""
        fields = {
            "gazetteer": GAZETTEER_VERSION,
            "rules": _rules(),
            "keys": normalise.VERSION,
            "source": self._source.id,
            "languages": {code: name_languages(each) for code, each in languages().items()},
            "roots": {
                f"{topic.id}.{kind.id}": list(kind.roots)
                for topic in topics().values()
                for kind in topic.types.values()
            },
        }
        return fingerprint("extractor", fields)

    def extract(
        self, texts: Sequence[tuple[str, "Topic", "Language"]]
    ) -> list[list[GroundedMention]]:
        """The mentions of each text, in text order; offsets in code points of its NFC form."""
        return [self._dictionary(topic, language).mentions(text) for text, topic, language in texts]

    def _dictionary(self, topic: "Topic", language: "Language") -> "_Dictionary":
        asked = topic.id, language.code
        if asked not in self._dictionaries:
            names = self._source.dictionary(topic.id, name_languages(language))
            self._dictionaries[asked] = _Dictionary.of(names, language.code)
        return self._dictionaries[asked]


def name_languages(language: "Language") -> list[str]:
    """The Wikidata languages whose names a text in `language` is searched for.

    English names only where the script differs: in a German text "Gift" is poison.
    """
    foreign = [] if language.script == "Latn" else ["en"]
    return [*language.chain, "mul", *foreign]


@dataclass(frozen=True)
class _Dictionary:
    """The names of one topic in one language; `longest` name per first character of a key."""

    types: dict[str, tuple[str, ...]]
    longest: dict[str, int]
    language: str

    @classmethod
    def of(cls, names: dict[str, tuple[str, ...]], language: str) -> "_Dictionary":
        fit = {
            key: kinds
            for key, kinds in names.items()
            if len(key) >= SHORTEST_NAME and any(map(str.isalpha, key))
        }
        longest: dict[str, int] = {}
        for key in fit:
            longest[key[0]] = max(longest.get(key[0], 0), len(key))
        return cls(fit, longest, language)

    def mentions(self, text: str) -> list[GroundedMention]:
        normal = unicodedata.normalize("NFC", text)
        starts, ends = _edges(normal, self.language)
        found: list[GroundedMention] = []
        free_from = 0
        for start in starts:
            if start < free_from:
                continue
            for end in self._ends(normal, start, ends):
                kind = self._kind(normal, start, end)
                if kind is not None:
                    surface = normal[start:end]
                    place = len(found), surface, kind, Status.GROUNDED, start, end
                    found.append(GroundedMention(*place))
                    free_from = end
                    break
        return found

    def _ends(self, text: str, start: int, ends: Sequence[int]) -> Iterator[int]:
        """Where a name that starts at `start` may end, furthest first."""
        heads = {key[:1] for key in self._keys(text[start])}
        reach = start + max((self.longest.get(head, 0) for head in heads), default=0)
        return reversed(ends[bisect_right(ends, start) : bisect_right(ends, reach)])

    def _keys(self, window: str) -> tuple[str, ...]:
        """Names in the text's language and in others differ by the Turkish dotless i."""
        own = normalise.key(window, self.language)
        return own, normalise.key(own, "en")

    def _kind(self, text: str, start: int, end: int) -> str | None:
        """The first type that the window may have as it is written there."""
        window = text[start:end]
        for key in self._keys(window):
            for kind in self.types.get(key, ()):
                if kind not in _rules()["proper"] or _is_proper(text, start, window):
                    return kind
        return None


def _is_proper(text: str, start: int, window: str) -> bool:
    """Whether `window` is written as a proper name, as far as its script tells.

    A single word at the start of a sentence does not count: its capital says nothing ("It rained").
    """
    first = window[0]
    if first.upper() == first.lower():
        return True
    if not first.isupper():
        return False
    return " " in window or not _SENTENCE_START.search(text[max(0, start - 20) : start])


def _edges(text: str, language: str) -> tuple[list[int], list[int]]:
    """Where names may start and where they may end, both ascending."""
    places = [at for at in range(len(text) + 1) if is_boundary(text, at)]
    words = [at for at in places if begins_word(text, at)]
    starts = {at for at in words if at < len(text) and text[at].isalnum()}
    ends = {at for at in words if at > 0 and _closes(text[at - 1])}
    rules = _rules()
    inner = set(places)
    for start in list(starts):
        for clitic in rules["before"].get(language, ()):
            if text.startswith(clitic, start):
                starts.add(start + len(clitic))
    for end in list(ends):
        for particle in rules["after"].get(language, ()):
            if text.endswith(particle, 0, end):
                ends.add(end - len(particle))
    return sorted(starts & inner), sorted(ends & inner)


def _closes(char: str) -> bool:
    return char.isalnum() or unicodedata.category(char).startswith("M")


@cache
def _rules() -> dict[str, Any]:
    data = files("makieval.extraction") / "data" / "gazetteer.toml"
    return tomllib.loads(data.read_text("utf-8"))
