"""`replay` and `record`: a study's answers as a folder that anybody can compute from."""

from pathlib import Path
from typing import Annotated

import typer

from makieval.cli.options import DEFAULT_STORE, StoreOption, StudyName


def add(app: typer.Typer) -> None:
    """Give `app` these commands."""
    app.command()(replay)
    app.command()(record)


def replay(
    recording: Annotated[
        Path | None, typer.Argument(help="A recording; the shipped one if left out.")
    ] = None,
    store: Annotated[
        Path | None, typer.Option(help="Keep the rebuilt store here (default: nowhere).")
    ] = None,
    to: Annotated[Path | None, typer.Option("--to", help="Export the tables here.")] = None,
    report: Annotated[Path | None, typer.Option(help="Write the HTML report here.")] = None,
) -> None:
    """Rebuild a recorded study's tables and metrics, without model or network."""
    from makieval.cli.progress import Bars
    from makieval.cli.running import show_results
    from makieval.recording import SHIPPED, rebuilt

    with Bars() as bars, rebuilt(recording or SHIPPED, store, bars) as result:
        if to is not None:
            result.export(to)
        show_results(result.study.name, result.store, report, keep=store is not None)
        typer.echo(result.verdict())


def record(
    to: Annotated[Path, typer.Argument(help="The folder to write.")],
    study: StudyName = None,
    store: StoreOption = DEFAULT_STORE,
) -> None:
    """Write a study and its answers as a recording for `replay`."""
    from makieval.queries import study_name
    from makieval.recording import record as write
    from makieval.store import Store

    opened = Store(store).existing()
    with opened.connect(read_only=True) as connection:
        name = study_name(connection, study)
    typer.echo(f"{to}: {write(opened, name, to):,} answers")
