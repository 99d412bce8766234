"""Classes through which nothing comes under a topic, whatever the class tree says.

`data/excluded.tsv` lists them: to Wikidata a song is a literary work, but no text about a book
means one. An item whose path to the root leads through such a class does not fit.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache

from makieval.linking import rules
from makieval.linking.candidates import Candidate


@cache
def excluded_classes(topic: str) -> frozenset[str]:
    """QIDs of the classes that a topic leaves out."""
    return frozenset(qid for of, qid, _ in rules.read("excluded") if of == topic)


def without_excluded(candidates: Iterable[Candidate], topic: str) -> Iterator[Candidate]:
    """The candidates; those that only an excluded class lets in do not fit."""
    barred = excluded_classes(topic)
    for candidate in candidates:
        if barred.isdisjoint(candidate.path):
            yield candidate
        else:
            yield replace(candidate, typed=False, path=(), root="")
