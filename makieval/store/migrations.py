"""Bringing a store's file to the schema of this makieval: numbered steps, then fresh views."""

from pathlib import Path
from typing import TYPE_CHECKING

from makieval import resources
from makieval.errors import StoreError

if TYPE_CHECKING:
    import duckdb


def migrate(connection: "duckdb.DuckDBPyConnection", database: Path) -> None:
    """Apply what is new under sql/schema, then define every view afresh."""
    connection.execute("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)")
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
            connection.execute("INSERT INTO schema_version VALUES (?)", [version])
    for path in resources.sql("views"):
        connection.execute(path.read_text(encoding="utf-8"))
    for path in _metrics_in_order():
        body = path.read_text(encoding="utf-8")
        connection.execute(f"CREATE OR REPLACE VIEW {path.stem} AS\n{body}")
    connection.commit()


def _metrics_in_order() -> list[Path]:
    """The metric files, those that others read first."""
    return sorted(resources.sql("metrics"), key=lambda path: (path.stem.count("_"), path.stem))
