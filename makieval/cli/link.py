"""`link one|eval|suite|review`: what the linker decides, how well, and what people decide."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from makieval.report.cells import Table

app = typer.Typer(help="The linker: its decisions and how good they are.", no_args_is_help=True)

SourceOption = Annotated[
    str, typer.Option("--source", help="`starter`, or the path of a snapshot file.")
]
LanguageOption = Annotated[str, typer.Option("--language", help="The language of the text.")]
TopicOption = Annotated[str, typer.Option("--topic", help="What the text is about.")]
TypeOption = Annotated[
    str | None, typer.Option("--type", help="An entity type of the topic (see `catalog topics`).")
]
_WIDTH = 260  # a log has no edge to wrap at


@app.command()
def one(
    surface: Annotated[str, typer.Argument(help="The words as they stand in the text.")],
    language: LanguageOption,
    topic: TopicOption,
    entity_type: TypeOption = None,
    source: SourceOption = "starter",
    reviewed: Annotated[
        Path | None, typer.Option(help="A file of reviewed decisions that come first.")
    ] = None,
) -> None:
    """Link one mention and explain the decision."""
    from makieval.linking import Linker
    from makieval.linking.asked import mention, topics
    from makieval.linking.explain import explain
    from makieval.linking.reviewed import Reviewed, load
    from makieval.wikidata.snapshot import Snapshot

    asked = mention(surface, language, topic, entity_type)
    with Snapshot.named(source) as snapshot:
        linker = Linker(snapshot, topics=topics())
        found = (Reviewed(linker, load(reviewed)) if reviewed else linker).link([asked])
        for line in explain(found[0], snapshot, ("en", asked.language)):
            typer.echo(line)


@app.command("eval")
def eval_(
    gold: Annotated[Path, typer.Argument(help="JSON lines, plain or gzipped.")],
    source: SourceOption = "starter",
    by: Annotated[
        str, typer.Option(help="What to break the figures down by, separated by commas.")
    ] = "language,topic,source,tier,method",
    worst: Annotated[int, typer.Option(help="How many of the worst kinds to list.")] = 20,
    json: Annotated[Path | None, typer.Option(help="Write every figure and row here.")] = None,
) -> None:
    """Measure the linker on a gold set: precision, recall, NIL, and the kinds that fail."""
    from makieval.linking import gold as golds
    from makieval.linking.evaluate import evaluate, facets_named
    from makieval.report import links
    from makieval.wikidata.snapshot import Snapshot

    facets = facets_named(by)
    rows = golds.load(gold)
    with Snapshot.named(source) as snapshot:
        evaluation = evaluate(snapshot, rows)
    _print(*links.measures(evaluation, facets), links.worst(evaluation, worst))
    if json is not None:
        _write(json, evaluation.as_record())


@app.command()
def suite(
    source: SourceOption = "starter",
    per_language: Annotated[
        int, typer.Option("--per-language", min=1, help="Names drawn for each language.")
    ] = 150,
    seed: Annotated[int, typer.Option(help="Draws other names and other typos.")] = 0,
    json: Annotated[Path | None, typer.Option(help="Write every changed name here.")] = None,
) -> None:
    """Measure what changes of spelling lose, and what the linker makes of absent names."""
    from makieval.linking import suites
    from makieval.report import links
    from makieval.wikidata.snapshot import Snapshot

    with Snapshot.named(source) as snapshot:
        names = suites.sample(snapshot, per_language, seed)
        changed = suites.perturb(snapshot, names, seed)
        absent = suites.without(snapshot, names)
    _print(
        links.perturbations(suites.shares(changed)),
        links.absent(suites.shares(absent)),
    )
    if json is not None:
        _write(json, suites.as_record(changed + absent))


@app.command()
def review(
    surface: Annotated[str, typer.Argument(help="The words as they stand in the text.")],
    language: LanguageOption,
    topic: TopicOption,
    qid: Annotated[str, typer.Option(help="The item it means, or NIL for none.")],
    who: Annotated[str, typer.Option(help="Who decided.")],
    why: Annotated[str, typer.Option(help="The reason, in a few words.")],
    entity_type: TypeOption = None,
    file: Annotated[Path, typer.Option(help="The file of reviewed decisions.")] = Path(
        "reviewed.tsv"
    ),
) -> None:
    """Write down what a mention means; the decision overrides the linker from then on."""
    from makieval.linking.reviewed import Decision, append

    decision = Decision.today(surface, language, topic, entity_type, qid, who=who, why=why)
    append(file, decision)
    typer.echo(f"{file}: {decision}")


def _print(*tables: "Table") -> None:
    from rich.console import Console

    from makieval.report.tables import drawn

    console = Console()
    if not console.is_terminal:
        console = Console(width=_WIDTH)
    for table in tables:
        console.print(drawn(table))


def _write(path: Path, record: object) -> None:
    import json

    from makieval.errors import InputError

    try:
        path.write_text(json.dumps(record, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None
