"""Values of properties for items that are already reconciled (API 0.2, "Data Extension Service").

Besides properties of Wikidata, `label` and `description` give an item's texts in the language.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from makieval.linking.candidates import KnowledgeSource, number
from makieval.service.batches import Column, Extension
from makieval.service.suggest import TEXTS, property_record
from makieval.service.texts import Text, Texts

_RANKS = {"preferred": 0, "normal": 1, "deprecated": 2}

#: The settings of a column, as the manifest tells them.
SETTINGS: Sequence[Mapping[str, Any]] = (
    {
        "name": "limit",
        "label": "Limit",
        "type": "number",
        "default": 0,
        "help_text": "At most so many values per item (0: all)",
    },
    {
        "name": "rank",
        "label": "Ranks",
        "type": "select",
        "default": "best",
        "help_text": "Which statements count",
        "choices": [
            {"value": "best", "name": "Only the best rank"},
            {"value": "any", "name": "Any rank"},
        ],
    },
    {
        "name": "count",
        "label": "Count",
        "type": "checkbox",
        "default": False,
        "help_text": "The number of values in their place",
    },
)


def extend(
    source: KnowledgeSource, texts: Texts, wanted: Extension, language: str
) -> dict[str, Any]:
    """The data extension response: a row per id asked for, empty where nothing is known of it."""
    values = _values(source, wanted)
    named = {value for many in values.values() for value, _ in many}
    known = texts.of((*wanted.ids, *sorted(named, key=number)), language)
    return {
        "meta": [property_record(column.property) for column in wanted.columns],
        "rows": {
            qid: {
                column.property: _cells(values[qid, column.property], column, qid, known)
                for column in wanted.columns
            }
            for qid in wanted.ids
        },
    }


def _values(
    source: KnowledgeSource, wanted: Extension
) -> dict[tuple[str, str], list[tuple[str, str]]]:
    """(QID, property) → (value, rank), best rank first, then the lowest QID."""
    asked = {column.property for column in wanted.columns} - TEXTS.keys()
    values: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    if asked:
        for one in source.statements(wanted.ids, asked):
            values[one.qid, one.property].append((one.value, one.rank))
    for many in values.values():
        many.sort(key=lambda one: (_RANKS[one[1]], number(one[0])))
    return values


def _cells(
    values: Sequence[tuple[str, str]], column: Column, qid: str, known: Mapping[str, Text]
) -> list[dict[str, Any]]:
    if column.property in TEXTS:
        text = getattr(known[qid], column.property) if qid in known else ""
        cells: list[dict[str, Any]] = [{"str": text}] if text else []
    else:
        cells = [_item(value, known) for value in _ranked(values, column)]
    if column.count:
        return [{"int": len(cells)}]
    return cells[: column.limit or None]


def _ranked(values: Sequence[tuple[str, str]], column: Column) -> list[str]:
    """All values, or those of the best rank; deprecated ones only among all."""
    best = next((rank for _, rank in values if rank != "deprecated"), None)
    return list(dict.fromkeys(value for value, rank in values if column.any_rank or rank == best))


def _item(qid: str, known: Mapping[str, Text]) -> dict[str, str]:
    return {"id": qid, "name": known[qid].label if qid in known else qid}
