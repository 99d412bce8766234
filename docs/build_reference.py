"""Writes docs/reference.md from the code itself: commands, study file, statuses, tables, errors.

    python docs/build_reference.py

A test compares the file with what this would write, so the reference cannot fall behind.
"""

import inspect
import re
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer
from pydantic import BaseModel

from makieval import errors, resources, status
from makieval import study as study_module
from makieval.cli.app import app
from makieval.store import Store

REFERENCE = Path(__file__).parent / "reference.md"


def reference() -> str:
    """The whole reference as Markdown."""
    parts = [
        "# Reference\n\nWritten by `docs/build_reference.py` from the code; do not edit by hand.\n",
        "## Commands\n\n" + "\n".join(_commands(typer.main.get_command(app), "makieval")),
        "## Study file\n\n" + "\n".join(_study_file()),
        "## Statuses\n\n" + "\n".join(_statuses()),
        "## Errors and exit codes\n\n```\n"
        + inspect.cleandoc(errors.__doc__ or "").split("\n\n")[1]
        + "\n```\n",
        "## Tables and views of a store\n\n" + "\n".join(_tables()),
        "## Metrics\n\n" + "\n".join(_metrics()),
    ]
    return "\n".join(parts)


def _commands(command: Any, path: str) -> Iterator[str]:
    children = getattr(command, "commands", None)
    if children:
        for name, child in children.items():
            yield from _commands(child, f"{path} {name}")
        return
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    options = [p for p in command.params if p.param_type_name == "option" and p.name != "help"]
    usage = " ".join([path, *map(_shown, arguments)])
    yield f"### `{usage}`\n\n{_one_paragraph(command.help)}\n"
    for argument in arguments:
        if getattr(argument, "help", None):
            yield f"- `{_shown(argument)}`: {argument.help}"
    for option in options:
        default = "" if option.default in (None, False, ...) else f" (default `{option.default}`)"
        yield f"- `{'`, `'.join(option.opts)}`: {option.help or ''}{default}"
    yield ""


def _shown(argument: Any) -> str:
    name = (argument.metavar or argument.name).strip("[]").upper()
    return name if argument.required else f"[{name}]"


def _one_paragraph(text: str | None) -> str:
    return " ".join((text or "").split())


def _study_file() -> Iterator[str]:
    tables = {
        "top level": study_module.Study,
        "[[models]]": study_module.Model,
        "[extraction]": study_module.Extraction,
        "[linking]": study_module.Linking,
        "[report]": study_module.Report,
        "[published_prompts]": study_module.Prompts,
    }
    for name, table in tables.items():
        yield f"### {name}\n\n{_one_paragraph(inspect.getdoc(table))}\n"
        yield "| key | type | default |\n|---|---|---|"
        for key, field in table.model_fields.items():
            default = "required" if field.is_required() else f"`{_default(field)}`"
            yield f"| `{key}` | `{_type(field.annotation)}` | {default} |"
        yield ""


def _default(field: Any) -> str:
    value = field.get_default(call_default_factory=True)
    return "its own table" if isinstance(value, BaseModel) else repr(value).replace("|", r"\|")


def _type(annotation: Any) -> str:
    text = getattr(annotation, "__name__", None)
    text = str(annotation) if text in (None, "list", "Optional", "Literal") else text
    text = re.sub(r"typing\.|pathlib\.|makieval\.study\.|, AfterValidator\(.*?\)\]", "", text)
    return text.replace("Annotated[", "").replace("|", r"\|")


def _statuses() -> Iterator[str]:
    source = inspect.getsource(status.Status)
    yield "| status | what it says |\n|---|---|"
    for value, meaning in re.findall(r'= "(\w+)"  # (.+)', source):
        yield f"| `{value}` | {meaning} |"
    for value in re.findall(r'= "(\w+)"$', source, re.MULTILINE):
        yield f"| `{value}` | as it says |"
    yield ""


def _tables() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        store = Store(folder).create()
        with store.connect(read_only=True) as connection:
            tables = connection.execute(
                "SELECT table_name, comment FROM duckdb_tables() ORDER BY table_name"
            ).fetchall()
            views = connection.execute(
                "SELECT view_name FROM duckdb_views() WHERE NOT internal ORDER BY view_name"
            ).fetchall()
            columns = connection.execute(
                "SELECT table_name, column_name, data_type FROM duckdb_columns()"
                " WHERE NOT internal ORDER BY table_name, column_index"
            ).fetchall()
    lead = {path.stem[3:]: _comment(path) for path in resources.sql("views")}
    lead |= {path.stem: _comment(path) for path in resources.sql("metrics")}
    described = [*((n, c or "") for n, c in tables), *((n, lead[n]) for (n,) in views)]
    for name, comment in described:
        held = ", ".join(f"`{c}` {kind}" for table, c, kind in columns if table == name)
        yield f"- **`{name}`**: {comment}\n  {held}"
    yield ""


def _metrics() -> Iterator[str]:
    for path in resources.sql("metrics"):
        yield f"### `{path.stem}`\n\n{_comment(path)}\n"
        yield f"[sql/metrics/{path.name}](../sql/metrics/{path.name})\n"


def _comment(path: Path) -> str:
    """The comment that opens an SQL file, as one paragraph."""
    lines: list[str] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("--"):
            break
        lines.append(line.removeprefix("--").strip())
    return " ".join(textwrap.dedent("\n".join(lines)).split())


if __name__ == "__main__":
    REFERENCE.write_text(reference(), encoding="utf-8")
