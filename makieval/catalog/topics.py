"""The six topics: what is extracted from a text, what it may be linked to, where it comes from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

from makieval.catalog.tables import frozen, lookup, read

Granularity = Literal["specific", "category", "excluded"]


@dataclass(frozen=True, slots=True)
class EntityType:
    """One kind of mention that an extractor may report.

    `granularity` is `specific` (1), `category` (0) or `excluded` (counted by no metric). A mention
    may link to what lies under one of `roots` (QIDs; none for an excluded type). `origin` holds
    property paths (`P50/P27`: the author's citizenship); the first that yields a country wins.
    `aliases` are further spellings, lower case with single spaces.
    """

    id: str
    granularity: Granularity
    roots: tuple[str, ...]
    origin: tuple[str, ...]
    aliases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Topic:
    """One topic of the benchmark: `number` and `scene` as published, `roots` as QID → label.

    `creators` are the classes of people and groups, beside the published roots, that its types
    may link to. `types` holds every entity type by id.
    """

    id: str
    number: int
    english: str
    scene: str
    roots: Mapping[str, str] = field(hash=False)
    creators: Mapping[str, str] = field(hash=False)
    types: Mapping[str, EntityType] = field(hash=False)

    @property
    def all_roots(self) -> Mapping[str, str]:
        """QID → label of every class that some type of this topic may link to."""
        return frozen({**self.roots, **self.creators})

    def find_type(self, spelling: str) -> EntityType | None:
        """The entity type that a model's `spelling` means (`name of author`: `author_name`)."""
        words = _words(spelling)
        for entity_type in self.types.values():
            if words == _words(entity_type.id) or words in entity_type.aliases:
                return entity_type
        return None


def _words(spelling: str) -> str:
    return " ".join(spelling.casefold().replace("_", " ").replace("-", " ").split())


def _entity_type(key: str, fields: Mapping[str, Any]) -> EntityType:
    lists = {name: tuple(fields.get(name, ())) for name in ("roots", "origin", "aliases")}
    return EntityType(id=key, granularity=fields["granularity"], **lists)


def _topic(key: str, fields: Mapping[str, Any]) -> Topic:
    types = {name: _entity_type(name, entry) for name, entry in fields["types"].items()}
    return Topic(
        id=key,
        number=fields["number"],
        english=fields["english"],
        scene=fields["scene"],
        roots=frozen(fields["roots"]),
        creators=frozen(fields.get("creators", {})),
        types=frozen(types),
    )


@cache
def topics() -> Mapping[str, Topic]:
    """Every topic by its id, in the published order."""
    return frozen({key: _topic(key, fields) for key, fields in read("topics")["topics"].items()})


def topic(value: str) -> Topic:
    """The topic with this id; else a `CatalogError` with what is allowed and the nearest match."""
    return lookup("topic", value, topics(), read("topics")["mistakes"])
