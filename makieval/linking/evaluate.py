"""How good a linker is on a gold set, and what kinds of mentions it fails at.

A row whose gold item has no name in the source is a NIL test: the right answer is no link. Every
other row asks for its item. An answer that failed for a passing reason (a timeout) is an error,
never NIL, and stands outside every share but the share of errors.

    result = evaluate(source, gold.load(path))
    result.measures(by="language")["ja"].precision
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from functools import cached_property
from typing import Any, TypeVar

from makieval import catalog
from makieval.errors import InputError
from makieval.linking import candidates, gold, normalise
from makieval.linking.candidates import Form, KnowledgeSource, Lookup
from makieval.linking.choose import Link
from makieval.linking.difference import DIFFERENCES, nearest, script
from makieval.linking.gold import GoldRow
from makieval.linking.linker import FALLBACK, Linker, name_languages
from makieval.nearest import nearest as nearest_word
from makieval.stats.proportions import Share, share
from makieval.status import RETRIED, Status


class Verdict(StrEnum):
    """What an answer is, seen from the gold."""

    RIGHT = "right"  # the gold item
    WRONG = "wrong item"  # another item, though the source has the gold item
    MISSED = "missed"  # no link, though the source has the gold item
    UNDECIDED = "undecided"  # ambiguous: several equals, none taken
    RIGHT_NIL = "right nil"  # no link, and the source lacks the gold item
    FALSE_LINK = "false link"  # a link, though the source lacks the gold item
    ERROR = "error"  # no answer, for a passing reason


_Key = TypeVar("_Key")

#: What a linker is to be taught away.
FAULTS = (Verdict.WRONG, Verdict.MISSED, Verdict.UNDECIDED, Verdict.FALSE_LINK)
_LENGTHS = ((3, "1-3"), (7, "4-7"), (15, "8-15"), (31, "16-31"))


@dataclass(frozen=True, slots=True)
class Outcome:
    """One row with its link, and what the source knows of the gold item.

    `known`: it has names of it; `named`: one of them in the mention's language (its chain, before
    `mul` and English); `fits`: it also holds the item to be of the topic that the row asks about.
    `difference` is to the nearest of those names, or, for a false link, to the name that matched.
    """

    row: GoldRow
    link: Link
    verdict: Verdict
    known: bool
    named: bool
    fits: bool
    difference: str
    nearest: str | None

    @property
    def method(self) -> str:
        """How the link was made, without the particulars; the status where there is none."""
        return (self.link.method or str(self.link.status)).partition(":")[0]


@dataclass(frozen=True, slots=True)
class Measures:
    """The figures of a group of rows, each a share with its Wilson 95 % interval.

    `accuracy`: right answers (the item, or rightly none) of all answers. `precision`: right links
    of links. `recall`: right links of rows whose item is known; `named_recall`: of those with a
    name in the language. `nil_precision`: rightly none of all answers without a link (`ambiguous`
    is neither); `nil_recall`: rightly none of rows whose item is not known; `false_links`: links
    of the same. `ambiguity` and `errors`: of all rows.
    """

    rows: int
    accuracy: Share
    precision: Share
    recall: Share
    named_recall: Share
    nil_precision: Share
    nil_recall: Share
    false_links: Share
    ambiguity: Share
    errors: Share

    @classmethod
    def of(cls, outcomes: Iterable[Outcome]) -> "Measures":
        """The measures of these outcomes."""
        outcomes = list(outcomes)
        count = Counter(one.verdict for one in outcomes)
        ambiguous = sum(one.link.status is Status.AMBIGUOUS for one in outcomes)
        rows, errors = len(outcomes), count[Verdict.ERROR]
        right, right_nil = count[Verdict.RIGHT], count[Verdict.RIGHT_NIL]
        false = count[Verdict.FALSE_LINK]
        answered = [one for one in outcomes if one.verdict is not Verdict.ERROR]
        known = sum(one.known for one in answered)
        named = [one for one in answered if one.named]
        return cls(
            rows=rows,
            accuracy=share(right + right_nil, rows - errors),
            precision=share(right, right + count[Verdict.WRONG] + false),
            recall=share(right, known),
            named_recall=share(sum(one.verdict is Verdict.RIGHT for one in named), len(named)),
            nil_precision=share(right_nil, right_nil + count[Verdict.MISSED]),
            nil_recall=share(right_nil, len(answered) - known),
            false_links=share(false, len(answered) - known),
            ambiguity=share(ambiguous, rows),
            errors=share(errors, rows),
        )


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of fault: which rows, how often it happens among rows alike, and examples.

    `fits`: whether the source holds the gold item to be of the topic; where it does not, it is the
    source that has to learn.
    """

    verdict: Verdict
    difference: str
    language: str
    topic: str
    script: str
    length: str
    fits: bool
    faults: int
    alike: int
    examples: tuple[Outcome, ...]


#: What figures can be broken down by.
FACETS: Mapping[str, Callable[[Outcome], str]] = {
    "language": lambda one: one.row.language,
    "topic": lambda one: one.row.topic,
    "source": lambda one: one.row.source,
    "tier": lambda one: one.row.tier,
    "method": lambda one: one.method,
    "fits": lambda one: "fits" if one.fits else "does not fit" if one.known else "not known",
    "difference": lambda one: one.difference,
    "script": lambda one: script(one.row.surface),
    "length": lambda one: _length(one.row.surface),
}


def facets_named(names: str) -> list[str]:
    """The facets in a list such as `language,topic`; an `InputError` for one that is none."""
    facets = [name.strip() for name in names.split(",") if name.strip()]
    for facet in facets:
        if facet not in FACETS:
            raise InputError(
                f"unknown facet {facet!r} (allowed: {', '.join(FACETS)})"
                + nearest_word(facet, FACETS)
            )
    return facets


@dataclass(frozen=True)
class Evaluation:
    """Every row's outcome, and what to make of them."""

    source: str
    linker: str
    outcomes: tuple[Outcome, ...]

    @cached_property
    def total(self) -> Measures:
        """The measures of all rows together."""
        return Measures.of(self.outcomes)

    def measures(self, by: str) -> dict[str, Measures]:
        """Facet value → measures; `by` is a key of `FACETS`, most rows first."""
        groups = _grouped(self.outcomes, FACETS[by])
        ordered = sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))
        return {value: Measures.of(members) for value, members in ordered}

    def worst(self, limit: int = 20, examples: int = 3) -> list[Kind]:
        """The kinds with the most faults, by verdict and all that `Kind` tells apart.

        `alike` counts all rows of that kind, whatever their verdict.
        """
        alike = Counter(map(_kind, self.outcomes))
        faults = _grouped((one for one in self.outcomes if one.verdict in FAULTS), _fault)
        ranked = sorted(faults.items(), key=lambda kind: (-len(kind[1]), kind[0]))
        return [
            Kind(Verdict(verdict), *kind, len(found), alike[kind], tuple(found[:examples]))
            for (verdict, kind), found in ranked[:limit]
        ]

    def as_record(self, facets: Sequence[str] = tuple(FACETS), worst: int = 50) -> dict[str, Any]:
        """All figures as plain JSON, with one line per row under `rows`."""
        return {
            "source": self.source,
            "linker": self.linker,
            "total": _record(self.total),
            **{
                f"by_{facet}": {
                    value: _record(found) for value, found in self.measures(facet).items()
                }
                for facet in facets
            },
            "worst": [
                {**asdict(kind), "examples": [_row(one) for one in kind.examples]}
                for kind in self.worst(worst)
            ],
            "rows": [_row(one) for one in self.outcomes],
        }


def evaluate(source: KnowledgeSource, rows: Sequence[GoldRow]) -> Evaluation:
    """Link every row over `source` and judge the answers."""
    asked = gold.Countries(source)
    linker = Linker(asked, topics=gold.topics())
    links = linker.link([row.mention for row in rows])
    return Evaluation(source.id, linker.fingerprint, judge(asked, rows, links))


def judge(
    source: KnowledgeSource, rows: Sequence[GoldRow], links: Sequence[Link]
) -> tuple[Outcome, ...]:
    """The outcome of each row, given its link."""
    names = _names(source, {row.qid for row in rows})
    fitting = _fitting(source, rows, names)
    return tuple(
        _outcome(row, link, names.get(row.qid, {}), row in fitting)
        for row, link in zip(rows, links, strict=True)
    )


def _names(source: KnowledgeSource, qids: Iterable[str]) -> dict[str, dict[str, set[str]]]:
    """QID → Wikidata language → names, in every language that any mention may match."""
    languages = {
        code for language in catalog.languages().values() for code in name_languages(language)
    }
    found: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for name in source.names(qids, languages):
        found[name.qid][name.language].add(name.text)
    return found


def _fitting(
    source: KnowledgeSource, rows: Iterable[GoldRow], names: Mapping[str, Mapping[str, set[str]]]
) -> set[GoldRow]:
    """The rows whose gold item fits what they ask for: it is looked up by a name of its own."""
    known = [row for row in rows if row.qid in names]
    lookups: list[Lookup] = []
    for row in known:
        language, texts = min(names[row.qid].items(), key=lambda named: named[0])
        key = normalise.key(min(texts), language)
        lookups.append(Lookup((Form(language, key, "exact"),), gold.scope_of(row)))
    distinct = list(dict.fromkeys(lookups))
    found = dict(zip(distinct, source.candidates(distinct), strict=True))
    return {
        row
        for row, lookup in zip(known, lookups, strict=True)
        if any(one.typed and one.qid == row.qid for one in candidates.known(found[lookup]))
    }


def _outcome(row: GoldRow, link: Link, names: Mapping[str, set[str]], fits: bool) -> Outcome:
    chain = catalog.language(row.language).chain
    own = {text for code in chain for text in names.get(code, ())}
    lent = {text for code in FALLBACK for text in names.get(code, ())}
    known, named = bool(names), bool(own)
    verdict = _verdict(row, link, known)
    if verdict is Verdict.FALSE_LINK:
        own, lent = {link.name or ""}, set[str]()
    difference, name = nearest(row.surface, own, row.language)
    if lent and difference not in DIFFERENCES[:1]:
        # A mention may be written as in English; that it has no other name then matters less.
        lent_difference, lent_name = nearest(row.surface, lent, row.language)
        if lent_difference == DIFFERENCES[0]:
            difference, name = lent_difference, lent_name
    return Outcome(row, link, verdict, known, named, fits, difference, name)


def _verdict(row: GoldRow, link: Link, known: bool) -> Verdict:
    if link.status in RETRIED:
        return Verdict.ERROR
    if link.qid is not None:
        if link.qid == row.qid:
            return Verdict.RIGHT
        return Verdict.WRONG if known else Verdict.FALSE_LINK
    if link.status is Status.AMBIGUOUS:
        return Verdict.UNDECIDED
    return Verdict.MISSED if known else Verdict.RIGHT_NIL


_KindKey = tuple[str, str, str, str, str, bool]


def _kind(outcome: Outcome) -> _KindKey:
    row = outcome.row
    return (
        outcome.difference,
        row.language,
        row.topic,
        script(row.surface),
        _length(row.surface),
        outcome.fits,
    )


def _fault(outcome: Outcome) -> tuple[str, _KindKey]:
    return str(outcome.verdict), _kind(outcome)


def _length(surface: str) -> str:
    return next((label for most, label in _LENGTHS if len(surface) <= most), "32+")


def _grouped(
    outcomes: Iterable[Outcome], key: Callable[[Outcome], _Key]
) -> dict[_Key, list[Outcome]]:
    groups: dict[_Key, list[Outcome]] = defaultdict(list)
    for one in outcomes:
        groups[key(one)].append(one)
    return groups


def _record(measures: Measures) -> dict[str, Any]:
    record: dict[str, Any] = {"rows": measures.rows}
    for field in fields(measures)[1:]:
        found: Share = getattr(measures, field.name)
        record[field.name] = {**asdict(found), "value": found.value}
    return record


def _row(outcome: Outcome) -> dict[str, Any]:
    row, link = outcome.row, outcome.link
    return {
        "id": row.id,
        "surface": row.surface,
        "language": row.language,
        "topic": row.topic,
        "gold": row.qid,
        "qid": link.qid,
        "status": str(link.status),
        "method": link.method,
        "score": link.score,
        "name": link.name,
        "verdict": str(outcome.verdict),
        "difference": outcome.difference,
        "nearest": outcome.nearest,
    }
