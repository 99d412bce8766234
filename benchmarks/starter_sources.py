"""Reads the collected Wikidata facts from which the starter snapshot is compiled.

Every reader drops what no admitted source attests: `starter_rules.toml` lists the sources.
"""

import bz2
import gzip
import json
import re
import tomllib
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from makieval.wikidata.consistency import number

RULES: dict[str, Any] = tomllib.loads(
    (Path(__file__).parent / "starter_rules.toml").read_text(encoding="utf-8")
)
NEEDED = (
    "full_names.tsv.gz",
    "full_claims.tsv.gz",
    "full_descriptions.tsv.gz",
    "p279_graph.tsv.gz",
    "extra_names.tsv.gz",
    "extra_claims.tsv.gz",
    "extra_topics.tsv.gz",
    "fixtures/openrefine-wikibase/entities.ndjson.gz",
    "fixtures/opentapioca/sample_wikidata_items.json.bz2",
)
KIND_ORDER = {"label": 0, "alias": 1, "name": 2}
COUNTRY_PROPERTIES = ("P495", "P17", "P27")
CREATOR_PROPERTIES = ("P50", "P175", "P86")
PARTS = "P527"

Sources = dict[str, str]


def rows(path: Path) -> Iterator[list[str]]:
    """The rows of an unquoted gzipped TSV, without its header."""
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
        next(lines)
        for line in lines:
            yield line.rstrip("\n").split("\t")


def admitted(tags: str) -> str:
    """`tags` without the sources that are not in the rules; empty where none is left."""
    bare = (re.split("~", tag)[0] for tag in tags.split("|"))
    return "|".join(sorted({tag for tag in bare if tag in RULES["sources"]}))


@dataclass
class Facts:
    """Everything the folder holds that an admitted source attests."""

    names: dict[str, dict[tuple[str, str], tuple[str, str]]]
    claims: dict[str, dict[str, Sources]]  # property → item → value → sources
    stated: Counter[str]  # in how many statements of any property an item occurs

    @property
    def p31(self) -> dict[str, Sources]:
        return self.claims["P31"]

    @property
    def p279(self) -> dict[str, Sources]:
        return self.claims["P279"]


def clean(name: str) -> str:
    """`name` in NFC with single spaces, or nothing where it is no name."""
    text = " ".join(unicodedata.normalize("NFC", name).split())
    return "" if re.search(RULES["names"]["not_a_name"], text) or len(text) > 120 else text


def read_facts(folder: Path, languages: set[str]) -> Facts:
    """All admitted names in `languages`, and all statements that the choice looks at."""
    return Facts(read_names(folder, languages), *read_claims(folder))


def read_names(folder: Path, languages: set[str]) -> dict[str, dict[tuple[str, str], Any]]:
    names: dict[str, dict[tuple[str, str], Any]] = defaultdict(dict)
    for table in ("full_names.tsv.gz", "extra_names.tsv.gz"):
        for qid, lang, kind, name, tags in rows(folder / table):
            text, sources = clean(name), admitted(tags)
            if not (text and sources and lang in languages):
                continue
            old = names[qid].get((lang, text))
            if old is None:
                names[qid][lang, text] = (kind, sources)
            else:
                merged = "|".join(sorted({*old[1].split("|"), *sources.split("|")}))
                names[qid][lang, text] = (min(old[0], kind, key=KIND_ORDER.__getitem__), merged)
    for found in names.values():
        keep_one_label(found)
    return {qid: found for qid, found in names.items() if found}


def keep_one_label(found: dict[tuple[str, str], tuple[str, str]]) -> None:
    """Of several labels in a language, from copies of different years, the newest stays one."""
    age = {tag: place for place, tag in enumerate(RULES["names"]["newest_first"])}
    labels: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for (lang, name), (kind, tags) in found.items():
        if kind == "label":
            rank = min(age.get(tag, len(age)) for tag in tags.split("|"))
            labels[lang].append((rank, name))
    for lang, ranked in labels.items():
        for _, name in sorted(ranked)[1:]:
            found[lang, name] = ("alias", found[lang, name][1])


def read_claims(folder: Path) -> tuple[dict[str, dict[str, Sources]], Counter[str]]:
    signs = {sign for kinds in RULES["creators"]["signs"].values() for sign in kinds}
    wanted = {"P31", "P279", "P106", PARTS, *COUNTRY_PROPERTIES, *CREATOR_PROPERTIES, *signs}
    claims: dict[str, dict[str, Sources]] = {prop: defaultdict(dict) for prop in sorted(wanted)}
    stated: Counter[str] = Counter()
    graph = ([c, "P279", p, s] for c, _, p, _, s in rows(folder / "p279_graph.tsv.gz"))
    tables = (rows(folder / f"{name}_claims.tsv.gz") for name in ("full", "extra"))
    for table in (*tables, graph):
        for qid, prop, value, tags in table:
            sources = admitted(tags)
            if sources:
                stated.update((qid, value))
            if sources and prop in wanted and value != qid:
                old = claims[prop][qid].get(value, "")
                claims[prop][qid][value] = admitted(f"{old}|{sources}")
    return claims, stated


def read_fixture_items(folder: Path) -> Iterator[dict[str, Any]]:
    """Whole items as Wikibase JSON: the only source of ranks and sitelinks."""
    whole, dump = (folder / name for name in NEEDED[-2:])
    with bz2.open(dump, "rt", encoding="utf-8") as lines:
        yield from (json.loads(line.strip().rstrip(",")) for line in lines if len(line) > 5)
    with gzip.open(whole, "rt", encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines)


def read_ranks(folder: Path) -> tuple[dict[tuple[str, str, str], str], dict[str, int]]:
    ranks: dict[tuple[str, str, str], str] = {}
    sitelinks: dict[str, int] = {}
    for item in read_fixture_items(folder):
        if item.get("sitelinks"):
            sitelinks[item["id"]] = len(item["sitelinks"])
        for prop, statements in (item.get("claims") or {}).items():
            for statement in statements:
                value = statement["mainsnak"].get("datavalue", {}).get("value")
                if isinstance(value, dict) and "id" in value:
                    ranks[item["id"], prop, value["id"]] = statement["rank"]
    return ranks, sitelinks


def descriptions(folder: Path, items: set[str], languages: set[str]) -> list[list[str]]:
    found: dict[tuple[str, str], str] = {}
    for qid, lang, text, tags in rows(folder / "full_descriptions.tsv.gz"):
        if qid in items and lang in languages and admitted(tags):
            found.setdefault((qid, lang), " ".join(unicodedata.normalize("NFC", text).split()))
    ordered = sorted(found.items(), key=lambda entry: (number(entry[0][0]), entry[0][1]))
    return [[qid, lang, text] for (qid, lang), text in ordered if text]
