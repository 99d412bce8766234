"""From real lines to a snapshot: what is kept, what is dropped, and that it is always the same."""

import bz2
import fcntl
import gzip
import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zstandard

from makieval import catalog
from makieval.errors import InputError, SnapshotError
from makieval.wikidata.consistency import check
from makieval.wikidata.dump import guard
from makieval.wikidata.dump.build import Built
from makieval.wikidata.dump.reader import Reading
from makieval.wikidata.dump.wanted import Wanted
from makieval.wikidata.snapshot import Snapshot

Make = Callable[..., Path]
Snap = Callable[..., tuple[Path, Built]]
Entity = dict[str, Any]


def rows(folder: Path, table: str) -> set[tuple[str, ...]]:
    """The rows of a table of a folder."""
    _, *lines = (folder / f"{table}.tsv").read_text(encoding="utf-8").splitlines()
    return {tuple(line.split("\t")) for line in lines}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, entities: Path) -> Path:
    """The tables of the real dump with every topic and language."""
    from makieval.wikidata.dump.build import Options, build

    path = tmp_path_factory.mktemp("built") / "snapshot.duckdb"
    build(entities, path, Wanted.of(), Options(reading=Reading(workers=1), keep=True))
    return path.with_name("snapshot.duckdb.tables")


def qids(folder: Path) -> set[str]:
    """The items of a folder."""
    return {row[0] for row in rows(folder, "items")}


def test_what_lies_under_a_topic_is_kept(built: Path) -> None:
    # Songs, a translated song (a class below songs), a book, and the classes themselves.
    assert {"Q14117313", "Q26307851", "Q64980512", "Q478433", "Q7366", "Q63141557"} <= qids(built)


def test_pages_lists_categories_and_bare_names_are_dropped(
    built: Path, by_id: dict[str, Entity]
) -> None:
    pages = {"Q4167410", "Q4167836", "Q101352", "Q13406463"}
    dropped = {
        qid
        for qid, entity in by_id.items()
        for claim in entity.get("claims", {}).get("P31", ())
        if claim["mainsnak"].get("datavalue", {}).get("value", {}).get("id") in pages
    }
    assert len(dropped) >= 4
    assert not dropped & qids(built)


def test_creators_and_countries_that_a_kept_work_names_are_kept(built: Path) -> None:
    # "Switch 625" is by Q367617, a citizen of Q145.
    assert {
        ("Q60346872", "P86", "Q367617", "normal"),
        ("Q367617", "P27", "Q145", "normal"),
    } <= rows(built, "statements")
    assert {"Q367617", "Q145"} <= qids(built)
    assert ("Q367617", "ko", "label", "스티브 클라크") in rows(built, "names")


def test_people_that_no_kept_work_names_are_dropped(
    make_dump: Make, make_snapshot: Snap, by_id: dict[str, Entity]
) -> None:
    path, _ = make_snapshot(make_dump([by_id["Q367617"], by_id["Q5"]]), keep=True)
    assert "Q367617" not in qids(path.with_name(f"{path.name}.tables"))


def test_the_tables_are_consistent_but_for_items_the_dump_does_not_hold(
    built: Path, by_id: dict[str, Entity]
) -> None:
    findings = check(built)
    absent = {finding.where for finding in findings if finding.check in {"unnamed", "country"}}
    assert all(finding.check in {"unnamed", "country"} for finding in findings)
    assert not absent & by_id.keys()


def test_roots_and_countries_of_the_catalog_are_always_there(built: Path) -> None:
    roots = {root for topic in catalog.topics().values() for root in topic.all_roots}
    assert roots | {country.qid for country in catalog.countries().values()} <= qids(built)


def test_only_names_of_the_wanted_languages_are_kept(entities: Path, make_snapshot: Snap) -> None:
    path, _ = make_snapshot(entities, wanted=Wanted.of(languages=["ja"]), keep=True)
    kept = {row[1] for row in rows(path.with_name(f"{path.name}.tables"), "names")}
    assert kept == {"ja", "en"}  # English is every language's last resort


def test_only_the_wanted_topics_are_kept(entities: Path, make_snapshot: Snap) -> None:
    path, _ = make_snapshot(entities, wanted=Wanted.of(topics=["music"]), keep=True)
    kept = qids(path.with_name(f"{path.name}.tables"))
    assert "Q14117313" in kept
    assert "Q478433" not in kept


def test_a_further_property_is_kept_on_request(entities: Path, make_snapshot: Snap) -> None:
    path, _ = make_snapshot(entities, wanted=Wanted.of(properties=["P407"]), keep=True)
    kept = rows(path.with_name(f"{path.name}.tables"), "statements")
    assert any(row[1] == "P407" for row in kept)


def test_instances_of_a_class_can_be_left_out(
    entities: Path, make_snapshot: Snap, built: Path
) -> None:
    path, _ = make_snapshot(entities, wanted=Wanted.of(without=["Q63141557"]), keep=True)
    kept = qids(path.with_name(f"{path.name}.tables"))
    assert "Q64980512" in qids(built)
    assert "Q64980512" not in kept
    assert "Q63141557" in kept  # the class itself is no instance of itself


def test_a_deprecated_class_counts_for_nothing(
    make_dump: Make, make_snapshot: Snap, by_id: dict[str, Entity]
) -> None:
    song = json.loads(json.dumps(by_id["Q26307851"]))
    for claim in song["claims"]["P31"]:
        claim["rank"] = "deprecated"
    path, _ = make_snapshot(make_dump([song, by_id["Q7366"]]), keep=True)
    assert "Q26307851" not in qids(path.with_name(f"{path.name}.tables"))


@pytest.mark.parametrize(
    ("name", "compress"),
    [
        ("dump.json.gz", gzip.compress),
        ("dump.json.bz2", bz2.compress),
        ("dump.json.zst", zstandard.compress),
    ],
)
def test_the_id_does_not_depend_on_compression_order_or_processes(
    name: str,
    compress: Callable[[bytes], bytes],
    make_dump: Make,
    make_snapshot: Snap,
    lines: list[bytes],
    entities: Path,
    tmp_path: Path,
) -> None:
    plain, _ = make_snapshot(entities, "plain.duckdb")
    shuffled = random.Random(5).sample(lines, len(lines))
    path = tmp_path / name
    path.write_bytes(compress(make_dump(shuffled).read_bytes()))
    other, _ = make_snapshot(path, "other.duckdb", reading=Reading(workers=2, part=1))
    with Snapshot.open(plain) as a, Snapshot.open(other) as b:
        assert a.id == b.id


def test_merged_items_are_followed_and_both_ids_kept(
    make_dump: Make, make_snapshot: Snap, by_id: dict[str, Entity], tmp_path: Path
) -> None:
    # Q37770760 as it would be after a merge into Q26307851: gone from the dump, still referred to.
    song = json.loads(json.dumps(by_id["Q26307851"]))
    song["claims"]["P31"][0]["mainsnak"]["datavalue"]["value"]["id"] = "Q111"
    (tmp_path / "redirects.tsv").write_text(
        "from\tto\nQ111\tQ112\nQ112\tQ7366\nQ37770760\tQ26307851\n"
    )
    path, _ = make_snapshot(
        make_dump([song, by_id["Q7366"]]), redirects=tmp_path / "redirects.tsv", keep=True
    )
    folder = path.with_name(f"{path.name}.tables")
    assert ("Q26307851", "P31", "Q7366", "normal") in rows(folder, "statements")
    assert {("Q37770760", "Q26307851"), ("Q111", "Q7366")} <= rows(folder, "redirects")


def test_redirects_in_a_circle_are_refused(
    entities: Path, make_snapshot: Snap, tmp_path: Path
) -> None:
    (tmp_path / "redirects.tsv").write_text("from\tto\nQ111\tQ112\nQ112\tQ113\nQ113\tQ111\n")
    with pytest.raises(SnapshotError, match="circle"):
        make_snapshot(entities, redirects=tmp_path / "redirects.tsv")


def test_a_name_with_a_tab_or_a_line_break_cannot_break_the_tables(
    make_dump: Make, make_snapshot: Snap, by_id: dict[str, Entity]
) -> None:
    song = {**by_id["Q26307851"], "labels": {"en": {"value": "a\tb\u2028\n c\u00a0"}}}
    path, _ = make_snapshot(make_dump([song, by_id["Q7366"]]), keep=True)
    assert ("Q26307851", "en", "label", "a b c") in rows(
        path.with_name(f"{path.name}.tables"), "names"
    )


def test_the_manifest_tells_the_choice_the_date_and_what_was_damaged(
    make_dump: Make, make_snapshot: Snap, lines: list[bytes]
) -> None:
    source = make_dump([*lines, b"nonsense"], "wikidata-20261123-all.json")
    path, _ = make_snapshot(source, wanted=Wanted.of(topics=["music"]))
    with Snapshot.open(path) as snapshot:
        manifest = snapshot.manifest
    assert manifest["date"] == "2026-11-23"
    assert manifest["filter"]["topics"] == ["music"]
    assert any("1 damaged lines left out" in note for note in manifest["notes"])


def test_a_rate_of_rows_that_is_short_is_not_built(
    entities: Path, make_snapshot: Snap, tmp_path: Path
) -> None:
    from makieval.wikidata.dump.reader import read

    work = tmp_path / "snapshot.duckdb.work"
    read(entities, Wanted.of(), work, Reading(workers=1))
    names = next((work / "parts").glob("*.names.parquet"))
    import polars as pl

    pl.read_parquet(names).head(10).write_parquet(names)
    with pytest.raises(SnapshotError, match="10 rows of names"):
        make_snapshot(entities)
    assert not (tmp_path / "snapshot.duckdb").exists()


def test_nothing_is_left_behind_but_the_snapshot(
    entities: Path, make_snapshot: Snap, tmp_path: Path
) -> None:
    make_snapshot(entities)
    assert [path.name for path in tmp_path.iterdir()] == ["snapshot.duckdb"]


def test_a_memory_limit_that_is_none_is_refused(entities: Path, make_snapshot: Snap) -> None:
    with pytest.raises(InputError, match="must be like 4GB"):
        make_snapshot(entities, memory="much")


def test_two_builds_of_one_snapshot_do_not_run_at_once(
    entities: Path, make_snapshot: Snap, tmp_path: Path
) -> None:
    work = tmp_path / "snapshot.duckdb.work"
    work.mkdir()
    with (work / "lock").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(SnapshotError, match="another build works there"):
            make_snapshot(entities)


# The ontology guard


def exploding(by_id: dict[str, Entity], songs: int) -> list[Entity]:
    """The dump with many items of Q483394, which an edit has made a subclass of song."""
    edit = {
        "mainsnak": {
            "snaktype": "value",
            "property": "P279",
            "datavalue": {"value": {"entity-type": "item", "id": "Q7366"}},
        },
        "rank": "normal",
    }
    genre = {"type": "item", "id": "Q483394", "labels": {"en": {"value": "genre"}}}
    many = [
        {
            "type": "item",
            "id": f"Q{900_000_000 + n}",
            "claims": {
                "P31": [
                    {
                        "mainsnak": {
                            "snaktype": "value",
                            "datavalue": {"value": {"entity-type": "item", "id": "Q483394"}},
                        },
                        "rank": "normal",
                    }
                ]
            },
        }
        for n in range(songs)
    ]
    return [*by_id.values(), {**genre, "claims": {"P279": [edit]}}, *many]


def test_a_class_that_explodes_stops_the_build_and_the_edit_is_named(
    make_dump: Make, make_snapshot: Snap, by_id: dict[str, Entity], entities: Path
) -> None:
    before, _ = make_snapshot(entities, "before.duckdb")
    source = make_dump(exploding(by_id, 200))
    with pytest.raises(SnapshotError) as stopped:
        make_snapshot(source, "after.duckdb", against=before)
    told = str(stopped.value)
    assert "\n" not in told
    assert "Q47461344 (written work) of topic book has 218 items under it, 17 in" in told
    assert "Q483394 (genre) is now a subclass of Q7366 (song) and brings 202" in told
    assert not before.with_name("after.duckdb").exists()


def test_accepted_growth_builds_from_what_was_read_already(
    make_dump: Make, make_snapshot: Snap, by_id: dict[str, Entity], entities: Path
) -> None:
    before, _ = make_snapshot(entities, "before.duckdb")
    source = make_dump(exploding(by_id, 200))
    with pytest.raises(SnapshotError):
        make_snapshot(source, "after.duckdb", against=before)
    path, built = make_snapshot(source, "after.duckdb", against=before, accept_growth=True)
    assert path.is_file()
    assert built.counts["items"] > 200


def test_the_snapshot_that_is_replaced_is_the_one_before(
    make_dump: Make, make_snapshot: Snap, by_id: dict[str, Entity], entities: Path
) -> None:
    make_snapshot(entities)
    with pytest.raises(SnapshotError, match="accept-growth"):
        make_snapshot(make_dump(exploding(by_id, 200)))


def test_ordinary_growth_passes(
    make_dump: Make, make_snapshot: Snap, by_id: dict[str, Entity], entities: Path
) -> None:
    before, _ = make_snapshot(entities, "before.duckdb")
    path, _ = make_snapshot(make_dump(exploding(by_id, 50)), "after.duckdb", against=before)
    assert path.is_file()


def test_a_topic_that_the_snapshot_before_was_not_built_for_is_no_explosion(
    make_dump: Make, make_snapshot: Snap, by_id: dict[str, Entity], entities: Path
) -> None:
    before, _ = make_snapshot(entities, "before.duckdb", wanted=Wanted.of(topics=["food"]))
    source = make_dump(exploding(by_id, 200))
    path, _ = make_snapshot(source, "after.duckdb", against=before)
    assert path.is_file()


def test_tables_are_guarded_too(
    make_dump: Make, make_snapshot: Snap, by_id: dict[str, Entity], entities: Path
) -> None:
    before, _ = make_snapshot(entities, "before.duckdb")
    after, _ = make_snapshot(make_dump(exploding(by_id, 200)), "after.duckdb", keep=True)
    folder = after.with_name("after.duckdb.tables")
    with pytest.raises(SnapshotError, match="Q483394"):
        guard.check_tables(folder, before, "1GB")
    guard.check_tables(folder, after, "1GB")


# The command line


def makieval(*words: object, given: bytes | None = None) -> "subprocess.CompletedProcess[str]":
    """Run a command; its output."""
    return subprocess.run(
        [sys.executable, "-m", "makieval", *map(str, words)],
        input=given and given.decode("utf-8"),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_the_command_reads_a_stream(entities: Path, tmp_path: Path, built: Path) -> None:
    del built
    path = tmp_path / "snapshot.duckdb"
    done = makieval(
        "snapshot", "build", "-", path, "--topics", "book,music", given=entities.read_bytes()
    )
    assert done.returncode == 0, done.stderr
    assert "36 item" in done.stdout
    with Snapshot.open(path) as snapshot:
        assert snapshot.manifest["filter"]["topics"] == ["book", "music"]
        assert snapshot.id in done.stdout


def test_the_command_says_in_one_line_what_a_language_should_be(
    entities: Path, tmp_path: Path
) -> None:
    done = makieval("snapshot", "build", entities, tmp_path / "s.duckdb", "--languages", "en,jp")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "did you mean 'ja'" in done.stderr


def test_options_of_dumps_are_refused_for_tables(built: Path, tmp_path: Path) -> None:
    done = makieval("snapshot", "build", built, tmp_path / "s.duckdb", "--topics", "food")
    assert done.returncode == 2
    assert "--topics: for dumps" in done.stderr
