"""What a stage still has to do, batch by batch: the anti-join that makes every stage resumable."""

from collections.abc import Iterator, Sequence
from typing import Any

from makieval.stages.job import BATCH, Job


def missing(
    job: Job, stage: str, unit: str, query: str, values: Sequence[Any]
) -> Iterator[list[tuple[Any, ...]]]:
    """The rows of `query` in batches, in a fixed order, until there are none.

    The caller keeps what it makes of a batch before it takes the next: the query then no longer
    finds those rows. Progress counts the rows that are kept. A batch that keeps nothing would come
    again for ever, so that is an error of ours.
    """
    with job.store.connect(read_only=True) as connection:
        total = int(
            connection.execute(f"SELECT count(*) FROM ({query})", list(values)).fetchall()[0][0]
        )
    if total == 0:
        return
    job.progress.start(stage, total, unit)
    previous: list[tuple[Any, ...]] = []
    try:
        while True:
            with job.store.connect(read_only=True) as connection:
                rows = connection.execute(
                    f"{query} ORDER BY ALL LIMIT {BATCH}", list(values)
                ).fetchall()
            assert not rows or rows != previous, f"{stage}: a batch was not kept"
            if not rows:
                return
            previous = rows
            yield rows
            job.progress.advance(len(rows))
    finally:
        job.progress.finish()
