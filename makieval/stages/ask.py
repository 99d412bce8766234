"""Asking: the one way from a list of missing answers to answers on disk.

Generation and extraction both ask models. Both come through here, so that resuming, offline runs,
interruption and the journal are one piece of code. An answer is in the journal before anything
else happens to it; the tables follow in moments when they are free.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress

from makieval.errors import MakievalError, OfflineMiss, StoreBusy
from makieval.llm.answer import Answer
from makieval.llm.asker import Asker
from makieval.llm.endpoint import Endpoint
from makieval.llm.request import Request
from makieval.stages.job import Job
from makieval.store import Writer

_INGEST_EVERY_S = 10.0
_SHOWN_MISSES = 20


def ask(
    job: Job,
    stage: str,
    endpoints: Sequence[Endpoint],
    requests: Iterator[Request],
    total: int,
) -> Counter[str]:
    """Ask for what is missing, journal every answer, and bring the tables up to date.

    Returns how often each status came. Whatever ends it early (a refused key, Ctrl-C), what had
    arrived is kept.
    """
    counts: Counter[str] = Counter()
    if total == 0:
        return counts
    if job.offline:
        raise _offline(stage, requests, total)
    job.progress.start(stage, total, "answers")
    try:
        with job.store.journal.writer() as writer:
            asyncio.run(_ask(job, endpoints, requests, writer, counts))
    finally:
        job.progress.finish()
        job.store.ingest()
    return counts


async def _ask(
    job: Job,
    endpoints: Sequence[Endpoint],
    requests: Iterator[Request],
    writer: Writer,
    counts: Counter[str],
) -> None:
    fields: dict[str, object] = {}

    def noted() -> Iterator[Request]:
        for request in requests:
            fields[request.id] = request.fields()
            yield request

    def keep(answer: Answer) -> None:
        writer.append([{**answer.as_record(), "fields": fields.pop(answer.id, None)}])
        counts[answer.status] += 1
        job.progress.advance()

    ingested = time.monotonic()
    async with Asker(endpoints, arrived=keep) as asker:
        async for _ in asker.answers(noted()):
            if time.monotonic() - ingested > _INGEST_EVERY_S:
                ingested = time.monotonic()
                with suppress(StoreBusy):  # somebody reads; the journal holds it until then
                    job.store.ingest()


def _offline(stage: str, requests: Iterator[Request], total: int) -> MakievalError:
    missing = [
        f"{request.id}  {request.endpoint.name}: {request.messages[-1].content[:80]!r}"
        for request, _ in zip(requests, range(_SHOWN_MISSES), strict=False)
    ]
    return OfflineMiss(
        f"{stage}: {total} answers were never recorded and this run is offline;"
        " run it without --offline, or take another store",
        missing,
    )
