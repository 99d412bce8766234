"""How right the linker is on a gold set: recall, precision, NIL, and the kinds that go wrong.

    python benchmarks/gold_quality.py GOLD SNAPSHOT [--show 20] [--json FILE]

SNAPSHOT comes from `gold_tables.py`. Three figures, with Wilson intervals (95 %):
 - recall: of tier A rows whose item is in the snapshot with a name in the mention's language (a
   language of its chain; English does not count for others), the share linked to that item;
 - precision: of the links made on all tier A rows, the share that is right;
 - absent: of the rows (all tiers) whose item is not in the snapshot, the share linked anyway.
"""

import argparse
import json
import math
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from makieval import catalog
from makieval.linking import Link, Linker, gold, normalise
from makieval.status import Status
from makieval.wikidata import Snapshot


@dataclass(frozen=True, slots=True)
class Judged:
    """A gold row, its link, and what the snapshot knows of the gold item."""

    row: gold.GoldRow
    link: Link
    held: bool
    names: tuple[str, ...]  # in the languages of the mention's chain
    fits: bool

    @property
    def right(self) -> bool:
        return self.link.qid == self.row.qid

    @property
    def linked(self) -> bool:
        return self.link.status is Status.LINKED

    @property
    def reachable(self) -> bool:
        return self.held and bool(self.names)

    @property
    def kind(self) -> str:
        """What went wrong, in few words; empty where nothing did."""
        if self.right or not (self.linked or self.reachable):
            return ""
        if self.linked:
            place = self.link.method or ""
            rank = [rival.qid for rival in self.link.rivals]
            if not self.held:
                return f"item absent, linked by {place}"
            if not self.fits:
                return f"item does not fit, linked by {place}"
            return f"other item by {place}, right one " + (
                "among the rivals" if self.row.qid in rank else "not found"
            )
        if not self.fits:
            return f"{self.link.status}: the gold item has no class that fits"
        rivals = {rival.qid for rival in self.link.rivals}
        among = "among" if self.row.qid in rivals else "not among"
        return f"{self.link.status}: gold {among} the candidates"


def wilson(hits: int, total: int, z: float = 1.959964) -> tuple[float, float]:
    """The score interval (Wilson 1927) of a share."""
    if not total:
        return (0.0, 1.0)
    share, spread = hits / total, z * z / total
    middle = share + spread / 2
    reach = z * math.sqrt(share * (1 - share) / total + spread / (4 * total))
    return (max(0.0, (middle - reach) / (1 + spread)), (middle + reach) / (1 + spread))


def share(hits: int, total: int) -> str:
    """`90.1 % [88.7, 91.4] 1234/1369`."""
    if not total:
        return "-"
    low, high = wilson(hits, total)
    return f"{hits / total:6.1%} [{low:6.1%}, {high:6.1%}] {hits}/{total}"


def judge(rows: Sequence[gold.GoldRow], snapshot: Snapshot) -> list[Judged]:
    """Link every row, and look up what the snapshot knows of the gold items."""
    source = gold.Countries(snapshot)
    linker = Linker(source, topics=gold.topics())
    links = linker.link([row.mention for row in rows])
    qids = {row.qid for row in rows}
    chains = {code: set(one.chain) for code, one in catalog.languages().items()}
    wanted = {code for chain in chains.values() for code in chain} | {"mul"}
    named: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for name in snapshot.names(qids, wanted):
        named[name.qid].append((name.language, name.text))
    fits = fitting(rows, source, named)
    return [
        Judged(
            row,
            made,
            row.qid in named,
            tuple(text for lang, text in named[row.qid] if lang in chains[row.language]),
            (row.qid, row.mention.entity_type, row.topic) in fits,
        )
        for row, made in zip(rows, links, strict=True)
    ]


def fitting(
    rows: Sequence[gold.GoldRow],
    source: gold.Countries,
    named: dict[str, list[tuple[str, str]]],
) -> set[tuple[str, str, str]]:
    """(QID, type, topic) of the gold items that the source holds to be of the topic asked."""
    from makieval.linking import Form, Lookup

    asked = {(r.qid, r.mention.entity_type, r.topic): gold.scope_of(r) for r in rows}
    held = [place for place in asked if named.get(place[0])]
    lookups: list[Lookup] = []
    for place in held:
        lang, text = named[place[0]][0]
        form = Form(lang, normalise.key(text, lang), "exact")
        lookups.append(Lookup((form,), asked[place]))
    found = source.candidates(lookups)
    return {
        place
        for place, many in zip(held, found, strict=True)
        if any(one.qid == place[0] and one.typed for one in many)
    }


def recall(judged: Iterable[Judged]) -> tuple[int, int]:
    counted = [one for one in judged if one.row.tier == "A" and one.reachable]
    return sum(one.right for one in counted), len(counted)


def precision(judged: Iterable[Judged]) -> tuple[int, int]:
    counted = [one for one in judged if one.row.tier == "A" and one.linked]
    return sum(one.right for one in counted), len(counted)


def absent(judged: Iterable[Judged]) -> tuple[int, int]:
    counted = [one for one in judged if not one.held]
    return sum(one.linked for one in counted), len(counted)


MEASURES: dict[str, Callable[[Iterable[Judged]], tuple[int, int]]] = {
    "recall": recall,
    "precision": precision,
    "absent, linked": absent,
}


def table(judged: Sequence[Judged], title: str, by: Callable[[Judged], str]) -> None:
    groups: dict[str, list[Judged]] = defaultdict(list)
    for one in judged:
        groups[by(one)].append(one)
    print(f"\n{title:24}" + "".join(f"{name:42}" for name in MEASURES))
    for name in sorted(groups):
        cells = "".join(f"{share(*measure(groups[name])):42}" for measure in MEASURES.values())
        print(f"{name:24}{cells}")


def worst(judged: Sequence[Judged], show: int) -> None:
    kinds: dict[str, list[Judged]] = defaultdict(list)
    for one in judged:
        counts = one.row.tier == "A" if one.held else one.linked
        if counts and one.kind:
            kinds[one.kind].append(one)
    print("\nworst kinds (tier A; absent items: all tiers)")
    for kind, ones in sorted(kinds.items(), key=lambda item: -len(item[1])):
        print(f"{len(ones):6} {kind}")
        for one in ones[:show]:
            told = f"{one.link.qid} {one.link.name!r} ({one.link.name_language})"
            print(
                f"         {one.row.language:6}{one.row.topic:8} {one.row.surface!r} -> "
                f"{told if one.linked else '-'}; gold {one.row.qid} {list(one.names[:3])}"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures the linker on a gold set.")
    parser.add_argument("gold", type=Path)
    parser.add_argument("snapshot", type=Path)
    parser.add_argument("--show", type=int, default=5, help="examples per kind")
    parser.add_argument("--json", type=Path, help="the three figures, for comparing runs")
    arguments = parser.parse_args()
    rows = gold.load(arguments.gold)
    with Snapshot.open(arguments.snapshot) as snapshot:
        start = time.perf_counter()
        judged = judge(rows, snapshot)
        took = time.perf_counter() - start
    table(judged, "language", lambda one: one.row.language)
    table(judged, "topic", lambda one: one.row.topic)
    table(judged, "source", lambda one: one.row.source)
    table(judged, "tier", lambda one: one.row.tier)
    table(judged, "method", lambda one: one.link.method or "-")
    worst(judged, arguments.show)
    print("\nstatus", dict(Counter(one.link.status for one in judged)))
    print(f"{len(rows)} rows in {took:.1f} s")
    for name, measure in MEASURES.items():
        print(f"{name:16}{share(*measure(judged))}")
    if arguments.json:
        figures = {name: measure(judged) for name, measure in MEASURES.items()}
        arguments.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
