"""Rules that turn one key into another, read from tables.

A row of `data/*.tsv` holds: the language (`*`: all), a tag (what the rule does, recorded in the
link), a regular expression over the key, what replaces it, and how many letters must be left.
In a pattern, `{closed}`, `{open}` and `{rieul}` are the Hangul syllables that end in a consonant,
in none, or in ㄹ: Korean particles follow them.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from makieval.linking import normalise


@dataclass(frozen=True, slots=True)
class Rule:
    """`pattern` becomes `replacement` wherever it stands; at least `least` letters remain."""

    tag: str
    pattern: re.Pattern[str]
    replacement: str
    least: int

    def apply(self, key: str, language: str) -> str | None:
        """The key that `key` becomes, or None where the rule does not apply."""
        changed = self.pattern.sub(self.replacement, key)
        if changed == key or sum(map(str.isalnum, changed)) < self.least:
            return None
        again = normalise.key(changed, language)
        return None if again == key or not again else again


@dataclass(frozen=True, slots=True)
class Derived:
    """A key made from another, and the tags of the rules that made it, in order."""

    key: str
    tags: tuple[str, ...]


@cache
def read(table: str) -> tuple[tuple[str, ...], ...]:
    """The rows of `data/<table>.tsv` without its header and comments."""
    source = files("makieval.linking").joinpath("data", f"{table}.tsv")
    lines = source.read_text(encoding="utf-8").splitlines()[1:]
    return tuple(tuple(line.split("\t")) for line in lines if line and not line.startswith("#"))


@cache
def digest() -> str:
    """SHA-256 of the tables: a change of any rule is a change of the linker."""
    total = hashlib.sha256()
    for table in ("peel", "spelling", "type_words", "variants"):
        total.update(repr(read(table)).encode())
    return total.hexdigest()


@cache
def rules(table: str, language: str) -> tuple[Rule, ...]:
    """The rules of a table for a catalog language, those of the language first."""
    rows = read(table)
    own = [row for row in rows if row[0] == language] + [row for row in rows if row[0] == "*"]
    return tuple(
        Rule(tag, re.compile(_expanded(pattern)), replacement, int(least))
        for _, tag, pattern, replacement, least in own
    )


def derive(key: str, language: str, own: Iterable[Rule], depth: int) -> Iterator[Derived]:
    """What up to `depth` rules make of `key`, fewer first; no tag twice in a row of rules."""
    seen = {key}
    level = [Derived(key, ())]
    own = tuple(own)
    for _ in range(depth):
        grown: list[Derived] = []
        for before in level:
            for rule in own:
                if rule.tag in before.tags:
                    continue
                after = rule.apply(before.key, language)
                if after is not None and after not in seen:
                    seen.add(after)
                    grown.append(Derived(after, (*before.tags, rule.tag)))
        yield from grown
        level = grown


def _expanded(pattern: str) -> str:
    for name, syllables in _hangul().items():
        pattern = pattern.replace("{" + name + "}", syllables)
    return pattern


@cache
def _hangul() -> Mapping[str, str]:
    """Character classes of Hangul syllables (Unicode, chapter 3.12), by their final."""
    starts = range(0xAC00, 0xD7A4, 28)
    return {
        "open": "[" + "".join(map(chr, starts)) + "]",
        "closed": "[" + "".join(f"{chr(at + 1)}-{chr(at + 27)}" for at in starts) + "]",
        "rieul": "[" + "".join(chr(at + 8) for at in starts) + "]",
    }
