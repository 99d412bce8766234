"""What a client of the reconciliation API sends, read and checked: queries and data extensions.

Entity Reconciliation API 0.2 (W3C community report of 10 April 2023), sections "Reconciliation
Queries" and "Data Extension Service". A mistake is one line that names the query and the field.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from makieval.service.refused import bad, too_much

MAX_QUERIES = 200
MAX_TEXT = 500
MAX_LIMIT = 100
MAX_IDS = 1_000
MAX_PROPERTIES = 50
DEFAULT_LIMIT = 10


@dataclass(frozen=True, slots=True)
class Wanted:
    """A property that an item should have with one of these values: QIDs, or texts as they came."""

    property: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Query:
    """One reconciliation query; no `text` where the client gave properties alone."""

    text: str | None
    types: tuple[str, ...]
    limit: int
    properties: tuple[Wanted, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """A property to fetch; at most `limit` values (0: all), of every rank or of the best."""

    property: str
    limit: int
    any_rank: bool
    count: bool


@dataclass(frozen=True, slots=True)
class Extension:
    """A data extension query."""

    ids: tuple[str, ...]
    columns: tuple[Column, ...]


def queries(text: str) -> dict[str, Query]:
    """The batch in the parameter `queries`, in its own order."""
    batch = _object(_json(text, "queries"), "queries")
    if len(batch) > MAX_QUERIES:
        raise too_much(f"{len(batch)} queries in one batch; at most {MAX_QUERIES}")
    return {name: _query(value, f"query {name!r}") for name, value in batch.items()}


def extension(text: str) -> Extension:
    """The query in the parameter `extend`."""
    told = _object(_json(text, "extend"), "extend")
    ids = [_text(value, "extend: ids") for value in _list(told.get("ids"), "extend: ids")]
    columns = _list(told.get("properties"), "extend: properties")
    if len(ids) > MAX_IDS or len(columns) > MAX_PROPERTIES:
        raise too_much(
            f"extend: {len(ids)} ids and {len(columns)} properties; at most {MAX_IDS} and"
            f" {MAX_PROPERTIES}"
        )
    return Extension(tuple(dict.fromkeys(ids)), tuple(map(_column, columns)))


def _query(value: Any, where: str) -> Query:
    told = _object(value, where)
    text = told.get("query")
    if text is not None:
        text = _text(text, f"{where}: 'query'").strip()
    wanted = tuple(
        _wanted(one, where) for one in _list(told.get("properties", []), f"{where}: 'properties'")
    )
    if not text and not wanted:
        raise bad(f"{where}: needs a non-empty 'query' or 'properties'")
    return Query(
        text or None,
        tuple(_id(one, f"{where}: 'type'") for one in _several(told.get("type"))),
        _limit(told.get("limit", DEFAULT_LIMIT), where),
        wanted,
    )


def _wanted(value: Any, where: str) -> Wanted:
    told = _object(value, f"{where}: 'properties'")
    return Wanted(
        _text(told.get("pid"), f"{where}: 'pid'"),
        tuple(_value(one, f"{where}: 'v'") for one in _several(told.get("v"))),
    )


def _value(value: Any, where: str) -> str:
    if isinstance(value, bool | int | float):
        return json.dumps(value)
    return _id(value, where)


def _id(value: Any, where: str) -> str:
    """An id, alone or as the `id` of an object."""
    if isinstance(value, dict):
        value = cast(dict[str, Any], value).get("id")
    return _text(value, where)


def _column(value: Any) -> Column:
    told = _object(value, "extend: properties")
    settings = _object(told.get("settings") or {}, "extend: settings")
    return Column(
        _text(told.get("id"), "extend: 'id' of a property"),
        _whole(settings.get("limit", 0), "extend: setting 'limit'"),
        settings.get("rank") == "any",
        settings.get("count") in (True, "true", "on"),
    )


def _limit(value: Any, where: str) -> int:
    limit = _whole(value, f"{where}: 'limit'")
    if limit < 1:
        raise bad(f"{where}: 'limit' {limit} is not a positive number")
    return min(limit, MAX_LIMIT)


def _whole(value: Any, where: str) -> int:
    """A whole number, also as the text that a form sends."""
    try:
        if isinstance(value, bool) or float(value) != int(float(value)):
            raise ValueError
        return int(float(value))
    except (TypeError, ValueError, OverflowError):
        raise bad(f"{where}: {value!r} is not a whole number") from None


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str) or not value:
        raise bad(f"{where}: a non-empty text is needed")
    if len(value) > MAX_TEXT:
        raise too_much(f"{where}: {len(value)} characters; at most {MAX_TEXT}")
    return value


def _several(value: Any) -> Sequence[Any]:
    """A list, or the list of one value; empty for none."""
    if isinstance(value, list):
        return cast(list[Any], value)
    return [] if value is None or value == "" else [value]


def _list(value: Any, where: str) -> Sequence[Any]:
    if not isinstance(value, list):
        raise bad(f"{where}: a list is needed")
    return cast(list[Any], value)


def _object(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise bad(f"{where}: a JSON object is needed")
    return cast(dict[str, Any], value)


def _json(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise bad(f"{where}: not JSON") from None
