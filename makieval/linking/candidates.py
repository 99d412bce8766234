"""The small interface between the linker and whatever it draws its knowledge from.

A source answers sets of questions and decides nothing: which item wins is settled in `choose`, on
candidates alone, so that a local snapshot and a SPARQL endpoint that hold the same facts give the
same links.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, Self

from makieval.catalog import EntityType, Topic
from makieval.status import Status

NameKind = Literal["label", "name", "alias"]
#: A label names an item best; `name` is a name whose source tells no label from an alias.
KINDS: tuple[NameKind, ...] = ("label", "name", "alias")


def number(qid: str) -> int:
    """The number in a QID, for "lowest QID first": Q5 comes before Q42."""
    return int(qid[1:])


@dataclass(frozen=True, slots=True)
class Mention:
    """A surface form found in a text of `language`, typed in a topic's vocabulary."""

    surface: str
    language: str
    topic: str
    entity_type: str


@dataclass(frozen=True, slots=True)
class Form:
    """One way to look a mention up: names in `language` (a Wikidata code) filed under `key`.

    `text` is what the key was made from, for sources that hold no keys and match literals only;
    where it is empty, the key stands for it. A source with keys never looks at it.
    """

    language: str
    key: str
    method: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Scope:
    """Which items an entity type admits: what lies under `roots`, its classes, in order.

    Where `direct`, also an item that has direct evidence for the topic as a whole. An author is
    of the topic of books, but no book's evidence makes an item an author.
    """

    topic: str
    roots: tuple[str, ...]
    direct: bool

    @classmethod
    def of(cls, topic: Topic, entity_type: EntityType) -> Self:
        """The scope of a catalog type: direct where it shares a root with its topic."""
        direct = not topic.roots.keys().isdisjoint(entity_type.roots)
        return cls(topic.id, entity_type.roots, direct)


@dataclass(frozen=True, slots=True)
class Lookup:
    """All that a source needs to know of a mention: its forms, best first, and what may fit."""

    forms: tuple[Form, ...]
    scope: Scope


@dataclass(frozen=True, slots=True)
class Candidate:
    """An item that carries a looked-up name, and why it may or may not be what was meant.

    `rank` is the place of the form that found it. `typed` is true where the item fits: then `path`
    explains it, either as QIDs from the item over P31 or P279 up to `root`, or as
    ("direct", evidence) with an empty `root`. `sitelinks` is None where unknown.
    """

    qid: str
    name: str
    language: str
    kind: NameKind
    sitelinks: int | None
    root: str
    path: tuple[str, ...]
    method: str
    typed: bool
    rank: int


@dataclass(frozen=True, slots=True)
class Failure:
    """A source could not answer a lookup, which says nothing about the mention; never NIL.

    `status` is one of `status.UNANSWERED`.
    """

    status: Status
    reason: str


def known(found: "Sequence[Candidate] | Failure") -> "Sequence[Candidate]":
    """The candidates that a source gave; none where it failed, which is no finding."""
    return () if isinstance(found, Failure) else found


@dataclass(frozen=True, slots=True)
class Statement:
    """`qid` has `value` (a QID) for `property`; `rank` is normal, preferred or deprecated."""

    qid: str
    property: str
    value: str
    rank: str


@dataclass(frozen=True, slots=True)
class Name:
    """A name of `qid` in `language`."""

    qid: str
    language: str
    kind: NameKind
    text: str


@dataclass(frozen=True, slots=True)
class Description:
    """The short description of `qid` in `language`."""

    qid: str
    language: str
    text: str


class KnowledgeSource(Protocol):
    """Where candidates and facts come from. Every method takes a batch; answers have no order.

    A source that asks others may fail: for single lookups by a `Failure` in place of candidates,
    for facts by a `ServiceError`.
    """

    @property
    def id(self) -> str:
        """Changes whenever an answer could change."""
        ...

    def candidates(self, lookups: Sequence[Lookup]) -> Sequence[Sequence[Candidate] | Failure]:
        """For each lookup, every item that carries one of its forms; an item may come twice."""
        ...

    @property
    def approximate(self) -> bool:
        """Whether `similar` searches; where not, it returns empty lists."""
        ...

    def similar(self, forms: Sequence[Form]) -> list[list[str]]:
        """For each form the other keys of its language within one edit, unordered, each once.

        An edit takes a code point away, adds one, exchanges one, or swaps two neighbours.
        """
        ...

    def statements(self, qids: Iterable[str], properties: Iterable[str]) -> list[Statement]:
        """All statements of these items with these properties, whatever their rank."""
        ...

    def names(self, qids: Iterable[str], languages: Iterable[str]) -> list[Name]:
        """All names of these items in these Wikidata languages."""
        ...

    def descriptions(self, qids: Iterable[str], languages: Iterable[str]) -> list[Description]:
        """The descriptions of these items in these Wikidata languages."""
        ...
