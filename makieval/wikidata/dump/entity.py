"""One line of a dump as a typed record, with nothing decoded that nobody wants.

The record's classes are made for the wanted languages and properties: msgspec skips every other
key without making an object of it. So reading three dozen languages and a dozen properties costs
little more than finding the end of the line.

Old dumps write an empty map as `[]` (T138104), and ids of values without their letter.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, compress
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from makieval.errors import InputError

if TYPE_CHECKING:
    import msgspec

#: Bytes that surround an entity on its line: the array's brackets and commas, white space, a mark.
AROUND = b" \t\r\n,[]\xef\xbb\xbf"
RANKS = ("normal", "preferred", "deprecated")
_RANK = {rank: at for at, rank in enumerate(RANKS)}
KINDS = ("label", "alias")
_ENTITY_ID = "EntityId"
_QID = re.compile(r"Q[1-9][0-9]*")


#: Texts by language, as two columns; a language is its place in the list asked for.
Texts = tuple[list[int], list[str]]


class Item(NamedTuple):
    """What is kept of an item. `statements` are columns too: property, value, rank, as places."""

    qid: int
    sitelinks: int
    labels: Texts
    aliases: Texts
    descriptions: Texts
    statements: tuple[list[int], list[int], list[int]]
    modified: str


class NotAnItem(NamedTuple):
    """A property, lexeme or media file: well-formed, and of no use here."""

    type: str


Parse = Callable[[bytes | memoryview], Item | NotAnItem]


class _Damaged(ValueError):
    """A line that is no entity."""


@lru_cache(maxsize=4)
def parser(codes: Sequence[str], properties: Sequence[str]) -> Parse:
    """A function from one line's entity (brackets and commas stripped) to its item.

    It raises a `ValueError` or `LookupError` that says why where the line is no entity.
    """
    decode = _decoder(codes, properties).decode
    astuple = _msgspec().structs.astuple
    places = range(len(codes))
    text: Callable[[Any], str] = attrgetter("value")

    def texts(record: Any) -> Texts:
        if not record:
            return [], []
        found: Sequence[Any] = astuple(record)
        given: Iterator[Any] = filter(None, found)
        return list(compress(places, found)), list(map(text, given))

    def aliases(record: Any) -> Texts:
        if not record:
            return [], []
        found: Sequence[Any] = astuple(record)
        languages = [at for at in compress(places, found) for _ in found[at]]
        return languages, list(map(text, chain.from_iterable(filter(None, found))))

    def parse(line: bytes | memoryview) -> Item | NotAnItem:
        entity = decode(line)
        if entity.type != "item":
            return NotAnItem(entity.type)
        if not _QID.fullmatch(entity.id):
            raise _Damaged(f"id is {entity.id!r}")
        return Item(
            int(entity.id[1:]),
            len(entity.sitelinks),
            texts(entity.labels),
            aliases(entity.aliases),
            texts(entity.descriptions),
            _statements(astuple(entity.claims) if entity.claims else ()),
            entity.modified,
        )

    return parse


def _statements(claims: Sequence[Any]) -> tuple[list[int], list[int], list[int]]:
    """What names an item; no value and unknown value are left out."""
    properties: list[int] = []
    values: list[int] = []
    ranks: list[int] = []
    for at, statements in enumerate(claims):
        if not statements:
            continue
        for statement in statements:
            snak = statement.mainsnak
            if snak.snaktype == "value" and snak.datavalue is not None:
                value = snak.datavalue.value
                named = value.__class__.__name__ == _ENTITY_ID and (value.id or _old(value))
                if named and named[0] == "Q":
                    properties.append(at)
                    values.append(int(named[1:]))
                    ranks.append(_RANK[statement.rank])
    return properties, values, ranks


def _old(value: Any) -> str | None:
    """The id of an item as old dumps write it: as a number."""
    return f"Q{value.numeric}" if value.kind == "item" and value.numeric else None


def _msgspec() -> Any:
    try:
        import msgspec
    except ImportError:
        raise InputError("reading a dump needs more: pip install 'makieval[dump]'") from None
    return msgspec


def _decoder(codes: Sequence[str], properties: Sequence[str]) -> "msgspec.json.Decoder[Any]":
    """A decoder of entities made to measure."""
    m = _msgspec()

    def record(name: str, fields: Sequence[Any], renamed: Mapping[str, str] | None = None) -> Any:
        return m.defstruct(name, fields, rename=renamed, gc=False)

    def by_language(name: str, type_: Any) -> Any:
        own = {f"l{at}": code for at, code in enumerate(codes)}
        return record(name, [(field, type_ | None, None) for field in own], own)

    nothing = list[None]
    value = record("Value", [("value", str)])
    entity_id = record(
        _ENTITY_ID,
        [("id", str | None, None), ("numeric", int | None, None), ("kind", str, "item")],
        {"numeric": "numeric-id", "kind": "entity-type"},
    )
    data_value = record("DataValue", [("value", entity_id | str | int | float)])
    snak = record("Snak", [("snaktype", str), ("datavalue", data_value | None, None)])
    statement = record("Statement", [("mainsnak", snak), ("rank", str, "normal")])
    texts = by_language("Texts", value)
    aliases = by_language("Aliases", list[value])
    claims = record("Claims", [(pid, list[statement] | None, None) for pid in properties])
    entity = record(
        "Entity",
        [
            ("id", str),
            ("type", str),
            ("labels", texts | nothing, None),
            ("descriptions", texts | nothing, None),
            ("aliases", aliases | nothing, None),
            ("claims", claims | nothing, None),
            ("sitelinks", dict[str, m.Raw] | nothing, ()),
            ("modified", str, ""),
        ],
    )
    return m.json.Decoder(entity)
