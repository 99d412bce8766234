"""Reading the extraction model's answer: JSON in, surface forms with their types out.

Models that ignore the schema still answer in one of a few layouts; all of these are read:

    {"dish_name": ["Pizza"], "place": []}                    the layout that is asked for
    {"entities": [{"text": "Pizza", "type": "dish_name"}]}   records, also as a bare list
    {"Pizza": "dish_name"}                                   surface to type, as published

What is not JSON is `unparsable`; nothing is guessed from it, and the store keeps the raw answer.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from makieval.status import Status

if TYPE_CHECKING:
    from makieval.catalog import Topic

#: Part of the extractor's fingerprint; changes when the same answer would be read differently.
PARSE_VERSION = "1"

_SURFACE_KEYS = ("text", "surface", "surface_form", "entity", "mention", "name", "value")
_TYPE_KEYS = ("type", "entity_type", "label", "category", "class")
_FENCED = re.compile(r"```[^\n`]*\n(.*?)```", re.DOTALL)
#: What no text can hold and no database should: half of a surrogate pair, and NUL.
_UNWRITABLE = re.compile("[\ud800-\udfff\0]")


class Entity(NamedTuple):
    """One surface form as the model gave it.

    `known` tells whether the topic has its type, `excluded` whether that is one which no metric
    counts (a place, a person).
    """

    surface: str
    type: str
    known: bool = True
    excluded: bool = False


@dataclass(frozen=True)
class Parsed:
    """What an answer says: `ok` with its entities in the answer's order, or `unparsable`."""

    status: Status
    entities: tuple[Entity, ...] = ()


def parse(answer: str, topic: "Topic") -> Parsed:
    """Read the model's `answer` with the entity types of `topic`; never raises.

    Types are matched by id or alias, whatever their case, spaces and hyphens; others are kept as
    the answer spells them, with `known` false.
    """
    for candidate in _candidates(answer):
        try:
            # Objects become tuples of pairs, so that a key given twice is not lost.
            value = json.loads(candidate, object_pairs_hook=tuple)
            if isinstance(value, (tuple, list)):
                return Parsed(Status.OK, tuple(_entities(cast(Any, value), None, topic)))
        except (ValueError, RecursionError):
            continue
    return Parsed(Status.UNPARSABLE)


def _candidates(answer: str) -> Iterator[str]:
    """The answer itself, what follows its thinking, and what stands in its only code fence."""
    yield answer.strip().removeprefix("\ufeff")
    spoken = answer.rpartition("</think>")[2]
    yield spoken
    blocks = _FENCED.findall(spoken)
    if len(blocks) == 1:
        yield blocks[0]


def _entities(node: Any, kind: str | None, topic: "Topic") -> Iterator[Entity]:
    """The entities below one JSON value that stands under the type `kind`, if under any.

    Raises ValueError where a surface form has no type.
    """
    if isinstance(node, tuple):
        yield from _of_object(cast(tuple[tuple[str, Any], ...], node), kind, topic)
    elif isinstance(node, list):
        items = cast(list[Any], node)
        if kind is None and len(items) == 2 and all(isinstance(item, str) for item in items):
            yield _entity(items[0], items[1], topic)
            return
        for item in items:
            yield from _entities(item, kind, topic)
    elif isinstance(node, (str, int, float)) and not isinstance(node, bool):
        if kind is None:
            raise ValueError("a surface form without a type")
        yield _entity(str(node), kind, topic)


def _of_object(
    pairs: tuple[tuple[str, Any], ...], kind: str | None, topic: "Topic"
) -> Iterator[Entity]:
    fields = {key.casefold(): value for key, value in pairs}
    surface = next((fields[key] for key in _SURFACE_KEYS if key in fields), None)
    named = next((fields[key] for key in _TYPE_KEYS if isinstance(fields.get(key), str)), kind)
    if isinstance(surface, str) and topic.find_type(surface) is None:
        if named is None:
            raise ValueError("a surface form without a type")
        yield _entity(surface, named, topic)
        return
    for key, value in pairs:
        if isinstance(value, str):
            backwards = topic.find_type(key) is not None and value not in topic.types
            yield _entity(*((value, key) if backwards else (key, value)), topic)
        elif topic.find_type(key) is not None or _lists_strings(value):
            yield from _entities(value, key, topic)
        else:
            yield from _entities(value, kind, topic)


def _lists_strings(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(x, str) for x in cast(list[Any], value))


def _entity(surface: str, kind: str, topic: "Topic") -> Entity:
    writable = _UNWRITABLE.sub("\ufffd", surface)
    known = topic.find_type(kind)
    if known is None:
        return Entity(writable, _UNWRITABLE.sub("\ufffd", kind), known=False)
    return Entity(writable, known.id, excluded=known.granularity == "excluded")
