"""A study as a Prefect flow: one task per stage, never one per request.

The tasks are the very functions that `makieval run` calls; the flow adds what a server is for:
schedules, retries, a log, a table of totals. Nothing is cached or stored in Prefect, since what is
missing is found in the store: a retry, like a second run, asks for that alone.
"""

import dataclasses
import os
import re
import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

# Prefect reads its settings when it is imported. A busy machine needs more than 20 s to start the
# API that runs for one flow, and a study's machine talks to nobody but its models.
os.environ.setdefault("PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS", "120")
os.environ.setdefault("PREFECT_SERVER_ANALYTICS_ENABLED", "false")
os.environ.setdefault("DO_NOT_TRACK", "1")

from prefect import Task, flow, get_run_logger, task
from prefect.artifacts import create_markdown_artifact
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State, TaskRun
from prefect.runtime import task_run

from makieval.errors import (
    DiskFull,
    InputError,
    MakievalError,
    ModelFileError,
    OfflineMiss,
    SnapshotError,
    Unauthorized,
)
from makieval.stages import STAGES, Job
from makieval.status import RETRIED
from makieval.store import Store
from makieval.study import Study

#: Stages that ask a model. An outage there passes; elsewhere a failure is a fault.
ASKING = frozenset({"generate", "extract"})
RETRY_DELAYS_S = (30.0, 300.0)
#: Errors that no waiting mends.
LASTING = (InputError, SnapshotError, Unauthorized, ModelFileError, DiskFull, OfflineMiss)


class Unfinished(MakievalError):
    """Some answers failed for passing reasons; a retry asks for those alone."""


class LoggedProgress:
    """Progress as log lines, at most one every `every_s` seconds between first and last."""

    def __init__(self, say: Callable[[str], None], every_s: float = 30.0) -> None:
        self._say, self._every_s = say, every_s
        self._stage, self._unit = "", ""
        self._total = self._done = 0
        self._began = self._said = 0.0

    def start(self, stage: str, total: int, unit: str) -> None:
        """Say what begins."""
        self._stage, self._unit, self._total, self._done = stage, unit, total, 0
        self._began = self._said = time.monotonic()
        self._say(f"{stage}: {total:,} {unit}")

    def advance(self, units: int = 1) -> None:
        """Say how far it is, if the last word was long enough ago."""
        self._done += units
        now = time.monotonic()
        if now - self._said < self._every_s:
            return
        self._said = now
        rate = self._done / (now - self._began)
        left = (self._total - self._done) / rate
        self._say(
            f"{self._stage}: {self._done:,} of {self._total:,} {self._unit},"
            f" {rate:,.2f}/s, {left:,.0f} s left"
        )

    def finish(self) -> None:
        """Say how much it was and how long it took."""
        took = time.monotonic() - self._began
        self._say(f"{self._stage}: {self._done:,} {self._unit} in {took:,.1f} s")


def may_pass(_task: Task[..., Any], _run: TaskRun, state: State[Any]) -> bool:
    """Whether a failed stage is worth another try: not where the user has to act first."""
    return not isinstance(state.result(raise_on_failure=False), LASTING)


def _as_task(name: str, stage: Callable[[Job], Any]) -> Task[[Job], Any]:
    delays = list(RETRY_DELAYS_S) if name in ASKING else []

    @task(
        name=name,
        task_run_name=name,
        retries=len(delays),
        retry_delay_seconds=delays or None,
        retry_condition_fn=may_pass,
        cache_policy=NO_CACHE,
        persist_result=False,
    )
    def staged(job: Job) -> Any:
        result = stage(job)
        if isinstance(result, Counter):
            _account(name, result)
        return result

    return staged


def _account(name: str, counts: Counter[str]) -> None:
    """Log how often each status came; raise `Unfinished` while answers are missing and tries left.

    The last try lets them go: `measure` judges whether too many are missing.
    """
    said = ", ".join(f"{status} {count:,}" for status, count in sorted(counts.items()))
    _log(f"{name}: {said or 'nothing was missing'}")
    failed = sum(counts[status] for status in RETRIED)
    if failed and task_run.run_count <= TASKS[name].retries:
        raise Unfinished(f"{name}: {failed:,} of {counts.total():,} answers failed ({said})")


#: Every stage as a task, in order.
TASKS: Mapping[str, Task[[Job], Any]] = {
    name: _as_task(name, stage) for name, stage in STAGES.items()
}


@flow(name="study", persist_result=False)
def study_flow(
    study: str | Study, store: str = "makieval-store", offline: bool = False
) -> dict[str, int]:
    """Bring a study (its file, or a `Study`) to its figures in the folder `store`; its totals.

    Raises what `makieval.stages.run` raises, after the retries of the stages that ask a model.
    """
    chosen = Study.load(study) if isinstance(study, str) else study
    job = Job(chosen, Store(store), offline=offline, progress=LoggedProgress(_log))
    job.store.create()
    with job.store.run_lock():
        results = {name: staged(job) for name, staged in TASKS.items()}
    totals = dataclasses.asdict(results["measure"])
    create_markdown_artifact(
        key=f"study-{re.sub('[^a-z0-9]+', '-', chosen.name.lower()).strip('-')}",
        description=f"What stands behind the figures of {chosen.name}.",
        markdown=_table(chosen, totals),
    )
    return totals


def _log(line: str) -> None:
    """Into the log of the task that runs, or of the flow between tasks."""
    get_run_logger().info(line)


def _table(study: Study, totals: Mapping[str, int]) -> str:
    rows = [f"| {name.replace('_', ' ')} | {count:,} |" for name, count in totals.items()]
    return "\n".join([f"**{study.name}**", "", "| | texts or mentions |", "|---|---:|", *rows, ""])
