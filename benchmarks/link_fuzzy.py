"""How fast keys within one edit are found, beside a bare join on the table of deletions.

    python benchmarks/link_fuzzy.py SNAPSHOT [--forms 50000]

Keys of the snapshot, each with one character lost, asked of `Snapshot.similar` in one batch: the
candidates by the table, their distance by rapidfuzz. The bare join finds the ids of keys that share
a deletion and does not fetch or check them. It lacks the linker's gates, other edits (they cost the
same), and what follows: candidates, classes and the choice for the keys found.
"""

import argparse
import random
import time
from pathlib import Path

import duckdb
import polars as pl

from makieval.arrow import ArrowStream
from makieval.linking import Form
from makieval.wikidata import Snapshot

SEED = 20261130
_BARE = """
SELECT count(*) FROM (
    SELECT deletion_hash(language, concat(substr(key, 1, n - 1), substr(key, n + 1))) AS hash
    FROM (SELECT language, key, unnest(range(1, length(key) + 2)) AS n FROM asked)
) JOIN deletions USING (hash)
"""


def forms(path: Path, wanted: int) -> list[Form]:
    with duckdb.connect(str(path), read_only=True) as connection:
        rows = connection.execute(
            "SELECT lang, key FROM keys WHERE length(key) >= 5 ORDER BY hash(lang, key) LIMIT ?",
            [wanted],
        ).fetchall()
    draw = random.Random(SEED)
    places = [(language, key, draw.randrange(len(key))) for language, key in rows]
    return [Form(language, key[:at] + key[at + 1 :], "similar") for language, key, at in places]


def main() -> None:
    parser = argparse.ArgumentParser(description="How fast keys within one edit are found.")
    parser.add_argument("snapshot", type=Path)
    parser.add_argument("--forms", type=int, default=50_000)
    arguments = parser.parse_args()
    asked = forms(arguments.snapshot, arguments.forms)
    with duckdb.connect(str(arguments.snapshot), read_only=True) as connection:
        rows = [(form.language, form.key) for form in asked]
        frame = pl.DataFrame(rows, schema=["language", "key"], orient="row")
        connection.register("asked", ArrowStream(frame))
        started, used = time.perf_counter(), time.process_time()
        connection.execute(_BARE).fetchall()
        bare, bare_used = time.perf_counter() - started, time.process_time() - used
    with Snapshot.open(arguments.snapshot) as snapshot:
        started, used = time.perf_counter(), time.process_time()
        found = snapshot.similar(asked)
        own, own_used = time.perf_counter() - started, time.process_time() - used
    print(f"bare join {bare:6.2f} s, {bare_used:6.2f} s of processors")
    print(
        f"similar   {own:6.2f} s, {own_used:6.2f} s of processors, {len(asked) / own:,.0f} forms/s"
    )
    print(f"ratio {own / bare:.2f} ({own_used / bare_used:.2f}); {len(asked)} forms")
    print(f"{sum(map(bool, found))} forms found {sum(map(len, found))} keys")


if __name__ == "__main__":
    main()
