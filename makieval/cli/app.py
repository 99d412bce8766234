"""The commands by name. Nothing heavy is imported here, so that `--help` is quick."""

import typer

from makieval.cli import (
    catalog,
    demo,
    link,
    models,
    relink,
    replay,
    results,
    serve,
    snapshot,
    study,
    wikidata,
)

app = typer.Typer(
    name="makieval",
    help="What language models know and say about the world's cultures, with evidence.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
demo.add(app)
study.add(app)
results.add(app)
replay.add(app)
relink.add(app)
app.add_typer(models.app, name="models")
app.add_typer(snapshot.app, name="snapshot")
app.add_typer(link.app, name="link")
app.add_typer(serve.app, name="serve")
app.add_typer(wikidata.app, name="wikidata")
app.add_typer(catalog.app, name="catalog")
