"""Building a snapshot from tables: validate, compute keys and closures, write, rename.

The file appears under its name only when it is complete; an interrupted build leaves nothing that
could be opened by mistake.
"""

# Polars annotates with libraries that need not be installed.
# pyright: reportUnknownMemberType=false

import json
import secrets
import shutil
from collections.abc import Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from makieval import catalog
from makieval.arrow import ArrowStream
from makieval.errors import SnapshotError
from makieval.fingerprint import fingerprint
from makieval.linking import normalise
from makieval.linking.barred import barred_classes
from makieval.linking.candidates import Scope, number
from makieval.linking.columns import keys
from makieval.nearest import nearest
from makieval.resources import shipped
from makieval.wikidata import closure, tables

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    import duckdb
    import polars

#: Version of the layout in sql/snapshot/schema.sql.
SCHEMA = 2

#: Rows that are read together: few enough that one name is found in a millisecond or two.
ROW_GROUP = 16_384

#: What DuckDB may hold while building, unless told otherwise.
MEMORY = "2GB"


def statement(name: str) -> str:
    """The text of `sql/snapshot/<name>.sql`."""
    return (shipped("sql") / "snapshot" / f"{name}.sql").read_text(encoding="utf-8")


def hash_check(connection: "duckdb.DuckDBPyConnection") -> int:
    """What this DuckDB's own hash makes of a word: it promises none to other versions."""
    return connection.execute("SELECT hash('en', 'makieval')").fetchall()[0][0]


def roots() -> dict[str, list[str]]:
    """Topic → the classes whose closure a snapshot holds, by the catalog."""
    return {topic.id: sorted(topic.all_roots, key=number) for topic in catalog.topics().values()}


def scopes() -> list[Scope]:
    """The scopes that names are marked with, by the catalog: as many as a number has bits."""
    every = (
        Scope.of(topic, entity_type)
        for topic in catalog.topics().values()
        for entity_type in topic.types.values()
        if entity_type.granularity != "excluded"
    )
    return list(dict.fromkeys(every))[:64]


def scope_rows(scopes: Sequence[Scope]) -> "polars.DataFrame":
    """One row per scope and root, in order; the root '' is direct evidence."""
    import polars as pl

    rows = [
        (at, scope.topic, root, ordinal)
        for at, scope in enumerate(scopes)
        for ordinal, root in enumerate((*scope.roots, "") if scope.direct else scope.roots)
    ]
    schema = {"scope": pl.Int32, "topic": pl.String, "root": pl.String, "ordinal": pl.Int32}
    return pl.DataFrame(rows, schema=schema, orient="row")


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
            "scopes": [asdict(scope) for scope in scopes()],
            "barred": sorted(barred_classes()),
        },
    )


def build(
    folder: str | Path, path: str | Path, approximate: bool = True, memory: str = MEMORY
) -> None:
    """Build the snapshot file `path` from the tables in `folder`, over any older one.

    Approximate search needs a table of about 5 bytes per character of all names; without, the
    snapshot answers exact questions only. `memory` bounds what DuckDB holds ("2GB"); beyond that
    it spills beside `path`. A `SnapshotError` where a table does not conform or the file cannot be
    written.
    """
    folder, path = Path(folder), Path(path)
    source = tables.manifest(folder)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _replacing(path) as connection:
            connection.execute("SET memory_limit = $1", [memory])
            connection.execute(statement("schema"))
            _load(connection, folder)
            _close(connection)
            connection.execute(statement("member"))
            _file_names(connection)
            if approximate:
                connection.execute(statement("deletions"))
            _describe(connection, identity(folder, approximate), approximate, source)
    except OSError as error:
        raise SnapshotError(f"{path}: cannot be written ({error})") from error


@contextmanager
def _replacing(path: Path) -> "Generator[duckdb.DuckDBPyConnection]":
    """A connection to a file that takes the place of `path` once the block has succeeded."""
    import duckdb

    part = path.with_name(f".{path.name}.{secrets.token_hex(6)}.part")
    try:
        connection = duckdb.connect()
        try:
            file = str(part).replace("'", "''")
            connection.execute(f"ATTACH '{file}' AS snapshot (ROW_GROUP_SIZE {ROW_GROUP})")
            connection.execute("USE snapshot")
            spill = f"{part}.tmp".replace("'", "''")
            connection.execute(f"SET temp_directory = '{spill}'")
            yield connection
            connection.execute("CHECKPOINT snapshot")
        finally:
            connection.close()
        part.replace(path)
    except duckdb.IOException as error:
        raise SnapshotError(f"{path}: cannot be written ({str(error).splitlines()[0]})") from error
    finally:
        part.unlink(missing_ok=True)
        part.with_name(f"{part.name}.wal").unlink(missing_ok=True)
        shutil.rmtree(part.with_name(f"{part.name}.tmp"), ignore_errors=True)


def _load(connection: "duckdb.DuckDBPyConnection", folder: Path) -> None:
    """Every table, piece by piece as it stands, then all but the names in order."""
    for name, columns in tables.LAYOUT.items():
        added = ("key",) if name == "names" else ()
        typed = ", ".join(f'"{column}" VARCHAR' for column in (*columns, *added))
        connection.execute(f"CREATE TEMP TABLE read_{name} ({typed})")
        for frame in _pieces(folder, name):
            _insert(connection, f"read_{name}", frame)
    if not connection.execute("FROM read_items LIMIT 1").fetchall():
        raise SnapshotError(f"{folder / 'items.tsv'}: holds no item")
    connection.execute(statement("load"))
    for name in tables.LAYOUT:
        if name != "names":
            connection.execute(f"DROP TABLE read_{name}")


def _pieces(folder: Path, name: str) -> "Iterator[polars.DataFrame]":
    import polars as pl

    if name == "topics":
        yield _known(folder, pl.concat(tables.batches(folder, name)))
    elif name == "redirects":
        yield _final(folder, pl.concat(tables.batches(folder, name)))
    elif name == "names":
        for frame in tables.batches(folder, name):
            yield frame.with_columns(keys(frame["name"], frame["lang"]).alias("key"))
    else:
        yield from tables.batches(folder, name)


def _known(folder: Path, topics: "polars.DataFrame") -> "polars.DataFrame":
    """The direct evidence, where it is for topics of the catalog."""
    known = catalog.topics()
    for line, topic in enumerate(topics["topic"], start=2):
        if topic not in known:
            raise SnapshotError(
                f"{folder / 'topics.tsv'}, line {line}: topic is {topic!r} "
                f"(allowed: {', '.join(known)}){nearest(topic, known)}"
            )
    return topics


def _final(folder: Path, redirects: "polars.DataFrame") -> "polars.DataFrame":
    """The redirects, each to where it ends: items are merged more than once."""
    import polars as pl

    pairs = dict(redirects.iter_rows())

    def end(source: str) -> str:
        seen = {source}
        while (target := pairs.get(source)) is not None:
            if target in seen:
                where = folder / "redirects.tsv"
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
    schema: Mapping[str, Any] = {
        "topic": pl.String,
        "class": pl.String,
        "root": pl.String,
        "depth": pl.Int32,
        "parent": pl.String,
        "path": pl.List(pl.String),
    }
    for topic, its_roots in roots().items():
        for root in its_roots:
            rows = [
                (topic, path[0], root, len(path) - 1, next(iter(path[1:]), None), path)
                for path in closure.paths(number(root), below)
            ]
            _insert(connection, "closure", pl.DataFrame(rows, schema=schema, orient="row"))
    pages = {
        f"Q{entry.cls}" for root in barred_classes() for entry in closure.under(number(root), below)
    }
    _insert(connection, "barred", pl.DataFrame({"class": sorted(pages, key=number)}))


def _file_names(connection: "duckdb.DuckDBPyConnection") -> None:
    """Fill `names`, last: each carries what its item fits."""
    connection.register("scopes", ArrowStream(scope_rows(scopes())))
    connection.execute(statement("names_in_order"))
    connection.unregister("scopes")
    connection.execute("DROP TABLE read_names")


def _insert(connection: "duckdb.DuckDBPyConnection", table: str, frame: "polars.DataFrame") -> None:
    connection.register("incoming", ArrowStream(frame))
    connection.execute(f"INSERT INTO {table} BY NAME FROM incoming")
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
        "scopes": [asdict(scope) for scope in scopes()],
        "counts": dict(_counts(connection, (*tables.LAYOUT, "closure", "member"))),
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
