"""Reading a dump into parts: what is damaged, what dies, what is killed."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from makieval.errors import CatalogError, InputError, SnapshotError
from makieval.wikidata.dump.blocks import BLOCK
from makieval.wikidata.dump.progress import Progress
from makieval.wikidata.dump.reader import Reading, read
from makieval.wikidata.dump.wanted import Wanted

WANTED = Wanted.of(topics=["music"], languages=["en", "ja"])
Make = Callable[..., Path]


def got(path: Path, folder: Path, **how: Any) -> Progress:
    """Read a dump with one process."""
    return read(path, WANTED, folder, Reading(**{"workers": 1, **how}))


@pytest.mark.parametrize(
    "text",
    [
        b"[\r\n%s,\r\n%s\r\n]\r\n",
        b"[\n\n%s,\n\n\n%s\n]\n\n",
        b"[\n%s, \n%s\n]",
        b"%s\n%s\n",
        b"[%s,\n%s]",
        b"\xef\xbb\xbf[\n%s,\n%s\n]\n",
    ],
)
def test_line_ends_blank_lines_and_commas_do_not_matter(
    text: bytes, tmp_path: Path, lines: list[bytes]
) -> None:
    path = tmp_path / "dump.json"
    path.write_bytes(text % (lines[0], lines[1]))
    report = got(path, tmp_path / "work").report()
    assert (report.types["item"], report.damaged_count, report.truncated) == (2, 0, None)


def test_a_last_line_that_is_cut_off_is_counted_with_its_number(
    tmp_path: Path, lines: list[bytes]
) -> None:
    path = tmp_path / "dump.json"
    path.write_bytes(b"[\n" + lines[0] + b",\n" + lines[1][:-100])
    report = got(path, tmp_path / "work").report()
    assert report.types["item"] == 1
    assert [line for line, _ in report.damaged] == [3]
    assert "cut off after line 3" in list(report.sentences())[-1]


def test_an_array_that_ends_behind_a_comma_is_cut_off(tmp_path: Path, lines: list[bytes]) -> None:
    path = tmp_path / "dump.json"
    path.write_bytes(b"[\n" + lines[0] + b",\n" + lines[1] + b",\n")
    assert got(path, tmp_path / "work").report().truncated == "the array is not closed"


def test_damaged_lines_are_counted_and_told_and_the_others_read(
    make_dump: Make, lines: list[bytes], tmp_path: Path
) -> None:
    path = make_dump([lines[0], b'{"id": "Q1", "type": "item"', lines[1], b"nonsense"])
    report = got(path, tmp_path / "work").report()
    assert report.types["item"] == 2
    assert [line for line, _ in report.damaged] == [3, 5]
    assert "2 damaged lines left out; the first is line 3" in list(report.sentences())[1]


def test_strict_stops_at_a_damaged_line_and_names_it(
    make_dump: Make, lines: list[bytes], tmp_path: Path
) -> None:
    path = make_dump([lines[0], b"nonsense", lines[1]])
    with pytest.raises(SnapshotError, match=r"dump\.json, line 3: .*--strict"):
        got(path, tmp_path / "work", strict=True)


def test_strict_refuses_a_dump_that_is_cut_off(tmp_path: Path, lines: list[bytes]) -> None:
    path = tmp_path / "dump.json"
    path.write_bytes(b"[\n" + lines[0] + b",\n")
    with pytest.raises(SnapshotError, match="the array is not closed"):
        got(path, tmp_path / "work", strict=True)


def test_a_line_of_20_megabytes_is_read(
    make_dump: Make, by_id: dict[str, dict[str, Any]], lines: list[bytes], tmp_path: Path
) -> None:
    alias = {"language": "en", "value": "x" * 100}
    huge = {**by_id["Q26307851"], "aliases": {"en": [alias] * 150_000}}
    progress = got(make_dump([lines[0], huge, lines[1]]), tmp_path / "work")
    assert progress.report().types["item"] == 3
    assert progress.rows()["names"] > 150_000


def test_a_damaged_line_of_20_megabytes_is_counted(
    make_dump: Make, lines: list[bytes], tmp_path: Path
) -> None:
    report = got(make_dump([lines[0], b"{" * 20_000_000, lines[1]]), tmp_path / "work").report()
    assert (report.types["item"], report.damaged_count) == (2, 1)


@pytest.mark.parametrize("text", [b"<html>\n<body>404</body>\n</html>\n", b'{"entities": {}}'])
def test_what_is_no_dump_is_refused(text: bytes, tmp_path: Path) -> None:
    path = tmp_path / "dump.json"
    path.write_bytes(text)
    with pytest.raises(SnapshotError, match=r"no entity of Wikidata in it; line 1: "):
        got(path, tmp_path / "work")


@pytest.mark.parametrize(
    ("code", "meant"), [("jp", "ja"), ("zh_TW", "zh-tw"), ("cn", "zh"), ("kr", "ko")]
)
def test_a_language_that_does_not_exist_is_an_error_with_what_was_meant(
    code: str, meant: str
) -> None:
    with pytest.raises(CatalogError, match=rf"did you mean '{meant}'\?"):
        Wanted.of(languages=[code])


def test_topics_properties_and_classes_are_checked_too() -> None:
    with pytest.raises(CatalogError, match="did you mean 'food'"):
        Wanted.of(topics=["foods"])
    with pytest.raises(InputError, match="unknown property 'origin'"):
        Wanted.of(properties=["origin"])
    with pytest.raises(InputError, match="unknown class 'P31'"):
        Wanted.of(without=["P31"])


def test_a_choice_reads_the_properties_that_its_origins_need() -> None:
    assert Wanted.of(topics=["food"]).read == ("P31", "P279", "P17", "P495")
    assert Wanted.of(topics=["book"]).creators == ("P17", "P27", "P495")


@pytest.fixture
def long_dump(tmp_path: Path, lines: list[bytes]) -> Path:
    """Real entities over and over, as long as some ten blocks."""
    path = tmp_path / "long.json"
    with path.open("wb") as file:
        file.write(b"[\n")
        while file.tell() < 10 * BLOCK:
            file.write(b",\n".join(lines) + b",\n")
        file.write(lines[0] + b"\n]\n")
    return path


def test_a_process_that_dies_is_noticed_within_seconds(long_dump: Path, tmp_path: Path) -> None:
    pids: list[int] = []

    def kill(done: int, total: int | None) -> None:
        del total
        if pids and done > 3 * BLOCK:
            os.kill(pids.pop(), signal.SIGKILL)

    began = time.monotonic()
    with pytest.raises(SnapshotError, match=r"reading process \d+ died \(SIGKILL\)"):
        got(long_dump, tmp_path / "work", workers=2, heard=kill, started=pids.extend)
    assert time.monotonic() - began < 30


def test_what_a_dead_process_left_is_read_by_the_next_run(long_dump: Path, tmp_path: Path) -> None:
    pids: list[int] = []

    def kill(done: int, total: int | None) -> None:
        del total
        if pids and done > 6 * BLOCK:
            os.kill(pids.pop(), signal.SIGKILL)

    whole = got(long_dump, tmp_path / "whole")
    with pytest.raises(SnapshotError, match="died"):
        got(long_dump, tmp_path / "work", part=BLOCK, heard=kill, started=pids.extend)
    again = got(long_dump, tmp_path / "work", part=BLOCK, workers=2)
    assert again.rows() == whole.rows()
    assert again.report() == whole.report()


_READ = """
import sys
from pathlib import Path
from makieval.wikidata.dump.reader import Reading, read
from makieval.wikidata.dump.wanted import Wanted
wanted = Wanted.of(topics=["music"], languages=["en", "ja"])
read(sys.argv[1], wanted, Path(sys.argv[2]), Reading(workers=1, part=1))
"""


def test_a_run_killed_in_the_middle_goes_on_and_reads_nothing_twice(
    long_dump: Path, tmp_path: Path
) -> None:
    work = tmp_path / "work"
    process = subprocess.Popen([sys.executable, "-c", _READ, long_dump, work])
    journal = work / "progress.jsonl"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if journal.is_file() and journal.read_bytes().count(b"\n") > 6:
            break
        time.sleep(0.002)
    process.kill()
    process.wait()
    time.sleep(0.5)  # its own process notices that it is alone
    parts = {p.name: p.stat().st_mtime_ns for p in (work / "parts").glob("*.items.parquet")}
    kept = journal.read_bytes().count(b"\n") - 1
    assert kept >= 6
    taken: list[int] = []
    again = got(long_dump, work, part=1, heard=lambda done, _: taken.append(done))
    assert not taken or min(taken) > 0
    assert len(again.done) == len(list((work / "parts").glob("*.items.parquet")))
    untouched = [
        name for name, at in parts.items() if (work / "parts" / name).stat().st_mtime_ns == at
    ]
    assert len(untouched) >= kept
    whole = got(long_dump, tmp_path / "whole")
    assert again.rows() == whole.rows()
    assert again.report() == whole.report()


def test_a_line_of_the_progress_file_that_was_half_written_does_not_count(
    make_dump: Make, lines: list[bytes], tmp_path: Path
) -> None:
    path = make_dump(lines)
    whole = got(path, tmp_path / "work").rows()
    journal = tmp_path / "work" / "progress.jsonl"
    first, second, _ = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(first + second[:-10])
    assert got(path, tmp_path / "work").rows() == whole
    assert all(json.loads(line) for line in journal.read_bytes().splitlines())


def test_a_work_folder_of_another_dump_or_choice_is_refused(
    make_dump: Make, lines: list[bytes], tmp_path: Path
) -> None:
    got(make_dump(lines), tmp_path / "work")
    with pytest.raises(SnapshotError, match="another dump"):
        got(make_dump(lines[:5], "other.json"), tmp_path / "work")
    with pytest.raises(SnapshotError, match="another choice"):
        read(tmp_path / "dump.json", Wanted.of(languages=["de"]), tmp_path / "work")
