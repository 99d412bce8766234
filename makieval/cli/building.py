"""Building a snapshot in front of somebody: from whatever the source is, with a bar."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from makieval.errors import InputError


@dataclass(frozen=True)
class Request:
    """What `snapshot build` was asked for; see its options."""

    source: str
    to: Path
    topics: list[str] | None
    languages: list[str] | None
    properties: list[str] | None
    without: list[str] | None
    redirects: Path | None
    strict: bool
    memory: str
    workers: int
    against: Path | None
    accept_growth: bool
    keep_tables: bool


def built(request: Request) -> Iterator[str]:
    """Build it; what came of it, in lines."""
    from makieval.wikidata.snapshot import Snapshot

    if Path(request.source).is_dir():
        yield from _from_tables(request)
    else:
        yield from _from_dump(request)
    with Snapshot.open(request.to) as snapshot:
        counts = ", ".join(f"{n:,} {table}" for table, n in snapshot.manifest["counts"].items())
        yield f"{request.to}  {snapshot.id}"
        yield counts


def _from_tables(request: Request) -> Iterator[str]:
    from makieval.wikidata.dump.guard import check_tables
    from makieval.wikidata.snapshot import build

    of_dumps = {
        "--topics": request.topics,
        "--languages": request.languages,
        "--properties": request.properties,
        "--without": request.without,
        "--redirects": request.redirects,
        "--strict": request.strict,
    }
    if given := [name for name, value in of_dumps.items() if value]:
        raise InputError(f"{', '.join(given)}: for dumps; {request.source} is a folder of tables")
    if request.against and not request.accept_growth:
        check_tables(Path(request.source), request.against, request.memory)
    build(request.source, request.to, memory=request.memory)
    yield from ()


def _from_dump(request: Request) -> Iterator[str]:
    import os

    from makieval.cli.progress import Bars, Download
    from makieval.wikidata.dump.build import Options, build
    from makieval.wikidata.dump.reader import Reading
    from makieval.wikidata.dump.wanted import Wanted

    wanted = Wanted.of(
        topics=_split(request.topics),
        languages=_split(request.languages),
        properties=_split(request.properties) or (),
        without=_split(request.without) or (),
    )
    with Bars() as bars:
        download = Download(bars)

        def heard(done: int, total: int | None) -> None:
            if total:
                download("read", done, total)

        reading = Reading(
            workers=request.workers or os.cpu_count() or 1, strict=request.strict, heard=heard
        )
        options = Options(
            reading=reading,
            redirects=request.redirects,
            memory=request.memory,
            against=request.against,
            accept_growth=request.accept_growth,
            keep=request.keep_tables,
        )
        try:
            result = build(request.source, request.to, wanted, options)
        finally:
            download.close()
    yield from result.report.sentences()


def _split(values: list[str] | None) -> list[str] | None:
    """`--topics food,book --topics music` is three topics."""
    if not values:
        return None
    return [part.strip() for value in values for part in value.split(",") if part.strip()]
