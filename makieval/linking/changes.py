"""What running text does to a name: articles, plurals and particles, as data.

`data/changes.toml` holds them per language. The perturbation suite puts them on; the evaluation
recognises them where a mention and a name differ by one.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from unicodedata import normalize

#: One way of a kind of change: ordered (pattern, replacement) pairs.
Rules = tuple[tuple[re.Pattern[str], str], ...]

_HANGUL = re.compile("[\uac00-\ud7a3]$")


@cache
def changes(language: str) -> Mapping[str, Mapping[str, Rules]]:
    """Kind of change (article, plural, particle) → its ways by name; none for some languages."""
    return {
        kind: {
            way: tuple((re.compile(pattern), text) for pattern, text in rules)
            for way, rules in ways.items()
        }
        for kind, ways in _read().get(language, {}).items()
    }


def changed(name: str, rules: Rules) -> str | None:
    """`name` after the first rule that applies; None where none does."""
    taken_apart = normalize("NFD", name) if _HANGUL.search(name) else name
    for pattern, replacement in rules:
        text, count = pattern.subn(replacement, taken_apart, count=1)
        if count:
            return normalize("NFC", text) if taken_apart is not name else text
    return None


@cache
def _read() -> dict[str, dict[str, dict[str, list[list[str]]]]]:
    source = files("makieval.linking").joinpath("data", "changes.toml")
    return tomllib.loads(source.read_text(encoding="utf-8"))
