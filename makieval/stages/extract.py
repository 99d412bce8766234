"""Extract: find the cultural entities in each text, once per distinct text.

Three steps, each an anti-join: give every response the key of its extraction; ask the extractor
model for the keys without an answer (the dictionary extractor asks nobody); parse and ground what
is there. Reading an answer anew after a change of the parser costs nothing.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterator
from typing import Any

from makieval import catalog
from makieval.fingerprint import fingerprint
from makieval.llm.request import Request
from makieval.stages.ask import ask
from makieval.stages.extractors import Extractor, ModelExtractor, Task, extractor
from makieval.stages.job import BATCH, Job
from makieval.stages.missing import missing
from makieval.status import UNANSWERED
from makieval.store.rows import insert


def extract(job: Job) -> Counter[str]:
    """Bring every response's mentions into the store; how often each status came."""
    chosen = extractor(job)
    versions = {topic: chosen.version(catalog.topic(topic)) for topic in job.study.topics}
    version = fingerprint("extractor", versions)
    with job.store.connect() as connection:
        connection.execute(
            "UPDATE studies SET extractor = ? WHERE study = ?", [version, job.study.name]
        )
    _give_keys(job, chosen, version, versions)
    asked: Counter[str] = Counter()
    if isinstance(chosen, ModelExtractor):
        with job.store.connect(read_only=True) as connection:
            found = connection.execute(
                f"SELECT count(DISTINCT x.answer_id) {_UNASKED}", [job.study.name, version]
            ).fetchall()
        missing = _unasked(job, chosen, version)
        asked = ask(job, "extract", [chosen.endpoint], missing, int(found[0][0]))
    failed = Counter({status: n for status, n in asked.items() if status in UNANSWERED})
    return failed + _read(job, chosen, version)


def _task(text: str, topic: str, language: str, *answer: str | None) -> Task:
    normal = unicodedata.normalize("NFC", text)
    return Task(normal, catalog.topic(topic), catalog.language(language), *answer)


_ANSWERED_TEXTS = """
FROM requests r
JOIN answers a ON a.answer_id = r.response_id AND a.status IN ('ok', 'truncated')
"""

_UNASKED = f"""
{_ANSWERED_TEXTS}
JOIN response_extractions x
    ON x.response_id = r.response_id AND x.topic = r.topic AND x.language = r.language
ANTI JOIN answers e ON e.answer_id = x.answer_id
WHERE r.study = ? AND x.extractor = ?
"""


_UNKEYED = f"""
SELECT DISTINCT r.response_id, r.topic, r.language, a.text
{_ANSWERED_TEXTS}
ANTI JOIN response_extractions x
    ON x.response_id = r.response_id AND x.topic = r.topic
    AND x.language = r.language AND x.extractor = ?
WHERE r.study = ?
"""

_UNREAD = f"""
SELECT
    x.extraction_id, any_value(a.text), any_value(r.topic), any_value(r.language),
    any_value(e.status), any_value(e.text)
{_ANSWERED_TEXTS}
JOIN response_extractions x
    ON x.response_id = r.response_id AND x.topic = r.topic
    AND x.language = r.language AND x.extractor = ?
LEFT JOIN answers e ON e.answer_id = x.answer_id
ANTI JOIN extractions d ON d.extraction_id = x.extraction_id
WHERE r.study = ? AND (x.answer_id IS NULL OR e.answer_id IS NOT NULL)
GROUP BY x.extraction_id
"""


def _give_keys(job: Job, chosen: Extractor, version: str, versions: dict[str, str]) -> None:
    for rows in missing(job, "keys", "texts", _UNKEYED, [version, job.study.name]):
        keyed: list[tuple[Any, ...]] = []
        for response_id, topic, language, text in rows:
            task = _task(text, topic, language)
            asked = chosen.request(task)
            key = fingerprint(
                "extraction",
                {
                    "text": task.text,
                    "topic": topic,
                    "language": language,
                    "extractor": versions[topic],
                },
            )
            answer_id = asked.id if asked else None
            keyed.append((response_id, topic, language, version, key, answer_id))
        with job.store.connect() as connection:
            insert(
                connection,
                "response_extractions",
                "response_id topic language extractor extraction_id answer_id",
                keyed,
            )


def _unasked(job: Job, chosen: ModelExtractor, version: str) -> Iterator[Request]:
    last = ""
    while True:
        with job.store.connect(read_only=True) as connection:
            rows = connection.execute(
                f"""
                SELECT x.answer_id, any_value(a.text), any_value(r.topic), any_value(r.language)
                {_UNASKED} AND x.answer_id > ?
                GROUP BY x.answer_id ORDER BY x.answer_id LIMIT ?
                """,
                [job.study.name, version, last, BATCH],
            ).fetchall()
        if not rows:
            return
        last = rows[-1][0]
        for _, *task in rows:
            yield chosen.request(_task(*task))


def _read(job: Job, chosen: Extractor, version: str) -> Counter[str]:
    counts: Counter[str] = Counter()
    for rows in missing(job, "read", "extractions", _UNREAD, [version, job.study.name]):
        extractions: list[tuple[Any, ...]] = []
        mentions: list[tuple[Any, ...]] = []
        read = chosen.read([_task(*row[1:]) for row in rows])
        for row, (status, found) in zip(rows, read, strict=True):
            counts[status] += 1
            extractions.append((row[0], status))
            mentions.extend(
                (row[0], m.ordinal, m.surface, m.type, m.status, m.start, m.end) for m in found
            )
        with job.store.connect() as connection:
            connection.begin()
            insert(
                connection,
                "extracted_mentions",
                "extraction_id ordinal surface entity_type status start end",
                mentions,
            )
            insert(connection, "extractions", "extraction_id status", extractions)
            connection.commit()
    return counts
