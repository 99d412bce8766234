"""`catalog topics|languages|countries|framings|prompt`: what can be asked about."""

from typing import Annotated

import typer

app = typer.Typer(help="What can be asked about, and in which words.", no_args_is_help=True)


@app.command()
def topics() -> None:
    """List the topics with their entity types."""
    from makieval import catalog

    for topic in catalog.topics().values():
        types = ", ".join(t.id for t in topic.types.values() if t.granularity != "excluded")
        typer.echo(f"{topic.id:<15} {topic.scene}: {types}")


@app.command()
def languages() -> None:
    """List the languages."""
    from makieval import catalog

    for language in catalog.languages().values():
        typer.echo(f"{language.code:<6} {language.english} ({language.autonym})")


@app.command()
def countries() -> None:
    """List the countries and regions."""
    from makieval import catalog

    for country in catalog.countries().values():
        mark = "" if country.evaluated else "  (not evaluated in the paper)"
        typer.echo(f"{country.id:<22} {country.qid:<7} {country.english}{mark}")


@app.command()
def framings() -> None:
    """List the framings."""
    from makieval import catalog

    for framing in catalog.framings().values():
        typer.echo(f"{framing.id:<16} {framing.english}")


@app.command()
def prompt(
    topic: str,
    language: str,
    framing: Annotated[str, typer.Argument()] = "neutral",
    country: Annotated[str | None, typer.Argument()] = None,
) -> None:
    """Print one prompt, word for word."""
    from makieval import catalog

    typer.echo(catalog.prompt(topic, language, framing, country))
