"""A study on a real endpoint, and the services of docker-compose.yml running bare."""

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from makieval.wikidata import builder
from tests.flows.bare_stack import TOP, Stack, postgres_folder, stack


@pytest.fixture(scope="session")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small snapshot, built from the tables of the fixtures."""
    path = tmp_path_factory.mktemp("snapshot") / "small.duckdb"
    builder.build(TOP / "tests" / "fixtures" / "tables", path)
    return path


@pytest.fixture(scope="session")
def write_study(snapshot: Path) -> Callable[..., Path]:
    """`write_study(path, base_url, …)` writes a study of 8 texts; more keys go to its model."""

    def write(path: Path, base_url: str, **model: object) -> Path:
        lines = [f"{key} = {value!r}" for key, value in model.items()]
        path.write_text(
            f"""
name = "Night.ly_{path.stem}"
topics = ["food", "music"]
languages = ["en", "de"]
countries = ["japan"]
framings = ["neutral", "explicit"]
[[models]]
name = "loopback"
model = "loopback-model"
base_url = "{base_url}"
{chr(10).join(lines)}
[extraction]
extractor = "gazetteer"
[linking]
source = "{snapshot}"
""",
            encoding="utf-8",
        )
        return path

    return write


@pytest.fixture(scope="session")
def services() -> Iterator[Stack]:
    """PostgreSQL, the Prefect server, a worker that has two keys, and the deployments."""
    if postgres_folder() is None:
        pytest.skip("PostgreSQL's programs are not installed (Debian: postgresql)")
    with tempfile.TemporaryDirectory(prefix="makieval-services-") as name:
        Path(name).chmod(0o755)  # PostgreSQL's user must reach its own folder in here
        with stack(Path(name)) as running, running.up("worker"):
            running.run("deployments")
            yield running
