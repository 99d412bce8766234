"""The journal keeps what was paid for, whatever happens to the process that wrote it."""

import errno
import gzip
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from makieval.errors import DiskFull, StoreError
from makieval.store import Journal


def test_what_was_appended_is_read_back_in_order(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    with journal.writer() as writer:
        writer.append([{"id": "a", "text": "Çay, 茶, چای"}])
        writer.append([{"id": "b"}, {"id": "c"}])
    assert [r["id"] for r in journal.records()] == ["a", "b", "c"]
    assert next(journal.records())["text"] == "Çay, 茶, چای"


def test_every_writer_has_a_segment_of_its_own(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    with journal.writer() as first, journal.writer() as second:
        second.append([{"id": "2"}])
        first.append([{"id": "1"}])
    assert len(journal.segments()) == 2
    assert {r["id"] for r in journal.records()} == {"1", "2"}


def test_a_writer_that_wrote_nothing_leaves_no_file(tmp_path: Path) -> None:
    with Journal(tmp_path).writer():
        pass
    assert Journal(tmp_path).segments() == []


def test_a_torn_last_line_is_left_aside_and_the_next_run_goes_on(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    with journal.writer() as writer:
        writer.append([{"id": "whole"}])
    segment = journal.segments()[0]
    with segment.open("ab") as file:
        file.write('{"id":"torn","text":"キム'.encode()[:-1])
    records, end = journal.read(segment)
    assert [r["id"] for r in records] == ["whole"]
    assert end < segment.stat().st_size
    with journal.writer() as writer:
        writer.append([{"id": "next"}])
    assert [r["id"] for r in journal.records()] == ["whole", "next"]


def test_a_damaged_line_within_is_an_error_that_names_the_segment(tmp_path: Path) -> None:
    segment = tmp_path / "000001.jsonl"
    segment.write_text('{"id":"a"}\n{"id":\n{"id":"c"}\n')
    with pytest.raises(StoreError, match=r"000001\.jsonl: line 2"):
        list(Journal(tmp_path).records())


def test_reading_goes_on_where_it_stopped(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    with journal.writer() as writer:
        writer.append([{"id": "a"}])
        segment = journal.segments()[0]
        _, end = journal.read(segment)
        writer.append([{"id": "b"}])
    assert [r["id"] for r in journal.read(segment, end)[0]] == ["b"]


def test_compressed_segments_are_read_alike(tmp_path: Path) -> None:
    (tmp_path / "000001.jsonl.gz").write_bytes(gzip.compress(b'{"id":"a"}\n'))
    assert [r["id"] for r in Journal(tmp_path).records()] == ["a"]


def test_a_full_disk_is_one_clear_line_and_loses_nothing(tmp_path: Path) -> None:
    """A child process may write no file beyond 4 kB: the kernel refuses as on a full disk."""
    code = (
        "import resource, signal, sys\n"
        "from pathlib import Path\n"
        "from makieval.errors import DiskFull\n"
        "from makieval.store import Journal\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        "try:\n"
        "    with Journal(Path(sys.argv[1])).writer() as writer:\n"
        "        for number in range(1000):\n"
        "            writer.append([{'id': number, 'text': 'x' * 100}])\n"
        "except DiskFull as error:\n"
        "    print(error)\n"
    )
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 4096
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert "no room left" in done.stdout
    kept = [r["id"] for r in Journal(tmp_path).records()]
    assert kept == list(range(len(kept)))
    assert len(kept) > 30


def test_a_folder_that_may_not_be_written_is_one_clear_line(tmp_path: Path) -> None:
    in_the_way = tmp_path / "journal"
    in_the_way.write_text("a file where the folder should be")
    with pytest.raises(StoreError, match="cannot be written"):
        Journal(in_the_way).writer()


def test_no_room_is_recognised_by_its_number() -> None:
    from makieval.store.journal import failed

    assert isinstance(failed(Path("x"), OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))), DiskFull)
    assert not isinstance(failed(Path("x"), OSError(errno.EACCES, "no")), DiskFull)
