"""How fast and in how much memory a Wikidata dump is read, beside bare decompression and parsing.

    python benchmarks/dump.py [--entities FILE] [--megabytes 400] [--kinds plain gzip zstd bzip2]
    python benchmarks/dump.py --build --megabytes 2000

Real entities (the test fixtures, or a file of entity lines such as an excerpt of a dump) are
repeated to the size asked for, each copy under ids of its own, and compressed. Then, by turns:

  bare   one process decompresses with the fastest library at hand and decodes each line with
         msgspec into labels and aliases: what any reader must do at the least
  kept   the same, decoding everything that makieval keeps
  read   makieval's reader, to parts that are whole on disk

and the ratios of the best of each. `--build` goes on to a snapshot and prints the peak of memory.
"""

import argparse
import bz2
import gzip
import os
import random
import re
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import IO, NamedTuple, cast

import msgspec
import zstandard
from isal import igzip

from makieval.wikidata.dump.build import Options, build
from makieval.wikidata.dump.entity import AROUND, parser
from makieval.wikidata.dump.reader import Reading, read
from makieval.wikidata.dump.wanted import Wanted

FIXTURE = Path(__file__).parents[1] / "tests" / "fixtures" / "dump" / "entities.json"
SUFFIX = {"plain": "", "gzip": ".gz", "zstd": ".zst", "bzip2": ".bz2"}


class Value(msgspec.Struct):
    """A name."""

    value: str


class Entity(msgspec.Struct):
    """The least that a linker needs."""

    id: str
    labels: dict[str, Value] | list[None] = []
    aliases: dict[str, list[Value]] | list[None] = []


def entities(path: Path) -> list[bytes]:
    """The entity lines of a file, compressed or not."""
    opener = {".gz": igzip.open, ".bz2": bz2.open}.get(path.suffix, open)
    with opener(path, "rb") as file:
        return [line for raw in file if (line := raw.strip(AROUND))]


def write(path: Path, lines: list[bytes], size: int) -> None:
    """A dump of about `size` bytes; a copy's items have ids that no other copy has."""
    drawn = random.Random(1)
    own = re.compile(rb'("id":\s*"Q)([0-9]+")')
    written = copy = 0
    with path.open("wb") as file:
        file.write(b"[\n")
        while written < size:
            drawn.shuffle(lines)
            for line in lines:
                # The first id of a line is the entity's own, unless claims come before it.
                told = own.sub(rb"\g<1>%d\2" % (100 + copy), line, count=1) if copy else line
                file.write(told + b",\n")
                written += len(told)
            copy += 1
        file.write(lines[0] + b"\n]\n")


def compress(plain: Path, kind: str) -> Path:
    """The dump compressed, gzip at level 5."""
    path = plain.with_name(plain.name + SUFFIX[kind])
    openers: dict[str, Callable[[], IO[bytes]]] = {
        "gzip": lambda: cast(IO[bytes], gzip.GzipFile(path, "wb", 5)),
        "zstd": lambda: cast(IO[bytes], zstandard.open(path, "wb")),
        "bzip2": lambda: cast(IO[bytes], bz2.BZ2File(path, "wb")),
    }
    if opener := openers.get(kind):
        with plain.open("rb") as source, opener() as file:
            while data := source.read(1 << 20):
                file.write(data)
    return path


def texts(path: Path, kind: str) -> Iterator[bytes]:
    """The decompressed text in pieces, in this thread."""
    with path.open("rb") as file:
        if kind == "plain":
            while data := file.read(1 << 20):
                yield data
        elif kind == "zstd":
            reader = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True)
            while data := reader.read(1 << 20):
                yield data
        else:
            opener = igzip.IGzipFile(path) if kind == "gzip" else bz2.BZ2File(path)
            with opener as text:
                while data := text.read(1 << 20):
                    yield data


def bare(path: Path, kind: str, decode: Callable[[bytes], object]) -> None:
    """Decompress and decode."""
    left = b""
    for data in texts(path, kind):
        *lines, left = (left + data).split(b"\n")
        for line in lines:
            if entity := line.strip(AROUND):
                decode(entity)


class Cost(NamedTuple):
    """Seconds by the clock, and of processors."""

    clock: float
    processor: float


def cost(work: Callable[[], object]) -> Cost:
    """What it takes, in this process and those it starts."""
    began, used = time.perf_counter(), processor()
    work()
    return Cost(time.perf_counter() - began, processor() - used)


def processor() -> float:
    """Seconds of processors so far."""
    return sum(os.times()[:4])


def peaks() -> str:
    """The most memory that this process and any of its children has taken so far."""
    own, child = (
        resource.getrusage(who).ru_maxrss / 1000
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return f"peak memory: {own:,.0f} MB here, {child:,.0f} MB in the largest reading process"


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--entities", type=Path, default=FIXTURE)
    options.add_argument("--megabytes", type=int, default=400)
    options.add_argument("--kinds", nargs="+", choices=SUFFIX, default=list(SUFFIX)[:3])
    options.add_argument("--repeat", type=int, default=3)
    options.add_argument("--workers", type=int, default=2)
    options.add_argument("--memory", default="2GB")
    options.add_argument("--build", action="store_true")
    told = options.parse_args()
    wanted = Wanted.of()
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "dump.json"
        write(plain, entities(told.entities), told.megabytes * 1_000_000)
        size = plain.stat().st_size / 1e6
        print(f"{size:,.0f} MB of text from {told.entities.name}, {told.workers} processes")
        if told.build:
            target = Path(folder) / "snapshot.duckdb"
            how = Options(reading=Reading(workers=told.workers), memory=told.memory)
            took = cost(lambda: print(build(plain, target, wanted, how)))
            print(f"built in {took.clock:,.1f} s ({took.processor:,.1f} of processors); {peaks()}")
            return
        decoders = {
            "bare": msgspec.json.Decoder(Entity).decode,
            "kept": parser(wanted.codes, wanted.read),
        }
        for kind in told.kinds:
            path = compress(plain, kind)
            best: dict[str, Cost] = {}
            for turn in range(told.repeat):
                work = Path(folder) / f"{kind}{turn}"
                works: dict[str, Callable[[], object]] = {
                    "bare": partial(bare, path, kind, decoders["bare"]),
                    "kept": partial(bare, path, kind, decoders["kept"]),
                    "read": partial(read, path, wanted, work, Reading(workers=told.workers)),
                }
                for name, job in works.items():
                    now = cost(job)
                    held = best.setdefault(name, now)
                    best[name] = Cost(*map(min, zip(held, now, strict=True)))
            by_clock, by_processor = (
                ", ".join(f"{name} {size / took[at]:,.0f}" for name, took in best.items())
                for at in range(2)
            )
            clock = {name: took.clock for name, took in best.items()}
            print(
                f"{kind:<6} MB/s: {by_clock} (of one processor: {by_processor});"
                f" read is {clock['bare'] / clock['read']:.2f} × bare,"
                f" {clock['kept'] / clock['read']:.2f} × kept"
            )


if __name__ == "__main__":
    main()
