"""Describe: what the source of knowledge says of each linked item, above all where it is from."""

from typing import Any

from makieval.linking import describe as facts_of
from makieval.linking import facts_fingerprint
from makieval.stages.job import Job
from makieval.stages.missing import missing
from makieval.store.rows import insert

#: The language of the labels and descriptions that tables and reports show.
SHOWN_IN = "en"
_UNDESCRIBED = """
SELECT DISTINCT m.qid, m.topic, m.entity_type
FROM cultural_mentions m
JOIN studies s USING (study)
ANTI JOIN entities e
    ON e.facts = s.facts AND e.qid = m.qid
    AND e.topic = m.topic AND e.entity_type = m.entity_type
WHERE m.study = ? AND m.link_status = 'linked'
"""


def describe(job: Job) -> int:
    """Describe every linked item that is not described yet; the number described."""
    done = 0
    source = job.source
    version = facts_fingerprint(source, [SHOWN_IN])
    with job.store.connect() as connection:
        connection.execute(
            "UPDATE studies SET facts = ? WHERE study = ?", [version, job.study.name]
        )
    for rows in missing(job, "describe", "items", _UNDESCRIBED, [job.study.name]):
        entities: list[tuple[Any, ...]] = []
        origins: list[tuple[Any, ...]] = []
        for facts in facts_of(source, rows, [SHOWN_IN]):
            key = (version, facts.qid, facts.topic, facts.entity_type)
            texts = [found.get(SHOWN_IN) for found in (facts.labels, facts.descriptions)]
            entities.append((*key, *(text.text if text else None for text in texts)))
            origins.extend((*key, o.country_qid, o.path, o.via_qid) for o in facts.origins)
        with job.store.connect() as connection:
            connection.begin()
            insert(
                connection,
                "entity_origins",
                "facts qid topic entity_type country path via",
                origins,
            )
            insert(
                connection,
                "entities",
                "facts qid topic entity_type label description",
                entities,
            )
            connection.commit()
        done += len(rows)
    return done
