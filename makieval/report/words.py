"""What a study covers and found, said in sentences."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from makieval.report import frames, labels
from makieval.report.cells import count, number, percent, plural
from makieval.report.frames import Average, Scope

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

EMBEDDED_NOTE = "This embedded model checks the pipeline; it measures nobody’s culture."
NO_INTERVALS = (
    "These are point figures without intervals: a small difference between two of them may be "
    "chance, and both diversity and consensus depend on how many mentions could be linked."
)


def cautions(connection: "DuckDBPyConnection", study: str) -> list[tuple[str, str]]:
    """What a reader must know before any figure: (in short, in full), none or a few."""
    found: list[tuple[str, str]] = []
    embedded = frames.embedded_models(connection, study)
    if embedded:
        which = f"It concerns {', '.join(embedded)}."
        found.append((EMBEDDED_NOTE, f"{which} Its figures prove that every step ran, no more."))
    asked, failed, allowed = frames.completeness(connection, study)
    if failed:
        missing = f"{count(failed)} of {count(asked)} texts lack an answer or its extraction."
        fit = "above" if failed > allowed * asked else "within"
        found.append(
            (
                f"This study is incomplete: {missing}",
                f"That is {percent(failed, asked)}, {fit} the {allowed:.0%} that it allows. Run it"
                " again to ask for those alone"
                + (", and do not publish its figures before." if fit == "above" else "."),
            )
        )
    return found


def grid(scope: Scope) -> str:
    """The study's grid: `2 models × 4 languages × 3 topics × 2 countries × 2 framings`."""
    parts = [
        plural(len(scope.models), "model"),
        plural(len(scope.languages), "language"),
        plural(len(scope.topics), "topic"),
        *([plural(len(scope.countries), "country", "countries")] if scope.countries else []),
        plural(len(scope.framings), "framing"),
    ]
    return " × ".join(parts)


def summary(connection: "DuckDBPyConnection", scope: Scope) -> list[str]:
    """One sentence on coverage, then one for each metric that the study defines."""
    return [
        _coverage(connection, scope),
        *_by_language(connection, scope, "granularity", "Granularity averages", 2),
        *_by_language(connection, scope, "diversity", "Diversity averages", 1),
        *_specificity(connection, scope),
        *_consensus(connection, scope),
    ]


def _coverage(connection: "DuckDBPyConnection", scope: Scope) -> str:
    row = frames.coverage(connection, scope.study)[0]
    entities = frames.distinct_entities(connection, scope.study)
    linked = (
        f"{percent(row.linked, row.cultural)} of these are linked to "
        f"{plural(entities, 'Wikidata item')}, and {percent(row.known_origin, row.linked)} of the "
        "linked have a known country of origin"
        if row.linked
        else "none of these is linked to a Wikidata item"
    )
    return (
        f"{grid(scope)}: {plural(row.answered, 'text')} of {row.asked:,} asked for, "
        f"{percent(row.in_language, row.language_known)} in the language asked for. "
        f"{plural(row.mentions, 'mention')} were extracted; {row.cultural:,} stand in their text "
        f"and are of a cultural type; {linked}."
    )


def _extremes(rows: Sequence[Average], digits: int) -> str:
    """`, from 0.61 (Thai) to 0.95 (English)`, where languages differ; ties: display order."""
    defined = [(row.value, row.key[0] or "") for row in rows if row.value is not None]
    if len(defined) < 2:
        return ""
    low = min(defined, key=lambda pair: pair[0])
    high = max(defined, key=lambda pair: pair[0])
    if number(low[0], digits) == number(high[0], digits):
        return ""
    return (
        f", from {number(low[0], digits)} ({labels.language(low[1])}) "
        f"to {number(high[0], digits)} ({labels.language(high[1])})"
    )


def _by_language(
    connection: "DuckDBPyConnection", scope: Scope, view: str, opening: str, digits: int
) -> list[str]:
    mean = _mean(connection, scope.study, view)
    if mean is None or mean.value is None:
        return []
    rows = frames.averages(connection, scope.study, view, ("language",), ())
    unit = " distinct items" if view == "diversity" else ""
    mean_said = f"{number(mean.value, digits)}{unit} over {plural(mean.defined, 'cell')}"
    return [f"{opening} {mean_said}{_extremes(rows, digits)}."]


def _mean(
    connection: "DuckDBPyConnection", study: str, view: str, value: str = "value"
) -> Average | None:
    rows = frames.averages(connection, study, view, ("study",), (), value)
    return rows[0] if rows else None


def _specificity(connection: "DuckDBPyConnection", scope: Scope) -> list[str]:
    rows = frames.averages(connection, scope.study, "specificity", ("framing",), ())
    said = [
        f"{number(row.value, 2)} ({labels.framing(row.key[0] or '')})"
        for row in rows
        if row.value is not None
    ]
    if not said:
        return []
    gain = _mean(connection, scope.study, "specificity_gain", "gain")
    ending = (
        f"; where both are known, naming the country changes it by "
        f"{number(gain.value, 2, signed=True)}"
        if gain and gain.value is not None
        else ""
    )
    meaning = "Culture specificity, the share of mentions from the country in question,"
    return [f"{meaning} averages {', '.join(said)}{ending}."]


def _consensus(connection: "DuckDBPyConnection", scope: Scope) -> list[str]:
    mean = _mean(connection, scope.study, "consensus")
    if mean is None or mean.value is None:
        return []
    rows = frames.averages(connection, scope.study, frames.CONSENSUS_FROM_EACH, ("language",), ())
    spread = _extremes(rows, 3) if len(scope.languages) > 2 else ""
    return [f"Consensus between two languages averages {number(mean.value, 3)}{spread}."]
