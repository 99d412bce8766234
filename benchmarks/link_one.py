"""How long one mention takes, asked alone as an interactive caller does.

    python benchmarks/link_one.py SNAPSHOT [--mentions 300]

Names of the snapshot, each asked once by a linker that has answered before, in milliseconds of the
clock and of the processors, beside the plainest question DuckDB can be asked of the same table:
the rows of one key. It lacks HTTP, and names that only a later stage finds.
"""

import argparse
import statistics
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import duckdb

from makieval import catalog
from makieval.linking import Linker, Mention, normalise
from makieval.wikidata import Snapshot

_NAMES = """
SELECT name, lang FROM names
WHERE fits & $1 <> 0 AND list_contains($2, lang)
ORDER BY hash(name, qid) LIMIT $3
"""
KIND = ("music", "artist_name")


def tell(what: str, ask: Callable[[Mention], object], mentions: Iterable[Mention]) -> float:
    """Print the median and the 95th percentile; the median, in milliseconds."""
    clock, processors = [], []
    for mention in mentions:
        started, used = time.perf_counter(), time.process_time()
        ask(mention)
        clock.append((time.perf_counter() - started) * 1000)
        processors.append((time.process_time() - used) * 1000)
    median, late = statistics.median(clock), statistics.quantiles(clock, n=20)[-1]
    used = statistics.median(processors)
    print(f"{what:12s} median {median:7.2f} ms, 95 % {late:7.2f} ms, of processors {used:7.2f} ms")
    return median


def main() -> None:
    parser = argparse.ArgumentParser(description="How long one mention takes.")
    parser.add_argument("snapshot", type=Path)
    parser.add_argument("--mentions", type=int, default=300)
    arguments = parser.parse_args()
    with Snapshot.open(arguments.snapshot) as snapshot:
        linker = Linker(snapshot)
        scope = linker.lookup(Mention("a", "en", *KIND)).scope
        bit = 1 << snapshot.scopes.index(scope)
        connection = duckdb.connect(str(arguments.snapshot), read_only=True)
        rows = connection.execute(
            _NAMES, [bit, list(catalog.languages()), arguments.mentions]
        ).fetchall()
        mentions = [Mention(name, language, *KIND) for name, language in rows]
        linker.link(mentions[:1])
        bare = tell(
            "one key",
            lambda one: connection.execute(
                "SELECT qid FROM names WHERE key = ?", [normalise.key(one.surface, one.language)]
            ).fetchall(),
            mentions,
        )
        own = tell("Linker.link", lambda one: linker.link([one]), mentions)
        print(f"ratio to one key {own / bare:.1f}; {len(mentions)} mentions")


if __name__ == "__main__":
    main()
