"""The store's views as files that other tools read, the same bytes each time.

One file per view with fixed columns in fixed order, rows ordered by all columns that tell them
apart, and a manifest with the SHA-256 of each file. Lists are `Q1|Q2` in CSV and lists elsewhere.
Parquet and JSON are part of the DuckDB wheel: nothing is downloaded.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from makieval.errors import DiskFull, InputError, StoreError
from makieval.nearest import nearest
from makieval.report import files, frames, words

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

CELL = ("study", "model", "topic", "language", "country", "framing")


@dataclass(frozen=True, slots=True)
class View:
    """A view's key columns, by which rows are ordered, its other columns, and which are lists."""

    keys: tuple[str, ...]
    values: tuple[str, ...]
    lists: frozenset[str] = frozenset()


def _columns(names: str) -> tuple[str, ...]:
    return tuple(names.split())


VIEWS: Mapping[str, View] = {
    "responses": View(
        (*CELL, "sample", "response_id"),
        _columns("prompt_id prompt status text in_language prompt_tokens completion_tokens"),
    ),
    "mentions": View(
        (*CELL, "response_id", "ordinal"),
        _columns(
            "surface entity_type granularity grounding_status start end link_id link_status qid "
            "label origins"
        ),
        frozenset({"origins"}),
    ),
    "coverage": View(CELL, frames.COUNTS),
    "granularity": View(CELL, ("value", "mentions", "specific")),
    "diversity": View(CELL, ("value", "linked_mentions")),
    "specificity": View(
        ("study", "model", "topic", "language", "target", "framing"),
        ("value", "matching", "known_origin", "linked"),
    ),
    "specificity_gain": View(
        ("study", "model", "topic", "language", "target"), ("neutral", "explicit", "gain")
    ),
    "consensus": View(
        ("study", "model", "topic", "country", "framing", "language_a", "language_b"),
        ("value", "shared", "total"),
    ),
}

#: Format name → what follows COPY, settings that could vary with the machine spelt out.
FORMATS: Mapping[str, str] = {
    "parquet": "FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880, PARQUET_VERSION v1",
    "csv": "FORMAT csv, HEADER true, DELIMITER ',', QUOTE '\"', ESCAPE '\"', NULLSTR ''",
    "jsonl": "FORMAT json, ARRAY false",
}


def export(
    connection: "DuckDBPyConnection",
    study: str,
    folder: Path,
    format: str,  # noqa: A002 - the option's name on the command line
    provenance: Mapping[str, str] | None = None,
) -> list[Path]:
    """Write every view of `study` into `folder` as `format` (parquet, csv or jsonl).

    Returns the files written, `manifest.json` last; each replaces its predecessor in one step.
    Raises `InputError` for an unknown format or a study without rows, `DiskFull` without room.
    """
    if format not in FORMATS:
        allowed = ", ".join(FORMATS)
        hint = nearest(format, FORMATS, {"json": "jsonl", "ndjson": "jsonl", "pq": "parquet"})
        raise InputError(f"unknown export format '{format}' (allowed: {allowed}){hint}")
    frames.scope(connection, study)
    written: list[Path] = []
    tables: list[dict[str, Any]] = []
    for name, view in VIEWS.items():
        path = folder / f"{name}.{format}"
        rows = _copy(connection, study, name, view, path, format)
        written.append(path)
        tables.append(
            {
                "table": name,
                "file": path.name,
                "rows": rows,
                "columns": [*view.keys, *view.values],
                "sha256": _sha256(path),
            }
        )
    manifest = {
        "study": study,
        "format": format,
        "tables": tables,
        "provenance": dict(provenance or {}),
        "cautions": [" ".join(caution) for caution in words.cautions(connection, study)],
    }
    text = json.dumps(manifest, ensure_ascii=False, indent=2) + "\n"
    written.append(files.replace(folder / "manifest.json", lambda path: _write(path, text)))
    return written


def _copy(
    connection: "DuckDBPyConnection", study: str, name: str, view: View, path: Path, kind: str
) -> int:
    import duckdb

    columns = ", ".join(
        f"""array_to_string("{column}", '|') AS "{column}\""""
        if kind == "csv" and column in view.lists
        else f'"{column}"'
        for column in (*view.keys, *view.values)
    )
    order = ", ".join(f'"{key}" NULLS FIRST' for key in view.keys)
    rows = 0

    def write(partial: Path) -> None:
        nonlocal rows
        target = str(partial).replace("'", "''")
        done = connection.execute(
            f"COPY (SELECT {columns} FROM {name} WHERE study = ? ORDER BY {order}) "
            f"TO '{target}' ({FORMATS[kind]})",
            [study],
        ).fetchone()
        rows = done[0] if done else 0

    try:
        files.replace(path, write)
    except duckdb.IOException as error:
        if "No space left" in str(error):
            raise DiskFull(f"no room left on the disk for {path}") from error
        raise StoreError(f"cannot write {path}: {str(error).splitlines()[0]}") from error
    return rows


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
