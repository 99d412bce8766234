"""Building a snapshot from tables: validate, compute keys and closures, write, rename.

The file appears under its name only when it is complete; an interrupted build leaves nothing that
could be opened by mistake.
"""

import json
import secrets
from collections.abc import Iterable, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from makieval import catalog
from makieval.arrow import ArrowStream
from makieval.errors import SnapshotError
from makieval.fingerprint import fingerprint
from makieval.linking import normalise
from makieval.linking.barred import barred_classes
from makieval.linking.candidates import number
from makieval.nearest import nearest
from makieval.resources import shipped
from makieval.wikidata import closure, tables

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    import duckdb
    import polars

#: Version of the layout in sql/snapshot/schema.sql.
SCHEMA = 2


def statement(name: str) -> str:
    """The text of `sql/snapshot/<name>.sql`."""
    return (shipped("sql") / "snapshot" / f"{name}.sql").read_text(encoding="utf-8")


def hash_check(connection: "duckdb.DuckDBPyConnection") -> int:
    """What this DuckDB's own hash makes of a word: it promises none to other versions."""
    return connection.execute("SELECT hash('en', 'makieval')").fetchall()[0][0]


def roots() -> dict[str, list[str]]:
    """Topic → the classes whose closure a snapshot holds, by the catalog."""
    return {topic.id: sorted(topic.all_roots, key=number) for topic in catalog.topics().values()}


def identity(folder: Path, approximate: bool = True) -> str:
    """The id of the snapshot that the tables in `folder` make, without making it."""
    return fingerprint(
        "snapshot",
        {
            "schema": SCHEMA,
            "approximate": approximate,
            "normaliser": normalise.VERSION,
            "tables": tables.digest(folder),
            "roots": roots(),
            "barred": sorted(barred_classes()),
        },
    )


def build(folder: str | Path, path: str | Path, approximate: bool = True) -> None:
    """Build the snapshot file `path` from the tables in `folder`, over any older one.

    Approximate search needs a table of about 5 bytes per character of all names; without, the
    snapshot answers exact questions only.
    A `SnapshotError` where a table does not conform or the file cannot be written.
    """
    folder, path = Path(folder), Path(path)
    content = tables.read(folder)
    if not content.frames["items"].height:
        raise SnapshotError(f"{folder / 'items.tsv'}: holds no item")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _replacing(path) as connection:
            connection.execute(statement("schema"))
            _load(connection, content)
            _close(connection)
            if approximate:
                connection.execute(statement("deletions"))
            _describe(connection, identity(folder, approximate), approximate, content.manifest)
    except OSError as error:
        raise SnapshotError(f"{path}: cannot be written ({error})") from error


@contextmanager
def _replacing(path: Path) -> "Generator[duckdb.DuckDBPyConnection]":
    """A connection to a file that takes the place of `path` once the block has succeeded."""
    import duckdb

    part = path.with_name(f".{path.name}.{secrets.token_hex(6)}.part")
    try:
        connection = duckdb.connect(str(part))
        try:
            yield connection
        finally:
            connection.close()
        part.replace(path)
    except duckdb.IOException as error:
        raise SnapshotError(f"{path}: cannot be written ({str(error).splitlines()[0]})") from error
    finally:
        part.unlink(missing_ok=True)
        part.with_name(f"{part.name}.wal").unlink(missing_ok=True)


def _load(connection: "duckdb.DuckDBPyConnection", content: tables.Tables) -> None:
    import polars as pl

    frames = dict(content.frames)
    _check_topics(content)
    names = frames["names"]
    pairs = zip(names["name"], names["lang"], strict=True)
    keys = [normalise.key(name, language) for name, language in pairs]
    frames["names"] = names.hstack([pl.Series("key", keys, dtype=pl.String)])
    frames["redirects"] = _final(content)
    for name, frame in frames.items():
        connection.register(f"read_{name}", ArrowStream(frame))
    connection.execute(statement("load"))
    for name in frames:
        connection.unregister(f"read_{name}")


def _check_topics(content: tables.Tables) -> None:
    known = catalog.topics()
    for line, topic in enumerate(content.frames["topics"]["topic"], start=2):
        if topic not in known:
            raise SnapshotError(
                f"{content.folder / 'topics.tsv'}, line {line}: topic is {topic!r} "
                f"(allowed: {', '.join(known)}){nearest(topic, known)}"
            )


def _final(content: tables.Tables) -> "polars.DataFrame":
    """The redirects, each to where it ends: items are merged more than once."""
    import polars as pl

    pairs = dict(content.frames["redirects"].iter_rows())

    def end(source: str) -> str:
        seen = {source}
        while (target := pairs.get(source)) is not None:
            if target in seen:
                where = content.folder / "redirects.tsv"
                raise SnapshotError(f"{where}: {target} redirects to itself, in a circle")
            seen.add(target)
            source = target
        return source

    rows = [(source, end(source)) for source in pairs]
    return pl.DataFrame(rows, schema={"from": pl.String, "to": pl.String}, orient="row")


def _close(connection: "duckdb.DuckDBPyConnection") -> None:
    """Fill `closure` and `barred` from the P279 statements just loaded."""
    import polars as pl

    below = closure.subclasses(connection.execute(statement("subclass_edges")).fetchall())
    rows = [
        (topic, f"Q{entry.cls}", root, entry.depth, entry.parent and f"Q{entry.parent}")
        for topic, its_roots in roots().items()
        for root in its_roots
        for entry in closure.under(number(root), below)
    ]
    schema: Mapping[str, Any] = {
        "topic": pl.String,
        "class": pl.String,
        "root": pl.String,
        "depth": pl.Int32,
        "parent": pl.String,
    }
    _insert(connection, "closure", pl.DataFrame(rows, schema=schema, orient="row"))
    pages = {
        f"Q{entry.cls}" for root in barred_classes() for entry in closure.under(number(root), below)
    }
    _insert(connection, "barred", pl.DataFrame({"class": sorted(pages, key=number)}))


def _insert(connection: "duckdb.DuckDBPyConnection", table: str, frame: "polars.DataFrame") -> None:
    connection.register("incoming", ArrowStream(frame))
    connection.execute(f"INSERT INTO {table} SELECT * FROM incoming ORDER BY ALL")
    connection.unregister("incoming")


def _describe(
    connection: "duckdb.DuckDBPyConnection",
    ident: str,
    approximate: bool,
    source: Mapping[str, Any],
) -> None:
    """The manifest, written last."""
    import polars as pl

    entries: dict[str, Any] = {
        **source,
        "id": ident,
        "schema": SCHEMA,
        "normaliser": normalise.VERSION,
        "approximate": approximate,
        "hash": hash_check(connection),
        "roots": roots(),
        "counts": dict(_counts(connection, (*tables.LAYOUT, "closure"))),
    }
    rows = [
        (key, json.dumps(value, ensure_ascii=False, default=str))
        for key, value in sorted(entries.items())
    ]
    schema = {"key": pl.String, "value": pl.String}
    _insert(connection, "manifest", pl.DataFrame(rows, schema=schema, orient="row"))


def _counts(
    connection: "duckdb.DuckDBPyConnection", names: Iterable[str]
) -> "Iterator[tuple[str, int]]":
    for name in names:
        row = connection.execute(f"SELECT count(*) FROM {name}").fetchall()[0]
        yield name, row[0]
