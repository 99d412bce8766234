"""The released `prompt.json`, `country.json` and `name.json`, for whoever has those files.

They are not shipped. Loaded, they render the prompts of the release word for word, faults
included, so that a study can be compared with the published numbers; the catalog's own prompts
(`makieval.catalog.prompts`) are the ones to use otherwise. Layout:

    prompt.json   {"entities": [{"category": topic, "languages": {language: {key: template}}}]}
    country.json  {English name: {"name": {language: name}}}
    name.json     {English name: {"common_names": {key: {"first": [...], "last": [...]}}}}

where `key` is a framing's `published_key`, and templates hold {country}, {name_male} and so on.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from makieval.catalog.countries import countries
from makieval.catalog.countries import country as find_country
from makieval.catalog.framings import Framing, framings
from makieval.catalog.framings import framing as find_framing
from makieval.catalog.languages import languages
from makieval.catalog.tables import frozen, lookup
from makieval.catalog.topics import topics
from makieval.errors import CatalogError


@dataclass(frozen=True, slots=True)
class PublishedCatalog:
    """What the released files hold: topics, languages and countries by the catalog's ids.

    `templates` are by (topic, language), then released key; `names` by country id, then language
    (`en` always); `people` by country id, then released key: a full name in Latin script.
    """

    topics: tuple[str, ...]
    languages: tuple[str, ...]
    countries: tuple[str, ...]
    templates: Mapping[tuple[str, str], Mapping[str, str]] = field(hash=False)
    names: Mapping[str, Mapping[str, str]] = field(hash=False)
    people: Mapping[str, Mapping[str, str]] = field(hash=False)

    def prompt(self, topic: str, language: str, framing: str, country: str | None = None) -> str:
        """The released prompt of one cell; the same call as `makieval.catalog.prompt`.

        A country without a name in the language takes the English one, as the release does
        (Spanish has none). Where the release would write "John Doe", this raises `CatalogError`.
        """
        chosen = find_framing(framing)
        lookup("topic of prompt.json", topic, dict.fromkeys(self.topics))
        lookup("language of prompt.json", language, dict.fromkeys(self.languages))
        templates = self.templates.get((topic, language), {})
        template = lookup(f"prompt of {topic!r} in {language!r}:", chosen.published_key, templates)
        if not chosen.needs_country:
            if country is not None:
                raise CatalogError(f"framing {framing!r} takes no country, but got {country!r}")
            return template
        if country is None:
            raise CatalogError(f"framing {framing!r} needs a country, such as 'japan'")
        return self._filled(template, chosen, find_country(country).id, language)

    def _filled(self, template: str, framing: Framing, country: str, language: str) -> str:
        if framing.needs_name:
            people = lookup("country of name.json", country, self.people)
            key = framing.published_key
            return template.replace(f"{{{key}}}", people[key])
        names = lookup("country of country.json", country, self.names)
        return template.replace("{country}", names.get(language, names["en"]))


def load(prompt_json: Path, country_json: Path, name_json: Path) -> PublishedCatalog:
    """The three released files; a missing, damaged or ill-laid-out one is a `CatalogError`."""
    templates = _templates(prompt_json)
    names = _country_names(country_json)
    return PublishedCatalog(
        topics=tuple(key for key in topics() if any(key == topic for topic, _ in templates)),
        languages=tuple(code for code in languages() if any(code == own for _, own in templates)),
        countries=tuple(names),
        templates=frozen(templates),
        names=frozen(names),
        people=frozen(_people(name_json)),
    )


def _templates(path: Path) -> dict[tuple[str, str], Mapping[str, str]]:
    templates: dict[tuple[str, str], Mapping[str, str]] = {}
    entities = _member(_json(path), "entities", list, path, "the file")
    for number, entity in enumerate(entities, start=1):
        category = _member(entity, "category", str, path, f"entity {number}")
        topic = lookup(f"topic in {path.name}:", category, topics()).id
        for code, texts in _member(entity, "languages", dict, path, f"entity {number}").items():
            where = f"{category}, {code}"
            lookup(f"language in {path.name}:", code, languages())
            templates[topic, code] = frozen(
                {
                    entry.published_key: _member(texts, entry.published_key, str, path, where)
                    for entry in framings().values()
                    if entry.in_paper or entry.published_key in texts
                }
            )
    return templates


def _country_names(path: Path) -> dict[str, Mapping[str, str]]:
    names: dict[str, Mapping[str, str]] = {}
    for english, entry in _countries_of(path).items():
        by_language = _member(entry, "name", dict, path, english)
        texts = {code: _member(by_language, code, str, path, english) for code in by_language}
        names[english] = frozen({"en": _member(texts, "en", str, path, english), **texts})
    return _by_id(names, path)


def _people(path: Path) -> dict[str, Mapping[str, str]]:
    people: dict[str, Mapping[str, str]] = {}
    for english, entry in _countries_of(path).items():
        common = _member(entry, "common_names", dict, path, english)
        people[english] = frozen(
            {
                framing.published_key: _full_name(common, framing.published_key, path, english)
                for framing in framings().values()
                if framing.needs_name
            }
        )
    return _by_id(people, path)


def _full_name(common: Mapping[str, Any], key: str, path: Path, english: str) -> str:
    """The first first name and the first last name: the only ones the release uses."""
    lists = _member(common, key, dict, path, english)
    parts: list[str] = []
    for part in ("first", "last"):
        listed = _member(lists, part, list, path, f"{english}, {key}")
        if not listed or not isinstance(listed[0], str):
            raise CatalogError(f"{path}: no name listed under {part!r} in {english}, {key}")
        parts.append(listed[0])
    return " ".join(parts)


def _by_id(by_english: Mapping[str, Mapping[str, str]], path: Path) -> dict[str, Mapping[str, str]]:
    ids = {entry.english: key for key, entry in countries().items()}
    return {
        lookup(f"country in {path.name}:", english, ids): entry
        for english, entry in by_english.items()
    }


def _countries_of(path: Path) -> dict[str, Any]:
    loaded = _json(path)
    if not isinstance(loaded, dict):
        raise CatalogError(f"{path}: an object of countries was expected at the top")
    return cast("dict[str, Any]", loaded)


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CatalogError(f"{path}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise CatalogError(f"{path}: is not UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise CatalogError(f"{path}: is not JSON (line {error.lineno}: {error.msg})") from None


def _member(table: Any, key: str, kind: type, path: Path, where: str) -> Any:
    """`table[key]`, which must be there and of this kind."""
    if not isinstance(table, dict) or key not in table:
        raise CatalogError(f"{path}: no key {key!r} in {where}")
    value = cast("dict[str, Any]", table)[key]
    if not isinstance(value, kind):
        raise CatalogError(f"{path}: {key!r} in {where} must be {_JSON_NAMES[kind]}")
    return value


_JSON_NAMES: Mapping[type, str] = {str: "a string", list: "a list", dict: "an object"}
