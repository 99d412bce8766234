"""Mentions asked about by hand or over HTTP, where the entity type is often not known.

Each topic gets one type more, `any`: all of its roots in one scope, people and groups included.
A study never uses it; its mentions come with the type that the extractor gave them.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from makieval import catalog
from makieval.catalog.tables import lookup
from makieval.linking.candidates import Mention

ANY = "any"


@cache
def topics() -> Mapping[str, catalog.Topic]:
    """The catalog's topics, each with the type `any` before its own."""
    return {topic.id: _with_any(topic) for topic in catalog.topics().values()}


def mention(surface: str, language: str, topic: str, entity_type: str | None = None) -> Mention:
    """A mention in the catalog's own words; a `CatalogError` names what it lacks.

    Raises it also for a type that is excluded from linking, such as a place in a text about food.
    """
    code, known = catalog.language(language).code, topics()[catalog.topic(topic).id]
    linkable = {kind.id: kind for kind in known.types.values() if kind.granularity != "excluded"}
    told = known.find_type(entity_type) if entity_type else known.types[ANY]
    spelling = told.id if told else entity_type or ANY
    kind = lookup(f"type of topic '{known.id}'", spelling, linkable)
    return Mention(surface, code, known.id, kind.id)


def _with_any(topic: catalog.Topic) -> catalog.Topic:
    roots = tuple(topic.all_roots)
    widest = catalog.EntityType(ANY, "specific", roots, origin=(), aliases=())
    return replace(topic, types={ANY: widest, **topic.types})
