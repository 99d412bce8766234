"""The names that cue a country in implicit prompts, written as each language writes them.

A name is a cue, not a person: a combination common in its country and distinct from the others'.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from makieval.catalog.countries import country as find_country
from makieval.catalog.framings import Gender
from makieval.catalog.languages import language as find_language
from makieval.catalog.tables import frozen, read, unknown


@dataclass(frozen=True, slots=True)
class PersonName:
    """One full name: `country` is a country's id, `forms` the written form per language."""

    country: str
    gender: Gender
    forms: Mapping[str, str] = field(hash=False)


@cache
def person_names() -> Mapping[tuple[str, Gender], PersonName]:
    """Every name by (country id, gender); the 19 evaluated countries have one of each gender."""
    genders: tuple[Gender, Gender] = ("male", "female")
    return frozen(
        {
            (key, gender): PersonName(key, gender, frozen(forms[gender]))
            for key, forms in read("names").items()
            for gender in genders
        }
    )


def person_name(country: str, gender: Gender, language: str) -> str:
    """The full name that cues a country, in the script and name order of a language.

    Raises `CatalogError` for an unknown country or language, and for a country without names.
    """
    key, code = find_country(country).id, find_language(language).code
    name = person_names().get((key, gender))
    if name is None:
        named = dict.fromkeys(owner for owner, _ in person_names())
        raise unknown("country for a name", key, named)
    return name.forms[code]
