"""How good the linker is, as tables: measures by facet, the kinds that fail, the two suites."""

from collections.abc import Iterable, Mapping

from makieval import catalog
from makieval.linking.evaluate import Evaluation, Measures
from makieval.linking.suites import Kept
from makieval.report.cells import UNDEFINED, Cell, Column, Table, count
from makieval.stats.proportions import Share

_MEASURES: Mapping[str, tuple[str, str]] = {
    "accuracy": ("accuracy", "right answers, an item or rightly none, of all answers"),
    "precision": ("precision", "right links of links"),
    "recall": ("recall", "right links of rows whose item the source has"),
    "named_recall": ("recall, named", "of those with a name in the mention's language"),
    "nil_precision": ("NIL prec.", "rightly none of answers without a link"),
    "nil_recall": ("NIL recall", "rightly none of rows whose item the source lacks"),
    "false_links": ("false links", "links of rows whose item the source lacks"),
    "ambiguity": ("ambiguous", "several equals, none taken"),
    "errors": ("errors", "no answer for a passing reason"),
}
_NOTE = "Per cent, with 95 % intervals (Wilson) and how many rows each share is of."


def measures(evaluation: Evaluation, facets: Iterable[str]) -> list[Table]:
    """A table of the whole, then one per facet (see `evaluate.FACETS`)."""
    groups = {"all rows": {"": evaluation.total}}
    groups |= {facet: evaluation.measures(facet) for facet in facets}
    columns = tuple(Column(heading, hint=hint) for heading, hint in _MEASURES.values())
    return [
        Table(
            name=f"links-by-{facet}".replace(" ", "-"),
            title=f"Links by {facet}" if rows.keys() != {""} else "Links",
            columns=(Column(facet, head=True), Column("rows"), *columns),
            rows=tuple(
                (Cell(value), Cell(count(found.rows)), *_cells(found))
                for value, found in rows.items()
            ),
            note=_NOTE,
        )
        for facet, rows in groups.items()
    ]


def worst(evaluation: Evaluation, limit: int) -> Table:
    """The kinds of mentions with the most faults."""
    heads = ("verdict", "difference", "language", "topic", "script", "length", "gold item")
    return Table(
        name="worst-kinds",
        title="Worst kinds: how the mention differs from the gold item's nearest name",
        columns=(
            *(Column(head, head=True) for head in heads),
            Column("faults"),
            Column("examples"),
        ),
        rows=tuple(
            (
                Cell(kind.verdict),
                Cell(kind.difference),
                Cell(kind.language),
                Cell(kind.topic),
                Cell(kind.script),
                Cell(kind.length),
                Cell("fits" if kind.fits else "does not fit"),
                Cell(count(kind.faults), n=f"/{count(kind.alike)}"),
                Cell(
                    "; ".join(
                        f"{one.row.surface} ({one.nearest or UNDEFINED})" for one in kind.examples
                    )
                ),
            )
            for kind in evaluation.worst(limit)
        ),
        note="Faults of all rows alike. Examples: the mention, and in brackets the nearest name.",
    )


def perturbations(shares: Mapping[str, Mapping[str, Kept]]) -> Table:
    """Per kind of change and language, the names that still reach their item, and another's."""
    languages = [
        code for code in catalog.languages() if any(code in kept for kept in shares.values())
    ]
    return Table(
        name="perturbations",
        title="Names changed as running text changes them: per cent that still reach their item",
        columns=(Column("change", head=True), *(Column(code) for code in languages)),
        rows=tuple(
            (Cell(change), *(_kept(kept.get(code)) for code in languages))
            for change, kept in shares.items()
        ),
        note="Behind a figure, where there are any: the per cent that reach another item.",
    )


def absent(shares: Mapping[str, Mapping[str, Kept]]) -> Table:
    """Per language, what names whose keys are gone from the index still link to."""
    (kept,) = shares.values()
    rows = tuple(
        (
            Cell(code),
            Cell(_percent(kept[code].wrong), n=_interval(kept[code].wrong)),
            Cell(_percent(kept[code].right), n=_interval(kept[code].right)),
        )
        for code in catalog.languages()
        if code in kept
    )
    return Table(
        name="absent-mentions",
        title="Names taken out of the index: per cent that link all the same",
        columns=(Column("language", head=True), Column("to another item"), Column("to their own")),
        rows=rows,
        note="To another item is a false link; to their own, by another of its names.",
    )


def _kept(kept: Kept | None) -> Cell:
    if kept is None:
        return Cell(UNDEFINED, reason="the change does not apply")
    wrong = f"({100 * kept.wrong.hits / kept.wrong.of:.0f})" if kept.wrong.hits else ""
    return Cell(f"{100 * kept.right.hits / kept.right.of:.0f}", n=wrong)


def _cells(found: Measures) -> Iterable[Cell]:
    for field in _MEASURES:
        share: Share = getattr(found, field)
        yield Cell(_percent(share), n=_interval(share), reason="" if share.of else "no such rows")


def _percent(share: Share) -> str:
    return UNDEFINED if share.value is None else f"{100 * share.value:.1f}"


def _interval(share: Share) -> str:
    return f"[{100 * share.low:.1f}–{100 * share.high:.1f}] {count(share.of)}" if share.of else ""
