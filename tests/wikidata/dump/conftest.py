"""Real entities as a dump, and dumps made of them."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from makieval.wikidata.dump.build import Built, Options, build
from makieval.wikidata.dump.reader import Reading
from makieval.wikidata.dump.wanted import Wanted

ENTITIES = Path(__file__).parents[2] / "fixtures" / "dump" / "entities.json"


@pytest.fixture(scope="session")
def entities() -> Path:
    """The dump of real entities."""
    return ENTITIES


@pytest.fixture(scope="session")
def lines() -> list[bytes]:
    """Its entities, one JSON text each."""
    return [
        line.rstrip(b",") for line in ENTITIES.read_bytes().split(b"\n") if line.startswith(b"{")
    ]


@pytest.fixture(scope="session")
def by_id(lines: list[bytes]) -> dict[str, dict[str, Any]]:
    """Its entities by id."""
    return {entity["id"]: entity for entity in map(json.loads, lines)}


def dump_of(path: Path, lines: Sequence[bytes | dict[str, Any]]) -> Path:
    """A dump of these entities."""
    texts = [
        line
        if isinstance(line, bytes)
        else json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode()
        for line in lines
    ]
    path.write_bytes(b"[\n" + b",\n".join(texts) + b"\n]\n")
    return path


@pytest.fixture
def make_dump(tmp_path: Path) -> Callable[..., Path]:
    """Write a dump of entities, given as texts or as objects, under a name."""

    def make(lines: Sequence[bytes | dict[str, Any]], name: str = "dump.json") -> Path:
        return dump_of(tmp_path / name, lines)

    return make


@pytest.fixture
def make_snapshot(tmp_path: Path) -> Callable[..., tuple[Path, Built]]:
    """Build a snapshot from a dump with one process; its path, and what was told."""

    def make(
        source: Path, name: str = "snapshot.duckdb", wanted: Wanted | None = None, **options: Any
    ) -> tuple[Path, Built]:
        path = tmp_path / name
        options = {"reading": Reading(workers=1), **options}
        return path, build(source, path, wanted or Wanted.of(), Options(**options))

    return make


def rows(folder: Path, table: str) -> set[tuple[str, ...]]:
    """The rows of a table of a folder."""
    _, *lines = (folder / f"{table}.tsv").read_text(encoding="utf-8").splitlines()
    return {tuple(line.split("\t")) for line in lines}
