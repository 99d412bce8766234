"""Check: is each text in the language that was asked for? Judged without a model, kept, flagged."""

from makieval.extraction.language import LANGUAGE_VERSION, detect, in_language
from makieval.fingerprint import fingerprint
from makieval.stages.job import Job
from makieval.stages.missing import missing
from makieval.store.rows import insert

_UNCHECKED = """
SELECT DISTINCT r.response_id, r.language, a.text
FROM requests r
JOIN answers a ON a.answer_id = r.response_id AND a.status IN ('ok', 'truncated')
ANTI JOIN response_checks c
    ON c.response_id = r.response_id AND c.asked = r.language AND c.checker = ?
WHERE r.study = ?
"""


def check(job: Job) -> int:
    """Judge every text that has not been; the number judged."""
    done = 0
    version = fingerprint("checker", {"language": LANGUAGE_VERSION})
    with job.store.connect() as connection:
        connection.execute(
            "UPDATE studies SET checker = ? WHERE study = ?", [version, job.study.name]
        )
    for rows in missing(job, "check", "texts", _UNCHECKED, [version, job.study.name]):
        judged = [
            (response_id, asked, version, detect(text), in_language(text, asked))
            for response_id, asked, text in rows
        ]
        with job.store.connect() as connection:
            insert(
                connection,
                "response_checks",
                "response_id asked checker detected in_language",
                judged,
            )
        done += len(rows)
    return done
