"""`report`, `show`, `sql`, `export`, `studies`: looking at what a store holds."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from makieval.cli.options import DEFAULT_STORE, StoreOption, StudyName


class Format(StrEnum):
    """File formats of an export."""

    PARQUET = "parquet"
    CSV = "csv"
    JSONL = "jsonl"


def add(app: typer.Typer) -> None:
    """Give `app` these commands."""
    app.command()(report)
    app.command()(show)
    app.command()(sql)
    app.command()(export)
    app.command()(studies)


def report(
    study: StudyName = None,
    store: StoreOption = DEFAULT_STORE,
    to: Annotated[Path | None, typer.Option("--to", help="The HTML file to write.")] = None,
) -> None:
    """Print a study's tables and write its report (one HTML file)."""
    from makieval.cli.running import show_results
    from makieval.queries import study_name
    from makieval.store import Store

    opened = Store(store).existing()
    with opened.connect(read_only=True) as connection:
        name = study_name(connection, study)
    show_results(name, opened, to)


def show(
    response: Annotated[str, typer.Argument(help="A response's id, or how it begins.")],
    store: StoreOption = DEFAULT_STORE,
) -> None:
    """Walk from a text back to its prompt, and on to mentions, candidates and links."""
    from makieval.queries import walk
    from makieval.store import Store

    with Store(store).existing().connect(read_only=True) as connection:
        for line in walk(connection, response):
            typer.echo(line)


def sql(
    query: Annotated[str, typer.Argument(help="One SQL query (DuckDB's dialect).")],
    store: StoreOption = DEFAULT_STORE,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV instead of a table.")] = False,
) -> None:
    """Ask the store in SQL; reads only."""
    from makieval.queries import ask_sql
    from makieval.store import Store

    with Store(store).existing().connect(read_only=True) as connection:
        typer.echo(ask_sql(connection, query, as_csv=as_csv))


def export(
    study: StudyName = None,
    store: StoreOption = DEFAULT_STORE,
    to: Annotated[Path, typer.Option("--to", help="The folder to write into.")] = Path("export"),
    file_format: Annotated[Format, typer.Option("--format", help="The file format.")] = (
        Format.PARQUET
    ),
) -> None:
    """Write a study's tables as Parquet, CSV or JSON Lines; the same bytes every time."""
    from makieval.provenance import provenance
    from makieval.queries import study_name
    from makieval.report.export import export as write
    from makieval.store import Store

    with Store(store).existing().connect(read_only=True) as connection:
        name = study_name(connection, study)
        for path in write(connection, name, to, file_format.value, provenance(connection, name)):
            typer.echo(str(path))


def studies(store: StoreOption = DEFAULT_STORE) -> None:
    """List the studies of a store with how far each is."""
    from makieval.queries import ask_sql
    from makieval.store import Store

    with Store(store).existing().connect(read_only=True) as connection:
        typer.echo(
            ask_sql(
                connection,
                "SELECT study, sum(asked) AS texts, sum(answered) AS answered,"
                " sum(parsed) AS extracted, sum(linked) AS linked_mentions"
                " FROM coverage GROUP BY study ORDER BY study",
            )
        )
