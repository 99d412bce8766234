"""Puts mentions into a real store by hand, so that a metric's arithmetic can be checked alone."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from makieval import catalog
from makieval.store import Store
from makieval.store.rows import insert


@dataclass(frozen=True)
class Said:
    """One text and the entities in it: (surface, type, QID or None, origin QIDs)."""

    language: str
    entities: tuple[tuple[str, str, str | None, tuple[str, ...]], ...]
    country: str | None = None
    framing: str = "explicit"
    topic: str = "book"
    model: str = "m"


def store_with(
    folder: Path, texts: Iterable[Said], countries: Iterable[str] = ("united-states",)
) -> Store:
    """A store that holds a study named `s` with these texts, as the stages would leave it."""
    store = Store(folder).create()
    rows: dict[str, list[tuple[Any, ...]]] = {}

    def add(table: str, *row: Any) -> None:
        rows.setdefault(table, []).append(row)

    add("studies", "s", "f", "{}", "p", "x", "l", "k", "o")
    for position, country in enumerate(countries):
        add("study_countries", "s", country, catalog.country(country).qid, position)
    for topic in catalog.topics().values():
        for kind in topic.types.values():
            add("entity_types", "s", topic.id, kind.id, kind.granularity)
    links: set[tuple[Any, ...]] = set()
    for number, text in enumerate(texts):
        key = f"r{number}"
        add("prompts", key, "?")
        add(
            "requests",
            "s",
            text.model,
            text.topic,
            text.language,
            text.framing,
            text.country,
            number,
            key,
            key,
        )
        add("answers", key, "ok", "…", "2026-01-01T00:00:00Z")
        add("response_extractions", key, text.topic, text.language, "x", key)
        add("extractions", key, "ok")
        for ordinal, (surface, kind, qid, origins) in enumerate(text.entities):
            add("extracted_mentions", key, ordinal, surface, kind, "grounded")
            if catalog.topic(text.topic).types[kind].granularity != "excluded":
                status = "linked" if qid else "nil"
                place = (surface, text.language, text.topic, kind)
                links.add((str(place), "l", *place, status, qid))
            if qid:
                add("entities", "o", qid, text.topic, kind, surface)
                for origin in origins:
                    add("entity_origins", "o", qid, text.topic, kind, origin, "P495")
    rows["links"] = sorted(links, key=str)
    columns = {
        "studies": "study fingerprint definition plan extractor linker snapshot facts",
        "study_countries": "study country qid position",
        "entity_types": "study topic entity_type granularity",
        "prompts": "prompt_id text",
        "requests": ("study model topic language framing country sample prompt_id response_id"),
        "answers": "answer_id status text received_at",
        "response_extractions": "response_id topic language extractor extraction_id",
        "extractions": "extraction_id status",
        "extracted_mentions": "extraction_id ordinal surface entity_type status",
        "links": "link_id linker surface language topic entity_type status qid",
        "entities": "facts qid topic entity_type label",
        "entity_origins": "facts qid topic entity_type country path",
    }
    with store.connect() as connection:
        for table, values in rows.items():
            insert(connection, table, columns[table], values)
    return store


def figures(store: Store, query: str) -> list[tuple[Any, ...]]:
    """The rows of `query`."""
    with store.connect(read_only=True) as connection:
        return connection.execute(query).fetchall()
