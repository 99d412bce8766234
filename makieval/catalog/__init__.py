"""The facts a study is made of: languages, countries, names, topics, framings and prompts.

Plural functions (`languages()`) give every entry by id, in a fixed order and read-only; singular
ones (`language("ja")`) give one, or a `CatalogError` that says what is allowed.
"""

from makieval.catalog import published
from makieval.catalog.countries import Country, countries, country
from makieval.catalog.framings import Framing, Gender, framing, framings
from makieval.catalog.languages import Language, language, languages
from makieval.catalog.names import PersonName, person_name, person_names
from makieval.catalog.prompts import language_instruction, prompt
from makieval.catalog.topics import EntityType, Granularity, Topic, topic, topics

__all__ = [
    "Country",
    "EntityType",
    "Framing",
    "Gender",
    "Granularity",
    "Language",
    "PersonName",
    "Topic",
    "countries",
    "country",
    "framing",
    "framings",
    "language",
    "language_instruction",
    "languages",
    "person_name",
    "person_names",
    "prompt",
    "published",
    "topic",
    "topics",
]
