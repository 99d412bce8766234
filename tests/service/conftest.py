"""The service over the small real snapshot, served by uvicorn on loopback."""

import importlib.util
import json
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import pytest
import uvicorn

from makieval.linking.reviewed import Decision
from makieval.service.app import create_app
from makieval.service.running import config
from makieval.wikidata import Snapshot, build

TABLES = Path(__file__).parents[1] / "fixtures" / "tables"
DECISION = {
    "surface": "whiskey",
    "language": "de",
    "topic": "beverage",
    "entity_type": "",
    "qid": "NIL",
    "who": "ann",
    "when": "2026-11-30",
    "why": "a test",
}


class Client(httpx.Client):
    """Asks the service; what it answers, as JSON."""

    def reconcile(self, batch: Any, language: str = "en", status: int = 200) -> Any:
        told = batch if isinstance(batch, str) else json.dumps(batch)
        return self.form({"queries": told}, language, status)

    def form(self, form: dict[str, str], language: str = "en", status: int = 200) -> Any:
        answer = self.post(f"/reconcile/{language}", data=form)
        assert answer.status_code == status, answer.text
        return answer.json()

    def told(self, path: str, status: int = 200, **parameters: Any) -> Any:
        answer = self.get(path, params=parameters)
        assert answer.status_code == status, answer.text
        return answer.json()


@pytest.fixture(scope="session")
def spec() -> ModuleType:
    """`spec.py`, the checks against the API's definition."""
    name = "reconciliation_spec"
    if name not in sys.modules:
        found = importlib.util.spec_from_file_location(name, Path(__file__).parent / "spec.py")
        assert found is not None
        assert found.loader is not None
        sys.modules[name] = importlib.util.module_from_spec(found)
        found.loader.exec_module(sys.modules[name])
    return sys.modules[name]


@pytest.fixture(scope="session")
def service_snapshot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Snapshot]:
    path = tmp_path_factory.mktemp("service") / "fixture.duckdb"
    build(TABLES, path)
    with Snapshot.open(path) as opened:
        yield opened


@pytest.fixture(scope="session")
def client(service_snapshot: Snapshot) -> Iterator[Client]:
    """A client of the running service."""
    app = create_app(service_snapshot, [Decision.of(DECISION)])
    settings = config(app)
    settings.port = 0
    server = uvicorn.Server(settings)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    with Client(base_url=f"http://127.0.0.1:{port}", timeout=30) as opened:
        yield opened
    server.should_exit = True
    thread.join()
