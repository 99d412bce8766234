"""How fast exact names are linked in bulk, beside a bare DuckDB join on the same data.

    python benchmarks/names.py OUT --names 10000000 [--tables FOLDER]
    makieval snapshot build OUT names.duckdb
    python benchmarks/link_exact.py names.duckdb [--mentions 5000000]

The mentions are drawn from the names that fit a type of the catalog, in the catalog's languages,
by Zipf's law (the n-th most frequent is drawn in proportion to 1/n), with a stated seed. The bare
join finds rows of the same key and does nothing with them: no keys made, no language chains, no
classes, no choice. Both are measured in one run, in seconds of the clock and of the processors: on
a machine that does other things too, only the ratio and the processor time say something.

It lacks mentions that exact names do not decide: those go through the linker one by one, see
`link_fuzzy.py`. Half of 10 million names are composed (see `names.py`).
"""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

from makieval import catalog
from makieval.arrow import ArrowStream
from makieval.linking import Linker, bulk, columns
from makieval.wikidata import Snapshot

SEED = 0.5
_POOL = """
CREATE TEMP TABLE pool AS
    SELECT row_number() OVER (ORDER BY hash(surface, language, entity_type)) AS n, *
    FROM (SELECT DISTINCT n.name AS surface, n.lang AS language, t.topic, t.entity_type
          FROM names n JOIN languages l ON l.language = n.lang
          JOIN types t ON n.fits & t.bit <> 0);
SELECT setseed({seed});
COPY (SELECT p.surface, p.language, p.topic, p.entity_type
      FROM (SELECT least(floor(exp(random() * ln((SELECT max(n) FROM pool))))::BIGINT,
                         (SELECT max(n) FROM pool)) AS n FROM range({wanted}))
      JOIN pool p USING (n))
TO '{out}' (FORMAT parquet)
"""


def draw(path: Path, wanted: int, out: Path) -> None:
    """Write the mentions."""
    with Snapshot.open(path) as snapshot:
        linker = Linker(snapshot)
        types = [
            (topic.id, kind.id, 1 << snapshot.scopes.index(linker.lookup(mention).scope))
            for topic in catalog.topics().values()
            for kind in topic.types.values()
            if kind.granularity != "excluded"
            for mention in [bulk.Mention("a", "en", topic.id, kind.id)]
        ]
    connection = duckdb.connect(str(path), read_only=True)
    connection.execute("SET threads = 1")
    schema = {"topic": pl.String, "entity_type": pl.String, "bit": pl.UInt64}
    connection.register("types", ArrowStream(pl.DataFrame(types, schema=schema, orient="row")))
    languages = pl.DataFrame({"language": list(catalog.languages())})
    connection.register("languages", ArrowStream(languages))
    connection.execute(_POOL.format(seed=SEED, wanted=wanted, out=out))


def timed(work: Callable[[], Any]) -> tuple[Any, float, float]:
    """What `work` returns, seconds of the clock, seconds of the processors."""
    clock, processors = time.perf_counter(), time.process_time()
    result = work()
    return result, time.perf_counter() - clock, time.process_time() - processors


def tell(what: str, clock: float, processors: float, mentions: int) -> None:
    print(
        f"{what:22s} {clock:7.2f} s {processors:7.2f} s of processors "
        f"{mentions / clock:12,.0f} mentions/s"
    )


def measure(path: Path, mentions: pl.DataFrame) -> None:
    asked = mentions.select("language", key=columns.keys(mentions["surface"], mentions["language"]))
    connection = duckdb.connect(str(path), read_only=True)
    connection.register("asked", ArrowStream(asked))
    connection.execute("CREATE TEMP TABLE mentions AS FROM asked")
    bare = "SELECT count(*), min(n.qid) FROM mentions m JOIN names n USING (key)"
    connection.execute(bare).fetchall()
    _, clock, processors = timed(lambda: connection.execute(bare).fetchall())
    connection.close()
    del asked
    tell("bare join", clock, processors, mentions.height)
    with Snapshot.open(path) as snapshot:
        linker = Linker(snapshot)
        links, own_clock, own_processors = timed(lambda: bulk.link(linker, mentions))
    tell("bulk.link", own_clock, own_processors, mentions.height)
    print(f"ratio to the bare join {own_clock / clock:.2f} ({own_processors / processors:.2f})")
    print(f"{mentions.height} mentions, {links.links.height} distinct")
    print(links.links["status"].value_counts(sort=True).rows())


def main() -> None:
    parser = argparse.ArgumentParser(description="How fast exact names are linked in bulk.")
    parser.add_argument("snapshot", type=Path)
    parser.add_argument("--mentions", type=int, default=5_000_000)
    parser.add_argument("--draw", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.draw:
        draw(arguments.snapshot, arguments.mentions, arguments.draw)
        return
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "mentions.parquet"
        # In a process of its own, whose memory is not counted.
        subprocess.run([sys.executable, *sys.argv, "--draw", str(out)], check=True)
        measure(arguments.snapshot, pl.read_parquet(out))
    print(f"peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB")


if __name__ == "__main__":
    main()
