"""Charts of panels: granularity as dots, diversity as bars."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from makieval.report import frames, labels
from makieval.report.charts.drawing import Chart
from makieval.report.charts.style import (
    GREY,
    OKABE_ITO,
    Rows,
    display_names,
    finish,
    model_channels,
    panel_width,
    part,
    source,
)
from makieval.report.frames import Average, Scope

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


def granularity(connection: "DuckDBPyConnection", scope: Scope) -> Chart | None:
    """Dots: a panel per topic, a row per language, a mark per model."""
    import altair as alt

    found = frames.averages(
        connection, scope.study, "granularity", ("model", "topic", "language"), ("mentions",)
    )
    rows = [
        {
            "model": row.key[0],
            "topic": labels.named("topic", row.key[1]),
            "language": labels.named("language", row.key[2]),
            "value": row.value,
        }
        for row in found
        if row.value is not None
    ]
    if not rows:
        return None
    languages = display_names("language", scope.languages)
    topics = _topics_shown(scope, rows)
    title = "Granularity by topic and language"
    base = alt.Chart(source("rows")).encode(
        x=alt.X(
            "value:Q",
            title="share of specific mentions",
            scale=alt.Scale(domain=[0, 1]),
            axis=alt.Axis(
                values=[0, 0.25, 0.5, 0.75, 1], format=".2~f", grid=True, gridOpacity=0.6
            ),
        ),
        y=alt.Y(
            "language:N",
            title=None,
            sort=languages,
            scale=alt.Scale(domain=languages),
            axis=alt.Axis(grid=True, gridDash=[1, 3]),
        ),
        **model_channels(scope),
    )
    panels = (
        base.mark_point(size=64, filled=True, opacity=0.85)
        .properties(width=panel_width(len(topics)), height=alt.Step(20))
        .facet(facet=alt.Facet("topic:N", sort=topics, title=None), columns=3)
    )
    return Chart(
        "granularity",
        "granularity",
        title,
        "Dot plot: one panel per topic, one row per language, one mark per model; from 0, all "
        "mentions are categories, to 1, all are specific. No mark: no cultural mention.",
        finish(title, part(panels), {"rows": rows}),
    )


def diversity(connection: "DuckDBPyConnection", scope: Scope) -> Chart | None:
    """Bars: a panel per topic, a row per model, native languages against the others."""
    import altair as alt

    found = frames.averages(
        connection,
        scope.study,
        "diversity",
        ("model", "topic", "language", "country"),
        ("linked_mentions",),
    )
    rows = _native_and_other(found)
    if not rows:
        return None
    groups = [name for name in _NATIVE.values() if any(row["group"] == name for row in rows)]
    topics = _topics_shown(scope, rows)
    title = "Diversity in native and in other languages"
    colours = dict(zip(_NATIVE.values(), (OKABE_ITO[0], OKABE_ITO[1], GREY), strict=True))
    bars = alt.Chart(source("rows")).encode(
        x=alt.X(
            "value:Q",
            title="distinct Wikidata items per cell (mean)",
            scale=alt.Scale(domainMin=0),
            axis=alt.Axis(grid=True, gridOpacity=0.6, tickCount=5),
        ),
        y=alt.Y("model:N", title=None, sort=list(scope.models)),
        yOffset=alt.YOffset("group:N", sort=groups),
        color=alt.Color(
            "group:N",
            title="language of the prompt",
            sort=groups,
            scale=alt.Scale(domain=groups, range=[colours[name] for name in groups]),
            legend=alt.Legend(orient="top"),
        ),
    )
    panels = (
        bars.mark_bar()
        .properties(width=panel_width(len(topics)), height=alt.Step(16))
        .facet(facet=alt.Facet("topic:N", sort=topics, title=None), columns=3)
    )
    return Chart(
        "diversity",
        "diversity",
        title,
        "Bars: one panel per topic, one group of bars per model; languages native to the country "
        "asked about, other languages, and prompts that name no country.",
        finish(title, part(panels), {"rows": rows}),
    )


_NATIVE: Mapping[bool | None, str] = {
    True: "native to the country",
    False: "other",
    None: labels.NEUTRAL,
}


def _native_and_other(found: Sequence[Average]) -> Rows:
    """Means over cells per model, topic and group, from means per language and country."""
    sums: dict[tuple[str | None, str | None, str], tuple[float, int]] = {}
    for row in found:
        model, topic, language, country = row.key
        if row.value is None:
            continue
        key = (model, topic, _NATIVE[labels.native(country, language or "")])
        total, cells = sums.get(key, (0.0, 0))
        sums[key] = (total + row.value * row.defined, cells + row.defined)
    return [
        {
            "model": model,
            "topic": labels.named("topic", topic),
            "group": group,
            "value": round(total / cells, 6),
        }
        for (model, topic, group), (total, cells) in sums.items()
    ]


def _topics_shown(scope: Scope, rows: Rows) -> list[str]:
    shown = {row["topic"] for row in rows}
    return [name for name in display_names("topic", scope.topics) if name in shown]
