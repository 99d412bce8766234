"""Arrows point down only: what each room may import of ours."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "makieval"
GROUND = {"errors", "status", "fingerprint", "resources", "nearest", "arrow", "retry_after"}
#: What a room may import besides the ground and itself.
ALLOWED: dict[str, set[str]] = {
    "catalog": set(),
    "stats": set(),
    "linking": {"catalog", "stats"},
    "extraction": {"catalog", "linking"},
    "wikidata": {"catalog", "linking"},
    "llm": set(),
    "store": set(),
    "stages": {"catalog", "extraction", "linking", "llm", "store", "study", "wikidata"},
    "report": {"catalog", "linking", "stats"},
    "service": {"catalog", "linking", "wikidata"},
}
#: Libraries that only load when they are used.
HEAVY = {"altair", "duckdb", "openai", "polars", "prefect", "vl_convert", "xllamacpp", "aiohttp"}


def imports(path: Path, *, top_only: bool) -> set[str]:
    """The dotted names that a file imports, at its top or anywhere but under TYPE_CHECKING."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names: set[str] = set()
    for node in tree.body if top_only else ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return names


@pytest.mark.parametrize("room", sorted(ALLOWED))
def test_a_room_imports_only_from_below(room: str) -> None:
    for path in (PACKAGE / room).rglob("*.py"):
        ours = {
            name.split(".")[1]
            for name in imports(path, top_only=False)
            if name.startswith("makieval.")
        }
        assert ours - GROUND - {room} <= ALLOWED[room], path


def test_heavy_libraries_are_imported_only_where_they_are_used() -> None:
    for path in PACKAGE.rglob("*.py"):
        heavy = {name.split(".")[0] for name in imports(path, top_only=True)} & HEAVY
        if path.parent.name != "llm":  # the asker is imported by stages alone, when they run
            assert heavy == set(), path


def test_prefect_is_imported_in_flows_alone() -> None:
    for path in PACKAGE.rglob("*.py"):
        assert not any(name.split(".")[0] == "prefect" for name in imports(path, top_only=False)), (
            path
        )


def test_no_module_is_longer_than_400_lines() -> None:
    long = {
        str(path.relative_to(PACKAGE)): lines
        for path in PACKAGE.rglob("*.py")
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > 400
    }
    assert long == {}
