"""Compiles the starter snapshot's tables from a folder of collected Wikidata facts.

    python benchmarks/compile_starter.py FOLDER [--out makieval/wikidata/starter]

The folder (or `MAKIEVAL_WIKIDATA_SOURCES`) holds the collected tables named in `NEEDED`. Nothing
is written from memory: every QID, name and statement is copied from there. `starter_rules.toml`
beside this script says which sources, classes and thresholds decide; nothing is chosen row by row.
The same folder gives the same bytes. At the end two tables show what each topic, language and
country received, and every fault found is printed.
"""

import argparse
import json
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from starter_choice import Choice, statements
from starter_sources import (
    COUNTRY_PROPERTIES,
    NEEDED,
    RULES,
    Facts,
    descriptions,
    read_facts,
    read_ranks,
)

from makieval import catalog
from makieval.wikidata.consistency import Rows, check, members, number, read_rows

SHIPPED = Path(__file__).parent.parent / "makieval" / "wikidata" / "starter"
DATE = "2026-11-30"
NOTES = [
    "Sitelink counts and preferred ranks are known only for the items of two test sets.",
    "No redirects are known.",
    "Roots that no source names stand without a name: their English labels are in the catalog.",
    "No source gives a dish whose origin is Taiwan or the United Arab Emirates.",
    "Few works name their creator: the sources give P50, P175 and P86 for some dozens.",
    "Clothing has few names outside English; of beverages few have a known origin.",
    "P495 of dishes may in places be the country of the dish's cuisine.",
    "Names of kind `name` come from sources that do not tell a label from an alias.",
]


def write(path: Path, header: str, table: Iterable[Iterable[str]]) -> None:
    lines = [header.replace(" ", "\t"), *("\t".join(row) for row in table)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


def toml_table(name: str, table: Mapping[str, Any]) -> str:
    lines = [
        f"{json.dumps(key)} = {json.dumps(value, ensure_ascii=False)}"
        for key, value in table.items()
    ]
    return "\n".join([f"\n[{name}]", *lines, ""])


def compile_tables(folder: Path, out: Path) -> None:
    languages = {code for spoken in catalog.languages().values() for code in spoken.chain} | {"mul"}
    facts = read_facts(folder, languages)
    choice = Choice(facts, folder)
    ranks, sitelinks = read_ranks(folder)
    facts_kept = statements(choice, ranks)
    ordered = sorted(choice.items, key=number)
    names = [
        [qid, lang, kind, name]
        for qid in ordered
        for (lang, name), (kind, _) in sorted(facts.names.get(qid, {}).items())
    ]
    evidence = [
        [qid, topic, "|".join(sorted(choice.evidence[qid, topic]))]
        for qid, topic in sorted(choice.evidence, key=lambda key: (number(key[0]), key[1]))
    ]
    out.mkdir(parents=True, exist_ok=True)
    write(out / "items.tsv", "qid sitelinks", ([q, str(sitelinks.get(q, ""))] for q in ordered))
    write(out / "names.tsv", "qid lang kind name", names)
    write(out / "statements.tsv", "qid property value rank", facts_kept)
    told = descriptions(folder, choice.items, languages)
    write(out / "descriptions.tsv", "qid lang text", told)
    write(out / "topics.tsv", "qid topic evidence", evidence)
    write(out / "redirects.tsv", "from to", [])
    manifest = "\n".join(manifest_lines(out, facts, facts_kept, names))
    (out / "manifest.toml").write_text(manifest, encoding="utf-8", newline="\n")


def by_topic(tables: Rows) -> dict[str, set[str]]:
    """The items of each topic, by class or by direct evidence."""
    return {
        topic.id: members(topic.roots, tables) | {q for q, t, _ in tables.topics if t == topic.id}
        for topic in catalog.topics().values()
    }


def manifest_lines(
    out: Path, facts: Facts, kept: list[list[str]], names: list[list[str]]
) -> Iterator[str]:
    """The manifest: what is in the tables, counted from the tables themselves."""
    (out / "manifest.toml").write_text("", encoding="utf-8")
    tables = read_rows(out)
    gave: dict[str, Counter[str]] = defaultdict(Counter)
    for qid, lang, _, name in names:
        for tag in facts.names[qid][lang, name][1].split("|"):
            gave[tag]["names"] += 1
    for qid, prop, value, _ in kept:
        for tag in facts.claims[prop][qid][value].split("|"):
            gave[tag]["statements"] += 1
    topical = by_topic(tables)
    origins = Counter(v for _, v in {(q, v) for q, p, v, _ in kept if p in COUNTRY_PROPERTIES})
    yield 'name = "starter"'
    yield f'date = "{DATE}"'
    yield 'period = "2019 to 2026: the sources copied Wikidata at different times"'
    yield 'licence = "CC0-1.0"'
    yield "sources = ["
    for tag, text in RULES["sources"].items():
        if gave[tag]:
            share = ", ".join(f"{n} {what}" for what, n in sorted(gave[tag].items()))
            yield f"  {json.dumps(f'{tag}: {text}: {share}', ensure_ascii=False)},"
    yield "]"
    yield f"notes = {json.dumps(NOTES, ensure_ascii=False, indent=2)}"
    yield toml_table("counts", tables.counts())
    yield toml_table("names_per_language", dict(sorted(Counter(r[1] for r in names).items())))
    yield toml_table("statements_per_property", dict(sorted(Counter(r[1] for r in kept).items())))
    yield toml_table("items_per_topic", {topic: len(held) for topic, held in topical.items()})
    countries = {c.id: origins[c.qid] for c in catalog.countries().values()}
    yield toml_table("items_per_country", countries)


def print_coverage(out: Path) -> None:
    """Two tables on the console: names per topic and language, origins per topic and country."""
    tables = read_rows(out)
    spoken = catalog.languages()
    named: dict[str, set[str]] = defaultdict(set)
    for qid, lang, _, _ in tables.names:
        named[lang].add(qid)
    by_language = {
        code: set[str]().union(*(named[c] for c in one.chain)) for code, one in spoken.items()
    }
    origin: dict[str, set[str]] = defaultdict(set)
    for qid, prop, value, _ in tables.statements:
        if prop in COUNTRY_PROPERTIES:
            origin[qid].add(value)
    groups = by_topic(tables)
    creators = {root for topic in catalog.topics().values() for root in topic.creators}
    groups["creators"] = members(creators, tables)
    print("\nitems with a name, per topic and language")
    print(f"{'':16}{'items':>7}" + "".join(f"{code:>7}" for code in spoken))
    for group, held in groups.items():
        cells = "".join(f"{len(held & by_language[code]):>7}" for code in spoken)
        print(f"{group:16}{len(held):>7}{cells}")
    print("\nitems with that country of origin (P495, P17, P27), per group")
    print(f"{'':22}" + "".join(f"{group[:9]:>10}" for group in groups))
    for country in catalog.countries().values():
        of = (sum(country.qid in origin[qid] for qid in held) for held in groups.values())
        print(f"{country.id:22}" + "".join(f"{count:>10}" for count in of))
    known = (sum(bool(origin.get(qid)) for qid in held) for held in groups.values())
    print(f"{'any country':22}" + "".join(f"{count:>10}" for count in known))
    size = sum(path.stat().st_size for path in out.iterdir())
    print(f"\n{len(tables.items)} items, {len(tables.names)} names, {size / 1e6:.2f} MB in {out}")


def main() -> int:
    parser = argparse.ArgumentParser(description="Compiles the starter snapshot's tables.")
    default = os.environ.get("MAKIEVAL_WIKIDATA_SOURCES")
    parser.add_argument("folder", nargs="?", type=Path, default=default and Path(default))
    parser.add_argument("--out", type=Path, default=SHIPPED)
    arguments = parser.parse_args()
    if arguments.folder is None:
        print(
            "no folder of sources: name one, or set MAKIEVAL_WIKIDATA_SOURCES; it must hold "
            + ", ".join(NEEDED),
            file=sys.stderr,
        )
        return 2
    absent = [name for name in NEEDED if not (arguments.folder / name).is_file()]
    if absent:
        print(f"{arguments.folder} lacks {', '.join(absent)}", file=sys.stderr)
        return 2
    compile_tables(arguments.folder, arguments.out)
    print_coverage(arguments.out)
    findings = check(arguments.out)
    for finding in findings:
        print(finding, file=sys.stderr)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
