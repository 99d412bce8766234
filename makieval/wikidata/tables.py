"""Tables of Wikidata facts: the plain form in which a snapshot's content is kept and reviewed.

A folder of tab-separated files, one header line each, no quoting, UTF-8, and a `manifest.toml`
that says where the facts come from. Anyone can read, diff and check them; `snapshot.build` makes
the index. What does not conform is refused with its file and line.
"""

import hashlib
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from makieval.errors import SnapshotError

if TYPE_CHECKING:
    import polars

_QID = r"^Q[1-9][0-9]*$"
_PROPERTY = r"^P[1-9][0-9]*$"
_SOMETHING = r"\S"

#: Bytes of a table that are read at once.
PIECE = 32_000_000

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
    import polars as pl

    told = manifest(folder)
    return Tables(folder, told, {name: pl.concat(batches(folder, name)) for name in LAYOUT})


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


def manifest(folder: Path) -> Mapping[str, Any]:
    """What `manifest.toml` says."""
    path = _existing(folder / "manifest.toml")
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SnapshotError(f"{path}: not a TOML file ({error})") from error


def batches(folder: Path, name: str) -> "Iterator[polars.DataFrame]":
    """The rows of one table, a piece at a time, so that memory does not grow with the table."""
    path = _existing(folder / f"{name}.tsv")
    columns = LAYOUT[name]
    _check_header(path, tuple(columns))
    line = 2
    for piece in _pieces(path):
        frame = _frame(path, columns, piece, line)
        line += frame.height
        yield frame


def _pieces(path: Path) -> Iterator[bytes]:
    """The lines of a file after its header, in pieces of at least `PIECE` bytes; one, if empty."""
    with path.open("rb") as file:
        file.readline()
        piece = file.read(PIECE) + file.readline()
        yield piece
        while piece := file.read(PIECE) + file.readline():
            yield piece


def _frame(path: Path, columns: Mapping[str, str], piece: bytes, line: int) -> "polars.DataFrame":
    """A piece that begins at `line`, checked."""
    import polars as pl

    schema = dict.fromkeys(columns, pl.String)
    if not piece:
        return pl.DataFrame(schema=schema)
    try:
        frame = pl.read_csv(piece, separator="\t", quote_char=None, has_header=False, schema=schema)
    except pl.exceptions.PolarsError as error:
        told = _first_bad_line(piece, line, len(columns), error)
        raise SnapshotError(f"{path}: {told}") from error
    frame = frame.fill_null("")
    for column, pattern in columns.items():
        bad = (~frame[column].str.contains(pattern)).arg_true()
        if len(bad):
            row = int(bad[0])
            raise SnapshotError(
                f"{path}, line {row + line}: {column} is {frame[column][row]!r} "
                f"(must match {pattern})"
            )
    return frame


def _check_header(path: Path, columns: tuple[str, ...]) -> None:
    with path.open(encoding="utf-8", errors="replace") as file:
        found = tuple(file.readline().rstrip("\r\n").split("\t"))
    if found != columns:
        raise SnapshotError(
            f"{path}, line 1: the header is {' '.join(found)!r} (must be {' '.join(columns)!r})"
        )


def _first_bad_line(piece: bytes, first: int, width: int, error: Exception) -> str:
    """Where the reader stumbled, which it does not say itself."""
    for line, raw in enumerate(piece.split(b"\n"), start=first):
        try:
            fields = raw.decode("utf-8").count("\t") + 1
        except UnicodeDecodeError:
            return f"line {line} is not UTF-8"
        if fields > width:
            return f"line {line} has {fields} fields (must have {width})"
    return str(error).splitlines()[0]
