"""Generate: ask each model for the texts that a study wants and does not have yet."""

from collections import Counter
from collections.abc import Iterator

from makieval.llm.request import Request
from makieval.stages.ask import ask
from makieval.stages.job import BATCH, Job
from makieval.stages.plan import request

_MISSING = """
FROM requests r
ANTI JOIN answers a ON a.answer_id = r.response_id
WHERE r.study = ?
"""


def generate(job: Job) -> Counter[str]:
    """Ask for every text without a final answer; how often each status came."""
    job.store.ingest()
    with job.store.connect(read_only=True) as connection:
        found = connection.execute(
            f"SELECT count(DISTINCT response_id) {_MISSING}", [job.study.name]
        ).fetchall()
    endpoints = [model.endpoint() for model in job.study.models]
    return ask(job, "generate", endpoints, _missing(job), int(found[0][0]))


def _missing(job: Job) -> Iterator[Request]:
    """The missing requests in plan order, read batch by batch so that memory stays bounded."""
    models = {model.name: model for model in job.study.models}
    seen: set[str] = set()
    last = -1
    while True:
        with job.store.connect(read_only=True) as connection:
            rows = connection.execute(
                f"""
                SELECT r.rowid, r.model, r.language, r.sample, r.response_id, p.text
                FROM (SELECT r.*, r.rowid {_MISSING} AND r.rowid > ? ORDER BY r.rowid LIMIT ?) r
                JOIN prompts p USING (prompt_id)
                ORDER BY r.rowid
                """,
                [job.study.name, last, BATCH],
            ).fetchall()
        if not rows:
            return
        last = int(rows[-1][0])
        for _, model, language, sample, response_id, text in rows:
            if response_id not in seen:
                seen.add(response_id)
                yield request(job.study, models[model], language, text, sample)
