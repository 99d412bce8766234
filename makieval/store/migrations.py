"""Bringing a store's file to the schema of this makieval: numbered steps, then fresh views."""

from pathlib import Path
from typing import TYPE_CHECKING

from makieval import resources
from makieval.errors import StoreError
from makieval.fingerprint import fingerprint

if TYPE_CHECKING:
    import duckdb


def is_current(connection: "duckdb.DuckDBPyConnection") -> bool:
    """Whether the file has the tables and views of this makieval."""
    found = connection.execute(
        "SELECT 1 FROM duckdb_tables() WHERE table_name = 'schema_version'"
    ).fetchall()
    if not found:
        return False
    rows = connection.execute("SELECT DISTINCT views FROM schema_version").fetchall()
    return rows == [(_views(),)]


def migrate(connection: "duckdb.DuckDBPyConnection", database: Path) -> None:
    """Apply what is new under sql/schema, then define every view afresh."""
    connection.execute(
        "CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL, views VARCHAR)"
    )
    row = connection.execute("SELECT coalesce(max(version), 0) FROM schema_version").fetchone()
    have = int(row[0]) if row else 0
    files = {int(path.name[:4]): path for path in resources.sql("schema")}
    if have > max(files):
        raise StoreError(
            f"{database}: made by a newer makieval (schema {have}, this one knows {max(files)});"
            " update makieval"
        )
    connection.begin()
    for version, path in files.items():
        if version > have:
            connection.execute(path.read_text(encoding="utf-8"))
            connection.execute("INSERT INTO schema_version (version) VALUES (?)", [version])
    for path in resources.sql("views"):
        connection.execute(path.read_text(encoding="utf-8"))
    for path in _metrics_in_order():
        body = path.read_text(encoding="utf-8")
        connection.execute(f"CREATE OR REPLACE VIEW {path.stem} AS\n{body}")
    connection.execute("UPDATE schema_version SET views = ?", [_views()])
    connection.commit()


def _metrics_in_order() -> list[Path]:
    """The metric files, those that others read first."""
    return sorted(resources.sql("metrics"), key=lambda path: (path.stem.count("_"), path.stem))


def _views() -> str:
    """The version of all views, so that a store of an older makieval is told from ours."""
    files = [*resources.sql("views"), *resources.sql("metrics")]
    texts = {path.name: path.read_text(encoding="utf-8") for path in files}
    return fingerprint("views", texts)
