"""Blocks are cut by content alone."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from makieval.wikidata.dump.blocks import TOO_LONG, Block, Chunk, Cut, Place, blocks

TEXT = b"".join(b"%d:%s\n" % (n, b"x" * (n * 37 % 50)) for n in range(200))


def cut(text: bytes, ends: list[int]) -> list[Chunk]:
    """`text` in chunks that end at these offsets, each a place to begin from."""
    places = sorted({0, len(text), *(end % (len(text) + 1) for end in ends)})
    return [Chunk(text[a:b], 7 * a) for a, b in pairwise(places)]


@given(st.lists(st.integers(0, 10_000)))
def test_blocks_do_not_depend_on_how_the_bytes_arrive(ends: list[int]) -> None:
    found = list(blocks(cut(TEXT, ends), size=300))
    assert [(b.number, b.first, b.data) for b in found] == [
        (b.number, b.first, b.data) for b in blocks([Chunk(TEXT, 0)], size=300)
    ]


def test_blocks_are_whole_lines_in_order_and_count_them() -> None:
    found = list(blocks([Chunk(TEXT, 0)], size=300))
    assert b"".join(b.data for b in found) == TEXT
    assert all(b.data.endswith(b"\n") and len(b.data) >= 300 for b in found[:-1])
    assert sum(b.lines for b in found) == 200
    for before, after in pairwise(found):
        assert after.first == before.first + before.lines
        assert after.start == before.end


@given(st.lists(st.integers(0, 10_000)), st.integers(0, 15))
def test_reading_on_from_a_block_gives_the_same_blocks(ends: list[int], at: int) -> None:
    chunks = cut(TEXT, ends)
    whole = list(blocks(chunks, size=300))
    last: Block = whole[min(at, len(whole) - 1)]
    after = Cut(last.number + 1, last.first + last.lines - 1, last.end, last.again)
    left = [chunk for chunk in chunks if (chunk.source or 0) >= last.again.source]
    assert [(b.number, b.first, b.data) for b in blocks(left, after, size=300)] == [
        (b.number, b.first, b.data) for b in whole[last.number + 1 :]
    ]


@given(st.lists(st.integers(0, 10_000)))
def test_an_endless_line_is_marked_and_what_stands_around_it_is_kept(ends: list[int]) -> None:
    text = TEXT + b"y" * 5000 + b"\n" + TEXT
    found = b"".join(b.data for b in blocks(cut(text, ends), size=300, longest=1000))
    assert found == TEXT + TOO_LONG + TEXT


def test_an_endless_last_line_is_marked() -> None:
    found = [b.data for b in blocks([Chunk(b"a\n" + b"y" * 5000, 0)], size=300, longest=1000)]
    assert found == [b"a\n" + TOO_LONG]


def test_a_line_without_its_end_is_still_a_line() -> None:
    [block] = blocks([Chunk(b"a\nb", None)])
    assert (block.data, block.lines, block.again) == (b"a\nb", 2, Place(0, 0))
