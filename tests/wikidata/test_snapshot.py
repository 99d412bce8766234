"""The snapshot file: built whole or not at all, named by its content, refused when misread."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest

from makieval import catalog
from makieval.errors import SnapshotError
from makieval.linking import Form, Lookup, Scope, name_languages, normalise
from makieval.wikidata import Snapshot, build, builder

TABLES = Path(__file__).parents[1] / "fixtures" / "tables"


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """The snapshot file of the small tables."""
    path = tmp_path / "small.duckdb"
    build(TABLES, path)
    return path


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of the small tables that a test may change."""
    return shutil.copytree(TABLES, tmp_path / "copy")


def append(folder: Path, table: str, *rows: str) -> None:
    with (folder / f"{table}.tsv").open("a", encoding="utf-8") as file:
        file.writelines(f"{row}\n" for row in rows)


def rows(path: Path, sql: str) -> list[tuple[object, ...]]:
    with duckdb.connect(str(path), read_only=True) as connection:
        return connection.execute(sql).fetchall()


# What it holds


def test_the_manifest_says_what_it_is_made_of(built: Path) -> None:
    with Snapshot.open(built) as snapshot:
        manifest = snapshot.manifest
    assert (manifest["name"], manifest["licence"]) == ("fixture", "CC0-1.0")
    assert manifest["sources"]
    assert manifest["counts"]["items"] == 89
    assert manifest["counts"]["names"] == len((TABLES / "names.tsv").read_text().splitlines()) - 1
    assert (manifest["schema"], manifest["normaliser"]) == (builder.SCHEMA, normalise.VERSION)


def test_every_name_is_filed_under_its_key(built: Path) -> None:
    for key, language, name in rows(built, "SELECT key, lang, name FROM names"):
        assert key == normalise.key(str(name), str(language))


def test_names_lie_in_key_order(built: Path) -> None:
    keys = [key for (key,) in rows(built, "SELECT key FROM names ORDER BY rowid")]
    assert keys == sorted(keys, key=lambda key: str(key).encode())


def test_the_closure_reaches_from_a_class_to_the_root(built: Path) -> None:
    found = rows(
        built,
        "SELECT root, depth, parent FROM closure WHERE topic = 'food' AND class = 'Q46383' "
        "ORDER BY depth",
    )
    assert found == [("Q746549", 2, "Q11559422"), ("Q2095", 3, "Q11559422")]


def test_every_root_of_the_catalog_is_in_the_closure(built: Path) -> None:
    found = set(rows(built, "SELECT topic, root FROM closure WHERE class = root AND depth = 0"))
    wanted = {(t.id, root) for t in catalog.topics().values() for root in t.all_roots}
    assert found == wanted


def test_a_deprecated_subclass_statement_closes_nothing(copied: Path, tmp_path: Path) -> None:
    append(copied, "statements", "Q3757\tP279\tQ40050\tdeprecated")
    build(copied, tmp_path / "s.duckdb")
    assert not rows(tmp_path / "s.duckdb", "FROM closure WHERE class = 'Q3757'")


def test_an_unknown_number_of_sitelinks_is_not_zero(built: Path) -> None:
    found = dict(rows(built, "SELECT qid, sitelinks FROM items WHERE qid IN ('Q727', 'Q177')"))
    assert found == {"Q727": 244, "Q177": None}


# Merged items (Q999999999x: numbers that Wikidata has not reached)


def test_merged_items_stand_under_their_targets(copied: Path, tmp_path: Path) -> None:
    append(copied, "items", "Q9999999998\t1", "Q9999999999\t2")
    append(copied, "redirects", "Q9999999998\tQ9999999999", "Q9999999999\tQ177")
    append(copied, "names", "Q9999999998\ten\talias\tPizza pie")
    append(copied, "statements", "Q46383\tP279\tQ9999999998\tnormal")
    path = tmp_path / "s.duckdb"
    build(copied, path)
    assert rows(path, "SELECT qid FROM names WHERE name = 'Pizza pie'") == [("Q177",)]
    assert rows(path, "FROM statements WHERE qid = 'Q46383' AND value = 'Q177'")
    assert rows(path, "FROM redirects ORDER BY ALL") == [
        ("Q9999999998", "Q177"),
        ("Q9999999999", "Q177"),
    ]
    assert not rows(path, "FROM items WHERE qid IN ('Q9999999998', 'Q9999999999')")


def test_redirects_in_a_circle_are_refused(copied: Path, tmp_path: Path) -> None:
    append(copied, "redirects", "Q9999999998\tQ9999999999", "Q9999999999\tQ9999999998")
    with pytest.raises(SnapshotError, match="in a circle"):
        build(copied, tmp_path / "s.duckdb")


# Its id


def test_the_same_tables_give_the_same_id(built: Path, copied: Path, tmp_path: Path) -> None:
    os.utime(copied / "names.tsv", (0, 0))
    build(copied, tmp_path / "elsewhere" / "other.duckdb")
    with Snapshot.open(built) as one, Snapshot.open(tmp_path / "elsewhere/other.duckdb") as other:
        assert one.id == other.id == builder.identity(TABLES)


def test_the_manifest_s_words_do_not_change_the_id(copied: Path) -> None:
    (copied / "manifest.toml").write_text('name = "other"\n', encoding="utf-8")
    assert builder.identity(copied) == builder.identity(TABLES)


@pytest.mark.parametrize(
    ("table", "row"),
    [
        ("names", "Q177\tmul\tlabel\tPizza"),
        ("statements", "Q177\tP495\tQ38\tnormal"),
        ("topics", "Q177\tfood\tlisted"),
        ("descriptions", "Q177\tit\tpiatto"),
    ],
)
def test_any_other_fact_changes_the_id(copied: Path, table: str, row: str) -> None:
    append(copied, table, row)
    assert builder.identity(copied) != builder.identity(TABLES)


# Refused


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(SnapshotError, match="no such snapshot file"):
        Snapshot.open(tmp_path / "none.duckdb")


def test_a_file_that_is_no_database_is_told(tmp_path: Path) -> None:
    path = tmp_path / "text.duckdb"
    path.write_text("hello " * 10_000)
    with pytest.raises(SnapshotError, match="not a snapshot of Wikidata"):
        Snapshot.open(path)


def test_another_database_is_told(tmp_path: Path) -> None:
    path = tmp_path / "other.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE t (i INTEGER)")
    with pytest.raises(SnapshotError, match=r"not a snapshot of Wikidata \(no manifest\)"):
        Snapshot.open(path)


@pytest.mark.parametrize(
    ("entry", "version", "message"),
    [
        ("schema", 99, "built by a newer makieval: snapshot version 99, this one reads up to 2"),
        ("normaliser", 99, "built by a newer makieval: key version 99, this one reads up to"),
        ("schema", 0, "built by an older makieval: snapshot version 0"),
        ("normaliser", 0, "built by an older makieval: key version 0.*build the snapshot again"),
    ],
)
def test_another_version_is_told(built: Path, entry: str, version: int, message: str) -> None:
    with duckdb.connect(str(built)) as connection:
        connection.execute(
            "UPDATE manifest SET value = ? WHERE key = ?", [json.dumps(version), entry]
        )
    with pytest.raises(SnapshotError, match=message):
        Snapshot.open(built)


def test_a_root_it_was_not_built_for_is_told(built: Path) -> None:
    lookup = Lookup((Form("en", "pizza", "exact"),), Scope("food", ("Q7802",), direct=True))
    with (
        Snapshot.open(built) as snapshot,
        pytest.raises(SnapshotError, match="built without the class Q7802 of topic 'food'"),
    ):
        snapshot.candidates([lookup])


def test_errors_are_one_line(tmp_path: Path) -> None:
    path = tmp_path / "text.duckdb"
    path.write_text("hello " * 10_000)
    with pytest.raises(SnapshotError) as caught:
        Snapshot.open(path)
    assert "\n" not in str(caught.value)


# Building


def test_a_failed_build_leaves_nothing_and_the_old_file_stays(
    built: Path, copied: Path, tmp_path: Path
) -> None:
    before = {path.name for path in tmp_path.iterdir()}
    append(copied, "redirects", "Q9999999998\tQ9999999998")
    with pytest.raises(SnapshotError):
        build(copied, built)
    assert {path.name for path in tmp_path.iterdir()} == before
    with Snapshot.open(built) as snapshot:
        assert snapshot.id == builder.identity(TABLES)


def test_tables_without_an_item_are_refused(copied: Path, tmp_path: Path) -> None:
    (copied / "items.tsv").write_text("qid\tsitelinks\n")
    with pytest.raises(SnapshotError, match=r"items\.tsv: holds no item"):
        build(copied, tmp_path / "s.duckdb")


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SnapshotError, match="cannot be written"):
        build(TABLES, tmp_path / "file" / "s.duckdb")


def test_an_unknown_topic_is_told_with_the_nearest(copied: Path, tmp_path: Path) -> None:
    append(copied, "topics", "Q5638\ttransport\tlisted")
    with pytest.raises(SnapshotError, match=r"topics\.tsv, line 5.*did you mean 'transportation'"):
        build(copied, tmp_path / "s.duckdb")


# The cache


def test_the_cache_is_built_once_and_found_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAKIEVAL_CACHE", str(tmp_path / "cache"))
    with Snapshot.cached(TABLES) as first:
        written = first.path.stat().st_mtime_ns
    with Snapshot.cached(TABLES) as second:
        assert (second.path, second.path.stat().st_mtime_ns) == (first.path, written)
    assert first.path.parent == tmp_path / "cache"
    assert [path.name for path in (tmp_path / "cache").iterdir()] == [first.path.name]


def test_a_damaged_cache_is_built_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAKIEVAL_CACHE", str(tmp_path))
    with Snapshot.cached(TABLES) as first:
        path = first.path
    path.write_bytes(path.read_bytes()[:5000])
    with Snapshot.cached(TABLES) as again:
        assert again.manifest["counts"]["items"] == 89


def test_two_processes_may_build_the_cache_at_once(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from makieval.wikidata import Snapshot\n"
        "with Snapshot.cached(Path(sys.argv[1])) as s: print(s.id, s.manifest['counts']['items'])"
    )
    environment = {**os.environ, "MAKIEVAL_CACHE": str(tmp_path)}
    running = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(TABLES)],
            stdout=subprocess.PIPE,
            env=environment,
            text=True,
        )
        for _ in range(2)
    ]
    told = [process.communicate(timeout=120)[0].strip() for process in running]
    assert told == [f"{builder.identity(TABLES)} 89"] * 2
    assert len(list(tmp_path.iterdir())) == 1


def test_a_killed_build_leaves_no_file_to_open(tmp_path: Path) -> None:
    program = (
        "import sys; from makieval.wikidata import build\n"
        "while True: build(sys.argv[1], sys.argv[2])"
    )
    path = tmp_path / "s.duckdb"
    process = subprocess.Popen([sys.executable, "-c", program, str(TABLES), str(path)])
    for _ in range(600):
        if list(tmp_path.iterdir()):
            break
        time.sleep(0.05)
    process.kill()
    process.wait()
    if path.exists():
        with Snapshot.open(path) as snapshot:
            assert snapshot.manifest["counts"]["items"] == 89


def test_a_path_names_a_snapshot(built: Path) -> None:
    with Snapshot.named(str(built)) as snapshot:
        assert snapshot.path == built


# The dictionary


def test_the_dictionary_holds_what_the_topic_admits(built: Path) -> None:
    with Snapshot.open(built) as snapshot:
        found = snapshot.dictionary("music", name_languages(catalog.language("en")))
    assert found["amsterdam"] == ("song_name",)
    assert found["the beatles"] == ("artist_name",)  # as an album it is outside these tables
    assert "kimono" not in found
    assert "richard" not in found  # a name item
    assert list(found) == sorted(found, key=str.encode)


def test_the_dictionary_keeps_to_its_languages(built: Path) -> None:
    with Snapshot.open(built) as snapshot:
        chinese = snapshot.dictionary("food", ["zh"])
        taiwan = snapshot.dictionary("food", ["zh-hant"])
    assert "宫保鸡丁" in chinese
    assert "宮保雞丁" not in chinese
    assert "宮保雞丁" in taiwan


def test_the_dictionary_names_types_in_the_catalog_s_order(built: Path) -> None:
    with Snapshot.open(built) as snapshot:
        found = snapshot.dictionary("food", ["en"])
    order = list(catalog.topics()["food"].types)
    assert found["sushi"] == tuple(sorted(found["sushi"], key=order.index))
    assert found["cuisine"] == ("dish_category",)
