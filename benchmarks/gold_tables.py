"""Builds the snapshot against which the linker is measured with a gold set.

    python benchmarks/gold_tables.py FOLDER OUT

FOLDER holds the collected Wikidata facts (see `starter_sources.NEEDED`); OUT receives `tables/` and
`snapshot.duckdb`. Everything in FOLDER goes in, whatever its topic, so that every homonym of the
collection stands in the way of the linker. Left out is what would make the gold set a copy of the
knowledge: rows that rest on `wikikge10` alone, and what comes from Open Food Facts, the wordnets
and Wikivoyage. The file of joined names is not read at all, for the same reason.
"""

import argparse
import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path

from starter_sources import NEEDED, read_ranks, rows

from makieval import catalog
from makieval.wikidata import build
from makieval.wikidata.consistency import number

LEFT_OUT = ("wikikge10", "off_", "oewn", "omw_", "wikivoyage")
#: Sources whose evidence for a topic stands beside class statements; other evidence only says
#: something where an item has none.
STRONG = ("fmlama", "nanitabeyo", "plate_memory", "gpc_p11302", "costume_core")
TOPICS = {"transport": "transportation"}
BEST_KIND = {"label": 0, "name": 1, "alias": 2}
QID = re.compile("Q[1-9][0-9]*")
PROPERTY = re.compile("P[1-9][0-9]*")

Row = tuple[str, ...]


def kept(tags: str) -> list[str]:
    """The sources of a row that may count."""
    return [tag for tag in tags.split("|") if not tag.startswith(LEFT_OUT)]


def names(folder: Path) -> list[Row]:
    """Every name once, by its best kind."""
    best: dict[tuple[str, str, str], str] = {}
    for table in ("full_names", "extra_names"):
        for qid, lang, kind, name, tags in rows(folder / f"{table}.tsv.gz"):
            text = " ".join(unicodedata.normalize("NFC", name).split())
            if text and kept(tags):
                place = (qid, lang, text)
                best[place] = min(best.get(place, "alias"), kind, key=BEST_KIND.__getitem__)
    return [(qid, lang, kind, text) for (qid, lang, text), kind in sorted(best.items())]


def statements(folder: Path) -> list[Row]:
    """Every statement between items, with its rank where a source tells it."""
    ranks, _ = read_ranks(folder)
    found: set[tuple[str, str, str]] = set()
    for table in ("full_claims", "extra_claims"):
        for qid, prop, value, tags in rows(folder / f"{table}.tsv.gz"):
            if kept(tags) and PROPERTY.fullmatch(prop) and QID.fullmatch(value):
                found.add((qid, prop, value))
    for child, _, parent, _, tags in rows(folder / "p279_graph.tsv.gz"):
        if kept(tags):
            found.add((child, "P279", parent))
    return [(*row, ranks.get(row, "normal")) for row in sorted(found)]


def evidence(folder: Path, classed: set[str]) -> Iterator[Row]:
    """Direct evidence for topics of the catalog; `classed` items have a class statement."""
    for qid, named, confidence, tags in rows(folder / "extra_topics.tsv.gz"):
        topic = TOPICS.get(named, named)
        if confidence != "ok" or topic not in catalog.topics():
            continue
        counted = [tag for tag in kept(tags) if qid not in classed or tag.split("~")[0] in STRONG]
        if counted:
            yield qid, topic, "|".join(counted)


def descriptions(folder: Path) -> list[Row]:
    """The first description of an item in a language."""
    first: dict[tuple[str, str], str] = {}
    for qid, lang, text, tags in rows(folder / "full_descriptions.tsv.gz"):
        told = " ".join(unicodedata.normalize("NFC", text).split())
        if told and kept(tags):
            first.setdefault((qid, lang), told)
    return [(*place, text) for place, text in sorted(first.items())]


def write(path: Path, header: str, table: Iterable[Row]) -> None:
    """One unquoted table."""
    lines = [header.replace(" ", "\t"), *("\t".join(row) for row in table)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


def tables(folder: Path, out: Path) -> None:
    """Write the folder of tables `out`."""
    out.mkdir(parents=True, exist_ok=True)
    named, stated = names(folder), statements(folder)
    qids = {row[0] for row in named}
    classed = {row[0] for row in stated if row[1] in ("P31", "P279")}
    _, sitelinks = read_ranks(folder)
    items = [(qid, str(sitelinks.get(qid, ""))) for qid in sorted(qids, key=number)]
    write(out / "items.tsv", "qid sitelinks", items)
    write(out / "names.tsv", "qid lang kind name", named)
    write(out / "statements.tsv", "qid property value rank", stated)
    write(out / "descriptions.tsv", "qid lang text", descriptions(folder))
    write(out / "topics.tsv", "qid topic evidence", sorted(evidence(folder, classed)))
    write(out / "redirects.tsv", "from to", [])
    manifest = f'name = "gold"\nlicence = "mixed, for measuring only"\nleft_out = {[*LEFT_OUT]}\n'
    (out / "manifest.toml").write_text(manifest, encoding="utf-8", newline="\n")
    print(f"{len(items)} items, {len(named)} names, {len(stated)} statements in {out}")


def main() -> int:
    parser = argparse.ArgumentParser(description="Builds the snapshot for measuring the linker.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    absent = [name for name in NEEDED if not (arguments.folder / name).is_file()]
    if absent:
        print(f"{arguments.folder}: lacks {', '.join(absent)}", file=sys.stderr)
        return 2
    tables(arguments.folder, arguments.out / "tables")
    build(arguments.out / "tables", arguments.out / "snapshot.duckdb")
    return 0


if __name__ == "__main__":
    sys.exit(main())
