"""The look that all charts share: palettes, fonts, lines.

Palettes are safe for colour-blind readers: Okabe and Ito's eight colours for kinds (with a shape
of their own for models), viridis and cividis for amounts, purple-orange for gains and losses.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from makieval.report import labels
from makieval.report.frames import Average, Scope

if TYPE_CHECKING:
    import altair as alt

# Okabe, M. and Ito, K.: Color Universal Design (2008); its yellow and black come last, as they
# fade on a light or a dark page.
OKABE_ITO = (
    "#0072B2",
    "#E69F00",
    "#009E73",
    "#D55E00",
    "#CC79A7",
    "#56B4E9",
    "#F0E442",
    "#000000",
)
GREY = "#8a8a8a"
SHAPES = ("circle", "diamond", "square", "triangle-up", "cross", "triangle-down")

Rows = list[dict[str, Any]]


#: Fonts and lines of every chart, as Vega-Lite's `config`.
CONFIG: Mapping[str, Any] = {
    "font": "sans-serif",
    "background": "transparent",
    "aria": False,
    "view": {"stroke": None},
    "axis": {
        "labelFontSize": 11,
        "titleFontSize": 11,
        "titleFontWeight": "normal",
        "labelLimit": 0,
        "grid": False,
        "domain": False,
        "ticks": False,
        "labelPadding": 6,
    },
    "title": {"fontSize": 14, "anchor": "start", "frame": "bounds", "offset": 14},
    "header": {
        "labelFontSize": 12,
        "labelFontWeight": "bold",
        "labelAnchor": "start",
        "title": None,
        "labelLimit": 0,
    },
    "legend": {
        "titleFontWeight": "normal",
        "labelLimit": 0,
        "titleLimit": 0,
        "symbolStrokeWidth": 1.5,
    },
}


def part(chart: Any) -> dict[str, Any]:
    """An altair chart as a part of a larger specification: no schema, no configuration."""
    spec: dict[str, Any] = chart.to_dict()
    return {key: value for key, value in spec.items() if key not in {"$schema", "config"}}


def finish(title: str, spec: Mapping[str, Any], rows: Mapping[str, Rows]) -> Mapping[str, Any]:
    """The whole specification: `spec` with its title, the house style, and the `rows` it names.

    Charts are joined and given their rows as plain Vega-Lite, because altair copies all that a
    chart carries at every step.
    """
    return {**spec, "title": title, "config": CONFIG, "datasets": dict(rows)}


def side_by_side(specs: Sequence[Mapping[str, Any]], **layout: Any) -> dict[str, Any]:
    """Charts in a line (or in lines of `columns`), each with its own colour scale and legend."""
    return {"concat": list(specs), "resolve": {"scale": {"color": "independent"}}, **layout}


def model_channels(scope: Scope) -> dict[str, Any]:
    """Colour and shape by model; a lone model needs no legend."""
    import altair as alt

    models = list(scope.models)
    if len(models) == 1:
        return {"color": alt.value(OKABE_ITO[0])}
    colours = [OKABE_ITO[at % len(OKABE_ITO)] for at in range(len(models))]
    shapes = [SHAPES[at % len(SHAPES)] for at in range(len(models))]
    legend = alt.Legend(orient="top", columns=4)
    return {
        "color": alt.Color(
            "model:N",
            title="model",
            scale=alt.Scale(domain=models, range=colours),
            legend=legend,
        ),
        "shape": alt.Shape(
            "model:N", title="model", scale=alt.Scale(domain=models, range=shapes), legend=legend
        ),
    }


def source(name: str) -> "alt.NamedData":
    """The rows that `finish` is given under `name`."""
    import altair as alt

    return alt.NamedData(name)


def panel_width(panels: int) -> int:
    """The width of one of so many panels, at most three beside each other."""
    return {1: 480, 2: 330}.get(panels, 230)


def display_names(dimension: str, keys: Sequence[str]) -> list[str]:
    return [labels.named(dimension, key) for key in keys]


def any_value(rows: Sequence[Average]) -> bool:
    return any(row.value is not None for row in rows)
