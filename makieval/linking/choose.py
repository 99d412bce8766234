"""Which candidate a mention means: a pure function of the candidates, in any order.

An item that does not fit the mention's entity type never wins, even alone (explosion/spaCy#9114).
Among those that fit, in this order: the form that found it (exact before anything derived, the
mention's own language before its fallbacks); label before alias; the entity type's roots as they
are listed (a song before another musical work); sitelinks, where unknown is fewest.

Equals are items that none of these tells apart. Then nothing is chosen: the mention is ambiguous,
and all are kept as rivals, the lowest QID first. Taking the lowest was right in one of two such
cases of the gold set, which is what a coin would do. There is no random choice anywhere.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from makieval.linking.candidates import KINDS, Candidate, Mention, number
from makieval.status import Status

#: A change of any rule in this module, or in how lookups are made, changes this.
VERSION = 2

#: How sure a method is, between 0 and 1, by its first word.
SCORES = {"exact": 1.0, "variant": 0.9, "peeled": 0.8, "similar": 0.7, "unclassed": 0.5}


@dataclass(frozen=True, slots=True)
class Link:
    """What a mention was linked to, and why.

    `status` is `linked`, `ambiguous`, `nil` or `wrong_type`; only a linked mention has a `qid`,
    the name that matched (with its Wikidata language and kind) and a class `path` (see
    `Candidate`). `rivals` are the other candidates in the order of the rules: those that fit where
    the mention is linked, all that fit where it is ambiguous (the equals first), those that do not
    fit where it is `wrong_type`.
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


def merit(candidate: Candidate, roots: Sequence[str] = ()) -> tuple[int, int, int, int]:
    """The rules as a sort key, best first; equals have the same."""
    place = roots.index(candidate.root) if candidate.root in roots else len(roots)
    sitelinks = -1 if candidate.sitelinks is None else candidate.sitelinks
    return (candidate.rank, KINDS.index(candidate.kind), place, -sitelinks)


def choose(mention: Mention, candidates: Iterable[Candidate], roots: Sequence[str] = ()) -> Link:
    """The link of `mention`, given every item that carries its name, and its type's roots."""
    ordered = _one_row_each(candidates, roots)
    fitting = [candidate for candidate in ordered if candidate.typed]
    if not ordered:
        return Link(mention, Status.NIL)
    if not fitting:
        return Link(mention, Status.WRONG_TYPE, rivals=tuple(ordered))
    best, *others = fitting
    if others and merit(others[0], roots) == merit(best, roots):
        return Link(mention, Status.AMBIGUOUS, method=best.method, rivals=tuple(fitting))
    return Link(
        mention,
        Status.LINKED,
        qid=best.qid,
        method=best.method,
        score=SCORES[best.method.partition(":")[0]],
        name=best.name,
        name_language=best.language,
        name_kind=best.kind,
        path=best.path,
        rivals=tuple(others),
    )


def _one_row_each(candidates: Iterable[Candidate], roots: Sequence[str]) -> list[Candidate]:
    """The candidates in order, each item once, by its best row; its name settles which that is."""
    best: dict[str, Candidate] = {}
    for candidate in sorted(
        candidates, key=lambda one: (*merit(one, roots), number(one.qid), one.name)
    ):
        best.setdefault(candidate.qid, candidate)
    return list(best.values())
