"""Cutting a stream into blocks of whole lines, always at the same places.

Where a block ends depends on the bytes alone, not on how they arrived. So a block's number means
the same in every run, and a run that goes on may leave out by number what an earlier one has done.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

BLOCK = 4 << 20
#: No entity is near this long; what is, is no line of a dump and is not held in memory.
LONGEST = 256 << 20
#: Stands where a line was too long.
TOO_LONG = b'"too long"\n'


class Truncated(Exception):
    """The source ends before its text does; the message says how one knows."""


class Place(NamedTuple):
    """A place in the stream where reading may begin again: in the source, and in the text."""

    source: int
    text: int


class Chunk(NamedTuple):
    """Bytes of the text, and where they begin in the source if reading could begin there."""

    data: bytes
    source: int | None


class Block(NamedTuple):
    """Whole lines: `number` counts blocks from 0, `first` counts lines from 1.

    `start` and `end` are offsets in the text, `again` the last place before `end` from which
    reading can begin anew.
    """

    number: int
    first: int
    start: int
    end: int
    data: bytes | bytearray
    lines: int
    again: Place


class Cut(NamedTuple):
    """From where to go on cutting: after this many blocks, lines, and bytes of text."""

    number: int = 0
    lines: int = 0
    text: int = 0
    again: Place = Place(0, 0)


def blocks(
    chunks: Iterable[Chunk],
    after: Cut | None = None,
    size: int = BLOCK,
    longest: int = LONGEST,
) -> Iterator[Block]:
    """Blocks of about `size` bytes, of the text from `after` on; `chunks` begin at `after.again`.

    A block ends with the line that reaches its size. A line that goes on for `longest` bytes more
    comes as `TOO_LONG`.
    """
    number, lines, start, again = after or Cut()
    text, skip = again.text, start - again.text
    places = [again]
    buffer = bytearray()
    before_endless: bytes | None = None

    def block(data: bytes | bytearray) -> Block:
        nonlocal number, lines, start
        end = text - len(buffer)
        while len(places) > 1 and places[1].text <= end:
            places.pop(0)
        held = data.count(b"\n") + (not data.endswith(b"\n"))
        made = Block(number, lines + 1, start, end, data, held, places[0])
        number, lines, start = number + 1, lines + held, end
        return made

    for data, source in chunks:
        if source is not None:
            places.append(Place(source, text))
        text += len(data)
        buffer += memoryview(data)[skip:]
        skip = max(0, skip - len(data))
        while True:
            if before_endless is not None:
                cut = buffer.find(b"\n")
                del buffer[: cut + 1 or len(buffer)]
                if cut < 0:
                    break
                yield block(before_endless + TOO_LONG)
                before_endless = None
            cut = buffer.find(b"\n", size - 1, size + longest)
            if cut >= 0:
                # The rest, which is short, is copied; the block itself is handed on.
                rest = buffer[cut + 1 :]
                del buffer[cut + 1 :]
                kept, buffer = buffer, rest
                yield block(kept)
            elif len(buffer) >= size + longest:
                before_endless = bytes(buffer[: buffer.rfind(b"\n", 0, size) + 1])
                del buffer[: size + longest]
            else:
                break
    if before_endless is not None:
        yield block(before_endless + TOO_LONG)
    elif buffer:
        kept, buffer = buffer, bytearray()
        yield block(kept)
