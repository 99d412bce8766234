"""Tables of Wikidata facts: the plain form in which a snapshot's content is kept and reviewed.

A folder of tab-separated files, one header line each, no quoting, UTF-8, and a `manifest.toml`
that says where the facts come from. Anyone can read, diff and check them; `snapshot.build` makes
the index. What does not conform is refused with its file and line.
"""

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from makieval.errors import SnapshotError

if TYPE_CHECKING:
    import polars

_QID = r"^Q[1-9][0-9]*$"
_PROPERTY = r"^P[1-9][0-9]*$"
_SOMETHING = r"\S"

#: File → column → what a value must match.
LAYOUT: Mapping[str, Mapping[str, str]] = {
    "items": {"qid": _QID, "sitelinks": r"^[0-9]*$"},
    "names": {
        "qid": _QID,
        "lang": r"^[a-z]{2,}(-[a-z0-9]+)*$",
        "kind": r"^(label|alias|name)$",
        "name": _SOMETHING,
    },
    "statements": {
        "qid": _QID,
        "property": _PROPERTY,
        "value": _QID,
        "rank": r"^(normal|preferred|deprecated)$",
    },
    "descriptions": {"qid": _QID, "lang": r"^[a-z]{2,}(-[a-z0-9]+)*$", "text": _SOMETHING},
    "topics": {"qid": _QID, "topic": r"^[a-z]+$", "evidence": _SOMETHING},
    "redirects": {"from": _QID, "to": _QID},
}


@dataclass(frozen=True, slots=True)
class Tables:
    """The validated content of a folder: one frame of strings per file, and its manifest."""

    folder: Path
    manifest: Mapping[str, Any]
    frames: Mapping[str, "polars.DataFrame"]


def read(folder: Path) -> Tables:
    """Every table of `folder`; a `SnapshotError` with file and line at the first fault."""
    manifest = _manifest(folder)
    return Tables(folder, manifest, {name: _frame(folder, name) for name in LAYOUT})


def digest(folder: Path) -> str:
    """SHA-256 of the tables' bytes. The manifest is left out: it describes, it does not decide."""
    total = hashlib.sha256()
    for name in LAYOUT:
        with _existing(folder / f"{name}.tsv").open("rb") as file:
            total.update(f"{name}:{hashlib.file_digest(file, 'sha256').hexdigest()}\n".encode())
    return total.hexdigest()


def _existing(path: Path) -> Path:
    if not path.is_file():
        wanted = ", ".join([*(f"{name}.tsv" for name in LAYOUT), "manifest.toml"])
        raise SnapshotError(f"{path}: no such file (a folder of tables holds {wanted})")
    return path


def _manifest(folder: Path) -> Mapping[str, Any]:
    path = _existing(folder / "manifest.toml")
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SnapshotError(f"{path}: not a TOML file ({error})") from error


def _frame(folder: Path, name: str) -> "polars.DataFrame":
    import polars as pl

    path = _existing(folder / f"{name}.tsv")
    columns = LAYOUT[name]
    _check_header(path, tuple(columns))
    try:
        frame = pl.read_csv(
            path, separator="\t", quote_char=None, infer_schema=False, raise_if_empty=False
        )
    except pl.exceptions.PolarsError as error:
        raise SnapshotError(f"{path}: {_first_bad_line(path, len(columns), error)}") from error
    frame = frame.fill_null("")
    for column, pattern in columns.items():
        bad = (~frame[column].str.contains(pattern)).arg_true()
        if len(bad):
            row = int(bad[0])
            raise SnapshotError(
                f"{path}, line {row + 2}: {column} is {frame[column][row]!r} (must match {pattern})"
            )
    return frame


def _check_header(path: Path, columns: tuple[str, ...]) -> None:
    with path.open(encoding="utf-8", errors="replace") as file:
        found = tuple(file.readline().rstrip("\r\n").split("\t"))
    if found != columns:
        raise SnapshotError(
            f"{path}, line 1: the header is {' '.join(found)!r} (must be {' '.join(columns)!r})"
        )


def _first_bad_line(path: Path, width: int, error: Exception) -> str:
    """Where the reader stumbled, which it does not say itself."""
    with path.open("rb") as file:
        for line, raw in enumerate(file, start=1):
            try:
                fields = raw.decode("utf-8").count("\t") + 1
            except UnicodeDecodeError:
                return f"line {line} is not UTF-8"
            if fields > width:
                return f"line {line} has {fields} fields (must have {width})"
    return str(error).splitlines()[0]
