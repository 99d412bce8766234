"""One chart per metric and two of statuses, as altair specifications.

Undefined figures are drawn as a dash or left out, never as zero. A chart that a study cannot have
(consensus of one language) is not drawn.
"""

from typing import TYPE_CHECKING

from makieval.report import frames
from makieval.report.charts import heatmaps, panels, statuses
from makieval.report.charts.drawing import Chart, png, svg

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

__all__ = ["Chart", "charts", "png", "svg"]


def charts(connection: "DuckDBPyConnection", study: str) -> list[Chart]:
    """Every chart that `study` can have, in the order of the report."""
    covered = frames.scope(connection, study)
    drawn = (
        *statuses.coverage(connection, covered),
        panels.granularity(connection, covered),
        panels.diversity(connection, covered),
        heatmaps.specificity(connection, covered),
        heatmaps.consensus(connection, covered),
    )
    return [chart for chart in drawn if chart is not None]
