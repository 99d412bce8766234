"""`snapshot build|info|check`: local indexes of Wikidata."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="Local indexes of Wikidata.", no_args_is_help=True)


@app.command()
def info(
    source: Annotated[str, typer.Argument(help="`starter`, or a snapshot file.")] = "starter",
) -> None:
    """Show where a snapshot comes from and what it holds."""
    from makieval.wikidata.snapshot import Snapshot

    snapshot = Snapshot.named(source)
    typer.echo(f"id  {snapshot.id}")
    for key, value in snapshot.manifest.items():
        typer.echo(f"{key}  {value}")


@app.command()
def build(
    tables: Annotated[Path, typer.Argument(help="A folder of tables (TSV and manifest.toml).")],
    to: Annotated[Path, typer.Argument(help="The snapshot file to write.")],
) -> None:
    """Build a snapshot file from a folder of tables."""
    from makieval.wikidata.snapshot import Snapshot, build

    build(tables, to)
    typer.echo(f"{to}  {Snapshot.open(to).id}")


@app.command()
def check(
    tables: Annotated[
        Path | None, typer.Argument(help="A folder of tables; the shipped starter if left out.")
    ] = None,
) -> None:
    """Prove that tables are consistent: closures reach the roots, no dangling ids, …"""
    from makieval.errors import SnapshotError
    from makieval.wikidata.consistency import check as find
    from makieval.wikidata.snapshot import starter_tables

    folder = tables or starter_tables()
    findings = find(folder)
    for finding in findings:
        typer.echo(str(finding))
    if findings:
        raise SnapshotError(f"{folder}: {len(findings)} findings")
    typer.echo(f"{folder}: consistent")
