"""Measure: check that the figures may be computed at all, and count what stands behind them.

The metrics themselves are the SQL files under sql/metrics, defined as views in every store, so
that they are always those of the data at hand. What is left for Python is to refuse: a study in
which too many requests failed for passing reasons has no figures yet.
"""

from dataclasses import dataclass

from makieval.errors import MakievalError
from makieval.stages.job import Job


@dataclass(frozen=True, slots=True)
class Measured:
    """What stands behind a study's figures."""

    asked: int
    answered: int
    failed: int
    parsed: int
    mentions: int
    cultural: int
    linked: int
    known_origin: int


def measure(job: Job) -> Measured:
    """The study's totals; raises where more than `max_error_share` of it failed."""
    name = job.study.name
    with job.store.connect(read_only=True) as connection:
        totals = connection.execute(
            """
            SELECT sum(asked), sum(answered), sum(parsed), sum(mentions), sum(cultural),
                   sum(linked), sum(known_origin)
            FROM coverage WHERE study = ?
            """,
            [name],
        ).fetchall()[0]
        complete = connection.execute(
            "SELECT failed, allowed FROM completeness WHERE study = ?", [name]
        ).fetchall()
    asked, answered, parsed, mentions, cultural, linked, known = (int(n or 0) for n in totals)
    failed, allowed = complete[0]
    if asked and failed / asked > allowed:
        raise MakievalError(
            f"{name}: {failed} of {asked} texts lack an answer or its extraction after errors"
            f" ({failed / asked:.0%}, allowed {allowed:.0%}); run the same command again to ask"
            " for those alone"
        )
    return Measured(asked, answered, int(failed), parsed, mentions, cultural, linked, known)
