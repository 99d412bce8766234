"""Other spellings of the same words, for mentions whose own spelling finds nothing that fits.

Unlike the key, a variant may drop what tells words apart (a nukta, a hamza, a hyphen): it is a
second attempt, counts only on an item that fits, and is recorded. `data/variants.tsv` holds the
rules; Simplified and Traditional characters are OpenCC's matter, hiragana and katakana are one
table of Unicode.
"""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.metadata import version
from typing import Any

from makieval.linking import normalise, rules
from makieval.linking.rules import Derived

#: Per language, the conversions of OpenCC, likeliest first: `t2s` characters, `tw2sp` words too.
SCRIPTS = {
    "zh": ("t2s", "tw2sp", "s2t", "s2twp", "s2hk"),
    "zh-tw": ("s2t", "s2twp", "t2s", "tw2sp", "s2hk"),
}
_HIRAGANA = range(0x3041, 0x3097)
_TO_KATAKANA = {at: at + 0x60 for at in _HIRAGANA}
_TO_HIRAGANA = {at + 0x60: at for at in _HIRAGANA}


def variants(key: str, language: str) -> Iterator[Derived]:
    """Keys of other spellings of `key`, nearest first, each once and never `key` itself."""
    converted = list(dict.fromkeys(_converted(key, language)))
    yield from (Derived(other, ("script",)) for other in converted)
    own = rules.rules("variants", language)
    yield from rules.derive(key, language, own, 2)


def converters() -> str:
    """What, beside our tables, decides what `variants` gives: for fingerprints."""
    return f"opencc {version('opencc')}"


def in_scripts(derived: Derived, language: str) -> Iterator[Derived]:
    """`derived`, and then what it is in the other scripts of the language."""
    yield derived
    for other in dict.fromkeys(_converted(derived.key, language)):
        yield Derived(other, (*derived.tags, "script"))


def _converted(key: str, language: str) -> Iterator[str]:
    """`key` in the other scripts that `language` is written in."""
    for config in SCRIPTS.get(language, ()):
        other = normalise.key(_convert(config, key), language)
        if other != key:
            yield other
    if language == "ja":
        for table in (_TO_KATAKANA, _TO_HIRAGANA):
            other = normalise.key(key.translate(table), language)
            if other != key:
                yield other


def _convert(config: str, text: str) -> str:
    return str(_opencc(config).convert(text))


@cache
def _opencc(config: str) -> Any:
    """A converter; reading its dictionaries takes time. The package carries no types."""
    return import_module("opencc").OpenCC(config)
