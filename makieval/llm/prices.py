"""What tokens cost, from dated entries that name their source.

No price list is shipped beyond the embedded model's zero: prices change, and an outdated figure
is worse than none. Users add theirs in a file of the same layout (see `data/prices.toml`).
"""

import os
import tomllib
from dataclasses import dataclass
from datetime import date
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from makieval.errors import InputError
from makieval.llm.modelfile import DATA

#: Names a price file of the user's own.
PRICES_VARIABLE = "MAKIEVAL_PRICES"
_FIELDS = {"model": str, "from": date, "prompt": (int, float), "completion": (int, float)}


@dataclass(frozen=True)
class Price:
    """US dollars per million tokens of `model` (may end in `*`) from the day `since` on."""

    model: str
    since: date
    prompt: float
    completion: float
    source: str


def cost(
    model: str,
    prompt_tokens: int | None,
    completion_tokens: int | None,
    on: date | None = None,
) -> float | None:
    """US dollars for these tokens on a day (default today); None where no price is known."""
    price = price_of(model, on)
    if price is None:
        return None
    if price.prompt == price.completion == 0:
        return 0.0
    if prompt_tokens is None or completion_tokens is None:
        return None
    return (prompt_tokens * price.prompt + completion_tokens * price.completion) / 1e6


def price_of(model: str, on: date | None = None) -> Price | None:
    """The entry that holds for a model on a day: the user's before ours, then the newest."""
    day = on or date.today()
    for prices in _lists():
        fitting = [p for p in prices if fnmatchcase(model, p.model) and p.since <= day]
        if fitting:
            return max(fitting, key=lambda price: (price.since, len(price.model)))
    return None


def read_prices(path: Path) -> list[Price]:
    """The entries of a price file; raises InputError naming the entry and the key."""
    try:
        entries = tomllib.loads(path.read_text("utf-8")).get("price", [])
    except (OSError, ValueError) as error:
        raise InputError(f"price file {path}: {error}") from None
    return [_price(path, number, entry) for number, entry in enumerate(entries, 1)]


def _price(path: Path, number: int, entry: dict[str, Any]) -> Price:
    for key, kind in _FIELDS.items():
        if not isinstance(entry.get(key), kind):
            raise InputError(f"price file {path}: entry {number} needs '{key}' (see its layout)")
    return Price(
        model=entry["model"],
        since=entry["from"],
        prompt=float(entry["prompt"]),
        completion=float(entry["completion"]),
        source=str(entry.get("source", "")),
    )


def _lists() -> list[list[Price]]:
    named = os.environ.get(PRICES_VARIABLE)
    own = Path(named) if named else Path.home() / ".config" / "makieval" / "prices.toml"
    lists = [read_prices(own)] if named or own.is_file() else []
    return [*lists, read_prices(DATA / "prices.toml")]
