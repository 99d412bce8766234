"""Heat maps: specificity of countries by languages, consensus of languages by languages."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from makieval.report import frames, labels
from makieval.report.charts.drawing import Chart
from makieval.report.charts.style import (
    GREY,
    Rows,
    any_value,
    display_names,
    finish,
    part,
    side_by_side,
    source,
)
from makieval.report.frames import Average, Scope

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

CELL = 27


def specificity(connection: "DuckDBPyConnection", scope: Scope) -> Chart | None:
    """Heat maps: country × language for neutral, explicit and gain, a line of maps per model."""
    by = ("model", "target", "language")
    found = frames.averages(connection, scope.study, "specificity", (*by, "framing"), ())
    gains = frames.averages(connection, scope.study, "specificity_gain", by, (), "gain")
    panels = {
        "neutral": [row for row in found if row.key[-1] == "neutral"],
        "explicit": [row for row in found if row.key[-1] == "explicit"],
        "gain": gains,
    }
    shown = {name: rows for name, rows in panels.items() if any_value(rows)}
    if not shown:
        return None
    countries = labels.ordered("target", [row.key[1] or "" for row in (*found, *gains)])
    axes = (display_names("language", scope.languages), display_names("target", countries))
    title = "Culture specificity by country and language"
    rows = {
        f"{model}: {name}": _squares([row for row in averages if row.key[0] == model])
        for model in scope.models
        for name, averages in shown.items()
    }
    lines = [
        side_by_side(
            [
                _heat_map(
                    f"{model}: {name}",
                    axes,
                    heading=name,
                    titles=("language", "country"),
                    colour=_GAIN if name == "gain" else _SHARE,
                    first=position == 0,
                    last=model == scope.models[-1],
                )
                for position, name in enumerate(shown)
            ],
            spacing=18,
            title={"text": model if len(scope.models) > 1 else "", "fontSize": 12, "offset": 8},
        )
        for model in scope.models
    ]
    return Chart(
        "specificity",
        "specificity",
        title,
        "Heat maps, countries by languages: share of mentions that come from the country for "
        "neutral and for explicit prompts, and the gain between them. Figures in per cent; a dash "
        "where no linked mention has a known country of origin.",
        finish(title, {"vconcat": lines, "spacing": 24}, rows),
    )


def _squares(rows: Sequence[Average]) -> Rows:
    return [_square(row, "language", 2, "target", 1) for row in rows]


def consensus(connection: "DuckDBPyConnection", scope: Scope) -> Chart | None:
    """Heat maps: language × language (lower triangle), one per model, two beside each other."""
    found = frames.averages(
        connection,
        scope.study,
        "consensus",
        ("model", "language_a", "language_b"),
        ("shared", "total"),
    )
    if not any_value(found):
        return None
    languages = display_names("language", scope.languages)
    top = max(row.value for row in found if row.value is not None)
    ceiling = next(step for step in (0.1, 0.2, 0.3, 0.5, 1.0) if top <= step)
    title = "Consensus between languages"
    rows = {m: [_pair(row) for row in found if row.key[0] == m] for m in scope.models}
    maps = [
        _heat_map(
            model,
            (languages[:-1], languages[1:]),
            heading=model if len(scope.models) > 1 else "",
            titles=("", ""),
            colour={**_OVERLAP, "domain": [0, ceiling]},
            first=True,
            last=True,
        )
        for model in scope.models
    ]
    beside = 2 if len(languages) > 6 else 3
    return Chart(
        "consensus",
        "consensus",
        title,
        "Heat map, languages by languages: mean Jaccard similarity of the Wikidata items that a "
        "model names in two languages for the same topic, country and framing. Figures in per "
        "cent; a dash where neither language has a linked mention.",
        finish(title, side_by_side(maps, columns=beside), rows),
    )


_SHARE: Mapping[str, Any] = {
    "scheme": "cividis",
    "domain": [0, 1],
    "title": "from the country, share",
    "white_text": "datum.value < 0.55",
}
_GAIN: Mapping[str, Any] = {
    "scheme": "purpleorange",
    "domain": [-1, 1],
    "reverse": True,
    "title": "gain",
    "white_text": "abs(datum.value) > 0.6",
}
_OVERLAP: Mapping[str, Any] = {
    "scheme": "viridis",
    "title": "shared items, share",
    "white_text": None,
}


def _square(row: Average, x: str, at_x: int, y: str, at_y: int) -> dict[str, Any]:
    return {
        "x": labels.named(x, row.key[at_x]),
        "y": labels.named(y, row.key[at_y]),
        "value": row.value,
        "text": "–" if row.value is None else f"{100 * row.value:.0f}".replace("-", "−"),
    }


def _pair(row: Average) -> dict[str, Any]:
    """A pair of languages with the one that comes first on the x axis."""
    first, second = sorted(row.key[1:], key=lambda key: labels.rank("language", key))
    return _square(Average((first, second), row.value, 0, 0, ()), "language", 0, "language", 1)


def _heat_map(
    rows: str,
    axes: tuple[list[str], list[str]],
    heading: str,
    titles: tuple[str, str],
    colour: Mapping[str, Any],
    first: bool,
    last: bool,
) -> dict[str, Any]:
    """Squares with their figures, from the source named `rows`.

    Only the `first` of a line names its rows, and only the `last` line shows the legend.
    """
    import altair as alt

    across, down = axes
    legend = alt.Legend(
        orient="bottom",
        direction="horizontal",
        gradientLength=max(70, min(150, CELL * len(across))),
        gradientThickness=9,
        format="%",
        tickCount=3,
        titleLimit=0,
    )
    dark = colour["white_text"] or f"datum.value < {0.6 * colour['domain'][1]}"
    base = alt.Chart(source(rows)).encode(
        x=alt.X(
            "x:N",
            title=titles[0] or None,
            sort=across,
            scale=alt.Scale(domain=across),
            axis=alt.Axis(labelAngle=-90 if len(across) > 1 else 0),
        ),
        y=alt.Y(
            "y:N",
            title=titles[1] if first and titles[1] else None,
            sort=down,
            scale=alt.Scale(domain=down),
            axis=alt.Axis(labels=first, titlePadding=14),
        ),
    )
    squares = base.transform_filter("isValid(datum.value)").mark_rect(stroke=None)
    squares = squares.encode(
        color=alt.Color(
            "value:Q",
            title=colour["title"],
            scale=alt.Scale(
                scheme=colour["scheme"],
                domain=list(colour["domain"]),
                reverse=colour.get("reverse", False),
            ),
            legend=legend if last else None,
        )
    )
    figures = base.transform_filter("isValid(datum.value)").mark_text(fontSize=10)
    figures = figures.encode(
        text="text:N", color=alt.condition(dark, alt.value("#ffffff"), alt.value("#111111"))
    )
    dashes = base.transform_filter("!isValid(datum.value)").mark_text(fontSize=10, color=GREY)
    layers = alt.layer(squares, figures, dashes.encode(text="text:N")).properties(
        width=alt.Step(CELL),
        height=alt.Step(CELL - 3),
        title=alt.TitleParams(heading, fontSize=11, fontWeight="normal", offset=6),
    )
    return part(layers)
