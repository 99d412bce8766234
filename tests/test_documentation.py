"""The documentation cannot fall behind: it is written from the code, or compared with it."""

import importlib.util
import re
from pathlib import Path

import pytest

from makieval import templates
from makieval.status import Status
from makieval.study import Study

TOP = Path(__file__).parents[1]


def reference() -> str:
    path = TOP / "docs" / "build_reference.py"
    spec = importlib.util.spec_from_file_location("build_reference", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.reference()


def test_the_reference_is_what_the_code_says() -> None:
    written = (TOP / "docs" / "reference.md").read_text(encoding="utf-8")
    assert written == reference(), "run: python docs/build_reference.py"


def test_every_status_is_in_the_reference() -> None:
    text = (TOP / "docs" / "reference.md").read_text(encoding="utf-8")
    for status in Status:
        assert f"| `{status}` |" in text


def test_every_table_says_what_it_is_for() -> None:
    text = (TOP / "docs" / "reference.md").read_text(encoding="utf-8")
    entries = re.findall(r"^- \*\*`(\w+)`\*\*: (.*)$", text, re.MULTILINE)
    assert len(entries) > 20
    assert [name for name, comment in entries if not comment and name != "schema_version"] == []


def test_the_study_in_the_readme_is_one() -> None:
    text = (TOP / "README.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    assert Study.parse(example).name == "dinner"


def test_every_dependency_has_its_reason_in_the_readme() -> None:
    readme = (TOP / "README.md").read_text(encoding="utf-8")
    table = readme[readme.index("## Dependencies") :]
    project = (TOP / "pyproject.toml").read_text(encoding="utf-8")
    block = project[project.index("dependencies = [") : project.index("[project.scripts]")]
    for line in re.findall(r'"([A-Za-z0-9-]+)[=<>]', block):
        if line not in {"hypothesis", "pyright", "pytest", "ruff"}:
            assert line in table, line


def test_every_key_of_a_model_is_explained_in_the_file_that_init_writes() -> None:
    for key in ("base_url", "api_key_env", "temperature", "top_p", "max_tokens", "concurrency"):
        assert key in templates.STUDY


@pytest.mark.parametrize("marker", ["demo", "test"])
def test_the_readme_has_its_two_commands(marker: str) -> None:
    readme = (TOP / "README.md").read_text(encoding="utf-8")
    (command,) = re.findall(rf"<!-- {marker} -->\n```sh\n(.*)\n```", readme)
    assert command.startswith("python3 -m venv .venv && ")
