"""One line of a dump as a typed record, with nothing decoded that nobody wants.

The record's classes are made for the wanted languages and properties: msgspec skips every other
key without making an object of it. So reading three dozen languages and a dozen properties costs
little more than finding the end of the line.

Old dumps write an empty map as `[]` (T138104), and ids of values without their letter.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from makieval.errors import InputError

if TYPE_CHECKING:
    import msgspec

#: Bytes that surround an entity on its line: the array's brackets and commas, white space, a mark.
AROUND = b" \t\r\n,[]\xef\xbb\xbf"
RANKS = ("normal", "preferred", "deprecated")
KINDS = ("label", "alias")
_QID = re.compile(r"Q[1-9][0-9]*")


class Item(NamedTuple):
    """What is kept of an item. Languages and properties are places in the lists asked for."""

    qid: int
    sitelinks: int
    names: list[tuple[int, int, str]]  # language, kind (a place in KINDS), name
    statements: list[tuple[int, int, int]]  # property, value, rank (a place in RANKS)
    descriptions: list[tuple[int, str]]  # language, text
    modified: str


class NotAnItem(NamedTuple):
    """A property, lexeme or media file: well-formed, and of no use here."""

    type: str


Parse = Callable[[bytes], Item | NotAnItem]


class _Damaged(ValueError):
    """A line that is no entity."""


@lru_cache(maxsize=4)
def parser(codes: Sequence[str], properties: Sequence[str]) -> Parse:
    """A function from one line's entity (brackets and commas stripped) to its item.

    It raises a `ValueError` that says why where the line is no entity.
    """
    decode = _decoder(codes, properties).decode
    astuple = _msgspec().structs.astuple

    def parse(line: bytes) -> Item | NotAnItem:
        entity = decode(line)
        if entity.type != "item":
            return NotAnItem(entity.type)
        if not _QID.fullmatch(entity.id):
            raise _Damaged(f"id is {entity.id!r}")
        names: list[tuple[int, int, str]] = []
        if entity.labels:
            names += [
                (at, 0, label.value) for at, label in enumerate(astuple(entity.labels)) if label
            ]
        if entity.aliases:
            names += [
                (at, 1, alias.value)
                for at, aliases in enumerate(astuple(entity.aliases))
                if aliases
                for alias in aliases
            ]
        texts = astuple(entity.descriptions) if entity.descriptions else ()
        return Item(
            qid=int(entity.id[1:]),
            sitelinks=len(entity.sitelinks),
            names=names,
            statements=list(_statements(astuple(entity.claims))) if entity.claims else [],
            descriptions=[(at, text.value) for at, text in enumerate(texts) if text],
            modified=entity.modified,
        )

    return parse


def _statements(claims: Sequence[Any]) -> Iterator[tuple[int, int, int]]:
    """(property, value, rank) of what names an item; no value and unknown value are left out."""
    for at, statements in enumerate(claims):
        for statement in statements or ():
            snak = statement.mainsnak
            if snak.snaktype != "value" or snak.datavalue is None:
                continue
            value = snak.datavalue.value
            if isinstance(value, str | int | float):
                continue
            if value.id is not None:
                if _QID.fullmatch(value.id):
                    yield at, int(value.id[1:]), RANKS.index(statement.rank)
            elif value.numeric is not None and value.kind == "item":
                yield at, value.numeric, RANKS.index(statement.rank)


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
        "EntityId",
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
