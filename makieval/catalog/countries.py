"""The 21 countries and regions of the published file, with the words each language has for them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from makieval.catalog.tables import frozen, read, unknown


@dataclass(frozen=True, slots=True)
class Country:
    """A country or region that prompts can name.

    `id` is the slug of the English name, `iso` the ISO 3166-1 alpha-2 code, `evaluated` whether
    the paper reports on it, `native_languages` which of the 13 languages count as native there.
    `name` is the plain name in each language; `origin_phrase` the inflected phrase for "from X",
    ready to drop into a prompt (its form per language heads `data/countries.toml`).
    """

    id: str
    english: str
    qid: str
    iso: str
    evaluated: bool
    native_languages: tuple[str, ...]
    aliases: tuple[str, ...]
    name: Mapping[str, str] = field(hash=False)
    origin_phrase: Mapping[str, str] = field(hash=False)


def _country(key: str, fields: Mapping[str, Any]) -> Country:
    return Country(
        id=key,
        english=fields["english"],
        qid=fields["qid"],
        iso=fields["iso"],
        evaluated=fields["evaluated"],
        native_languages=tuple(fields["native_languages"]),
        aliases=tuple(fields["aliases"]),
        name=frozen(fields["name"]),
        origin_phrase=frozen(fields["origin_phrase"]),
    )


@cache
def countries() -> Mapping[str, Country]:
    """Every country by its id, in the order of the published file."""
    return frozen({key: _country(key, fields) for key, fields in read("countries").items()})


@cache
def _spellings() -> Mapping[str, str]:
    spellings: dict[str, str] = {}
    for key, entry in countries().items():
        for spelling in (key, entry.english, entry.iso, entry.qid, *entry.aliases):
            spellings[_fold(spelling)] = key
    return frozen(spellings)


def _fold(spelling: str) -> str:
    words = spelling.casefold().replace("-", " ").replace("_", " ").split()
    return " ".join(words).removeprefix("the ")


def country(value: str) -> Country:
    """The country with this id, English name, ISO code, QID or alias, in any letter case.

    An unknown one is a `CatalogError` with the allowed ids and the nearest match.
    """
    key = _spellings().get(_fold(value))
    if key is None:
        raise unknown("country", value, countries())
    return countries()[key]
