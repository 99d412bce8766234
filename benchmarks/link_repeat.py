"""One surface, language, topic and type has one answer: the gold run, again and again.

    python benchmarks/link_repeat.py GOLD SNAPSHOT

Links every row twice in order, then shuffled, in one thread and in eight, and counts the mentions
for which two runs differ in anything: status, QID, method, name, path, rivals. It must be none.
"""

import argparse
import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from makieval.linking import Link, Linker, Mention, gold
from makieval.wikidata import Snapshot


def run(snapshot: Snapshot, mentions: Sequence[Mention], workers: int) -> dict[Mention, Link]:
    """The link of every mention, dealt out to threads that share the snapshot."""
    parts = [mentions[at::workers] for at in range(workers)]
    source = gold.Countries(snapshot)

    def work(part: Sequence[Mention]) -> list[Link]:
        return Linker(source, topics=gold.topics()).link(part)

    with ThreadPoolExecutor(workers) as pool:
        return {link.mention: link for links in pool.map(work, parts) for link in links}


def main() -> None:
    parser = argparse.ArgumentParser(description="Counts mentions with two answers.")
    parser.add_argument("gold", type=Path)
    parser.add_argument("snapshot", type=Path)
    arguments = parser.parse_args()
    mentions = [row.mention for row in gold.load(arguments.gold)]
    with Snapshot.open(arguments.snapshot) as snapshot:
        first = run(snapshot, mentions, 1)
        print(f"{len(mentions)} rows, {len(first)} distinct mentions")
        for name, workers, seed in (
            ("again", 1, None),
            ("shuffled, 1 worker", 1, 1),
            ("shuffled, 8 workers", 8, 2),
        ):
            asked = list(mentions)
            if seed is not None:
                random.Random(seed).shuffle(asked)
            other = run(snapshot, asked, workers)
            print(f"{name:22}{sum(other[one] != first[one] for one in first)} differ")


if __name__ == "__main__":
    main()
