"""A few lookups are answered by point reads, many as a set: the candidates are the same."""

from pathlib import Path

import pytest

from makieval import catalog
from makieval.linking import Candidate, Linker, Lookup, Mention
from makieval.wikidata import Snapshot, build, few, tables

TABLES = Path(__file__).parents[1] / "fixtures" / "tables"
TYPES = [
    (topic.id, entity_type.id)
    for topic in catalog.topics().values()
    for entity_type in topic.types.values()
    if entity_type.granularity != "excluded"
]


def as_set(source: Snapshot, lookups: list[Lookup]) -> list[set[Candidate]]:
    return [set(found) for found in source.candidates(lookups)]


def test_every_name_has_the_same_candidates_either_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(TABLES, tmp_path / "s.duckdb", approximate=False)
    names = tables.read(TABLES).frames["names"].filter(lang="en")["name"].unique().sort()
    with Snapshot.open(tmp_path / "s.duckdb") as source:
        linker = Linker(source)
        lookups = [linker.lookup(Mention(name, "en", *kind)) for name in names for kind in TYPES]
        many = as_set(source, lookups)
        monkeypatch.setattr(few, "FEW", 10**9)
        assert as_set(source, lookups) == many
    assert any(candidate.typed for found in many for candidate in found)
    assert any(not candidate.typed for found in many for candidate in found)
    assert any(candidate.path[:1] == ("direct",) for found in many for candidate in found)
