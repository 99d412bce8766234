"""The released file layout, with sentences of our own: what loads, what it renders, what fails."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from makieval import catalog
from makieval.catalog import published
from makieval.errors import CatalogError

KEYS = ("nonbias", "bias", "name_male", "name_female", "target_group")
WHO = {
    "en": ("someone", "someone of {country}", "{name_male}", "{name_female}", "you in {country}"),
    "es": ("alguien", "alguien de {country}", "{name_male}", "{name_female}", "ti en {country}"),
}

Files = tuple[Path, Path, Path]


def released() -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    prompts = {
        "entities": [
            {
                "id": number,
                "category": topic,
                "languages": {
                    code: {key: f"{topic}: {who}." for key, who in zip(KEYS, people, strict=True)}
                    for code, people in WHO.items()
                },
            }
            for number, topic in enumerate(("food", "book"), start=1)
        ]
    }
    countries = {
        "Japan": {"name": {"en": "Japan", "yo": "Japani"}, "adjective": {"en": "Japanese"}},
        "United States": {"name": {"en": "the United States", "es": "los Estados Unidos"}},
    }
    lists = {
        "name_male": {"first": ["Ren", "Aoi"], "last": ["Mori", "Abe"]},
        "name_female": {"first": ["Mio", "Emi"], "last": ["Mori", "Abe"]},
    }
    return prompts, countries, {"Japan": {"common_names": lists}}


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Files]:
    """Writes the three files; a keyword replaces the content of one."""

    def written(**changed: object) -> Files:
        contents = dict(zip(("prompt", "country", "name"), released(), strict=True)) | changed
        paths = []
        for name, content in contents.items():
            path = tmp_path / f"{name}.json"
            text = content if isinstance(content, str) else json.dumps(content)
            path.write_text(text, encoding="utf-8")
            paths.append(path)
        return paths[0], paths[1], paths[2]

    return written


def test_the_files_say_which_topics_languages_and_countries_they_hold(
    write: Callable[..., Files],
) -> None:
    loaded = published.load(*write())
    assert loaded.topics == ("food", "book")
    assert loaded.languages == ("en", "es")
    assert loaded.countries == ("japan", "united-states")


@pytest.mark.parametrize(
    ("framing", "country", "text"),
    [
        ("neutral", None, "food: someone."),
        ("explicit", "japan", "food: someone of Japan."),
        ("explicit", "usa", "food: someone of the United States."),
        ("implicit-male", "japan", "food: Ren Mori."),
        ("implicit-female", "japan", "food: Mio Mori."),
        ("target-group", "japan", "food: you in Japan."),
    ],
)
def test_a_prompt_is_rendered_word_for_word(
    write: Callable[..., Files], framing: str, country: str | None, text: str
) -> None:
    assert published.load(*write()).prompt("food", "en", framing, country) == text


def test_it_is_called_exactly_as_the_catalog_s_own_prompt(write: Callable[..., Files]) -> None:
    for prompt in (catalog.prompt, published.load(*write()).prompt):
        assert prompt(topic="book", language="es", framing="explicit", country="japan")


def test_a_country_unnamed_in_the_language_keeps_its_english_name_as_in_the_release(
    write: Callable[..., Files],
) -> None:
    loaded = published.load(*write())
    assert loaded.prompt("food", "es", "explicit", "japan") == "food: alguien de Japan."
    spanish = loaded.prompt("food", "es", "explicit", "united-states")
    assert spanish == "food: alguien de los Estados Unidos."


def test_target_group_may_be_missing_since_the_paper_does_not_use_it(
    write: Callable[..., Files],
) -> None:
    prompts, _, _ = released()
    for entity in prompts["entities"]:
        for texts in entity["languages"].values():
            del texts["target_group"]
    loaded = published.load(*write(prompt=prompts))
    with pytest.raises(CatalogError, match="prompt of 'food' in 'en': 'target_group'"):
        loaded.prompt("food", "en", "target-group", "japan")


@pytest.mark.parametrize(
    ("cell", "line"),
    [
        (("music", "en", "neutral"), "unknown topic of prompt.json 'music' (allowed: food, book)"),
        (("food", "ja", "neutral"), "unknown language of prompt.json 'ja' (allowed: en, es)"),
        (("food", "en", "bias"), "unknown framing 'bias'"),
        (("food", "en", "explicit"), "framing 'explicit' needs a country"),
        (("food", "en", "neutral", "japan"), "framing 'neutral' takes no country"),
        (("food", "en", "explicit", "india"), "unknown country of country.json 'india'"),
        (("food", "en", "implicit-male", "usa"), "unknown country of name.json 'united-states'"),
    ],
)
def test_a_cell_that_the_files_do_not_hold_is_one_clear_line(
    write: Callable[..., Files], cell: tuple[str, ...], line: str
) -> None:
    with pytest.raises(CatalogError) as raised:
        published.load(*write()).prompt(*cell)
    assert line in str(raised.value)
    assert "\n" not in str(raised.value)


def without(table: dict[str, Any], *path: str | int) -> dict[str, Any]:
    inner: Any = table
    for step in path[:-1]:
        inner = inner[step]
    del inner[path[-1]]
    return table


@pytest.mark.parametrize(
    ("changed", "line"),
    [
        ({"prompt": "{"}, "prompt.json: is not JSON (line 1"),
        ({"prompt": []}, "prompt.json: no key 'entities' in the file"),
        ({"prompt": {"entities": {}}}, "prompt.json: 'entities' in the file must be a list"),
        (
            {"prompt": without(released()[0], "entities", 1, "category")},
            "prompt.json: no key 'category' in entity 2",
        ),
        (
            {"prompt": without(released()[0], "entities", 0, "languages", "es", "bias")},
            "prompt.json: no key 'bias' in food, es",
        ),
        (
            {"prompt": {"entities": [{"category": "fod", "languages": {}}]}},
            "unknown topic in prompt.json: 'fod'",
        ),
        ({"country": []}, "country.json: an object of countries was expected at the top"),
        (
            {"country": without(released()[1], "Japan", "name", "en")},
            "country.json: no key 'en' in Japan",
        ),
        (
            {"country": {"Atlantis": {"name": {"en": "Atlantis"}}}},
            "unknown country in country.json: 'Atlantis'",
        ),
        (
            {"name": without(released()[2], "Japan", "common_names", "name_female")},
            "name.json: no key 'name_female' in Japan",
        ),
        (
            {"name": {"Japan": {"common_names": {"name_male": {"first": [], "last": ["Abe"]}}}}},
            "name.json: no name listed under 'first' in Japan, name_male",
        ),
    ],
)
def test_a_damaged_file_is_one_clear_line(
    write: Callable[..., Files], changed: dict[str, Any], line: str
) -> None:
    with pytest.raises(CatalogError) as raised:
        published.load(*write(**changed))
    assert line in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_missing_file_is_one_clear_line(write: Callable[..., Files], tmp_path: Path) -> None:
    prompts, countries, _ = write()
    missing = tmp_path / "elsewhere.json"
    with pytest.raises(CatalogError, match=r"elsewhere\.json: cannot be read \(No such file"):
        published.load(prompts, countries, missing)


def test_a_file_in_another_encoding_is_one_clear_line(write: Callable[..., Files]) -> None:
    prompts, countries, names = write()
    countries.write_bytes("España".encode("latin-1"))
    with pytest.raises(CatalogError, match=r"country\.json: is not UTF-8 text"):
        published.load(prompts, countries, names)
