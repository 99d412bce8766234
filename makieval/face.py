"""Two functions for scripts and notebooks: run a study, ask a store."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from makieval.store import Store
from makieval.study import Study

if TYPE_CHECKING:
    from makieval.stages.measure import Measured


def run(study: Study | str | Path, store: str | Path, *, offline: bool = False) -> "Measured":
    """Run a study (or go on with it) on the store in the folder `store`; its totals.

    `offline`: a missing answer raises `OfflineMiss` and nobody is asked.
    """
    from makieval.stages import Job, run

    chosen = study if isinstance(study, Study) else Study.load(study)
    return run(Job(chosen, Store(store), offline=offline))


def query(store: str | Path, sql: str, values: Sequence[Any] = ()) -> list[dict[str, Any]]:
    """The rows of one SQL query to the store in the folder `store`, read-only."""
    with Store(store).existing().connect(read_only=True) as connection:
        found = connection.execute(sql, list(values))
        names = [column[0] for column in found.description or ()]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]
