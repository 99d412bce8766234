"""Auto-completion of items, types and properties (API 0.2, section "Suggest Services")."""

import re
from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

from makieval import catalog
from makieval.linking import normalise
from makieval.linking.linker import name_languages
from makieval.service.reconcile import types
from makieval.service.texts import Text, Texts
from makieval.wikidata import Snapshot

PAGE = 20
_QID = re.compile("[Qq][1-9][0-9]*")
#: Properties of any item, which no statement gives.
TEXTS = {"label": "label", "description": "description"}


@cache
def property_labels() -> Mapping[str, str]:
    """English labels of frequent properties; others are shown by their id."""
    rows = files("makieval.service").joinpath("data", "properties.tsv").read_text("utf-8")
    return dict(row.split("\t") for row in rows.splitlines()[1:])


class Suggester:
    """Suggestions out of a snapshot, in pages of `PAGE`."""

    def __init__(self, snapshot: Snapshot, texts: Texts) -> None:
        self._snapshot = snapshot
        self._texts = texts

    def items(self, prefix: str, skipped: int, language: str) -> dict[str, Any]:
        """Items by the beginning of a name, or by QID; the description tells namesakes apart."""
        names: dict[str, str] = {}
        if _QID.fullmatch(prefix.strip()) and not skipped:
            qid = prefix.strip().upper()
            names = {one: text.label for one, text in self._texts.of([qid], language).items()}
        chain = name_languages(catalog.language(language))
        found = self._snapshot.starting(prefix, chain, PAGE, skipped) if prefix.strip() else []
        names |= {one.qid: one.text for one in found if one.qid not in names}
        texts = self._texts.of(names, language)
        return {"result": [_item(qid, name, texts[qid]) for qid, name in names.items()]}

    def types(self, prefix: str, skipped: int) -> dict[str, Any]:
        """Topics and entity types by the beginning of their id, name, or a word of it."""
        return _page(types(), prefix, skipped)

    def properties(self, prefix: str, skipped: int) -> dict[str, Any]:
        """Properties that some item has, by the beginning of their id, label, or a word of it."""
        return _page(self.known, prefix, skipped)

    def proposed(self, type_id: str, limit: int | None) -> dict[str, Any]:
        """What can be fetched for items of a type: what tells their origin first."""
        topic_id, _, kind = type_id.partition(".")
        topic = catalog.topics().get(topic_id)
        kinds = [one for one in topic.types.values() if kind in ("", one.id)] if topic else []
        steps = (step for one in kinds for path in one.origin for step in path.split("/")[:1])
        first = dict.fromkeys((*TEXTS, *steps))
        known = {one["id"]: one for one in self.known}
        ordered = [known[one] for one in first if one in known]
        ordered += [one for one in self.known if one["id"] not in first]
        answer: dict[str, Any] = {"type": type_id, "properties": ordered[:limit]}
        return answer | ({} if limit is None else {"limit": limit})

    @cached_property
    def known(self) -> list[dict[str, str]]:
        """Every property that can be fetched, the most frequent first."""
        ids = self._snapshot.properties()
        return [property_record(one) for one in (*TEXTS, *ids)]


def property_record(property_id: str) -> dict[str, str]:
    """A property as the API wants it."""
    label = {**TEXTS, **property_labels()}.get(property_id, property_id)
    return {"id": property_id, "name": label}


def _item(qid: str, name: str, text: Text) -> dict[str, str]:
    """The label, with the name that was typed where it is another."""
    same = normalise.key(text.label, "en") == normalise.key(name, "en")
    shown = text.label if same else f"{text.label} ({name})"
    return {"id": qid, "name": shown} | (
        {"description": text.description} if text.description else {}
    )


def _page(records: Iterable[dict[str, str]], prefix: str, skipped: int) -> dict[str, Any]:
    begun = prefix.strip().casefold()
    found = [one for one in records if _begins(one, begun)]
    return {"result": found[skipped : skipped + PAGE]}


def _begins(record: Mapping[str, str], prefix: str) -> bool:
    words = re.split(r"[\s:.]+", record["name"].casefold())
    whole = (record["id"].casefold(), record["name"].casefold())
    return any(word.startswith(prefix) for word in (*whole, *words))
