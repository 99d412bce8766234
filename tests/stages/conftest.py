"""A small study against a real server on loopback, run in this process or in one of its own."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from makieval.stages import Job, run
from makieval.store import Store
from makieval.study import Study

STUDY = """
name = "small"
seed = 7
topics = ["food", "beverage"]
languages = {languages}
countries = ["italy", "japan"]
framings = ["neutral", "explicit"]
samples = {samples}

[[models]]
name = "loopback"
model = "loopback-model"
base_url = "{base_url}"
concurrency = 4
max_retries = 2
timeout_s = 10
{model}

[extraction]
extractor = "{extractor}"
"""


@pytest.fixture
def study_text() -> Callable[..., str]:
    """The study file's text for a server, with changes."""

    def text(server: Any, **changes: Any) -> str:
        fields: dict[str, Any] = {
            "languages": '["en", "de"]',
            "samples": 1,
            "extractor": "model",
            "model": "",
            "base_url": server if isinstance(server, str) else server.base_url,
        }
        return STUDY.format(**{**fields, **changes})

    return text


@pytest.fixture
def run_study() -> Callable[..., Any]:
    """Run a study's text on a store in this process; its totals."""

    def go(text: str, store: Path, *, offline: bool = False) -> Any:
        return run(Job(Study.parse(text), Store(store), offline=offline))

    return go


@pytest.fixture
def makieval() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run the command line in a process of its own."""

    def go(*words: object, **options: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "makieval", *map(str, words)],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            **options,
        )

    return go


def table(store: Path, query: str) -> list[tuple[Any, ...]]:
    """The rows of `query`."""
    with Store(store).connect(read_only=True) as connection:
        return connection.execute(query).fetchall()


@pytest.fixture
def rows() -> Callable[[Path, str], list[tuple[Any, ...]]]:
    """The rows of a query to a store."""
    return table
