"""Chooses the items of the starter snapshot, by the rules in `starter_rules.toml`.

First what lies under a topic's roots, then what direct evidence puts into a topic, then creators.
"""

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from starter_sources import (
    COUNTRY_PROPERTIES,
    CREATOR_PROPERTIES,
    PARTS,
    RULES,
    Facts,
    Sources,
    rows,
)

from makieval import catalog
from makieval.wikidata.consistency import NOT_ENTITIES, components, number

GROUP_ROOTS = ("Q215380", "Q2088357")
HUMAN = "Q5"


def below(roots: Iterable[str], p279: Mapping[str, Mapping[str, str]]) -> set[str]:
    """The roots and every class under them by P279."""
    children: dict[str, list[str]] = defaultdict(list)
    for child, parents in p279.items():
        for parent in parents:
            children[parent].append(child)
    seen, todo = set(roots), list(roots)
    while todo:
        for child in children[todo.pop()]:
            if child not in seen:
                seen.add(child)
                todo.append(child)
    return seen


def block(p279: dict[str, Sources], topic_roots: Mapping[str, Iterable[str]]) -> None:
    """Drops the P279 statements by which a blocked class leads into its topic, and cycles."""
    for topic, blocked in RULES["blocked"].items():
        inside = below(topic_roots[topic], p279)
        for qid in blocked:
            p279[qid] = {value: s for value, s in p279.get(qid, {}).items() if value not in inside}
    graph = {child: set(parents) for child, parents in p279.items()}
    for group in components(graph):
        for child in group:
            p279[child] = {v: s for v, s in p279[child].items() if v not in group}


class Choice:
    """The items of the snapshot, and why each is in it."""

    def __init__(self, facts: Facts, folder: Path) -> None:
        self.facts = facts
        self.topics = catalog.topics()
        self.roots = {name: tuple(topic.roots) for name, topic in self.topics.items()}
        self.known_roots = {root for roots in self.roots.values() for root in roots}
        self._keep_usable_classes()
        self.unblocked = {name: self._instances_and_classes(r) for name, r in self.roots.items()}
        block(facts.p279, self.roots)
        self.classes = {name: below(roots, facts.p279) for name, roots in self.roots.items()}
        self.evidence: dict[tuple[str, str], set[str]] = defaultdict(set)
        self.items: set[str] = set()
        self._choose_topical()
        self._choose_evidenced(folder)
        self._choose_composed()
        self._choose_creators()

    def _keep_usable_classes(self) -> None:
        """Drops P279 statements with an end that has no name (roots excepted) or is no entity."""
        known = (self.facts.names.keys() | self.known_roots) - NOT_ENTITIES.keys()
        usable = {qid for qid in known if not self._is_barred(qid)}
        p279 = self.facts.p279
        for child in list(p279):
            parents = {v: s for v, s in p279[child].items() if v in usable}
            p279[child] = parents if child in usable else {}

    def breadth(self, qid: str) -> int:
        """In how many of the 13 languages (Chinese scripts as two) the item has a name."""
        held = {lang for lang, _ in self.facts.names.get(qid, ())}
        return sum(
            any(code in held for code in spoken.chain) for spoken in catalog.languages().values()
        )

    def _is_barred(self, qid: str) -> bool:
        kinds = self.facts.p31.get(qid, {})
        return qid in NOT_ENTITIES or any(k in NOT_ENTITIES or k in RULES["never"] for k in kinds)

    def _has_origin(self, qid: str) -> bool:
        properties = ("P495", *CREATOR_PROPERTIES)
        return any(qid in self.facts.claims[prop] for prop in properties)

    def _choose_topical(self) -> None:
        least = RULES["least_languages"]
        single = below(RULES["individuals"], self.facts.p279)
        for topic, classes in self.classes.items():
            kinds = classes - single - set(RULES["no_instances"])
            self.items |= classes
            for qid, values in self.facts.p31.items():
                if kinds.isdisjoint(values) or self._is_barred(qid):
                    continue
                if qid in self.facts.names and (
                    self.breadth(qid) >= least[topic] or self._has_origin(qid)
                ):
                    self.items.add(qid)
            for stand_in in RULES["stand_ins"].get(topic, {}):
                for qid, values in self.facts.p31.items():
                    if stand_in not in values or self._is_barred(qid):
                        continue
                    enough = self.breadth(qid) >= least["stand_ins"] or topic == "food"
                    if qid in self.facts.names and enough:
                        source = values[stand_in].split("|")[0]
                        self.evidence[qid, topic].add(f"{source}:P31 {stand_in}")

    def _instances_and_classes(self, roots: Iterable[str]) -> set[str]:
        classes = below(roots, self.facts.p279)
        kinds = self.facts.p31.items()
        return classes | {qid for qid, values in kinds if not classes.isdisjoint(values)}

    def _contradicted(self, qid: str, topic: str) -> bool:
        rules = RULES["evidence_rules"]
        stated = {**self.facts.p31.get(qid, {}), **self.facts.p279.get(qid, {})}
        return qid in self.barred[topic] or any(
            kind in rules["contradicting"] and topic not in rules["excused"].get(kind, ())
            for kind in stated
        )

    def _choose_evidenced(self, folder: Path) -> None:
        rules = RULES["evidence_rules"]
        weak = set(rules["weak"])
        parts = re.compile(rf"\b({rules['parts']})$", re.IGNORECASE)
        self.barred = {name: held - self._reached(name) for name, held in self.unblocked.items()}
        claimed: dict[str, dict[str, set[str]]] = defaultdict(dict)
        for qid, named, confidence, tags in rows(folder / "extra_topics.tsv.gz"):
            topic = rules["topics"].get(named, named)
            taken = {tag for tag in tags.split("|") if tag in RULES["evidence"]}
            if confidence == "ok" and taken:
                claimed[qid][topic] = taken
        together = {frozenset(pair) for pair in rules["together"]}
        for qid, by_topic in sorted(claimed.items()):
            if qid not in self.facts.names or self._is_barred(qid):
                continue
            apart = len(by_topic) > 1 and frozenset(by_topic) not in together
            for topic, taken in by_topic.items():
                if topic not in self.topics:
                    continue
                english = [name for lang, name in self.facts.names[qid] if lang == "en"]
                if taken <= weak and (
                    apart
                    or self._contradicted(qid, topic)
                    or any(re.search(rules["qualified"], name) for name in english)
                ):
                    continue
                if taken == {"costume_core"} and any(parts.search(name) for name in english):
                    continue
                self.evidence[qid, topic] |= {rules["recorded_as"].get(t, t) for t in taken}
        reached = {topic: self._reached(topic) for topic in self.topics}
        for key in [key for key in self.evidence if key[0] in reached[key[1]]]:
            del self.evidence[key]
        self.items |= {qid for qid, _ in self.evidence}

    def _reached(self, topic: str) -> set[str]:
        return self._instances_and_classes(self.roots[topic]) & self.items

    def _choose_composed(self) -> None:
        """An item without a class, all of whose parts (P527) are of a topic, is of it too."""
        for topic in RULES["composed"]["topics"]:
            inside = self._reached(topic) | {q for q, named in self.evidence if named == topic}
            for qid, parts in self.facts.claims[PARTS].items():
                classed = qid in self.facts.p31 or qid in self.facts.p279
                if classed or qid not in self.facts.names or not parts.keys() <= inside:
                    continue
                part = min(parts, key=number)
                self.evidence[qid, topic].add(f"{parts[part].split('|')[0]}:{PARTS} {part}")
                self.items.add(qid)

    def _choose_creators(self) -> None:
        rules = RULES["creators"]
        named = set(self.facts.names)
        for prop in CREATOR_PROPERTIES:
            for qid in self.items & self.facts.claims[prop].keys():
                self.items |= self.facts.claims[prop][qid].keys() & named
        people = {qid for qid in named if HUMAN in self.facts.p31.get(qid, {})}
        for topic, occupations in rules["occupations"].items():
            work = self.facts.claims["P106"]
            able = {q for q in people if not work.get(q, {}).keys().isdisjoint(occupations)}
            for sign in rules["signs"].get(topic, {}):
                able |= people & self.facts.claims[sign].keys()
            self._take(able, ("P27",), rules["per_country"], rules["elsewhere"])
        kinds = below(GROUP_ROOTS, self.facts.p279)
        bands = {
            q for q, kind in self.facts.p31.items() if q in named and not kinds.isdisjoint(kind)
        }
        self._take(bands, ("P495", "P17"), rules["bands_per_country"], rules["bands_elsewhere"])

    def _take(self, able: set[str], origin: tuple[str, ...], quota: int, rest: int) -> None:
        fame = {
            qid: self.breadth(qid)
            + 2 * math.log2(1 + self.facts.stated[qid])
            + 2 * math.log2(1 + len(self.facts.names[qid]))
            for qid in able
            if not self._is_media(qid)
        }
        weight = {qid: (-famed, number(qid)) for qid, famed in fame.items()}
        ranked = sorted(weight, key=weight.__getitem__)
        for country in catalog.countries().values():
            own = [
                qid
                for qid in ranked
                if any(country.qid in self.facts.claims[p].get(qid, {}) for p in origin)
            ]
            self.items.update(own[:quota])
        self.items.update([q for q in ranked if self.breadth(q) > 1][:rest])

    def _is_media(self, qid: str) -> bool:
        return any(kind in NOT_ENTITIES for kind in self.facts.p31.get(qid, {}))


def statements(choice: Choice, ranks: Mapping[tuple[str, str, str], str]) -> list[list[str]]:
    """The statements between chosen items; adds the countries and classes that they need."""
    facts, items = choice.facts, choice.items
    everything = {qid for classes in choice.classes.values() for qid in classes} & items
    makers = below((HUMAN, *GROUP_ROOTS), facts.p279) & facts.names.keys()
    needed = {k for q in items for k in facts.p31.get(q, {}) if k in makers} | {HUMAN, *GROUP_ROOTS}
    for qid in sorted(needed):
        needed |= set(facts.p279.get(qid, {})) & makers
    items |= needed
    countries = {country.qid for country in catalog.countries().values()}
    kept: list[list[str]] = []
    for prop in ("P31", "P279", *COUNTRY_PROPERTIES, *CREATOR_PROPERTIES):
        for qid in sorted(items, key=number):
            for value in sorted(facts.claims[prop].get(qid, {}), key=number):
                if prop in COUNTRY_PROPERTIES:
                    fits = value in facts.names and HUMAN not in facts.p31.get(value, {})
                    countries |= {value} if fits else set()
                elif prop in CREATOR_PROPERTIES:
                    fits = value in items
                else:
                    fits = value in everything or value in needed
                if fits:
                    kept.append([qid, prop, value, ranks.get((qid, prop, value), "normal")])
    items |= countries
    return sorted(kept, key=lambda row: (number(row[0]), number(row[1]), number(row[2])))
