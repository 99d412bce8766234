"""The study file: read once, checked whole, and every mistake is one line that helps."""

import json
from pathlib import Path

import pytest

from makieval import catalog
from makieval.errors import StudyError
from makieval.stages.plan import prompt_id, request, sample_seed, wanted
from makieval.study import Study
from makieval.templates import DEMO, STUDY

SMALL = """
name = "s"
topics = ["food"]
languages = ["en"]
countries = ["japan"]
[[models]]
name = "m"
model = "x"
base_url = "http://127.0.0.1:1/v1"
"""


def mistakes(text: str) -> list[str]:
    with pytest.raises(StudyError) as caught:
        Study.parse(text, "study.toml")
    return str(caught.value).splitlines()


def test_the_files_to_start_from_are_studies() -> None:
    assert Study.parse(STUDY).name == "my-study"
    assert len(list(Study.parse(DEMO).cells())) == 12


def test_the_whole_catalog_has_the_papers_1716_prompts() -> None:
    study = Study.parse(
        SMALL.replace('["food"]', '"all"').replace('["en"]', '"all"').replace('["japan"]', '"all"')
    )
    prompts = {study.prompt(cell) for cell in study.cells()}
    assert len(list(study.cells())) == len(prompts) == 13 * 6 * 22 == 1716


def test_evaluated_stands_for_the_papers_19_countries() -> None:
    assert len(Study.parse(SMALL.replace('["japan"]', '"evaluated"')).countries) == 19


def test_a_framing_without_a_country_is_asked_once_per_language() -> None:
    cells = list(Study.parse(SMALL).cells())
    assert [(c.framing, c.country) for c in cells] == [("neutral", None), ("explicit", "japan")]


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (('["en"]', '["jp"]'), "languages.0: unknown language 'jp'"),
        (('["en"]', '["jp"]'), "did you mean 'ja'?"),
        (('["japan"]', '["jpan"]'), "did you mean 'japan'?"),
        (('["food"]', '["foot"]'), "did you mean 'food'?"),
        (('["food"]', "[]"), "topics = []"),
        (('["food"]', '["food", "food"]'), "'food' stands there twice"),
        (('name = "s"', 'name = "a b"'), "name = 'a b'"),
        (('name = "s"', ""), "key 'name' is missing"),
        (('name = "s"', 'name = "s"\nsamples = 0'), "samples = 0"),
        (('name = "s"', 'name = "s"\nsampels = 2'), "did you mean 'samples'?"),
        (('model = "x"', 'model = "x"\ntemprature = 1'), "did you mean 'temperature'?"),
        (('model = "x"', 'model = "x"\ntemperature = 3'), "models.0.temperature = 3"),
        (('base_url = "http://127.0.0.1:1/v1"', ""), "needs a base_url"),
        (('"http://127.0.0.1:1/v1"', '"http://u:p@127.0.0.1:1/v1"'), "holds credentials"),
        (('model = "x"', 'model = "x"\nextra = { api_key = "k" }'), "api_key_env"),
        (('model = "x"', 'model = "x"\nextra = { a = [{ "x-api-key" = "k" }] }'), "api_key_env"),
        (('model = "x"', 'model = "x"\napi_key_env = "sk-proj-1"'), "never the key itself"),
        (('countries = ["japan"]', ""), "needs at least one country"),
        (("[[models]]", '[extraction]\nmodel = "n"\n[[models]]'), "'n' is none of the models"),
        (("[[models]]", '[extraction]\nextractor = "magic"\n[[models]]'), "'model' or 'gazetteer'"),
    ],
)
def test_a_mistake_is_one_line_that_names_key_value_and_what_is_allowed(
    change: tuple[str, str], line: str
) -> None:
    lines = mistakes(SMALL.replace(*change))
    assert len(lines) == 1
    assert lines[0].startswith("study.toml: ")
    assert line in lines[0]


def test_every_mistake_is_told_at_once() -> None:
    lines = mistakes(SMALL.replace('["food"]', '["foot"]').replace('["en"]', '["jp", "kr"]'))
    assert len(lines) == 3


@pytest.mark.parametrize(
    "change",
    [
        ("http://", "http://user:canary@"),
        ('model = "x"', 'model = "x"\napi_key_env = "sk-canary"'),
        ('model = "x"', 'model = "x"\nextra = { token = "canary" }'),
    ],
)
def test_a_secret_in_the_wrong_place_is_never_repeated(change: tuple[str, str]) -> None:
    (line,) = mistakes(SMALL.replace(*change))
    assert "canary" not in line


@pytest.mark.parametrize("text", ["", "# nothing\n", "name = ", "\ufeff[["])
def test_an_empty_or_broken_file_is_one_line(text: str) -> None:
    assert len(mistakes(text)) == 1


def test_a_file_that_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="cannot be read"):
        Study.load(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes('name = "Zürich"'.encode("latin-1"))
    with pytest.raises(StudyError, match="not UTF-8"):
        Study.load(tmp_path / "latin.toml")


def test_the_fingerprint_follows_the_meaning_and_not_the_spelling() -> None:
    study = Study.parse(SMALL)
    assert Study.parse("# a comment\n" + SMALL).fingerprint == study.fingerprint
    assert Study.parse(SMALL.replace('"s"', '"t"')).fingerprint != study.fingerprint


def test_each_sample_has_a_seed_of_its_own_that_stays() -> None:
    seeds = [sample_seed(1, n) for n in range(1000)]
    assert len(set(seeds)) == 1000
    assert all(0 <= seed < 2**31 for seed in seeds)
    assert sample_seed(2, 0) not in seeds


def test_texts_are_asked_for_sample_by_sample_and_each_has_its_own_key() -> None:
    study = Study.parse(SMALL.replace('name = "s"', 'name = "s"\nsamples = 3'))
    texts = list(wanted(study))
    assert [t.sample for t in texts] == [0, 0, 1, 1, 2, 2]
    assert len({t.request.id for t in texts}) == 6
    assert {t.prompt_id for t in texts} == {prompt_id(t.prompt) for t in texts}


def test_the_language_instruction_is_added_only_where_it_is_asked_for() -> None:
    plain = Study.parse(SMALL)
    told = Study.parse(SMALL.replace('model = "x"', 'model = "x"\nlanguage_instruction = true'))
    prompt = "Tell me."
    without = request(plain, plain.models[0], "ja", prompt, 0)
    with_it = request(told, told.models[0], "ja", prompt, 0)
    assert without.messages[0].content == prompt
    assert catalog.language_instruction("ja") in with_it.messages[0].content
    assert without.id != with_it.id


def test_top_k_is_sent_to_the_embedded_model_and_else_only_where_it_is_named() -> None:
    hosted, embedded = Study.parse(SMALL).models[0], Study.parse(DEMO).models[0]
    assert "top_k" not in hosted.endpoint().decoding
    assert embedded.endpoint().decoding["top_k"] == 10


def test_prompts_in_the_released_layout_can_take_the_place_of_ours(tmp_path: Path) -> None:
    texts = {"nonbias": "One eats.", "bias": "One from {country} eats."}
    named = {"name_male": "{name_male} eats.", "name_female": "{name_female} eats."}
    names = {"first": ["Ren"], "last": ["Mori"]}
    files = {
        "prompt": {"entities": [{"category": "food", "languages": {"en": {**texts, **named}}}]},
        "country": {"Japan": {"name": {"en": "Japan"}}},
        "name": {"Japan": {"common_names": {"name_male": names, "name_female": names}}},
    }
    table = "[published_prompts]\n"
    for name, content in files.items():
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(content))
        table += f"{name}_json = {json.dumps(str(path))}\n"
    study = Study.parse(SMALL + table)
    assert [study.prompt(cell) for cell in study.cells()] == ["One eats.", "One from Japan eats."]
