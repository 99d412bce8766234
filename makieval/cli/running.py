"""Running a study in front of somebody: bars, tables, and the report at the end."""

from pathlib import Path

from makieval.store import Store
from makieval.study import Study


def run_and_show(
    study: Study,
    store_folder: Path,
    *,
    offline: bool = False,
    report: Path | None = None,
    prefect: bool = False,
) -> None:
    """Run `study`, print its tables, write its report, and say where it is."""
    from makieval.cli.progress import Bars
    from makieval.stages import Job, run

    store = Store(store_folder)
    if prefect:
        from makieval.flows import study_flow

        study_flow(study.model_dump(mode="json"), str(store_folder), offline)
    else:
        with Bars() as bars:
            run(Job(study, store, offline=offline, progress=bars))
    show_results(study.name, store, report)


def show_results(study: str, store: Store, report: Path | None) -> None:
    """Print the tables of a study and write its report."""
    from rich.console import Console

    from makieval.provenance import provenance
    from makieval.report.html import write_report
    from makieval.report.tables import print_results

    path = report or store.folder / "reports" / f"{study}.html"
    console = Console()
    with store.connect(read_only=True) as connection:
        print_results(connection, study, console)
        write_report(connection, study, path, provenance(connection, study))
    console.print(f"Report: {path}", soft_wrap=True)
