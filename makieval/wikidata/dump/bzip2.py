"""Reading bzip2 on all cores, and from the middle of a file.

bzip2 is slow to read (some 10 to 20 MB/s of text per core), and Wikidata's dumps of it are one
stream. But a stream is a row of blocks, each compressed on its own, that begin with a 48-bit mark
at any bit. A block that is framed anew as a stream of its own can be read by itself; the library
lets go of Python's lock meanwhile, so threads are enough.
"""

import bz2
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import BinaryIO, NamedTuple

from makieval.wikidata.dump.blocks import Chunk, Truncated

MAGIC = b"BZh"
_BLOCK = 0x314159265359
_END = 0x177245385090
_MARK_BITS = 48
_CRC_BITS = 32
_READ = 1 << 20
#: No block is longer, compressed: 900 kB of text, and what it takes when nothing repeats.
_LONGEST = 2 << 20


class Piece(NamedTuple):
    """The bits of one block, from its mark on; `place` is its first bit in the file."""

    value: int
    bits: int
    place: int

    def followed_by(self, more: "Piece") -> "Piece":
        """Both, where what looked like a mark between them was none."""
        return Piece(self.value << more.bits | more.value, self.bits + more.bits, self.place)

    def text(self) -> bytes:
        """The block's text, checked by its own CRC."""
        crc = self.value >> (self.bits - _MARK_BITS - _CRC_BITS) & 0xFFFF_FFFF
        framed = (self.value << _MARK_BITS | _END) << _CRC_BITS | crc
        bits = self.bits + _MARK_BITS + _CRC_BITS
        pad = -bits % 8
        return bz2.decompress(b"BZh9" + (framed << pad).to_bytes((bits + pad) // 8, "big"))


def chunks(file: BinaryIO, start: int, threads: int) -> Iterator[Chunk]:
    """The text of `file` from bit `start` on (0, or where a chunk said that it begins).

    Raises `Truncated` after the last whole block where the file ends too early or is damaged.
    """
    ahead: deque[tuple[Piece, Future[bytes]]] = deque()
    found = pieces(file, start)
    broken: Truncated | None = None
    with ThreadPoolExecutor(threads, thread_name_prefix="bzip2") as pool:
        while True:
            try:
                while len(ahead) < 2 * threads + 1 and (piece := next(found, None)):
                    ahead.append((piece, pool.submit(piece.text)))
            except Truncated as error:
                broken = error
            if not ahead:
                if broken:
                    raise broken
                return
            piece, future = ahead.popleft()
            try:
                data = future.result()
            except (OSError, ValueError) as error:
                # Bits of a block that happen to look like a mark: it goes on in the next piece.
                if not ahead or ahead[0][0].place != piece.place + piece.bits:
                    raise Truncated(f"damaged bzip2 block ({error})") from error
                whole = piece.followed_by(ahead.popleft()[0])
                ahead.appendleft((whole, pool.submit(whole.text)))
                continue
            yield Chunk(data, piece.place)


def pieces(file: BinaryIO, start: int) -> Iterator[Piece]:
    """Every block in turn; raises `Truncated` where one does not end."""
    file_offset = start // 8
    if start:
        file.seek(file_offset)
    data = b""
    begun: int | None = None  # bit in the file where the open block began
    searched = start
    ended = False
    while True:
        more = file.read(_READ)
        data += more
        for place, mark in _marks(data, searched - file_offset * 8):
            at = place + file_offset * 8
            if begun is not None:
                yield _piece(data, begun - file_offset * 8, place, begun)
            begun = at if mark == _BLOCK else None
            ended = mark == _END
            searched = at + _MARK_BITS
        if not more:
            break
        searched = max(searched, (file_offset + len(data) - 7) * 8)
        if begun is not None and (file_offset + len(data)) - begun // 8 > _LONGEST:
            raise Truncated("no bzip2 block ends where one must")
        keep = (begun if begun is not None else searched) // 8 - file_offset
        data, file_offset = data[keep:], file_offset + keep
    if begun is not None or not ended:
        raise Truncated("the bzip2 data ends too early")


def _piece(data: bytes, first: int, end: int, place: int) -> Piece:
    """Bits `first` to `end` of `data`."""
    stop = -(-end // 8)
    value = int.from_bytes(data[first // 8 : stop], "big") >> (stop * 8 - end)
    bits = end - first
    return Piece(value & ((1 << bits) - 1), bits, place)


def _marks(data: bytes, start: int) -> list[tuple[int, int]]:
    """(bit, mark) of every whole mark in `data` that begins at bit `start` or later, in order.

    At each of the eight shifts five of a mark's bytes are whole, and are searched for.
    """
    found: list[tuple[int, int]] = []
    for mark in (_BLOCK, _END):
        for shift in range(8):
            inner = (mark >> shift & 0xFF_FFFF_FFFF).to_bytes(5, "big")
            at = data.find(inner, max(0, start // 8))
            while at > 0:
                window = int.from_bytes(data[at - 1 : at + 6].ljust(7, b"\0"), "big")
                bit = (at - 1) * 8 + shift
                whole = bit + _MARK_BITS <= len(data) * 8
                if whole and window >> (8 - shift) & (1 << _MARK_BITS) - 1 == mark and bit >= start:
                    found.append((bit, mark))
                at = data.find(inner, at + 1)
    return sorted(found)
