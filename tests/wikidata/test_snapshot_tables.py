"""Tables of facts: read as they stand, refused with file and line."""

import shutil
from pathlib import Path

import pytest

from makieval.errors import SnapshotError
from makieval.wikidata import tables

TABLES = Path(__file__).parents[1] / "fixtures" / "tables"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the small tables that a test may change."""
    return shutil.copytree(TABLES, tmp_path / "copy")


def append(folder: Path, table: str, text: str) -> int:
    """Add `text` to a table; the number of its first line."""
    path = folder / f"{table}.tsv"
    line = len(path.read_bytes().split(b"\n"))
    with path.open("a", encoding="utf-8", newline="") as file:
        file.write(text)
    return line


def test_the_tables_are_read_whole() -> None:
    content = tables.read(TABLES)
    assert set(content.frames) == set(tables.LAYOUT)
    assert content.frames["items"].height == 89
    assert content.manifest["name"] == "fixture"


def test_quotes_and_backslashes_are_text(folder: Path) -> None:
    append(folder, "names", 'Q177\ten\talias\t"a\\b" ""\n')
    assert tables.read(folder).frames["names"]["name"][-1] == '"a\\b" ""'


def test_windows_line_ends_are_read(folder: Path) -> None:
    append(folder, "names", "Q177\ten\talias\tpie\r\n")
    assert tables.read(folder).frames["names"]["name"][-1] == "pie"


@pytest.mark.parametrize("name", [*(f"{table}.tsv" for table in tables.LAYOUT), "manifest.toml"])
def test_a_missing_file_is_told(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(SnapshotError, match=f"{name}: no such file"):
        tables.read(folder)


def test_a_wrong_header_is_told(folder: Path) -> None:
    (folder / "items.tsv").write_text("qid\tlinks\nQ177\t1\n")
    with pytest.raises(SnapshotError, match=r"line 1: the header is 'qid links' \(must be"):
        tables.read(folder)


def test_an_empty_file_is_told(folder: Path) -> None:
    (folder / "items.tsv").write_text("")
    with pytest.raises(SnapshotError, match=r"items\.tsv, line 1: the header is ''"):
        tables.read(folder)


@pytest.mark.parametrize(
    ("table", "row", "message"),
    [
        ("items", "177\t3", "qid is '177'"),
        ("items", "Q0177\t3", "qid is 'Q0177'"),
        ("items", "Q177\tmany", "sitelinks is 'many'"),
        ("names", "Q177\tEN\tlabel\tPizza", "lang is 'EN'"),
        ("names", "Q177\ten\ttitle\tPizza", "kind is 'title'"),
        ("names", "Q177\ten\tlabel\t ", "name is ' '"),
        ("names", "Q177\ten\tlabel", "name is ''"),
        ("statements", "Q177\tp279\tQ2095\tnormal", "property is 'p279'"),
        ("statements", "Q177\tP279\tfood\tnormal", "value is 'food'"),
        ("statements", "Q177\tP279\tQ2095\tbest", "rank is 'best'"),
        ("topics", "Q177\tFood\tlisted", "topic is 'Food'"),
        ("redirects", "Q177\t", "to is ''"),
    ],
)
def test_a_bad_value_is_told_with_its_line(
    folder: Path, table: str, row: str, message: str
) -> None:
    line = append(folder, table, f"{row}\n")
    with pytest.raises(SnapshotError, match=rf"{table}\.tsv, line {line}: {message}"):
        tables.read(folder)


def test_a_blank_line_is_told(folder: Path) -> None:
    line = append(folder, "items", "\nQ9999999\t1\n")
    with pytest.raises(SnapshotError, match=rf"items\.tsv, line {line}: qid is ''"):
        tables.read(folder)


def test_a_field_too_many_is_told_with_its_line(folder: Path) -> None:
    line = append(folder, "names", "Q177\ten\talias\tpizza\tpie\n")
    with pytest.raises(SnapshotError, match=rf"names\.tsv: line {line} has 5 fields"):
        tables.read(folder)


def test_a_file_that_is_not_utf8_is_told_with_its_line(folder: Path) -> None:
    path = folder / "names.tsv"
    line = len(path.read_bytes().split(b"\n"))
    path.write_bytes(path.read_bytes() + b"Q177\ten\talias\tpizza\xff\n")
    with pytest.raises(SnapshotError, match=rf"names\.tsv: line {line} is not UTF-8"):
        tables.read(folder)


def test_a_manifest_that_is_not_toml_is_told(folder: Path) -> None:
    (folder / "manifest.toml").write_text("name: x")
    with pytest.raises(SnapshotError, match=r"manifest\.toml: not a TOML file"):
        tables.read(folder)


def test_the_digest_is_of_the_content(folder: Path) -> None:
    before = tables.digest(folder)
    assert before == tables.digest(TABLES)
    append(folder, "names", "Q177\ten\talias\tpie\n")
    assert tables.digest(folder) != before


def test_a_table_is_the_same_read_in_many_pieces(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = tables.read(folder)
    monkeypatch.setattr(tables, "PIECE", 100)
    for name, frame in tables.read(folder).frames.items():
        assert frame.equals(whole.frames[name])
    line = append(folder, "names", "Q177\ten\tlabel\t \n")
    with pytest.raises(SnapshotError, match=rf"names\.tsv, line {line}: name is ' '"):
        tables.read(folder)
    append(folder, "items", "Q177\t1\t2\n")
    with pytest.raises(SnapshotError, match=r"items\.tsv: line 91 has 3 fields"):
        tables.read(folder)
