"""Dumps of every compression, whole, in several members, from the middle, and cut off."""

import bz2
import gzip
import io
import random
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from makieval.errors import SnapshotError
from makieval.wikidata.dump.blocks import Chunk, Truncated
from makieval.wikidata.dump.bzip2 import Piece, pieces
from makieval.wikidata.dump.source import opened

Compress = Callable[[bytes], bytes]
KINDS: dict[str, Compress] = {
    "gzip": lambda text: gzip.compress(text, 1, mtime=0),
    "bzip2": lambda text: bz2.compress(text, 1),
    "zstd": zstandard.ZstdCompressor(level=1).compress,
}


@pytest.fixture(scope="module")
def text(lines: list[bytes]) -> bytes:
    """Some real entities in a shuffled order, three times: several blocks of bzip2."""
    drawn = random.Random(3)
    return b"\n".join(drawn.sample(lines * 3, len(lines) * 3))


def chunks(path: Path, start: int = 0, threads: int = 2) -> list[Chunk]:
    """Everything in a file."""
    with opened(path, threads) as source:
        return list(source.chunks(start))


def read(path: Path) -> bytes:
    """The text of a file."""
    return b"".join(chunk.data for chunk in chunks(path))


def test_plain_text_is_read_as_it_stands(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "dump"
    path.write_bytes(text)
    assert read(path) == text


@pytest.mark.parametrize("kind", KINDS)
def test_the_kind_is_told_by_the_content_and_not_by_the_name(
    kind: str, tmp_path: Path, text: bytes
) -> None:
    path = tmp_path / "dump.json"
    path.write_bytes(KINDS[kind](text))
    with opened(path, 1) as source:
        assert source.kind == kind
    assert read(path) == text


@pytest.mark.parametrize("kind", KINDS)
def test_several_streams_one_after_the_other_are_one_dump(
    kind: str, tmp_path: Path, text: bytes
) -> None:
    path = tmp_path / "dump"
    path.write_bytes(
        b"".join(KINDS[kind](text[at : at + 99_999]) for at in range(0, len(text), 99_999))
    )
    assert read(path) == text


@pytest.mark.parametrize("kind", KINDS)
def test_reading_can_begin_at_every_place_that_a_chunk_names(
    kind: str, tmp_path: Path, text: bytes
) -> None:
    path = tmp_path / "dump"
    half = len(text) // 2
    path.write_bytes(KINDS[kind](text[:half]) + KINDS[kind](text[half:]))
    found = chunks(path)
    places = [at for at, chunk in enumerate(found) if chunk.source is not None]
    assert len(places) > 1
    for at in places:
        start = found[at].source
        assert start is not None
        rest = b"".join(chunk.data for chunk in chunks(path, start))
        assert rest == b"".join(chunk.data for chunk in found[at:])


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_that_was_cut_off_gives_what_it_has_and_says_so(
    kind: str, tmp_path: Path, text: bytes
) -> None:
    path = tmp_path / "dump"
    path.write_bytes(KINDS[kind](text)[:-200])
    got = b""
    with opened(path, 2) as source, pytest.raises(Truncated):
        for chunk in source.chunks():
            got += chunk.data
    assert text.startswith(got)
    assert kind == "zstd" or got


@pytest.mark.parametrize("kind", KINDS)
def test_damaged_compressed_data_is_noticed(kind: str, tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "dump"
    data = bytearray(KINDS[kind](text))
    middle = len(data) // 2
    data[middle : middle + 64] = bytes(64)
    path.write_bytes(data)
    with opened(path, 2) as source, pytest.raises(Truncated):
        list(source.chunks())


def test_a_block_of_bzip2_that_was_taken_for_two_is_joined(text: bytes) -> None:
    [first, *_] = pieces(io.BytesIO(bz2.compress(text, 1)), 0)
    for cut in (100, first.bits // 2, first.bits - 90):
        low = first.bits - cut
        one = Piece(first.value >> low, cut, first.place)
        other = Piece(first.value & ((1 << low) - 1), low, first.place + cut)
        assert text.startswith(one.followed_by(other).text())


def test_something_behind_the_compressed_data_is_noticed(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "dump"
    path.write_bytes(gzip.compress(text) + b"<html>")
    with opened(path, 1) as source, pytest.raises(Truncated, match="something else follows"):
        list(source.chunks())


def test_an_empty_file_and_a_missing_one_are_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    with pytest.raises(SnapshotError, match="empty"), opened(tmp_path / "empty", 1):
        pass
    with pytest.raises(SnapshotError, match="No such file"), opened(tmp_path / "none", 1):
        pass


def test_leaving_early_ends_the_reading_thread(tmp_path: Path, text: bytes) -> None:
    import threading

    path = tmp_path / "dump"
    path.write_bytes(gzip.compress(text * 20))
    with opened(path, 1) as source:
        found = source.chunks()
        next(found)
        found.close()  # type: ignore[attr-defined]
    assert not [t for t in threading.enumerate() if t.name == "dump" and t.join(2) and t.is_alive()]
