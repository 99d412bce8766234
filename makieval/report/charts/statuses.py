"""Stacked bars: what became of the texts and of the mentions, by status."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from makieval.report import frames, labels
from makieval.report.charts.drawing import Chart
from makieval.report.charts.style import GREY, display_names, finish, panel_width, part, source
from makieval.report.frames import Scope, Share

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

STATUS_COLOURS: Mapping[str, str] = {
    "ok": "#0072B2",
    "linked": "#0072B2",
    "truncated": "#56B4E9",
    "ambiguous": "#56B4E9",
    "wrong_language": "#E69F00",
    "wrong_type": "#E69F00",
    "empty": "#F0E442",
    "excluded": "#c8c8c8",
    "refused": "#CC79A7",
    "filtered": "#CC79A7",
    "unknown_type": "#CC79A7",
    "nil": "#D55E00",
    "ungrounded": "#009E73",
    "not_linked_yet": "#8a8a8a",
    "missing": "#c8c8c8",
}


def coverage(connection: "DuckDBPyConnection", scope: Scope) -> list[Chart]:
    """Stacked bars of the statuses of texts and of mentions, per language."""
    by = ("model", "language")
    texts = frames.text_statuses(connection, scope.study, by)
    mentions = frames.mention_statuses(connection, scope.study, by)
    stacked = (
        _stacked("coverage-texts", "What became of the texts", "texts", texts, scope),
        _stacked("coverage-mentions", "What became of the mentions", "mentions", mentions, scope),
    )
    return [chart for chart in stacked if chart is not None]


def _stacked(
    name: str, title: str, unit: str, shares: Sequence[Share], scope: Scope
) -> Chart | None:
    import altair as alt

    if not shares:
        return None
    found = {share.status for share in shares}
    statuses = [status for status in STATUS_COLOURS if status in found]
    statuses += sorted(found - set(statuses))
    words = [status.replace("_", " ") for status in statuses]
    rows = [
        {
            "model": share.key[0],
            "language": labels.named("language", share.key[1]),
            "status": share.status.replace("_", " "),
            "order": statuses.index(share.status),
            "rows": share.rows,
        }
        for share in shares
    ]
    languages = display_names("language", scope.languages)
    bars = alt.Chart(source("rows")).encode(
        x=alt.X(
            "rows:Q",
            title=f"share of {unit}",
            stack="normalize",
            axis=alt.Axis(format="%", tickCount=3),
        ),
        y=alt.Y("language:N", title=None, sort=languages, scale=alt.Scale(domain=languages)),
        order=alt.Order("order:Q"),
        color=alt.Color(
            "status:N",
            title="status",
            sort=words,
            scale=alt.Scale(
                domain=words, range=[STATUS_COLOURS.get(status, GREY) for status in statuses]
            ),
            legend=alt.Legend(orient="top", columns=6),
        ),
    )
    one_model = len(scope.models) == 1
    panels = bars.mark_bar().properties(width=panel_width(len(scope.models)), height=alt.Step(20))
    if not one_model:
        panels = panels.facet(
            facet=alt.Facet("model:N", sort=list(scope.models), title=None), columns=3
        )
    return Chart(
        name,
        "coverage",
        title,
        f"Stacked bars: share of {unit} by status ({', '.join(words)}), one bar per language.",
        finish(title, part(panels), {"rows": rows}),
    )
