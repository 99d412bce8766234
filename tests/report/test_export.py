"""Exports: complete, in a stated order, and the same bytes each time."""

import hashlib
import json

import polars
import pytest

from makieval.errors import InputError
from makieval.report.export import FORMATS, VIEWS, export
from tests.report.conftest import Connect
from tests.report.made_up import MadeUp


@pytest.mark.parametrize("kind", FORMATS)
def test_repeating_an_export_gives_the_same_bytes(kind, dinner, tmp_path):
    first = export(dinner, "dinner", tmp_path / "a", kind)
    second = export(dinner, "dinner", tmp_path / "b", kind)
    assert [path.name for path in first] == [path.name for path in second]
    assert all(a.read_bytes() == b.read_bytes() for a, b in zip(first, second, strict=True))


@pytest.mark.parametrize("kind", FORMATS)
def test_the_order_of_the_stored_rows_does_not_show(kind, connect: Connect, tmp_path):
    connection = connect(MadeUp())
    first = [path.read_bytes() for path in export(connection, "dinner", tmp_path, kind)]
    for table in VIEWS:
        connection.execute(f"CREATE TABLE copy AS SELECT * FROM {table} ORDER BY hash({table})")
        connection.execute(f"DROP TABLE {table}; ALTER TABLE copy RENAME TO {table}")
    assert [path.read_bytes() for path in export(connection, "dinner", tmp_path, kind)] == first


def test_a_large_export_is_the_same_with_several_threads(connect: Connect, tmp_path):
    connection = connect(MadeUp(samples=1))
    connection.execute("SET threads = 4")
    connection.execute(
        "INSERT INTO responses SELECT r.* REPLACE (i AS sample) "
        "FROM responses r, range(1, 3000) t(i)"
    )
    first, second = (
        export(connection, "dinner", tmp_path / name, "parquet")[0].read_bytes() for name in "ab"
    )
    assert first == second


def test_parquet_holds_every_row_and_type(dinner, tmp_path):
    export(dinner, "dinner", tmp_path, "parquet")
    for name, view in VIEWS.items():
        frame = polars.read_parquet(tmp_path / f"{name}.parquet")
        held = dinner.execute(f"SELECT count(*) FROM {name}").fetchone()
        assert frame.height == held[0] > 0
        assert tuple(frame.columns) == (*view.keys, *view.values)
    mentions = polars.read_parquet(tmp_path / "mentions.parquet")
    assert mentions["origins"].dtype == polars.List(polars.String)
    assert "ラーメン" in mentions["surface"].to_list()


def test_csv_writes_lists_with_bars_and_survives_awkward_texts(connect: Connect, tmp_path):
    connection = connect(MadeUp())
    connection.execute("UPDATE mentions SET origins = ['Q17', 'Q183'] WHERE qid = 'Q177'")
    awkward = 'a "quoted", text\nin two lines; with NULL and ,'
    connection.execute("UPDATE responses SET text = ? WHERE sample = 1", [awkward])
    export(connection, "dinner", tmp_path, "csv")
    mentions = polars.read_csv(tmp_path / "mentions.csv", infer_schema=False)
    assert "Q17|Q183" in mentions["origins"].to_list()
    responses = polars.read_csv(tmp_path / "responses.csv", infer_schema=False)
    assert responses.filter(polars.col("sample") == "1")["text"].unique().to_list() == [awkward]


def test_jsonl_holds_one_object_a_line_with_nulls(dinner, tmp_path):
    export(dinner, "dinner", tmp_path, "jsonl")
    lines = (tmp_path / "responses.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert len(rows) == 144
    assert {row["country"] for row in rows} == {None, "japan", "germany"}
    assert any("夕" in row["text"] or "ラーメン" in row["text"] for row in rows if row["text"])


def test_the_manifest_vouches_for_every_file(dinner, tmp_path):
    written = export(dinner, "dinner", tmp_path, "csv", {"snapshot": "starter-1"})
    manifest = json.loads(written[-1].read_text(encoding="utf-8"))
    assert manifest["provenance"] == {"snapshot": "starter-1"}
    assert [table["table"] for table in manifest["tables"]] == list(VIEWS)
    for table, path in zip(manifest["tables"], written[:-1], strict=True):
        assert path.name == table["file"]
        assert hashlib.sha256(path.read_bytes()).hexdigest() == table["sha256"]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(p.name for p in written)


def test_only_the_study_asked_for_is_written(connect: Connect, tmp_path):
    connection = connect(MadeUp(), MadeUp(name="other", samples=1))
    export(connection, "other", tmp_path, "parquet")
    frame = polars.read_parquet(tmp_path / "responses.parquet")
    assert frame["study"].unique().to_list() == ["other"]


def test_a_folder_with_a_quote_in_its_name_is_no_trouble(dinner, tmp_path):
    assert export(dinner, "dinner", tmp_path / "it's", "csv")[0].exists()


def test_an_unknown_format_is_one_clear_line(dinner, tmp_path):
    with pytest.raises(InputError, match=r"'json' \(allowed: parquet, csv, jsonl\).*'jsonl'"):
        export(dinner, "dinner", tmp_path, "json")


def test_an_unknown_study_writes_nothing(dinner, tmp_path):
    with pytest.raises(InputError, match="has no rows"):
        export(dinner, "lunch", tmp_path / "out", "csv")
    assert not (tmp_path / "out").exists()
