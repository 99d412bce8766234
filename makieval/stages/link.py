"""Link: one decision per distinct surface form, language, topic and type.

A service that fails leaves its status instead of a decision, which the next run looks up again.
"""

from collections import Counter
from typing import Any

from makieval.fingerprint import fingerprint
from makieval.linking import Mention
from makieval.stages.job import Job
from makieval.stages.missing import missing
from makieval.status import UNANSWERED
from makieval.store.rows import insert

_UNLINKED = """
SELECT DISTINCT m.surface, m.language, m.topic, m.entity_type
FROM cultural_mentions m
ANTI JOIN links l
    ON l.linker = ? AND l.surface = m.surface AND l.language = m.language
    AND l.topic = m.topic AND l.entity_type = m.entity_type
WHERE m.study = ?
"""


def link(job: Job) -> Counter[str]:
    """Link every mention that has no decision by this linker; how often each status came."""
    linker = job.linker
    counts: Counter[str] = Counter()
    with job.store.connect() as connection:
        connection.execute(
            "UPDATE studies SET linker = ?, snapshot = ? WHERE study = ?",
            [linker.fingerprint, job.source.id, job.study.name],
        )
        connection.execute(
            "DELETE FROM links WHERE linker = ? AND list_contains(?, status)",
            [linker.fingerprint, sorted(UNANSWERED)],
        )
    values = [linker.fingerprint, job.study.name]
    for rows in missing(job, "link", "surface forms", _UNLINKED, values):
        decided = linker.link([Mention(*row) for row in rows])
        links: list[tuple[Any, ...]] = []
        rivals: list[tuple[Any, ...]] = []
        for made in decided:
            asked = made.mention
            key = (asked.surface, asked.language, asked.topic, asked.entity_type)
            link_id = fingerprint("link", {"mention": key, "linker": linker.fingerprint})
            counts[made.status] += 1
            links.append(
                (
                    link_id,
                    linker.fingerprint,
                    *key,
                    made.status,
                    made.qid,
                    made.method,
                    made.score,
                    made.name,
                    made.name_language,
                    made.name_kind,
                    list(made.path),
                )
            )
            rivals.extend(
                (link_id, position, r.qid, r.name, r.language, r.kind, r.sitelinks, r.typed)
                for position, r in enumerate(made.rivals)
            )
        with job.store.connect() as connection:
            connection.begin()
            insert(
                connection,
                "link_rivals",
                "link_id position qid name name_language name_kind sitelinks fits",
                rivals,
            )
            insert(
                connection,
                "links",
                (
                    "link_id linker surface language topic entity_type status qid method score"
                    " name name_language name_kind path"
                ),
                links,
            )
            connection.commit()
    return counts
