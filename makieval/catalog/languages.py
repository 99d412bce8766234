"""The 13 languages of the benchmark, and which Wikidata names count as written in each."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from makieval.catalog.tables import frozen, lookup, read


@dataclass(frozen=True, slots=True)
class Language:
    """One prompt language.

    `script` is an ISO 15924 code. `spaced` is false where words are not set apart by spaces.
    `chain` holds the Wikidata language codes whose names are tried in turn, its own first; the
    linker appends `mul` and `en`.
    """

    code: str
    english: str
    autonym: str
    script: str
    rtl: bool
    spaced: bool
    chain: tuple[str, ...]


def _language(code: str, fields: Mapping[str, Any]) -> Language:
    return Language(
        code=code,
        english=fields["english"],
        autonym=fields["autonym"],
        script=fields["script"],
        rtl=fields["rtl"],
        spaced=fields["spaced"],
        chain=tuple(fields["chain"]),
    )


@cache
def languages() -> Mapping[str, Language]:
    """Every language by its code, in the catalog's order."""
    return frozen(
        {code: _language(code, fields) for code, fields in read("languages")["languages"].items()}
    )


@cache
def _mistakes() -> Mapping[str, str]:
    named = {language.english.lower(): code for code, language in languages().items()}
    own = {language.autonym.lower(): code for code, language in languages().items()}
    return frozen({**named, **own, **read("languages")["mistakes"]})


def language(code: str) -> Language:
    """The language with this code; else a `CatalogError` with the nearest match (`jp`: `ja`)."""
    return lookup("language", code, languages(), _mistakes())
