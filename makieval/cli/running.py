"""Running a study in front of somebody: bars, tables, and the report at the end."""

from collections.abc import Callable
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
        _flow()(study, str(store_folder), offline)
    else:
        with Bars() as bars:
            run(Job(study, store, offline=offline, progress=bars))
    show_results(study.name, store, report)


def _flow() -> Callable[[Study, str, bool], object]:
    """The flow under flows/, which alone imports prefect."""
    import importlib.util
    import sys

    from makieval import resources
    from makieval.errors import InputError

    if importlib.util.find_spec("prefect") is None:
        raise InputError("--prefect needs the package prefect: pip install 'makieval[flows]'")
    path = resources.shipped("flows") / "study.py"
    spec = importlib.util.spec_from_file_location("makieval_flows_study", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # Prefect looks its functions' module up by name
    spec.loader.exec_module(module)
    return module.study_flow


def show_results(study: str, store: Store, report: Path | None, *, keep: bool = True) -> None:
    """Print the tables of a study and write its report: where told, else where the store stays."""
    from rich.console import Console

    from makieval.provenance import provenance
    from makieval.report.html import write_report
    from makieval.report.tables import print_results

    path = report or store.folder / "reports" / f"{study}.html"
    console = Console()
    if not console.is_terminal:
        console = Console(width=160)  # a log has no edge to wrap at
    with store.connect(read_only=True) as connection:
        print_results(connection, study, console)
        if report is not None or keep:
            write_report(connection, study, path, provenance(connection, study))
            console.print(f"Report: {path}", soft_wrap=True)
