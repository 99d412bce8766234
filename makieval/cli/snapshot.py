"""`snapshot build|update|diff|info|check`: local indexes of Wikidata."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="Local indexes of Wikidata.", no_args_is_help=True)


@app.command()
def info(
    source: Annotated[str, typer.Argument(help="`starter`, or a snapshot file.")] = "starter",
) -> None:
    """Show where a snapshot comes from and what it holds."""
    from makieval.wikidata.snapshot import Snapshot

    snapshot = Snapshot.named(source)
    typer.echo(f"id  {snapshot.id}")
    for key, value in snapshot.manifest.items():
        typer.echo(f"{key}  {value}")


@app.command()
def build(
    source: Annotated[
        str, typer.Argument(help="A folder of tables, a dump (.json .gz .bz2 .zst), or - for one.")
    ],
    to: Annotated[Path, typer.Argument(help="The snapshot file to write.")],
    topics: Annotated[list[str] | None, typer.Option(metavar="A,B", help="Default: all.")] = None,
    languages: Annotated[
        list[str] | None, typer.Option(metavar="A,B", help="Of names. Default: all 13.")
    ] = None,
    properties: Annotated[
        list[str] | None, typer.Option(metavar="P1,P2", help="To keep beside those of origins.")
    ] = None,
    without: Annotated[
        list[str] | None, typer.Option(metavar="Q1,Q2", help="Classes whose instances to drop.")
    ] = None,
    redirects: Annotated[
        Path | None, typer.Option(help="Merged items, as redirects.tsv; dumps hold none.")
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Stop at a damaged line.")] = False,
    memory_limit: Annotated[str, typer.Option(help="For the database; else it spills.")] = "2GB",
    workers: Annotated[int, typer.Option(min=0, help="0: as many as processors.")] = 0,
    against: Annotated[
        Path | None, typer.Option(help="The snapshot before: stop where a class explodes.")
    ] = None,
    accept_growth: Annotated[
        bool, typer.Option("--accept-growth", help="Build all the same.")
    ] = False,
    keep_tables: Annotated[
        bool, typer.Option("--keep-tables", help="Leave the tables beside the snapshot.")
    ] = False,
) -> None:
    """Build a snapshot file from a folder of tables or a Wikidata dump; go on after a kill."""
    from makieval.cli.building import Request, built

    for line in built(
        Request(
            source=source,
            to=to,
            topics=topics,
            languages=languages,
            properties=properties,
            without=without,
            redirects=redirects,
            strict=strict,
            memory=memory_limit,
            workers=workers,
            against=against,
            accept_growth=accept_growth,
            keep_tables=keep_tables,
        )
    ):
        typer.echo(line)


@app.command()
def update(
    snapshot: Annotated[Path, typer.Argument(help="A snapshot that was built from a dump.")],
    delta: Annotated[Path, typer.Argument(help="Changed entities, one per line as in a dump.")],
    to: Annotated[
        Path | None, typer.Option("--to", help="The file to write (default: in its place).")
    ] = None,
    memory_limit: Annotated[str, typer.Option(help="For the database; else it spills.")] = "2GB",
) -> None:
    """Merge changed, merged and deleted entities into a snapshot."""
    from makieval.wikidata.update import update as merge

    for line in merge(snapshot, delta, to or snapshot, memory=memory_limit).sentences():
        typer.echo(line)


@app.command()
def diff(
    before: Annotated[str, typer.Argument(help="`starter`, or a snapshot file.")],
    after: Annotated[str, typer.Argument(help="`starter`, or a snapshot file.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Show what changed from one snapshot to another: items, names, statements, classes."""
    import json

    from makieval.wikidata.diff import compare

    found = compare(before, after)
    if as_json:
        typer.echo(json.dumps(found.record(), ensure_ascii=False, indent=1))
    else:
        for line in found.lines():
            typer.echo(line)


@app.command()
def check(
    tables: Annotated[
        Path | None, typer.Argument(help="A folder of tables; the shipped starter if left out.")
    ] = None,
) -> None:
    """Prove that tables are consistent: closures reach the roots, no dangling ids, …"""
    from makieval.errors import SnapshotError
    from makieval.wikidata.consistency import check as find
    from makieval.wikidata.snapshot import starter_tables

    folder = tables or starter_tables()
    findings = find(folder)
    for finding in findings:
        typer.echo(str(finding))
    if findings:
        raise SnapshotError(f"{folder}: {len(findings)} findings")
    typer.echo(f"{folder}: consistent")
