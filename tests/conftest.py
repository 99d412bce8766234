"""What tests of several rooms share: a real model server on loopback, and no surroundings."""

import importlib.util
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest


def _loopback() -> ModuleType:
    """`benchmarks/loopback_server.py`, which is a script and no package."""
    name = "loopback_server"
    if name not in sys.modules:
        path = Path(__file__).parents[1] / "benchmarks" / f"{name}.py"
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No key, address or model file of the machine reaches a test."""
    for variable in ("MAKIEVAL_MODEL_FILE", "OPENAI_API_KEY", "OPENAI_BASE_URL", "HF_ENDPOINT"):
        monkeypatch.delenv(variable, raising=False)


@pytest.fixture
def serve() -> Iterator[Callable[..., Any]]:
    """`serve(share_500=0.1, …)` starts a server that lives until the end of the test."""
    loopback = _loopback()
    running: list[Any] = []

    def start(**options: Any) -> Any:
        server = loopback.LoopbackServer(loopback.Options(**options))
        running.append(server.__enter__())
        return server

    yield start
    for server in running:
        server.stop()
