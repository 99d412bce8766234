"""`relink --diff`: what another snapshot would do to a study's links and metrics."""

from typing import Annotated

import typer

from makieval.cli.options import DEFAULT_STORE, StoreOption, StudyName


def add(app: typer.Typer) -> None:
    """Give `app` this command."""
    app.command()(relink)


def relink(
    diff: Annotated[
        str, typer.Option("--diff", metavar="SNAPSHOT", help="`starter`, or a snapshot file.")
    ],
    study: StudyName = None,
    store: StoreOption = DEFAULT_STORE,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
) -> None:
    """Show which links and figures would change with another snapshot. Changes nothing."""
    import json

    from makieval.queries import study_name
    from makieval.stages.relink import relink as find
    from makieval.store import Store

    opened = Store(store).existing()
    with opened.connect(read_only=True) as connection:
        name = study_name(connection, study)
    found = find(opened, name, diff)
    if as_json:
        typer.echo(json.dumps(found.record(), ensure_ascii=False, indent=1))
    else:
        for line in found.lines():
            typer.echo(line)
