"""The few questions that every rendering asks of the store's views, answered as typed rows.

A figure over several cells is the unweighted mean of its cells (a cell is one model, topic,
language, country and framing), so that a well-filled cell does not outvote a thin one; cells
where the metric is undefined are left out and counted. Means are compensated sums rounded to six
digits, so that the order in which DuckDB's threads meet the rows cannot show.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from makieval.errors import InputError
from makieval.nearest import nearest
from makieval.report import labels

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

COUNTS = (
    "asked",
    "answered",
    "in_language",
    "language_known",
    "parsed",
    "mentions",
    "grounded",
    "cultural",
    "linked",
    "known_origin",
)


@dataclass(frozen=True, slots=True)
class Scope:
    """What a study covers, in display order; `countries` are those that prompts name."""

    study: str
    models: tuple[str, ...]
    topics: tuple[str, ...]
    languages: tuple[str, ...]
    countries: tuple[str, ...]
    framings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Coverage:
    """How far the texts of one group of cells came; each count is a part of the one before.

    Texts: asked, answered; in_language (of language_known: the answered whose language can be
    told); parsed (of the answered).
    Mentions: mentions, grounded, cultural, linked, known_origin.
    """

    key: tuple[str | None, ...]
    asked: int
    answered: int
    in_language: int
    language_known: int
    parsed: int
    mentions: int
    grounded: int
    cultural: int
    linked: int
    known_origin: int


@dataclass(frozen=True, slots=True)
class Average:
    """The mean of a metric over the cells of one group.

    `value` is None where no cell defines it; `defined` of `cells` do. `counts` are the sums of
    the numbers that the metric rests on, in the order asked for.
    """

    key: tuple[str | None, ...]
    value: float | None
    defined: int
    cells: int
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Entity:
    """A linked item and how often it is mentioned; `surfaces` are its most frequent forms."""

    qid: str
    label: str
    mentions: int
    texts: int
    languages: tuple[str, ...]
    topics: tuple[str, ...]
    surfaces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Share:
    """How many rows of one group carry one status."""

    key: tuple[str | None, ...]
    status: str
    rows: int


@dataclass(frozen=True, slots=True)
class Span:
    """A linked mention inside a text: code points `start` to `end`."""

    start: int
    end: int
    surface: str
    qid: str
    label: str


@dataclass(frozen=True, slots=True)
class Sample:
    """One text with the prompt that led to it and the linked mentions in it."""

    response_id: str
    model: str
    topic: str
    language: str
    country: str | None
    framing: str
    status: str
    prompt: str
    text: str
    spans: tuple[Span, ...]


def _fetch(connection: "DuckDBPyConnection", sql: str, values: Sequence[Any]) -> list[Any]:
    return connection.execute(sql, list(values)).fetchall()


def _by_rank(dimensions: Sequence[str], key: tuple[str | None, ...]) -> list[tuple[int, str]]:
    return [labels.rank(name, part) for name, part in zip(dimensions, key, strict=True)]


def scope(connection: "DuckDBPyConnection", study: str) -> Scope:
    """What `study` covers; an `InputError` with the nearest name where the store lacks it."""
    found: dict[str, list[str | None]] = {}
    for name in ("model", "topic", "language", "country", "framing"):
        rows = _fetch(connection, f"SELECT DISTINCT {name} FROM coverage WHERE study = ?", [study])
        found[name] = [row[0] for row in rows]
    if not found["model"]:
        known = [row[0] for row in _fetch(connection, "SELECT DISTINCT study FROM coverage", [])]
        held = ", ".join(sorted(known)) or "none"
        raise InputError(
            f"study '{study}' has no rows (studies with rows: {held}){nearest(study, known)}"
        )
    keys = {
        name: tuple(labels.ordered(name, [key for key in values if key is not None]))
        for name, values in found.items()
    }
    return Scope(
        study=study,
        models=keys["model"],
        topics=keys["topic"],
        languages=keys["language"],
        countries=keys["country"],
        framings=keys["framing"],
    )


def embedded_models(connection: "DuckDBPyConnection", study: str) -> list[str]:
    """The study's models that makieval serves itself, in the study's order."""
    sql = "SELECT model FROM study_models WHERE study = ? AND embedded ORDER BY position"
    return [row[0] for row in _fetch(connection, sql, [study])]


def completeness(connection: "DuckDBPyConnection", study: str) -> tuple[int, int, float]:
    """Texts wanted, texts that failed, and the share that the study allows to."""
    sql = "SELECT asked, failed, allowed FROM completeness WHERE study = ?"
    asked, failed, allowed = _fetch(connection, sql, [study])[0]
    return asked, failed, allowed


def coverage(
    connection: "DuckDBPyConnection", study: str, by: Sequence[str] = ()
) -> list[Coverage]:
    """Counts of texts and mentions for each group of `by` (columns of the view `coverage`)."""
    sums = ", ".join(f"coalesce(sum({name}), 0)::BIGINT" for name in COUNTS)
    columns = "".join(f"{name}, " for name in by)
    grouping = f"GROUP BY {', '.join(by)}" if by else ""
    rows = _fetch(
        connection, f"SELECT {columns}{sums} FROM coverage WHERE study = ? {grouping}", [study]
    )
    width = len(by)
    grouped = [Coverage(tuple(row[:width]), *row[width:]) for row in rows]
    return sorted(grouped, key=lambda row: _by_rank(by, row.key))


def averages(
    connection: "DuckDBPyConnection",
    study: str,
    source: str,
    by: Sequence[str],
    counts: Sequence[str],
    value: str = "value",
) -> list[Average]:
    """The mean of `value` over the cells of each group of `by`, with the sums of `counts`.

    `source` is a view of the store or a subquery in brackets with the columns named.
    """
    columns = ", ".join(by)
    sums = "".join(f", coalesce(sum({name}), 0)::BIGINT" for name in counts)
    rows = _fetch(
        connection,
        f"SELECT {columns}, round(favg({value}), 6), count({value}), count(*){sums} "
        f"FROM {source} WHERE study = ? GROUP BY {columns}",
        [study],
    )
    width = len(by)
    grouped = [
        Average(tuple(row[:width]), row[width], row[width + 1], row[width + 2], row[width + 3 :])
        for row in rows
    ]
    return sorted(grouped, key=lambda row: _by_rank(by, row.key))


#: The consensus view with each pair told from both its languages.
CONSENSUS_FROM_EACH = (
    "(SELECT study, model, language_a AS language, value, shared, total FROM consensus "
    "UNION ALL "
    "SELECT study, model, language_b AS language, value, shared, total FROM consensus)"
)


def text_statuses(connection: "DuckDBPyConnection", study: str, by: Sequence[str]) -> list[Share]:
    """Texts per status; an answered text in another language counts as `wrong_language`."""
    status = (
        "CASE WHEN status IN ('ok', 'truncated') AND NOT in_language "
        "THEN 'wrong_language' ELSE status END"
    )
    return _statuses(connection, study, "responses", status, by)


def mention_statuses(
    connection: "DuckDBPyConnection", study: str, by: Sequence[str]
) -> list[Share]:
    """Mentions per status: of grounding, then `excluded` by type, then of the link."""
    status = (
        "CASE WHEN grounding_status <> 'grounded' THEN grounding_status "
        "WHEN granularity = 'excluded' THEN 'excluded' "
        "ELSE coalesce(link_status, 'not_linked_yet') END"
    )
    return _statuses(connection, study, "mentions", status, by)


def _statuses(
    connection: "DuckDBPyConnection", study: str, view: str, status: str, by: Sequence[str]
) -> list[Share]:
    columns = ", ".join(by)
    rows = _fetch(
        connection,
        f"SELECT {columns}, {status} AS outcome, count(*) FROM {view} "
        f"WHERE study = ? GROUP BY {columns}, outcome",
        [study],
    )
    shares = [Share(tuple(row[:-2]), row[-2], row[-1]) for row in rows]
    return sorted(shares, key=lambda row: (_by_rank(by, row.key), row.status))


_CULTURAL = "study = ? AND qid IS NOT NULL AND granularity <> 'excluded'"


def distinct_entities(connection: "DuckDBPyConnection", study: str) -> int:
    """How many different items the study's cultural mentions were linked to."""
    return _fetch(
        connection, f"SELECT count(DISTINCT qid) FROM mentions WHERE {_CULTURAL}", [study]
    )[0][0]


def frequent_entities(
    connection: "DuckDBPyConnection", study: str, limit: int = 30
) -> list[Entity]:
    """The items mentioned most; ties go to the numerically lowest QID."""
    rows = _fetch(
        connection,
        f"""
        WITH forms AS (
            SELECT qid, surface, count(*) AS uses FROM mentions WHERE {_CULTURAL} GROUP BY ALL
        ),
        listed AS (
            SELECT qid, list(surface ORDER BY uses DESC, surface)[:6] AS surfaces
            FROM forms GROUP BY qid
        )
        SELECT
            qid,
            coalesce(min(label) FILTER (language = 'en'), min(label), qid),
            count(*),
            count(DISTINCT response_id),
            list(DISTINCT language),
            list(DISTINCT topic),
            any_value(surfaces)
        FROM mentions JOIN listed USING (qid)
        WHERE {_CULTURAL}
        GROUP BY qid
        ORDER BY count(*) DESC, TRY_CAST(qid[2:] AS BIGINT) NULLS LAST, qid
        LIMIT ?
        """,
        [study, study, limit],
    )
    return [
        Entity(
            qid=row[0],
            label=row[1],
            mentions=row[2],
            texts=row[3],
            languages=tuple(labels.ordered("language", row[4])),
            topics=tuple(labels.ordered("topic", row[5])),
            surfaces=tuple(row[6]),
        )
        for row in rows
    ]


def samples(connection: "DuckDBPyConnection", study: str, each: int = 2) -> list[Sample]:
    """Up to `each` answered texts per language, chosen by their id, which is a hash.

    So the choice is as good as random, the same on every machine, and nobody's favourite.
    """
    rows = _fetch(
        connection,
        """
        SELECT response_id, model, topic, language, country, framing, status, prompt, text
        FROM responses
        WHERE study = ? AND status IN ('ok', 'truncated') AND text IS NOT NULL
        QUALIFY row_number() OVER (PARTITION BY language ORDER BY response_id, topic, model) <= ?
        """,
        [study, each],
    )
    spans = _spans(connection, study, [row[0] for row in rows])
    found = [Sample(*row, spans=spans.get((row[0], row[3]), ())) for row in rows]
    return sorted(found, key=lambda row: (labels.rank("language", row.language), row.response_id))


def _spans(
    connection: "DuckDBPyConnection", study: str, responses: Sequence[str]
) -> dict[tuple[str, str], tuple[Span, ...]]:
    rows = _fetch(
        connection,
        """
        SELECT response_id, language, start, "end", surface, qid, coalesce(label, qid)
        FROM mentions
        WHERE study = ? AND qid IS NOT NULL AND start IS NOT NULL AND list_contains(?, response_id)
        ORDER BY response_id, language, start, "end" DESC, qid
        """,
        [study, list(responses)],
    )
    spans: dict[tuple[str, str], tuple[Span, ...]] = {}
    for response, language, *fields in rows:
        key = (response, language)
        spans[key] = (*spans.get(key, ()), Span(*fields))
    return spans
