"""What changed from one snapshot to another, over small tables with known changes."""

import json
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from makieval.wikidata.diff import Count, compare
from makieval.wikidata.snapshot import build
from makieval.wikidata.tables import LAYOUT

Rows = Mapping[str, Sequence[str]]
# Songs (Q7366) named Amsterdam, and a class below songs, as in the real items of fixtures/dump.
BEFORE: Rows = {
    "items": ["Q7366\t161", "Q63141557\t3", "Q4748823\t6", "Q14117313\t4", "Q30\t370"],
    "names": [
        "Q4748823\ten\tlabel\tAmsterdam",
        "Q14117313\ten\tlabel\tAmsterdam",
        "Q30\ten\tlabel\tUSA",
    ],
    "statements": [
        "Q4748823\tP31\tQ7366\tnormal",
        "Q14117313\tP31\tQ7366\tnormal",
        "Q14117313\tP495\tQ30\tnormal",
        "Q63141557\tP279\tQ7366\tnormal",
    ],
}
AFTER: Rows = {
    "items": ["Q7366\t161", "Q63141557\t3", "Q14117313\t5", "Q30\t370", "Q26307851\t0"],
    "names": [
        "Q14117313\ten\talias\tAmsterdam",
        "Q14117313\ten\tlabel\tAmsterdam (song)",
        "Q26307851\ten\tlabel\tAmsterdam",
        "Q30\ten\tlabel\tUSA",
    ],
    "statements": [
        "Q14117313\tP31\tQ7366\tnormal",
        "Q14117313\tP495\tQ30\tpreferred",
        "Q26307851\tP31\tQ7366\tnormal",
    ],
    "redirects": ["Q4748823\tQ26307851"],
}


@pytest.fixture
def made(tmp_path: Path) -> Callable[[str, Rows], str]:
    """A snapshot of some rows."""

    def make(name: str, rows: Rows) -> str:
        folder = tmp_path / name
        folder.mkdir()
        for table, columns in LAYOUT.items():
            lines = ["\t".join(columns), *rows.get(table, ())]
            (folder / f"{table}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        (folder / "manifest.toml").write_text(f'name = "{name}"\n')
        path = tmp_path / f"{name}.duckdb"
        build(folder, path)
        return str(path)

    return make


def test_every_change_is_counted_once_per_topic(made: Callable[[str, Rows], str]) -> None:
    found = compare(made("a", BEFORE), made("b", AFTER))
    assert [row for row in found.counts if row.topic == "music"] == [
        Count("music", "classes", 0, 1, 0),
        Count("music", "items", 1, 1, 1),
        Count("music", "names", 2, 1, 1),
        Count("music", "statements", 1, 2, 1),
    ]
    assert {row.topic for row in found.counts} == {"music"}


def test_examples_say_what_there_was_and_what_there_is(made: Callable[[str, Rows], str]) -> None:
    found = compare(made("a", BEFORE), made("b", AFTER))
    said = {(e.table, e.sign, e.qid): e.said for e in found.examples}
    assert said["items", "-", "Q4748823"] == "merged into Q26307851"
    assert said["items", "~", "Q14117313"] == "4→5 sitelinks"
    assert said["names", "~", "Q14117313"] == "en label→alias Amsterdam"
    assert said["statements", "~", "Q14117313"] == "P495 Q30 normal→preferred"
    assert said["classes", "-", "Q63141557"] == "under Q7366"


def test_a_snapshot_does_not_differ_from_itself(made: Callable[[str, Rows], str]) -> None:
    path = made("a", BEFORE)
    assert list(compare(path, path).lines())[-1] == "no difference"


def test_the_command_prints_a_table_or_json(made: Callable[[str, Rows], str]) -> None:
    pair = made("a", BEFORE), made("b", AFTER)
    command = [sys.executable, "-m", "makieval", "snapshot", "diff", *pair]
    table = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "added    removed    changed" in table
    told = subprocess.run([*command, "--json"], capture_output=True, text=True, check=True).stdout
    assert json.loads(told)["counts"][0]["table"] == "classes"
