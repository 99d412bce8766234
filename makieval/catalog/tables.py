"""How the catalog reads its data files and answers for a name it does not hold.

The catalog's facts are TOML files under `data/`, so that a new country or language is a change of
data. Everything read here is handed out frozen: nobody can edit a fact by accident.
"""

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, TypeVar

from makieval.errors import CatalogError
from makieval.nearest import nearest

K = TypeVar("K")
T = TypeVar("T")
NOTHING_KNOWN: Mapping[str, str] = MappingProxyType({})


@cache
def read(name: str) -> Mapping[str, Any]:
    """The TOML file `data/<name>.toml` of the catalog, as it stands, parsed once."""
    source = files("makieval.catalog").joinpath("data", f"{name}.toml")
    return frozen(tomllib.loads(source.read_text(encoding="utf-8")))


def frozen(table: Mapping[K, T]) -> Mapping[K, T]:
    """A read-only copy of `table`, in its order."""
    return MappingProxyType(dict(table))


def lookup(
    kind: str,
    value: str,
    table: Mapping[str, T],
    known: Mapping[str, str] = NOTHING_KNOWN,
) -> T:
    """`table[value]`; else a `CatalogError` with what is allowed and the nearest match.

    `known` maps frequent mistakes to the key that was meant; it improves the hint and no more.
    """
    try:
        return table[value]
    except KeyError:
        raise unknown(kind, value, table, known) from None


def unknown(
    kind: str, value: str, allowed: Iterable[str], known: Mapping[str, str] = NOTHING_KNOWN
) -> CatalogError:
    """The one line for a `value` that is not among `allowed`."""
    options = list(allowed)
    return CatalogError(
        f"unknown {kind} {value!r} (allowed: {', '.join(options)}){nearest(value, options, known)}"
    )
