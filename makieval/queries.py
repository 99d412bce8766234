"""Questions to a store that the command line and notebooks ask."""

import csv
import io
import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from makieval.errors import InputError
from makieval.nearest import nearest

if TYPE_CHECKING:
    import duckdb


def study_name(connection: "duckdb.DuckDBPyConnection", name: str | None) -> str:
    """`name` if the store holds it, or its only study; raises `InputError`."""
    names = [
        row[0] for row in connection.execute("SELECT study FROM studies ORDER BY 1").fetchall()
    ]
    if name is None and len(names) == 1:
        return names[0]
    if name in names and name is not None:
        return name
    held = ", ".join(names) or "none yet"
    if name is None:
        raise InputError(f"which study? the store holds: {held}")
    raise InputError(f"no study '{name}' in the store (it holds: {held}){nearest(name, names)}")


def ask_sql(connection: "duckdb.DuckDBPyConnection", query: str, *, as_csv: bool = False) -> str:
    """The rows that `query` gives, as a text table or as CSV; raises `InputError`."""
    import duckdb

    if not query.strip():
        raise InputError('sql: no query given; for example makieval sql "FROM diversity"')
    try:
        # Reading means reading the store: no COPY to a file, no ATTACH, no extension.
        connection.execute("SET enable_external_access = false")
        connection.execute("SET lock_configuration = true")
        cursor = connection.execute(query)
        columns = [column[0] for column in cursor.description or ()]
        rows = cursor.fetchall() if columns else []
    except duckdb.Error as error:
        raise InputError(f"sql: {' '.join(str(error).split())}") from None
    if as_csv:
        buffer = io.StringIO()
        writer = csv.writer(buffer, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)
        return buffer.getvalue().rstrip("\n")
    return _table(columns, rows)


#: Where nobody watches, wide enough for most results.
_WIDTH = 200


def _table(columns: list[str], rows: list[tuple[Any, ...]]) -> str:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    for column in columns:
        table.add_column(Text(column), overflow="fold")
    for row in rows:
        table.add_row(*(Text(_shown(cell)) for cell in row))
    width = Console().width if sys.stdout.isatty() else _WIDTH
    console = Console(record=True, file=io.StringIO(), width=width)
    console.print(table)
    return console.export_text().rstrip("\n") + f"\n({len(rows):,} rows)"


def _shown(cell: Any) -> str:
    if cell is None:
        return "NULL"
    return f"{cell:.4g}" if isinstance(cell, float) else str(cell)


def walk(connection: "duckdb.DuckDBPyConnection", response: str) -> Iterator[str]:
    """From one text back to its prompt and on to its mentions, candidates and links, as lines."""
    found = connection.execute(
        "SELECT * FROM responses WHERE starts_with(response_id, ?) ORDER BY response_id LIMIT 2",
        [response],
    )
    names = [column[0] for column in found.description or ()]
    rows = [dict(zip(names, row, strict=True)) for row in found.fetchall()]
    if not rows:
        raise InputError(
            f"no response '{response}' in the store; `makieval sql \"SELECT response_id, text FROM"
            ' responses LIMIT 10"` lists some'
        )
    if len({row["response_id"] for row in rows}) > 1:
        raise InputError(f"'{response}' begins several responses; give more of its id")
    row = rows[0]
    place = [row["topic"], row["language"], row["framing"], row["country"] or "no country"]
    yield f"response   {row['response_id']}  ({row['status']})"
    yield f"study      {row['study']}, model {row['model']}, sample {row['sample']}"
    yield f"cell       {' · '.join(place)}"
    yield f"prompt     {row['prompt']}"
    if row["text"] is None:
        yield f"text       none: {row['status']}{', ' + row['error'] if row['error'] else ''}"
        return
    yield f"text       {row['text']}"
    yield f"language   {row['detected_language'] or 'too short to tell'}"
    yield f"extraction {_extraction(connection, row)}"
    key = [row["study"], row["model"], row["response_id"], row["topic"], row["language"]]
    mentions = connection.execute(
        """
        SELECT ordinal, surface, entity_type, grounding_status, granularity, link_id, link_status,
               qid, label, origins, origin_path
        FROM mentions
        WHERE study = ? AND model = ? AND response_id = ? AND topic = ? AND language = ?
        ORDER BY ordinal
        """,
        key,
    ).fetchall()
    for mention in mentions:
        yield from _mention(connection, mention)
    if not mentions:
        yield "mentions   none"


def _extraction(connection: "duckdb.DuckDBPyConnection", row: dict[str, Any]) -> str:
    """How the extraction of a response went, and the extractor's own words where it failed."""
    found = connection.execute(
        """
        SELECT x.status, coalesce(a.status, f.status), coalesce(a.error, f.error), a.text
        FROM studies s
        JOIN response_extractions e
            ON e.extractor = s.extractor AND e.response_id = ? AND e.topic = ? AND e.language = ?
        LEFT JOIN extractions x USING (extraction_id)
        LEFT JOIN answers a ON a.answer_id = e.answer_id
        LEFT JOIN attempts f ON f.answer_id = e.answer_id
        WHERE s.study = ?
        ORDER BY f.received_at DESC
        LIMIT 1
        """,
        [row["response_id"], row["topic"], row["language"], row["study"]],
    ).fetchall()
    if not found:
        return "not made yet"
    status, asked, error, text = found[0]
    if status == "ok":
        return "ok"
    if status is None:
        return f"missing: {asked or 'not asked yet'}{', ' + error if error else ''}"
    return f"{status}: {text!r}"


def _mention(connection: "duckdb.DuckDBPyConnection", mention: tuple[Any, ...]) -> Iterator[str]:
    ordinal, surface, kind, grounding, granularity, link_id, status, qid, label, origins, by = (
        mention
    )
    yield f"mention {ordinal:<3}{surface!r}  {kind} ({granularity or 'unknown'}), {grounding}"
    if link_id is None:
        return
    link = connection.execute(
        "SELECT method, score, name, name_language, name_kind, path FROM links WHERE link_id = ?",
        [link_id],
    ).fetchall()[0]
    method, score, name, language, name_kind, path = link
    if qid is None:
        yield f"    {status}"
    else:
        how = f"{method} {score:.2f}, {name_kind} {name!r}@{language}"
        yield f"    {status} {qid} {label or ''}: {how}"
        yield f"    class  {' → '.join(path)}"
        yield f"    origin {', '.join(origins) + f' by {by}' if origins else 'unknown'}"
    for row in connection.execute(
        "SELECT qid, name, name_language, name_kind, sitelinks, fits FROM link_rivals"
        " WHERE link_id = ? ORDER BY position",
        [link_id],
    ).fetchall():
        rival, rival_name, rival_language, rival_kind, sitelinks, fits = row
        yield (
            f"    rival  {rival} {rival_kind} {rival_name!r}@{rival_language}"
            f", sitelinks {json.dumps(sitelinks)}{'' if fits else ', of another class'}"
        )
