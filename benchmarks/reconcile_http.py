"""How long one mention takes over HTTP: the goal is under 5 ms at the median.

    python benchmarks/reconcile_http.py [--source starter|FILE] [--requests 500] [--language en]

Serves a snapshot with `makieval serve reconcile` in a process of its own, and asks it one query a
request over one kept connection, as a client does: every name is asked once, so that nothing is
answered from memory. Names of the snapshot (they link), names with an article (peeled), and words
of no item (every stage is run in vain), each with a type and without one.
"""

import argparse
import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence

import httpx

from makieval.linking import suites
from makieval.wikidata import Snapshot

GOAL_MS = 5.0


def surfaces(source: str, language: str, count: int) -> dict[str, list[tuple[str, str]]]:
    """Kind of request → (surface, type)."""
    with Snapshot.named(source) as snapshot:
        names = suites.sample(snapshot, 2 * count, seed=1, languages=[language])
    own = [(one.mention.surface, f"{one.mention.topic}.{one.mention.entity_type}") for one in names]
    random.Random(1).shuffle(own)
    named, peeled = own[: len(own) // 2], own[len(own) // 2 :]
    nothing = [(f"qu{surface[::-1]}x", kind) for surface, kind in named]
    return {
        "a name": named,
        "a name with an article": [(f"the {surface}", kind) for surface, kind in peeled],
        "no name": nothing,
    }


def latencies(
    client: httpx.Client, address: str, asked: Sequence[tuple[str, str]], *, typed: bool
) -> list[float]:
    """Milliseconds of each request."""
    took: list[float] = []
    for surface, kind in asked:
        query = {"query": surface, **({"type": kind} if typed else {})}
        form = {"queries": json.dumps({"q0": query})}
        start = time.perf_counter()
        answer = client.post(address, data=form)
        took.append(1000 * (time.perf_counter() - start))
        answer.raise_for_status()
    return took


def tell(what: str, took: Sequence[float]) -> None:
    """One line of figures."""
    p95 = sorted(took)[int(0.95 * len(took))]
    median = statistics.median(took)
    print(f"{what:40} p50 {median:7.2f} ms  p95 {p95:7.2f} ms  ({len(took)} requests)", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description="One mention over HTTP.")
    parser.add_argument("--source", default="starter")
    parser.add_argument("--language", default="en")
    parser.add_argument("--requests", type=int, default=500, help="per kind of request")
    given = parser.parse_args()
    asked = surfaces(given.source, given.language, given.requests)
    command = [sys.executable, "-m", "makieval", "serve", "reconcile"]
    command += ["--source", given.source, "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        address = server.stdout.readline().split()[0]
        base = f"{address.removesuffix('/en')}/{given.language}"
        goal = 0.0
        try:
            with httpx.Client(timeout=60) as client:
                # The service's first answers are slower: it warms up.
                latencies(client, base, [(f"warm up {n}", "food") for n in range(20)], typed=True)
                for kind, mentions in asked.items():
                    for typed in (True, False):
                        took = latencies(client, base, mentions[: given.requests], typed=typed)
                        goal = goal or statistics.median(took)
                        tell(f"{kind}, {'with its type' if typed else 'without type'}", took)
        finally:
            server.terminate()
    print(f"a name with its type: {goal / GOAL_MS:.2f} of the goal of {GOAL_MS} ms")
    return 0 if goal < GOAL_MS else 1


if __name__ == "__main__":
    sys.exit(main())
