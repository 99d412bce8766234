"""The results in a terminal: the same tables as in the report, drawn by rich.

Rich measures East Asian characters as two columns wide, so Chinese, Japanese and Korean names
stay aligned. Counts beside figures are dimmed; what is undefined is a dash.
"""

from typing import TYPE_CHECKING

from makieval.report import words
from makieval.report.cells import Cell, Table
from makieval.report.results import Results

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text


def print_results(connection: "DuckDBPyConnection", study: str, console: "Console") -> None:
    """Print the grid of `study`, a table per metric with its coverage, and a summary in words.

    Figures over several cells are unweighted means of cells, and each table says so.
    Raises `InputError` for a study without rows.
    """
    from rich.text import Text

    results = Results(connection, study)
    console.print(Text(words.grid(results.scope), style="bold"))
    for table in results.tables():
        if table.rows:
            console.print()
            console.print(_drawn(table))
    console.print()
    for sentence in words.summary(connection, results.scope):
        console.print(Text(f"• {sentence}"))
    console.print(Text(words.NO_INTERVALS, style="dim"))
    for short, long in words.cautions(connection, study):
        console.print(Text(f"{short} {long}", style="bold yellow"))


def _drawn(table: Table) -> "RichTable":
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    drawn = RichTable(
        title=Text(table.title, style="bold"),
        title_justify="left",
        caption=Text(table.note, style="dim") if table.note else None,
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        padding=(0, 1),
    )
    for column in table.columns:
        drawn.add_column(
            Text(column.heading),
            justify="left" if column.head else "right",
            no_wrap=column.head,
        )
    widths = table.n_widths()
    for row in table.rows:
        drawn.add_row(*(_shown(cell, width) for cell, width in zip(row, widths, strict=True)))
    return drawn


def _shown(cell: Cell, n_width: int) -> "Text":
    """The figure, then its n in a field of `n_width`, so that figures stand in line."""
    from rich.text import Text

    text = Text(cell.text, style="dim" if cell.reason else "")
    if n_width:
        text.append(f" {cell.n:>{n_width}}", style="dim")
    return text
