"""What of Wikidata a snapshot is to hold: topics, languages and properties, checked and named.

The same choice filters a dump, is written into the snapshot's manifest, and is read back from
there when the snapshot is updated.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self

from makieval import catalog
from makieval.errors import InputError
from makieval.linking.candidates import number
from makieval.linking.linker import name_languages

CLASS_PROPERTIES = ("P31", "P279")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A checked choice; make it with `of`. Topics and languages are the catalog's ids.

    `properties` are kept beyond those that origins need. `without` are classes (QIDs) whose
    instances are left out, subclasses included: for a large class under a topic's roots that is
    not wanted (scholarly articles may be one).
    """

    topics: tuple[str, ...]
    languages: tuple[str, ...]
    properties: tuple[str, ...] = ()
    without: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        topics: Iterable[str] | None = None,
        languages: Iterable[str] | None = None,
        properties: Iterable[str] = (),
        without: Iterable[str] = (),
    ) -> Self:
        """All topics and languages where None is given; an `InputError` for what is unknown."""
        known_topics, known_languages = catalog.topics(), catalog.languages()
        asked_topics = {catalog.topic(topic).id for topic in topics or known_topics}
        asked = {catalog.language(code).code for code in languages or known_languages}
        return cls(
            topics=tuple(topic for topic in known_topics if topic in asked_topics),
            languages=tuple(code for code in known_languages if code in asked),
            properties=_ids("property", "P", properties),
            without=_ids("class", "Q", without),
        )

    @classmethod
    def recorded(cls, record: Mapping[str, Any]) -> Self:
        """The choice that a snapshot's manifest holds (see `record`)."""
        return cls(**{name: tuple(values) for name, values in record.items()})

    def record(self) -> dict[str, list[str]]:
        """The choice as plain lists, for a manifest."""
        return {name: list(values) for name, values in asdict(self).items()}

    @property
    def codes(self) -> tuple[str, ...]:
        """The Wikidata languages whose names are kept: the chains, `mul` and `en` included."""
        known = catalog.languages()
        chains = [name_languages(known[code]) for code in self.languages]
        return tuple(sorted({code for chain in chains for code in chain}))

    @property
    def own(self) -> tuple[str, ...]:
        """Properties of the items of a topic itself: where they come from, and who made them."""
        legs = {path.split("/")[0] for path, creator in self._origins() if not creator}
        return tuple(sorted({*legs, *self.properties}, key=number))

    @property
    def creators(self) -> tuple[str, ...]:
        """Properties of those who made them: where they come from."""
        legs = {path.rsplit("/", 1)[-1] for path, creator in self._origins() if creator}
        legs |= {path.split("/")[1] for path, _ in self._origins() if "/" in path}
        return tuple(sorted(legs, key=number))

    @property
    def read(self) -> tuple[str, ...]:
        """Every property that is read, in a fixed order."""
        rest = sorted({*self.own, *self.creators} - {*CLASS_PROPERTIES}, key=number)
        return (*CLASS_PROPERTIES, *rest)

    def roots(self) -> list[tuple[str, str, bool]]:
        """(topic, root, whether it is a class of creators), for every root of every topic."""
        return [
            (topic, root, root not in catalog.topic(topic).roots)
            for topic in self.topics
            for root in sorted(catalog.topic(topic).all_roots, key=number)
        ]

    def _origins(self) -> Iterator[tuple[str, bool]]:
        """Every origin path, and whether it starts at a creator."""
        for topic in map(catalog.topic, self.topics):
            for entity_type in topic.types.values():
                creator = topic.roots.keys().isdisjoint(entity_type.roots)
                yield from ((path, creator) for path in entity_type.origin)


def _ids(kind: str, letter: str, values: Iterable[str]) -> tuple[str, ...]:
    found: Sequence[str] = sorted(set(values))
    for value in found:
        if not re.fullmatch(rf"{letter}[1-9][0-9]*", value):
            raise InputError(f"unknown {kind} {value!r} (must be like {letter}31)")
    return tuple(sorted(found, key=number))
