"""`demo`: the first ten minutes in one command."""

from pathlib import Path
from typing import Annotated

import typer


def add(app: typer.Typer) -> None:
    """Give `app` this command."""
    app.command()(demo)


def demo(
    folder: Annotated[Path, typer.Argument(help="Where to put it.")] = Path("makieval-demo"),
) -> None:
    """Get the embedded model and run a small study on it, live: about three minutes."""
    from makieval.cli.progress import pulled
    from makieval.cli.running import run_and_show
    from makieval.study import Study
    from makieval.templates import DEMO

    folder.mkdir(parents=True, exist_ok=True)
    study_file = folder / "study.toml"
    if not study_file.exists():
        study_file.write_text(DEMO, encoding="utf-8")
    pulled("local")
    store = folder / "store"
    run_and_show(Study.load(study_file), store, report=folder / "report.html")
    typer.echo(
        f"""Next:
  open {folder / "report.html"}
  makieval sql "SELECT response_id, language, text FROM responses" --store {store}
  makieval show RESPONSE_ID --store {store}      # from a text to its links, explained
  makieval init study.toml                       # a study of your own"""
    )
