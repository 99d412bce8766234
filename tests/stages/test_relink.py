"""What another snapshot would do to a study: links and figures side by side, nothing touched."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from makieval.errors import InputError, SnapshotError
from makieval.stages import Job, run
from makieval.stages.plan import plan
from makieval.stages.relink import Relink, relink
from makieval.store import Store
from makieval.study import Study
from makieval.wikidata.snapshot import build, starter_tables

STUDY = """
name = "dinner"
topics = ["food"]
languages = ["en"]
countries = ["italy", "japan"]
framings = ["neutral", "explicit"]

[[models]]
name = "m"
model = "m"
base_url = "http://127.0.0.1:9/v1"

[extraction]
extractor = "gazetteer"

[linking]
source = "{source}"
"""
TEXT = "Tonight I am having sushi, and tomorrow a pizza."

Edit = Callable[[list[str]], list[str]]


@pytest.fixture
def snapshot(tmp_path: Path) -> Callable[..., Path]:
    """The starter's tables, some of them edited, as a snapshot."""

    def make(name: str, **edits: Edit) -> Path:
        folder = tmp_path / f"{name}-tables"
        shutil.copytree(starter_tables(), folder)
        for table, edit in edits.items():
            path = folder / f"{table}.tsv"
            header, *rows = path.read_text(encoding="utf-8").splitlines()
            path.write_text("\n".join([header, *edit(rows)]) + "\n", encoding="utf-8")
        build(folder, tmp_path / f"{name}.duckdb")
        return tmp_path / f"{name}.duckdb"

    return make


def without(*beginnings: str) -> Edit:
    """Leave out rows that begin so."""
    return lambda rows: [row for row in rows if not row.startswith(beginnings)]


@pytest.fixture
def store(tmp_path: Path, snapshot: Callable[..., Path]) -> Store:
    """A store with a study whose answers were recorded, run to its figures."""
    job = Job(
        Study.parse(STUDY.format(source=snapshot("before"))),
        Store(tmp_path / "store"),
        offline=True,
    )
    job.store.create()
    plan(job)
    with job.store.connect(read_only=True) as connection:
        wanted = connection.execute("SELECT response_id FROM requests ORDER BY 1").fetchall()
    with job.store.journal.writer() as writer:
        for (response_id,) in wanted:
            record = {"id": response_id, "status": "ok", "text": TEXT, "finish_reason": "stop"}
            writer.append([{**record, "received_at": "2026-01-01T00:00:00Z"}])
    job.store.ingest()
    run(job)
    return job.store


def figures(store: Store) -> list[list[tuple[Any, ...]]]:
    """Everything that links decide."""
    with store.connect(read_only=True) as connection:
        return [
            connection.execute(f"FROM {table} ORDER BY ALL").fetchall()
            for table in (
                "studies",
                "links",
                "entities",
                "entity_origins",
                "diversity",
                "specificity",
            )
        ]


def metric(found: Relink, name: str) -> Any:
    """One metric's row."""
    [row] = [row for row in found.metrics if row.metric == name]
    return row


def test_the_same_knowledge_changes_nothing(
    store: Store, snapshot: Callable[..., Path], tmp_path: Path
) -> None:
    found = relink(store, "dinner", str(tmp_path / "before.duckdb"))
    assert found.before == found.after
    assert found.links == 2
    assert found.changes == ()
    assert not any(row.changed for row in found.metrics)


def test_an_item_that_is_gone_is_a_lost_link_and_less_diversity(
    store: Store, snapshot: Callable[..., Path]
) -> None:
    gone = without("Q46383\t")
    after = snapshot("after", items=gone, names=gone, statements=gone, topics=gone)
    before = figures(store)
    found = relink(store, "dinner", str(after))
    [change] = found.changes
    assert (change.surface, change.kind, change.before) == ("sushi", "lost", "Q46383")
    assert change.mentions == 3  # a neutral prompt, and two that name a country
    diversity = metric(found, "diversity")
    assert (diversity.before, diversity.after, diversity.changed) == (2, 1, 3)
    assert metric(found, "granularity").changed == 0
    assert figures(store) == before


def test_an_item_that_was_merged_is_told_from_another_item(
    store: Store, snapshot: Callable[..., Path]
) -> None:
    after = snapshot("after", redirects=lambda rows: [*rows, "Q46383\tQ900000001"])
    [change] = relink(store, "dinner", str(after)).changes
    assert (change.kind, change.before, change.after) == ("merged", "Q46383", "Q900000001")


def test_an_origin_that_changes_moves_specificity_and_no_link(
    store: Store, snapshot: Callable[..., Path]
) -> None:
    after = snapshot("after", statements=without("Q46383\tP495"))
    found = relink(store, "dinner", str(after))
    assert found.changes == ()
    assert metric(found, "specificity").changed > 0
    assert metric(found, "known origin").changed > 0
    assert metric(found, "diversity").changed == 0


def test_a_lost_snapshot_of_the_study_is_said(
    store: Store, snapshot: Callable[..., Path], tmp_path: Path
) -> None:
    after = snapshot("after")
    (tmp_path / "before.duckdb").unlink()
    assert "not at hand" in (relink(store, "dinner", str(after)).note or "")


def test_what_is_not_there_is_refused(store: Store, tmp_path: Path) -> None:
    with pytest.raises(SnapshotError, match="no such snapshot file"):
        relink(store, "dinner", str(tmp_path / "none.duckdb"))
    with store.connect() as connection:
        connection.execute("UPDATE studies SET linker = NULL")
    with pytest.raises(InputError, match="no links yet"):
        relink(store, "dinner", "starter")


def test_the_command_prints_tables_or_json(store: Store, snapshot: Callable[..., Path]) -> None:
    after = snapshot("after", statements=without("Q46383\tP495"))
    words = ["relink", "--diff", str(after), "--store", str(store.folder)]
    command = [sys.executable, "-m", "makieval", *words]
    table = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "2 distinct mentions: none changes" in table
    told = subprocess.run([*command, "--json"], capture_output=True, text=True, check=True).stdout
    assert {row["metric"] for row in json.loads(told)["metrics"]} >= {"specificity", "diversity"}
