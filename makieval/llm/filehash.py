"""The SHA-256 of large files, read once.

Hashing a gigabyte takes seconds. The result is kept beside the cache of models, under the file's
path, size and modification time, and holds until one of them changes.
"""

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from makieval.errors import ModelFileError


def cache_dir() -> Path:
    """The folder of pulled models: `$MAKIEVAL_CACHE/models`, else `~/.cache/makieval/models`."""
    root = os.environ.get("MAKIEVAL_CACHE")
    return (Path(root) if root else Path.home() / ".cache" / "makieval") / "models"


def file_sha256(path: Path, *, force: bool = False) -> str:
    """The SHA-256 of a file; read again only when its size or modification time has changed."""
    if not path.is_file():
        raise ModelFileError(f"no model file at {path}")
    path = path.resolve()
    stat = path.stat()
    seen = {"path": str(path), "size": stat.st_size, "mtime_ns": stat.st_mtime_ns}
    note = _note(path)
    if not force:
        try:
            known = json.loads(note.read_text("utf-8"))
            if all(known.get(key) == value for key, value in seen.items()):
                return str(known["sha256"])
        except (OSError, ValueError, KeyError, AttributeError):
            pass
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    _remember(note, {**seen, "sha256": digest})
    return digest


def renamed(old: Path, new: Path) -> None:
    """Moves a verified file; what is known of it moves along, so that it is not read again."""
    note = _note(old.resolve())
    old.replace(new)
    try:
        known = json.loads(note.read_text("utf-8"))
        note.unlink()
    except (OSError, ValueError):
        return
    _remember(_note(new.resolve()), {**known, "path": str(new.resolve())})


def _remember(note: Path, known: dict[str, Any]) -> None:
    try:
        note.parent.mkdir(parents=True, exist_ok=True)
        draft = note.with_suffix(f".{os.getpid()}")
        draft.write_text(json.dumps(known), "utf-8")
        draft.replace(note)
    except OSError:
        return  # a cache that cannot be written only costs the next start its hashing


def _note(path: Path) -> Path:
    return (
        cache_dir() / "verified" / (hashlib.sha256(str(path).encode()).hexdigest()[:24] + ".json")
    )
