"""The process that parses: blocks come on standard input, parts go to disk.

Standard input: one line of JSON (what to keep, where to put it), then a header for every block,
which lies in shared memory. Standard output: an empty line per block read, one line of JSON per
part that is whole on disk. The end of standard input, be it because all is read or because the
parent died, is the end of the work.
"""

import gc
import json
import sys
from pathlib import Path
from typing import BinaryIO

from makieval.wikidata.dump.entity import parser
from makieval.wikidata.dump.parts import Part, message
from makieval.wikidata.dump.sharing import DONE, HEADER, PIPED, SLOT, opened

#: A part is written when it has read this many bytes, or holds this many texts.
PART = 128 << 20
_TEXTS = 400_000


def main() -> None:
    """Read blocks until there are no more."""
    gc.disable()  # nothing here makes cycles, and the rows of a part are many
    taking, telling = sys.stdin.buffer, sys.stdout.buffer
    try:
        _work(taking, telling)
    except OSError as error:
        _tell(telling, {"failed": str(error)})


def _work(taking: BinaryIO, telling: BinaryIO) -> None:
    told = json.loads(taking.readline())
    parse = parser(tuple(told["codes"]), tuple(told["properties"]))
    folder, size, strict = Path(told["folder"]), int(told["part"]), bool(told["strict"])
    memory = opened(int(told["memory"]))
    part = Part()
    while len(header := taking.read(HEADER.size)) == HEADER.size:
        number, first, length, slot = HEADER.unpack(header)
        if slot == PIPED:
            data = taking.read(length)
            if len(data) < length:
                return  # the parent is gone; what is not on disk is read again
            part.read(number, first, data, 0, length, parse)
        else:
            part.read(number, first, memory, slot * SLOT, length, parse)
            telling.write(DONE)
            telling.flush()
        if strict and part.damaged:
            _tell(telling, {"strict": part.damaged[0]})
            return
        if part.size >= size or part.rows >= _TEXTS:
            _tell(telling, part.write(folder))
            part = Part()
    if part.blocks:
        _tell(telling, part.write(folder))
    _tell(telling, {"finished": True})


def _tell(telling: BinaryIO, record: dict[str, object]) -> None:
    telling.write(message(record))
    telling.flush()
