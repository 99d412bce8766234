"""From everything that was read to the tables of a snapshot: follow, close, choose, write.

The rows come as four views (`read_item`, `read_name`, `read_statement`, `read_description`), from
a dump's parts or from a snapshot with its changes; the same SQL under sql/dump/ makes tables of
both, in one order, so that the same facts give the same bytes. DuckDB spills to disk what does not
fit into `memory`.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from makieval import catalog
from makieval.arrow import ArrowStream
from makieval.errors import InputError, SnapshotError
from makieval.linking.barred import barred_classes
from makieval.linking.candidates import number
from makieval.resources import shipped
from makieval.wikidata import tables
from makieval.wikidata.dump.wanted import Wanted

if TYPE_CHECKING:
    from collections.abc import Generator

    import duckdb

#: What DuckDB may take unless told otherwise; reading and Python take some 0.5 GB beside it.
MEMORY = "2GB"
_MERGES = 64
_QID = re.compile(r"Q[1-9][0-9]*")


def statement(name: str) -> str:
    """The text of `sql/dump/<name>.sql`."""
    return (shipped("sql") / "dump" / f"{name}.sql").read_text(encoding="utf-8")


@contextmanager
def scratch(folder: Path, memory: str = MEMORY) -> "Generator[duckdb.DuckDBPyConnection]":
    """A database of its own in `folder`, gone afterwards, that takes at most `memory`."""
    import duckdb

    if not re.fullmatch(r"[1-9][0-9]*(\.[0-9]+)? ?[KMGT]i?B", memory):
        raise InputError(f"memory limit {memory!r} (must be like 4GB or 800MB)")
    path = folder / "scratch.duckdb"
    path.unlink(missing_ok=True)
    connection = duckdb.connect(
        str(path),
        config={
            "memory_limit": memory,
            "temp_directory": str(folder / "spill"),
            "preserve_insertion_order": False,
        },
    )
    try:
        yield connection
    except duckdb.OutOfMemoryException as error:
        raise SnapshotError(
            f"{memory} of memory is too little for this choice; give more with --memory-limit"
            f" ({str(error).splitlines()[0]})"
        ) from error
    finally:
        connection.close()
        path.unlink(missing_ok=True)
        path.with_name(f"{path.name}.wal").unlink(missing_ok=True)


def close(
    connection: "duckdb.DuckDBPyConnection",
    wanted: Wanted,
    redirects: Iterable[tuple[str, str]] | None = None,
) -> None:
    """Follow merged items and compute the closures over the views `read_*`."""
    connection.execute(statement("schema"))
    insert(connection, "redirected", [(number(a), number(b)) for a, b in redirects or ()])
    _follow(connection)
    insert(connection, "root", [(t, number(root), creator) for t, root, creator in wanted.roots()])
    insert(connection, "page", [(number(qid),) for qid in barred_classes()])
    insert(connection, "left_out", [(number(qid),) for qid in wanted.without])
    countries = catalog.countries().values()
    insert(connection, "country", [(number(country.qid),) for country in countries])
    insert(connection, "own", [(pid,) for pid in wanted.own])
    insert(connection, "of_creators", [(pid,) for pid in wanted.creators])
    connection.execute(statement("close"))


def write(
    connection: "duckdb.DuckDBPyConnection", folder: Path, manifest: Mapping[str, Any]
) -> dict[str, int]:
    """The tables of what is kept, under `folder`; rows by table. The manifest comes last."""
    folder.mkdir(parents=True, exist_ok=True)
    connection.execute(statement("keep"))
    counts: dict[str, int] = {}
    for name in tables.LAYOUT:
        path = folder / f"{name}.tsv"
        written = connection.execute(
            f"COPY ({statement(name)}) TO '{quoted(path)}'"
            " (FORMAT csv, DELIMITER '\t', QUOTE '', ESCAPE '', HEADER true)"
        ).fetchall()
        counts[name] = written[0][0]
    lines = toml({**manifest, "counts": counts})
    (folder / "manifest.toml").write_text(lines, encoding="utf-8")
    return counts


def read_redirects(path: Path) -> list[tuple[str, str]]:
    """The rows of a file of redirects: tab-separated, with the header `from to`."""
    rows: list[tuple[str, str]] = []
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, start=1):
                source, _, target = line.rstrip("\r\n").partition("\t")
                if number == 1 and (source, target) == ("from", "to"):
                    continue
                if number == 1 or not (_QID.fullmatch(source) and _QID.fullmatch(target)):
                    must = "the header from, to" if number == 1 else "two items"
                    raise SnapshotError(f"{path}, line {number}: {line.strip()!r} (must be {must})")
                rows.append((source, target))
    except (OSError, UnicodeDecodeError) as error:
        raise SnapshotError(f"{path}: cannot be read ({error})") from None
    return rows


def toml(manifest: Mapping[str, Any]) -> str:
    """A manifest as TOML: strings, lists of strings, and one level of tables."""
    flat = {key: value for key, value in manifest.items() if not isinstance(value, Mapping)}
    lines = [f"{key} = {_toml(value)}" for key, value in flat.items()]
    for key in manifest.keys() - flat.keys():
        lines += ["", f"[{key}]", *(f"{name} = {_toml(v)}" for name, v in manifest[key].items())]
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    """JSON, which TOML reads too, but for DEL."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _follow(connection: "duckdb.DuckDBPyConnection") -> None:
    """Each redirect to where it ends: items are merged more than once."""
    for _ in range(_MERGES):
        changed = connection.execute(
            "UPDATE redirected r SET target = n.target FROM redirected n WHERE n.source = r.target"
        ).fetchall()
        if not changed[0][0]:
            return
    raise SnapshotError("redirects: some lead in a circle")


def insert(
    connection: "duckdb.DuckDBPyConnection", table: str, rows: Sequence[Sequence[Any]]
) -> None:
    """Add distinct `rows` to `table`."""
    import polars as pl

    if not rows:
        return
    frame = pl.DataFrame([tuple(row) for row in rows], orient="row", infer_schema_length=None)
    connection.register("incoming", ArrowStream(frame))
    connection.execute(f"INSERT INTO {table} SELECT DISTINCT * FROM incoming")
    connection.unregister("incoming")


def quoted(path: Path) -> str:
    """`path` for the inside of an SQL string."""
    return str(path).replace("'", "''")
