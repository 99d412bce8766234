"""Opening a dump: what it is compressed with, and its text as it comes.

The first bytes tell the kind, not the name, so a stream needs no name. Reading ahead happens in a
thread, so that decompression and what follows overlap: the libraries let go of Python's lock.
"""

import hashlib
import io
import queue
import sys
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from makieval.errors import InputError, SnapshotError
from makieval.wikidata.dump import bzip2
from makieval.wikidata.dump.blocks import Chunk, Truncated

if TYPE_CHECKING:
    from collections.abc import Generator

STDIN = "-"
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_HEAD = 1 << 20
_READ = 1 << 17
_PLAIN_READ = 1 << 20
_AHEAD = 8


@dataclass(frozen=True)
class Source:
    """An open dump. `size` is its bytes on disk, None for a stream; `kind` its compression."""

    name: str
    kind: str
    size: int | None
    identity: str
    _file: "_Counted"
    _threads: int

    @property
    def taken(self) -> int:
        """Bytes of the source read so far."""
        return self._file.taken

    def chunks(self, start: int = 0) -> Iterator[Chunk]:
        """The text, from the place `start` of an earlier chunk on; see `Truncated`."""
        make = _KINDS[self.kind]
        return _ahead(lambda: make(cast(BinaryIO, self._file), start, self._threads))


@contextmanager
def opened(path: Path | str, threads: int) -> "Generator[Source]":
    """The dump in the file `path`, or on standard input for `-`."""
    if str(path) == STDIN:
        yield _source("standard input", sys.stdin.buffer, None, threads)
        return
    path = Path(path)
    try:
        file = path.open("rb")
    except OSError as error:
        raise SnapshotError(f"{path}: cannot be read ({error.strerror})") from None
    with file:
        yield _source(str(path), file, path.stat().st_size, threads)


def _source(name: str, file: BinaryIO, size: int | None, threads: int) -> Source:
    head = file.read(_HEAD)
    if not head:
        raise SnapshotError(f"{name}: empty; a dump of Wikidata is wanted")
    kinds = {_GZIP: "gzip", _ZSTD: "zstd", bzip2.MAGIC: "bzip2"}
    kind = next((kind for magic, kind in kinds.items() if head.startswith(magic)), "plain")
    identity = hashlib.sha256(b"%d:" % (size or 0) + head).hexdigest()
    counted = _Counted(file, head, seekable=size is not None)
    return Source(name, kind, size, identity, counted, threads)


class _Counted(io.RawIOBase):
    """A file whose head has been read already; counts what is taken."""

    def __init__(self, file: BinaryIO, head: bytes, *, seekable: bool) -> None:
        self._file, self._head, self._seekable = file, head, seekable
        self.taken = 0

    def read(self, size: int = -1) -> bytes:
        """Up to `size` bytes."""
        data = self._head[:size] if self._head else self._file.read(size)
        self._head = self._head[len(data) :]
        self.taken += len(data)
        return data

    def seek(self, offset: int, whence: int = 0) -> int:
        """Go to `offset` bytes from the beginning."""
        del whence
        self._head, self.taken = b"", offset
        return self._file.seek(offset)

    def seekable(self) -> bool:
        """Whether reading can begin anywhere."""
        return self._seekable


def _plain(file: BinaryIO, start: int, threads: int) -> Iterator[Chunk]:
    del threads
    if start:
        file.seek(start)
    place = start
    while data := file.read(_PLAIN_READ):
        yield Chunk(data, place if file.seekable() else None)
        place += len(data)


def _gzip(file: BinaryIO, start: int, threads: int) -> Iterator[Chunk]:
    """Members one after the other, zero padding between them allowed."""
    del threads
    gz: Any = zlib
    with suppress(ImportError):
        from isal import isal_zlib

        gz = isal_zlib  # twice as fast
    wbits = zlib.MAX_WBITS | 16
    return _members(file, start, lambda: gz.decompressobj(wbits), (zlib.error, gz.error), _GZIP)


def _zstd(file: BinaryIO, start: int, threads: int) -> Iterator[Chunk]:
    del threads
    try:
        import zstandard
    except ImportError:
        raise InputError("reading .zst needs more: pip install 'makieval[dump]'") from None
    # Frames made with --long need more than the default of memory.
    reader = zstandard.ZstdDecompressor(max_window_size=1 << 31)
    return _members(file, start, reader.decompressobj, (zstandard.ZstdError,), _ZSTD)


def _members(
    file: BinaryIO,
    start: int,
    begin: Callable[[], Any],
    errors: tuple[type[Exception], ...],
    magic: bytes,
) -> Iterator[Chunk]:
    """The members (gzip) or frames (zstd) of a file; each begins at a place to begin from."""
    if start:
        file.seek(start)
    taken, data = start, b""
    place: int | None = start
    reader: Any = begin()
    while True:
        if not data:
            data = file.read(_READ)
            taken += len(data)
            if not data:
                break
        try:
            text = reader.decompress(data)
        except errors as error:
            raise Truncated(f"damaged compressed data ({error})") from error
        if text:
            yield Chunk(text, place)
            place = None
        data = reader.unused_data if reader.eof else b""
        if reader.eof:
            data = data.lstrip(b"\0")
            while not data and (more := file.read(_READ)):
                taken += len(more)
                data = more.lstrip(b"\0")
            if not data:
                return
            if not magic.startswith(data[: len(magic)]):
                raise Truncated("something else follows the compressed data")
            place, reader = taken - len(data), begin()
    raise Truncated("the compressed data ends too early")


_KINDS: dict[str, Callable[[BinaryIO, int, int], Iterator[Chunk]]] = {
    "plain": _plain,
    "gzip": _gzip,
    "zstd": _zstd,
    "bzip2": bzip2.chunks,
}


def _ahead(make: Callable[[], Iterator[Chunk]]) -> Iterator[Chunk]:
    """What `make()` gives, read a little ahead in a thread of its own."""
    waiting: queue.Queue[Chunk | BaseException | None] = queue.Queue(_AHEAD)
    stopped = threading.Event()

    def put(value: Chunk | BaseException | None) -> None:
        while not stopped.is_set():
            try:
                waiting.put(value, timeout=0.2)
            except queue.Full:
                continue
            return

    def read() -> None:
        try:
            for chunk in make():
                put(chunk)
                if stopped.is_set():
                    return
            put(None)
        except BaseException as error:  # noqa: BLE001  (raised again where it is read)
            put(error)

    thread = threading.Thread(target=read, name="dump", daemon=True)
    thread.start()
    try:
        while (chunk := waiting.get()) is not None:
            if isinstance(chunk, BaseException):
                raise chunk
            yield chunk
    finally:
        stopped.set()
