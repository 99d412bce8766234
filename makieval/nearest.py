"""The half-line that turns a typing mistake into a correction."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches


def nearest(value: str, allowed: Iterable[str], known: Mapping[str, str] | None = None) -> str:
    """`; did you mean 'ja'?`, or nothing where no allowed value is near.

    `known` maps frequent mistakes that do not look alike to what was meant (`jp` → `ja`).
    """
    options = list(allowed)
    lowered = value.lower().strip()
    hit = (known or {}).get(lowered)
    if hit is None:
        folded = {option.lower(): option for option in options}
        close = get_close_matches(lowered, folded, n=1, cutoff=0.6)
        hit = folded[close[0]] if close else None
    return f"; did you mean '{hit}'?" if hit else ""
