"""Rows into tables: many at once, through an Arrow stream.

Row-by-row inserts would take minutes for what takes moments this way.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from makieval.arrow import ArrowStream

if TYPE_CHECKING:
    import duckdb


def insert(
    connection: "duckdb.DuckDBPyConnection",
    table: str,
    columns: str,
    rows: Sequence[Sequence[Any]],
) -> int:
    """Add `rows` to `table` in one statement, leaving out those whose key is there already.

    `columns` are their names in the rows' order, with spaces between. Returns the rows added.
    """
    if not rows:
        return 0
    import polars as pl

    given = columns.split()

    types: dict[str, str] = dict(
        connection.execute(
            "SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = ?", [table]
        ).fetchall()
    )
    schema = {column: _polars_type(types[column]) for column in given}
    frame = pl.DataFrame([tuple(row) for row in rows], schema=schema, orient="row")
    connection.register("incoming", ArrowStream(frame))
    names = ", ".join(f'"{column}"' for column in given)
    try:
        added = connection.execute(
            f"INSERT OR IGNORE INTO {table} ({names}) SELECT {names} FROM incoming"
            if _has_key(connection, table)
            else f"INSERT INTO {table} ({names}) SELECT {names} FROM incoming"
        ).fetchall()
    finally:
        connection.unregister("incoming")
    return int(added[0][0])


def _polars_type(sql: str) -> Any:
    import polars as pl

    simple: Mapping[str, Any] = {
        "VARCHAR": pl.String,
        "INTEGER": pl.Int32,
        "BIGINT": pl.Int64,
        "DOUBLE": pl.Float64,
        "BOOLEAN": pl.Boolean,
        "VARCHAR[]": pl.List(pl.String),
    }
    return simple[sql]


def _has_key(connection: "duckdb.DuckDBPyConnection", table: str) -> bool:
    found = connection.execute(
        "SELECT count(*) FROM duckdb_constraints()"
        " WHERE table_name = ? AND constraint_type = 'PRIMARY KEY'",
        [table],
    ).fetchall()
    return bool(found[0][0])
