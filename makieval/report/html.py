"""The report as one HTML file that opens anywhere: no network, no JavaScript, nothing beside it.

Everything that came from a model is text: Jinja escapes it, and only our own SVG is let through.
Links to Wikidata are the only addresses in the page, and nothing follows them but a reader.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from makieval.report import files, frames, labels, words
from makieval.report.cells import Table, count, percent
from makieval.report.charts import charts, svg
from makieval.report.frames import Sample, Span
from makieval.report.results import Results

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

TEMPLATES = Path(__file__).with_name("templates")
WIKIDATA = "https://www.wikidata.org/wiki/"
# A QID in a link; anything else among the QIDs (the released data hold property ids) stays text.
_LINKABLE = re.compile(r"[QP][1-9][0-9]*")
#: Up to this many rows a table stands open; longer ones fold away.
OPEN_ROWS = 40


@dataclass(frozen=True, slots=True)
class Section:
    """A metric's part of the page: what it means, its charts (SVG) and its tables."""

    name: str
    title: str
    meaning: str
    absent: str
    charts: tuple[str, ...]
    tables: tuple[Table, ...]


@dataclass(frozen=True, slots=True)
class About:
    """What a section is called, what it means, and what stands where no chart can."""

    title: str
    meaning: str
    absent: str


SECTIONS: Mapping[str, About] = {
    "granularity": About(
        title="Granularity",
        meaning="How specific the entities are: 1 where all mentions name particular things, "
        "0 where all name categories.",
        absent="No chart: no cultural mention was found.",
    ),
    "diversity": About(
        title="Diversity",
        meaning="How many different Wikidata items the texts of one cell name. It grows with the "
        "number of texts: compare only cells with like numbers of linked mentions.",
        absent="No chart: no cell holds a text.",
    ),
    "specificity": About(
        title="Culture specificity",
        meaning="How many of the entities come from the country in question, and how much that "
        "changes when the prompt names the country (the gain).",
        absent="No chart: it needs countries, and linked mentions of known origin.",
    ),
    "consensus": About(
        title="Consensus",
        meaning="How far a model names the same items in two languages: 1 where the sets are "
        "equal, 0 where they share nothing.",
        absent="No chart: consensus compares languages, and needs linked mentions in two of them.",
    ),
    "coverage": About(
        title="Coverage and quality",
        meaning="What the figures above rest on. A figure whose coverage is low speaks for the "
        "mentions that could be linked, not for the texts.",
        absent="No chart: no text was asked for.",
    ),
}


def write_report(
    connection: "DuckDBPyConnection", study: str, path: Path, provenance: Mapping[str, str]
) -> Path:
    """Write the report of `study` to `path` in one step and return `path`.

    `provenance` is shown as given (versions, snapshot, licence, date); its entry
    `embedded_models`, names separated by commas, puts the note about them at the top.
    Raises `InputError` for a study without rows, `DiskFull` where there is no room.
    """
    page = render(connection, study, provenance)
    return files.replace(path, lambda partial: _write(partial, page))


def _write(path: Path, page: str) -> None:
    path.write_text(page, encoding="utf-8", newline="\n", errors="replace")


def render(connection: "DuckDBPyConnection", study: str, provenance: Mapping[str, str]) -> str:
    """The page as text; the same rows and provenance give the same text."""
    results = Results(connection, study)
    scope = results.scope
    total = frames.coverage(connection, study)[0]
    return (
        _environment()
        .get_template("report.html")
        .render(
            labels=labels,
            pieces=pieces,
            wikidata=wikidata,
            percent=percent,
            count=count,
            scope=scope,
            title=provenance.get("title", study),
            style=(TEMPLATES / "report.css").read_text(encoding="utf-8"),
            grid=words.grid(scope),
            cautions=words.cautions(connection, study),
            no_intervals=words.NO_INTERVALS,
            sentences=words.summary(connection, scope),
            total=total,
            distinct=frames.distinct_entities(connection, study),
            sections=list(_sections(connection, results)),
            entities=frames.frequent_entities(connection, study),
            samples=_by_language(frames.samples(connection, study)),
            provenance=provenance,
            open_rows=OPEN_ROWS,
        )
    )


def _environment() -> Any:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _sections(connection: "DuckDBPyConnection", results: Results) -> Iterator[Section]:
    from markupsafe import Markup

    drawn: dict[str, list[str]] = {}
    for chart in charts(connection, results.scope.study):
        drawn.setdefault(chart.metric, []).append(Markup(svg(chart)))
    tables: Mapping[str, tuple[Table, ...]] = {
        "granularity": (results.granularity(),),
        "diversity": (results.diversity(),),
        "specificity": (results.specificity(), *results.specificity_by_country()),
        "consensus": (results.consensus(),),
        "coverage": (results.coverage(),),
    }
    for name, about in SECTIONS.items():
        yield Section(
            name=name,
            title=about.title,
            meaning=about.meaning,
            absent=about.absent,
            charts=tuple(drawn.get(name, ())),
            tables=tuple(table for table in tables[name] if table.rows),
        )


def _by_language(samples: list[Sample]) -> dict[str, list[Sample]]:
    grouped: dict[str, list[Sample]] = {}
    for sample in samples:
        grouped.setdefault(sample.language, []).append(sample)
    return grouped


def wikidata(qid: str) -> str:
    """The address of an item, or nothing where `qid` is no id of Wikidata."""
    return WIKIDATA + qid if _LINKABLE.fullmatch(qid) else ""


def pieces(sample: Sample) -> list[tuple[str, Span | None]]:
    """A text in pieces, each with the linked mention it is, if any.

    A span that overlaps an earlier one, or does not hold its surface form, marks nothing.
    """
    found: list[tuple[str, Span | None]] = []
    at = 0
    for span in sample.spans:
        if span.start < at or sample.text[span.start : span.end] != span.surface:
            continue
        if span.start > at:
            found.append((sample.text[at : span.start], None))
        found.append((span.surface, span))
        at = span.end
    if at < len(sample.text):
        found.append((sample.text[at:], None))
    return found
