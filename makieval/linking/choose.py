"""Which candidate a mention means: a pure function of the candidates, in any order.

An item that does not fit the mention's entity type never wins, even alone (explosion/spaCy#9114).
Among those that fit: the form that found it (exact before anything derived, the mention's own
language before its fallbacks), then label before alias, then sitelinks, then the lowest QID.
There is no random choice anywhere.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from makieval.linking.candidates import KINDS, Candidate, Mention, number
from makieval.status import Status

#: A change of any rule in this module, or in how lookups are made, changes this.
VERSION = 1

#: How sure a method is, between 0 and 1.
SCORES = {"exact": 1.0}


@dataclass(frozen=True, slots=True)
class Link:
    """What a mention was linked to, and why.

    `status` is `linked`, `nil`, `wrong_type`, or one of `status.UNANSWERED` where the source of
    knowledge could not be asked; only a linked mention has a `qid`, the name that
    matched (with its Wikidata language and kind) and a class `path` (see `Candidate`). `rivals`
    are the other candidates in the order of the rules: those that fit where the mention is
    linked, those that do not where it is `wrong_type`.
    """

    mention: Mention
    status: Status
    qid: str | None = None
    method: str | None = None
    score: float | None = None
    name: str | None = None
    name_language: str | None = None
    name_kind: str | None = None
    path: tuple[str, ...] = ()
    rivals: tuple[Candidate, ...] = ()


def order(candidate: Candidate) -> tuple[int, int, int, int, str]:
    """The rules as a sort key, best first; the name settles which of an item's rows is kept."""
    sitelinks = -1 if candidate.sitelinks is None else candidate.sitelinks
    return (
        candidate.rank,
        KINDS.index(candidate.kind),
        -sitelinks,
        number(candidate.qid),
        candidate.name,
    )


def choose(mention: Mention, candidates: Iterable[Candidate]) -> Link:
    """The link of `mention`, given every item that carries its name."""
    ordered = _one_row_each(candidates)
    fitting = [candidate for candidate in ordered if candidate.typed]
    if not ordered:
        return Link(mention, Status.NIL)
    if not fitting:
        return Link(mention, Status.WRONG_TYPE, rivals=tuple(ordered))
    best = fitting[0]
    return Link(
        mention,
        Status.LINKED,
        qid=best.qid,
        method=best.method,
        score=SCORES[best.method],
        name=best.name,
        name_language=best.language,
        name_kind=best.kind,
        path=best.path,
        rivals=tuple(fitting[1:]),
    )


def _one_row_each(candidates: Iterable[Candidate]) -> list[Candidate]:
    """The candidates in order, each item once, by its best row."""
    best: dict[str, Candidate] = {}
    for candidate in sorted(candidates, key=order):
        best.setdefault(candidate.qid, candidate)
    return list(best.values())
