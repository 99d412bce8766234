"""Memory that the parent and one parsing process both see: a block is written there once.

Through a pipe every byte of a dump would be copied twice more, and waited for many times. Two
blocks have room: one is parsed while the next is written. What is longer goes through the pipe.
"""

import mmap
import os
import tempfile
import threading
from struct import Struct

#: Number of the block, number of its first line, bytes, and the slot (or `PIPED`).
HEADER = Struct("<QQQB")
#: Room for a block and the end of its last line.
SLOT = 6 << 20
SLOTS = 2
#: In place of a slot: the block itself follows the header.
PIPED = 255
#: What a process says when it is done with a slot.
DONE = b"\n"


class Shared:
    """The parent's side: slots to write into, and how many of them are free."""

    def __init__(self) -> None:
        self.file = _file()
        self._memory = mmap.mmap(self.file, SLOT * SLOTS)
        self._free = threading.Semaphore(SLOTS)
        self._next = 0

    def write(self, data: bytes | bytearray) -> int | None:
        """Write `data` into a free slot; its number, or None while there is none."""
        if not self._free.acquire(timeout=0.2):
            return None
        slot = self._next
        self._next = (slot + 1) % SLOTS
        self._memory[slot * SLOT : slot * SLOT + len(data)] = data
        return slot

    def done(self) -> None:
        """The process has read the slot that it was given first."""
        self._free.release()

    def close(self) -> None:
        """Give the memory back."""
        self._memory.close()
        os.close(self.file)


def opened(file: int) -> mmap.mmap:
    """A process's side of the memory behind the file descriptor `file`."""
    return mmap.mmap(file, SLOT * SLOTS, prot=mmap.PROT_READ)


def _file() -> int:
    """A file that only its descriptor names; on Linux it is on no disk either."""
    if hasattr(os, "memfd_create"):
        file = os.memfd_create("makieval")
    else:
        with tempfile.TemporaryFile() as temporary:
            file = os.dup(temporary.fileno())
    os.ftruncate(file, SLOT * SLOTS)
    return file
