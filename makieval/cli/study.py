"""`init`, `plan` and `run`: from a study file to figures."""

from pathlib import Path
from typing import Annotated

import typer

from makieval.cli.options import DEFAULT_STORE, StoreOption, StudyFile


def add(app: typer.Typer) -> None:
    """Give `app` these commands."""
    app.command()(init)
    app.command()(plan)
    app.command()(run)


def init(
    path: Annotated[Path, typer.Argument(help="Where to write it.")] = Path("study.toml"),
) -> None:
    """Write a commented study file to start from."""
    from makieval.errors import InputError
    from makieval.templates import STUDY

    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(STUDY)
    except FileExistsError:
        raise InputError(f"{path}: exists already; name another file or move it away") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None
    typer.echo(f"{path} written. Next: makieval plan {path}")


def plan(study_file: StudyFile, store: StoreOption = DEFAULT_STORE) -> None:
    """Show the grid, the requests, tokens, cost and time. Asks nothing of any model."""
    from makieval.forecast import forecast, show
    from makieval.store import Store
    from makieval.study import Study

    show(forecast(Study.load(study_file), Store(store)))


def run(
    study_file: StudyFile,
    store: StoreOption = DEFAULT_STORE,
    offline: Annotated[
        bool, typer.Option("--offline", help="Ask nobody; a missing answer is an error.")
    ] = False,
    report: Annotated[
        Path | None, typer.Option(help="Where the HTML report goes (default: in the store).")
    ] = None,
    prefect: Annotated[
        bool,
        typer.Option("--prefect", help="Run as a Prefect flow, on the configured API."),
    ] = False,
) -> None:
    """Run a study, or go on with it: ask, extract, link, measure, report."""
    from makieval.cli.running import run_and_show
    from makieval.study import Study

    run_and_show(Study.load(study_file), store, offline=offline, report=report, prefect=prefect)
