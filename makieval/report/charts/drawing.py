"""From a chart's specification to a picture: SVG or PNG through vl-convert, without a network.

The same chart gives the same bytes: Vega numbers its clip paths and gradients through the life of
the process, so they are renumbered per chart, which also keeps several charts on one page apart.
Text stays text in the generic family `sans-serif`: the reader's machine shapes Arabic, Thai or
Chinese with its own fonts.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_ID = re.compile(r'\bid="([^"]+)"')
_BACKGROUND = re.compile(r'(<svg[^>]*>)<rect width="[^"]*" height="[^"]*" fill="white"/>')
_OPENING = re.compile(r"<svg ([^>]*)>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart: `name` (unique, fit for a file name), what it shows in words, and its spec.

    `metric` is the section it belongs to; `alt` is the text alternative; `spec` is Vega-Lite.
    """

    name: str
    metric: str
    title: str
    alt: str
    spec: Mapping[str, Any]


def svg(chart: Chart) -> str:
    """The chart as one `<svg>` element, transparent, named for screen readers."""
    import vl_convert

    drawn = str(vl_convert.vegalite_to_svg(dict(chart.spec), vl_version=_version()))
    drawn = _BACKGROUND.sub(r"\1", drawn)
    for position, old in enumerate(_ID.findall(drawn)):
        new = f"{chart.name}-{position}"
        drawn = drawn.replace(f'id="{old}"', f'id="{new}"').replace(f"url(#{old})", f"url(#{new})")
    label = f"{chart.title}. {chart.alt}"
    return _OPENING.sub(
        lambda match: f'<svg role="img" aria-label="{_attribute(label)}" {match[1]}>',
        drawn,
        count=1,
    )


def png(chart: Chart, scale: float = 2) -> bytes:
    """The chart as a PNG on white, `scale` pixels to a unit; needs fonts on this machine."""
    import vl_convert

    spec = {**chart.spec, "background": "white"}
    return bytes(vl_convert.vegalite_to_png(spec, vl_version=_version(), scale=scale))


def _version() -> str:
    """The Vega-Lite version that this altair writes, as vl-convert names it (`6.4`)."""
    import altair

    return ".".join(altair.SCHEMA_VERSION.removeprefix("v").split(".")[:2])


def _attribute(text: str) -> str:
    escapes = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
    return "".join(escapes.get(character, character) for character in text)
