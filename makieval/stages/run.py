"""Run: the stages one after the other, under the store's run lock."""

from collections.abc import Callable, Mapping
from typing import Any

from makieval.stages.check import check
from makieval.stages.describe import describe
from makieval.stages.extract import extract
from makieval.stages.generate import generate
from makieval.stages.job import Job
from makieval.stages.link import link
from makieval.stages.measure import Measured, measure
from makieval.stages.plan import plan

#: Every stage by name, in order. The last one gives the totals.
STAGES: Mapping[str, Callable[[Job], Any]] = {
    "plan": plan,
    "generate": generate,
    "check": check,
    "extract": extract,
    "link": link,
    "describe": describe,
    "measure": measure,
}


def run(job: Job) -> Measured:
    """Bring the study from wherever it stands to its figures."""
    job.store.create()
    _ = job.snapshot  # a source of knowledge that cannot be opened is told before anything is paid
    with job.store.run_lock():
        *_, totals = [stage(job) for stage in STAGES.values()]
    return totals
