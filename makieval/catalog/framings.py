"""The five framings: how much a prompt says about whose culture is meant, and by what cue."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from makieval.catalog.tables import frozen, lookup, read

Gender = Literal["male", "female"]


@dataclass(frozen=True, slots=True)
class Framing:
    """One framing of a prompt.

    `needs_country`: the prompt is asked per country (an implicit one shows only a name of that
    country). `gender`: of the name that cues it, else None. `published_key`: its key in the
    released `prompt.json`. `in_paper`: whether the paper reports on it.
    """

    id: str
    english: str
    needs_country: bool
    published_key: str
    in_paper: bool
    gender: Gender | None = None

    @property
    def needs_name(self) -> bool:
        """Whether the prompt shows a person's name in place of the country's."""
        return self.gender is not None


@cache
def framings() -> Mapping[str, Framing]:
    """Every framing by its id, in the catalog's order."""
    entries = read("framings")["framings"]
    return frozen({key: Framing(id=key, **fields) for key, fields in entries.items()})


def framing(value: str) -> Framing:
    """The framing with this id; else a `CatalogError` with the allowed ids and nearest match."""
    return lookup("framing", value, framings(), read("framings")["mistakes"])
