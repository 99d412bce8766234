"""A few lookups at once, as an interactive caller asks: point reads and a choice in Python.

For one mention the plan of sql/snapshot/candidates.sql costs more than its answer. Here every
statement names the rows it wants, so that DuckDB reads nothing but their row groups. The answer is
the same; a test compares the two.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from makieval.linking.candidates import Candidate, Lookup, Scope

if TYPE_CHECKING:
    import duckdb

#: (topic, class, root) → the classes from there to the root, as far as they have been read.
Ways = dict[tuple[str, str, str], list[str]]

#: Up to so many keys count as few.
FEW = 64


class _Member(NamedTuple):
    """A row of `member`, without its item."""

    topic: str
    root: str
    depth: int
    cls: str
    evidence: str


def are_few(lookups: Sequence[Lookup]) -> bool:
    """Whether these lookups are answered faster here than as a set."""
    return sum(len(lookup.forms) for lookup in lookups) <= FEW


def candidates(
    connection: "duckdb.DuckDBPyConnection", lookups: Sequence[Lookup], ways: Ways
) -> list[list[Candidate]]:
    """See `KnowledgeSource.candidates`. What it reads of the closure is added to `ways`."""
    named: dict[tuple[str, str], list[tuple[Any, ...]]] = {}
    for key, language, *row in _rows(
        connection,
        "SELECT key, lang, qid, name, kind, sitelinks FROM names WHERE key",
        {form.key for lookup in lookups for form in lookup.forms},
    ):
        named.setdefault((language, key), []).append(tuple(row))
    wanted = {
        row[0]
        for lookup in lookups
        for form in lookup.forms
        for row in named.get((form.language, form.key), ())
    }
    members: dict[str, list[_Member]] = {}
    for qid, *row in _rows(
        connection,
        "SELECT qid, topic, root, depth, class, evidence FROM member WHERE qid",
        wanted,
    ):
        members.setdefault(qid, []).append(_Member(*row))
    return [
        [
            _candidate(connection, lookup, place, row, members.get(row[0], ()), ways)
            for place, form in enumerate(lookup.forms)
            for row in named.get((form.language, form.key), ())
        ]
        for lookup in lookups
    ]


def _rows(
    connection: "duckdb.DuckDBPyConnection", question: str, values: Iterable[str]
) -> list[tuple[Any, ...]]:
    """The rows of a question that ends in a column, where it has one of these values."""
    asked = sorted(values)
    if not asked:
        return []
    marks = ", ".join("?" * len(asked))
    return connection.execute(f"{question} IN ({marks})", asked).fetchall()


def _candidate(
    connection: "duckdb.DuckDBPyConnection",
    lookup: Lookup,
    place: int,
    row: tuple[Any, ...],
    members: Sequence[_Member],
    ways: Ways,
) -> Candidate:
    qid, name, kind, sitelinks = row
    fit = _fit(lookup.scope, members)
    form = lookup.forms[place]
    return Candidate(
        qid=qid,
        name=name,
        language=form.language,
        kind=kind,
        sitelinks=sitelinks,
        root=fit.root if fit else "",
        path=_path(connection, qid, fit, ways) if fit else (),
        method=form.method,
        typed=fit is not None,
        rank=place,
    )


def _fit(scope: Scope, members: Sequence[_Member]) -> _Member | None:
    """The nearest root of the scope; of several the one listed first, evidence where there is none.

    As `fitting` in candidates.sql.
    """
    under = (*scope.roots, "") if scope.direct else scope.roots
    admitted = [one for one in members if one.topic == scope.topic and one.root in under]
    return min(
        admitted,
        key=lambda one: (not one.root, one.depth or 0, under.index(one.root)),
        default=None,
    )


def _path(
    connection: "duckdb.DuckDBPyConnection", qid: str, fit: _Member, ways: Ways
) -> tuple[str, ...]:
    if not fit.root:
        return ("direct", fit.evidence)
    start = (fit.topic, fit.cls, fit.root)
    if start not in ways:
        ways[start] = connection.execute(
            "SELECT path FROM closure WHERE topic = ? AND class = ? AND root = ?", start
        ).fetchall()[0][0]
    return tuple(ways[start]) if fit.cls == qid else (qid, *ways[start])
