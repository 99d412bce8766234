"""Options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

StoreOption = Annotated[
    Path,
    typer.Option("--store", envvar="MAKIEVAL_STORE", help="The folder that holds every study."),
]
DEFAULT_STORE = Path("makieval-store")

StudyFile = Annotated[Path, typer.Argument(metavar="STUDY", help="A study file (TOML).")]
StudyName = Annotated[
    str | None,
    typer.Argument(
        metavar="[STUDY]", help="A study's name; may be left out if it is the only one."
    ),
]
