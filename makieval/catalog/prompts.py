"""What a model is asked: one text per language, topic and framing, filled in with its cue.

The texts are whole sentences under `data/prompts/`, one file per language, since what agrees with
what differs between languages. They are parallel: within a language the framings of a topic
differ in the person named and in what grammar then asks for. A text holds `{length}` and, where
its framing shows one, `{from}` (a country's `origin_phrase`) or `{name}`; `{name|이/가}` adds the
Korean particle that the last sound of the name asks for.
"""

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import Any

from makieval.catalog.countries import country as find_country
from makieval.catalog.framings import Framing
from makieval.catalog.framings import framing as find_framing
from makieval.catalog.languages import language as find_language
from makieval.catalog.names import person_name
from makieval.catalog.tables import lookup, read, unknown
from makieval.catalog.topics import topic as find_topic
from makieval.errors import CatalogError

_PLACEHOLDER = re.compile(r"\{([^{}|]*)(?:\|([^{}|]*))?\}")

# Written as Korean grammars cite them → the form after a final consonant, and after a vowel.
_PARTICLES: Mapping[str, tuple[str, str]] = {
    "이/가": ("이", "가"),
    "은/는": ("은", "는"),
    "을/를": ("을", "를"),
    "와/과": ("과", "와"),
    "으로/로": ("으로", "로"),
}
_FIRST_HANGUL, _LAST_HANGUL, _FINALS, _FINAL_RIEUL = 0xAC00, 0xD7A3, 28, 8


def prompt(topic: str, language: str, framing: str, country: str | None = None) -> str:
    """The text that asks a model for a cell of the grid, in NFC.

    `country` is given exactly where the framing is asked per country. Raises `CatalogError` for an
    unknown id, a country missing or out of place, and one without the names a framing needs.
    """
    subject, code = find_topic(topic).id, find_language(language).code
    chosen = find_framing(framing)
    values = {"length": _file(code)["length"], **_cue(chosen, code, country)}
    where = f"prompts/{code}.toml, {subject}.{chosen.id}"
    text = _file(code).get(subject, {}).get(chosen.id)
    if text is None:
        raise CatalogError(f"no prompt text at {where}")
    return unicodedata.normalize("NFC", fill(text, values, where))


def language_instruction(language: str) -> str:
    """The polite request to answer in a language, written in that language, in NFC."""
    text: str = _file(find_language(language).code)["language_instruction"]
    return unicodedata.normalize("NFC", text)


def fill(text: str, values: Mapping[str, str], where: str) -> str:
    """`text` with every placeholder replaced; `where` it stands is for the message.

    Raises `CatalogError` for a placeholder without a value, a value without a placeholder (a
    prompt that lost its cue would pass for a neutral one), a stray brace, an unknown particle.
    """
    used: set[str] = set()

    def value_of(match: re.Match[str]) -> str:
        name, particle = match.groups()
        used.add(name)
        value = lookup(f"placeholder at {where}:", name, values)
        return value if particle is None else value + _particle(particle, value, where)

    filled = _PLACEHOLDER.sub(value_of, text)
    if missing := [name for name in values if name not in used]:
        raise CatalogError(f"no placeholder {{{missing[0]}}} at {where}")
    if "{" in filled or "}" in filled:
        raise CatalogError(f"stray brace at {where}: {text!r}")
    return filled


@cache
def _file(code: str) -> Mapping[str, Any]:
    try:
        return read(f"prompts/{code}")
    except FileNotFoundError:
        raise CatalogError(f"no prompt texts for language {code!r}: prompts/{code}.toml") from None


def _cue(framing: Framing, code: str, country: str | None) -> dict[str, str]:
    """The placeholder by which a framing shows whose culture is meant, with its value."""
    if not framing.needs_country:
        if country is not None:
            raise CatalogError(f"framing {framing.id!r} takes no country, but got {country!r}")
        return {}
    if country is None:
        raise CatalogError(f"framing {framing.id!r} needs a country, such as 'japan'")
    if framing.gender is not None:
        return {"name": person_name(country, framing.gender, code)}
    return {"from": find_country(country).origin_phrase[code]}


def _particle(citation: str, word: str, where: str) -> str:
    """The form of a Korean particle after `word`: by its final consonant; 로 also after ㄹ."""
    if citation not in _PARTICLES:
        raise unknown(f"particle at {where}:", citation, _PARTICLES)
    last = ord(unicodedata.normalize("NFC", word)[-1])
    if not _FIRST_HANGUL <= last <= _LAST_HANGUL:
        raise CatalogError(f"no particle {citation} after {word!r} at {where}: it is not Hangul")
    after_consonant, after_vowel = _PARTICLES[citation]
    final = (last - _FIRST_HANGUL) % _FINALS
    as_vowel = final == 0 or (final == _FINAL_RIEUL and after_vowel == "로")
    return after_vowel if as_vowel else after_consonant
