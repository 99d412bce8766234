"""`serve reconcile`: the linker over HTTP."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="Serve over HTTP.", no_args_is_help=True)


@app.callback()
def serve() -> None:
    """Serve over HTTP."""


@app.command()
def reconcile(
    source: Annotated[
        str, typer.Option("--source", help="`starter`, or the path of a snapshot file.")
    ] = "starter",
    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="0: any free one.")] = 8090,
    reviewed: Annotated[
        Path | None, typer.Option(help="A file of reviewed decisions that come first.")
    ] = None,
) -> None:
    """Offer the linker as a reconciliation service, for OpenRefine and others."""
    from makieval.linking.reviewed import load
    from makieval.service import running
    from makieval.wikidata.snapshot import Snapshot

    decisions = load(reviewed) if reviewed else []
    with Snapshot.named(source) as snapshot:
        running.serve(snapshot, decisions, host=host, port=port, said=typer.echo)
