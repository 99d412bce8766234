"""`wikidata check`: what a SPARQL endpoint can do."""

from typing import Annotated

import typer

app = typer.Typer(help="Wikidata behind a SPARQL endpoint.", no_args_is_help=True)


@app.callback()
def _noun() -> None:
    """Keeps `check` a command of its own, although it is the only one."""


@app.command()
def check(
    endpoint: Annotated[
        str, typer.Argument(help="The address of an endpoint, or `wikidata` for the public one.")
    ],
    contact: Annotated[
        str | None,
        typer.Option(
            envvar="MAKIEVAL_CONTACT",
            help="An e-mail address or a page about you, for the User-Agent.",
        ),
    ] = None,
    slow: Annotated[
        bool, typer.Option("--slow", help="Also ask a query that cannot end in time.")
    ] = False,
) -> None:
    """Find out an endpoint's engine, limits, freshness and faults; fails where none can link."""
    from makieval.errors import ServiceError
    from makieval.status import Status
    from makieval.wikidata.sparql.check import check as find
    from makieval.wikidata.sparql.check import lines, usable
    from makieval.wikidata.sparql.service import Service

    service = Service.of(endpoint, contact)
    findings = find(service, slow=slow)
    for line in lines(findings):
        typer.echo(line)
    if not usable(findings):
        raise ServiceError(f"{service.address}: links cannot be made here", Status.REJECTED)
    typer.echo(f"{service.address}: links can be made here")
