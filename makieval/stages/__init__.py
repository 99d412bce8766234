"""The stages of a study: what is still missing, do the work, keep it.

    plan → generate → check → extract → link → describe → measure

Each is one function of a `Job`; each finds what is missing by an anti-join, works in batches, and
appends. So a stage can be stopped anywhere and called again, and `run` is their plain sequence.
"""

from makieval.stages.job import Job, Progress, Silent
from makieval.stages.run import STAGES, run

__all__ = ["STAGES", "Job", "Progress", "Silent", "run"]
