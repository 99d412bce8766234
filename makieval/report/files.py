"""Writing a finished file in one step: a reader never meets half of it."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

from makieval.errors import DiskFull, InputError


def replace(path: Path, write: Callable[[Path], None]) -> Path:
    """Let `write` fill a neighbour of `path`, then put it in place of `path`.

    Raises `DiskFull` where there is no room and `InputError` where the folder cannot be written;
    either way what was at `path` before is still there.
    """
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write(partial)
        partial.replace(path)
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise DiskFull(f"no room left on the disk for {path}") from error
        raise InputError(f"cannot write {path}: {error.strerror or error}") from error
    finally:
        if partial.exists():
            partial.unlink()
    return path
