"""A snapshot that is updated is the one that a dump with the changes would have made."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from makieval.errors import SnapshotError
from makieval.wikidata.dump.build import Built
from makieval.wikidata.snapshot import Snapshot
from makieval.wikidata.update import update

Make = Callable[..., Path]
Snap = Callable[..., tuple[Path, Built]]
Entity = dict[str, Any]


def copied(entity: Entity) -> Entity:
    """A copy to change."""
    return json.loads(json.dumps(entity))


def delta_of(path: Path, changes: Sequence[Entity]) -> Path:
    """A file of changes, one per line."""
    path.write_text("".join(json.dumps(c, ensure_ascii=False) + "\n" for c in changes))
    return path


def ident(path: Path) -> str:
    """The id of a snapshot."""
    with Snapshot.open(path) as snapshot:
        return snapshot.id


@pytest.fixture
def changed(by_id: dict[str, Entity]) -> list[Entity]:
    """Changed names, a new song, a statement that makes an item leave, one that changes rank."""
    renamed = copied(by_id["Q4748823"])
    renamed["labels"]["ja"] = {"language": "ja", "value": "アムステルダム"}
    renamed["aliases"] = {"en": [{"language": "en", "value": "Amsterdam (song)"}]}
    new = {**copied(by_id["Q26307851"]), "id": "Q26307999"}
    leaving = copied(by_id["Q3566446"])
    leaving["claims"].pop("P31")
    ranked = copied(by_id["Q122781"])
    for claim in ranked["claims"]["P175"]:
        claim["rank"] = "deprecated"
    return [renamed, new, leaving, ranked]


def test_the_id_is_that_of_a_full_build(
    by_id: dict[str, Entity],
    changed: list[Entity],
    make_dump: Make,
    make_snapshot: Snap,
    entities: Path,
    tmp_path: Path,
) -> None:
    old, _ = make_snapshot(entities, "old.duckdb")
    gone = [
        {"id": "Q13554426", "missing": ""},
        {"entity": "Q37770760", "redirect": "Q26307851"},
    ]
    told = update(
        old, delta_of(tmp_path / "delta.json", [*changed, *gone]), tmp_path / "new.duckdb"
    )
    now = {**by_id, **{entity["id"]: entity for entity in changed}}
    del now["Q13554426"], now["Q37770760"]
    (tmp_path / "redirects.tsv").write_text("from\tto\nQ37770760\tQ26307851\n")
    full, _ = make_snapshot(
        make_dump(list(now.values())), "full.duckdb", redirects=tmp_path / "redirects.tsv"
    )
    assert told.after == ident(tmp_path / "new.duckdb") == ident(full)
    assert told.before == ident(old) != told.after
    assert (told.changed, told.deleted, told.merged) == (4, 1, 1)
    assert (told.unseen_items, told.unseen_classes) == (0, 0)


def test_changes_may_come_one_after_the_other(
    changed: list[Entity], make_snapshot: Snap, entities: Path, tmp_path: Path
) -> None:
    old, _ = make_snapshot(entities, "old.duckdb")
    at_once = tmp_path / "once.duckdb"
    update(old, delta_of(tmp_path / "all.json", changed), at_once)
    for number, change in enumerate(changed):
        update(old, delta_of(tmp_path / f"{number}.json", [change]), old)
    assert ident(old) == ident(at_once)


def test_no_change_keeps_the_id(make_snapshot: Snap, entities: Path, tmp_path: Path) -> None:
    old, _ = make_snapshot(entities, "old.duckdb")
    lines = [line for line in entities.read_text().splitlines() if line.startswith("{")]
    (tmp_path / "delta.json").write_text("\n".join(lines[:9]))
    told = update(old, tmp_path / "delta.json", tmp_path / "new.duckdb")
    assert told.before == told.after


def test_of_several_changes_of_an_item_the_last_counts(
    by_id: dict[str, Entity], make_snapshot: Snap, entities: Path, tmp_path: Path
) -> None:
    old, _ = make_snapshot(entities, "old.duckdb")
    before = ident(old)
    changes = [{"id": "Q4748823", "missing": ""}, by_id["Q4748823"]]
    assert update(old, delta_of(tmp_path / "delta.json", changes), old).after == before


def test_what_the_snapshot_could_not_know_is_told(
    by_id: dict[str, Entity], make_snapshot: Snap, entities: Path, tmp_path: Path
) -> None:
    old, _ = make_snapshot(entities, "old.duckdb")
    song = copied(by_id["Q4748823"])
    song["claims"]["P175"][0]["mainsnak"]["datavalue"]["value"]["id"] = "Q900000001"
    genre = {**copied(by_id["Q63141557"]), "id": "Q900000002"}
    told = update(old, delta_of(tmp_path / "delta.json", [song, genre]), tmp_path / "new.duckdb")
    assert (told.unseen_items, told.unseen_classes) == (1, 1)
    assert "a build from a dump has them" in list(told.sentences())[-1]


def test_a_damaged_change_changes_nothing(
    make_snapshot: Snap, entities: Path, tmp_path: Path
) -> None:
    old, _ = make_snapshot(entities, "old.duckdb")
    before = old.read_bytes()
    (tmp_path / "delta.json").write_text(
        '{"id":"Q4748823","missing":""}\n{"entity":"Q1","redirect":5}\n'
    )
    with pytest.raises(SnapshotError, match=r"delta\.json, line 2: '?5'? is no item"):
        update(old, tmp_path / "delta.json", old)
    assert old.read_bytes() == before


def test_a_snapshot_without_a_choice_cannot_be_updated(
    by_id: dict[str, Entity], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAKIEVAL_CACHE", str(tmp_path))
    with Snapshot.starter() as starter:
        path = starter.path
    with pytest.raises(SnapshotError, match="not built from a dump"):
        update(path, delta_of(tmp_path / "d.json", [by_id["Q5"]]), tmp_path / "new.duckdb")
