"""How far an endpoint and a snapshot of the same data give the same links, and how fast.

    python benchmarks/sparql_parity.py TABLES [--every N]

TABLES is a folder of tables (the starter's, or what `gold_tables.py` writes). They are loaded into
a real Oxigraph on loopback and into a snapshot. Mentions are every Nth of the names themselves, as
they stand and in lower, upper and title case, as something of each topic. Printed are the share of
equal links per case, what differs by kind with examples, and mentions per second of both.
"""

import argparse
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path

from oxigraph_server import served, write

from makieval import catalog
from makieval.linking import Link, Linker, Mention
from makieval.status import Status
from makieval.wikidata.snapshot import Snapshot, build
from makieval.wikidata.sparql import Service, SparqlClient, SparqlSource, triples
from makieval.wikidata.tables import Tables, read

CASES = {"as it stands": str, "lower": str.lower, "upper": str.upper, "title": str.title}
EXAMPLES = 5


def mentions(tables: Tables, every: int, case: str) -> list[Mention]:
    """Every nth name in the first language of a chain, as something of each topic."""
    own = {language.chain[0]: language.code for language in catalog.languages().values()}
    types = [
        (topic.id, next(t.id for t in topic.types.values() if t.granularity == "specific"))
        for topic in catalog.topics().values()
    ]
    names = [
        (CASES[case](name), own[lang])
        for _, lang, _, name in tables.frames["names"].iter_rows()
        if lang in own
    ]
    return list(
        dict.fromkeys(
            Mention(name, language, topic, entity_type)
            for name, language in names[::every]
            for topic, entity_type in types
        )
    )


def difference(here: Link, there: Link) -> str:
    """How a snapshot's link and an endpoint's differ; empty where they do not."""
    if here == there:
        return ""
    if (here.status, here.qid) == (there.status, there.qid):
        return "same item, other names or rivals"
    if there.status is Status.NIL:
        return f"not found by the endpoint ({here.status})"
    return f"{here.status} {'' if here.status is there.status else there.status} another item"


def main() -> None:
    """Compare and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", type=Path)
    parser.add_argument("--every", type=int, default=50)
    options = parser.parse_args()
    tables = triples.as_wikidata(read(options.tables))
    with tempfile.TemporaryDirectory(prefix="makieval-parity-") as scratch:
        folder = Path(scratch)
        write(tables, folder)
        build(folder, folder / "snapshot.duckdb", approximate=False)
        started = time.perf_counter()
        with (
            served(triples.triples(tables), folder) as address,
            Snapshot.open(folder / "snapshot.duckdb") as snapshot,
            SparqlClient(Service.of(address), cache=folder / "answers.sqlite") as client,
            SparqlSource(client, folder / "classes.json") as source,
        ):
            print(f"Oxigraph loaded in {time.perf_counter() - started:.1f} s")
            for case in CASES:
                compare(case, mentions(tables, options.every, case), snapshot, source)
            print(source.traffic)


def compare(case: str, asked: list[Mention], snapshot: Snapshot, source: SparqlSource) -> None:
    """Link on both, and print what differs."""
    started = time.perf_counter()
    here = Linker(snapshot).link(asked)
    between = time.perf_counter()
    there = Linker(source).link(asked)
    ended = time.perf_counter()
    kinds: Counter[str] = Counter()
    examples: defaultdict[str, list[str]] = defaultdict(list)
    for one, other in zip(here, there, strict=True):
        kind = difference(one, other)
        kinds[kind] += 1
        if kind and len(examples[kind]) < EXAMPLES:
            examples[kind].append(f"{one.mention.surface} ({one.mention.language}): {one.name}")
    print(
        f"{case}: {len(asked)} mentions, {kinds.pop('', 0) / len(asked):.2%} equal links;"
        f" {len(asked) / (between - started):,.0f}/s on the snapshot,"
        f" {len(asked) / (ended - between):,.0f}/s on the endpoint;"
        f" {sum(link.status is Status.LINKED for link in here)} linked"
    )
    for kind, count in kinds.most_common():
        print(f"    {count:6} {kind}: {'; '.join(dict.fromkeys(examples[kind]))}")


if __name__ == "__main__":
    main()
