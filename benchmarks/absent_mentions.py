"""How often a mention whose name is not in the index is linked to something wrong.

    python benchmarks/absent_mentions.py SNAPSHOT [--names 1500] [--open] [--show 10]

Real names: for each language, names of items that fit one of the topics, drawn with a fixed seed.
All names with the key of a drawn one are hidden, then the drawn name is linked as a mention. What
the linker then finds is the right item by another of its names, a wrong item, or nothing. The
tables count both, per language and stage and, for names one edit away, per script, kind of edit
and length; `--open` lifts the gates of `fuzzy`, which is how their lengths were found.
"""

import argparse
import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

from gold_quality import share

from makieval import catalog
from makieval.linking import Candidate, Link, Linker, Lookup, Mention, fuzzy, gold, normalise
from makieval.wikidata import Snapshot

SEED = 20261130


class Hiding(gold.Countries):
    """A source that has lost the names with these keys."""

    def __init__(self, source: Snapshot, hidden: frozenset[str]) -> None:
        super().__init__(source)
        self._hidden = hidden

    def candidates(self, lookups: Sequence[Lookup]) -> list[list[Candidate]]:
        return [
            [one for one in many if normalise.key(one.name, one.language) not in self._hidden]
            for many in super().candidates(lookups)
        ]


def drawn(snapshot: Snapshot, language: catalog.Language, count: int) -> list[tuple[Mention, str]]:
    """(mention, QID): names in a language of items that fit a topic, one topic after the other."""
    chance = random.Random(f"{SEED}{language.code}")
    taken: list[tuple[Mention, str]] = []
    topics = catalog.topics()
    for topic in topics:
        keys = list(snapshot.dictionary(topic, language.chain))
        asked = chance.sample(keys, min(len(keys), count // len(topics)))
        mentions = [Mention(key, language.code, topic, gold.THING) for key in asked]
        linked = Linker(snapshot, topics=gold.topics()).link(mentions)
        taken += [
            (link.mention, link.qid)
            for link in linked
            if link.qid and link.method == "exact" and link.name_language in language.chain
        ]
    return taken


def script(key: str) -> str:
    """The script of most letters."""
    found = Counter(fuzzy.script(character) for character in key if character.isalpha())
    return found.most_common(1)[0][0] if found else ""


def main() -> None:
    parser = argparse.ArgumentParser(description="Links mentions whose name was hidden.")
    parser.add_argument("snapshot", type=Path)
    parser.add_argument("--names", type=int, default=1500, help="per language")
    parser.add_argument("--open", action="store_true", help="lift the gates")
    parser.add_argument("--show", type=int, default=0, help="wrong links per language")
    arguments = parser.parse_args()
    if arguments.open:
        for kind, lengths in fuzzy.LEAST.items():
            fuzzy.LEAST[kind] = dict.fromkeys(lengths, 1)
    by_language: dict[str, list[tuple[Link, str]]] = {}
    with Snapshot.open(arguments.snapshot) as snapshot:
        for language in catalog.languages().values():
            asked = drawn(snapshot, language, arguments.names)
            hidden = frozenset(normalise.key(m.surface, m.language) for m, _ in asked)
            linker = Linker(Hiding(snapshot, hidden), topics=gold.topics())
            links = linker.link([mention for mention, _ in asked])
            by_language[language.code] = list(zip(links, (qid for _, qid in asked), strict=True))
    print(f"{'language':10}{'names':>7}  {'wrong, of all':38}{'wrong, of the linked':38}")
    stages: dict[str, Counter[bool]] = defaultdict(Counter)
    sizes: dict[tuple[str, str, int], Counter[bool]] = defaultdict(Counter)
    for code, ones in by_language.items():
        wrong = [(link, qid) for link, qid in ones if link.qid and link.qid != qid]
        linked = sum(bool(link.qid) for link, _ in ones)
        cells = f"{share(len(wrong), len(ones)):38}{share(len(wrong), linked):38}"
        print(f"{code:10}{len(ones):7}  {cells}")
        for link, qid in wrong[: arguments.show]:
            print(
                f"      {link.mention.surface!r} ({qid}) -> {link.name!r} {link.qid} {link.method}"
            )
        for link, qid in ones:
            if link.qid and link.method:
                stages[link.method][link.qid == qid] += 1
                if link.method.startswith("similar"):
                    key = link.mention.surface
                    size = min(sum(map(str.isalpha, key)), 12)
                    sizes[script(key), link.method, size][link.qid == qid] += 1
    for title, table in (("stage", stages), ("script, kind of edit, letters", sizes)):
        print(f"\n{title}: right, wrong")
        for name, counts in sorted(table.items()):
            print(f"  {name!s:50}{counts[True]:6}{counts[False]:6}")


if __name__ == "__main__":
    main()
