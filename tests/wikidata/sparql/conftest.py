"""Endpoints for the tests of the SPARQL source: a real one, and one that misbehaves on demand."""

import importlib.util
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from makieval.wikidata.snapshot import Snapshot, build, starter_tables
from makieval.wikidata.sparql import Service, SparqlClient, SparqlSource, triples
from makieval.wikidata.tables import Tables, read

HERE = Path(__file__).parent
BENCHMARKS = HERE.parents[2] / "benchmarks"


def loaded(path: Path) -> ModuleType:
    """A script as a module: neither this folder nor the benchmarks are packages."""
    key = f"sparql_tests_{path.stem}"
    if key not in sys.modules:
        spec = importlib.util.spec_from_file_location(key, path)
        assert spec is not None
        assert spec.loader is not None
        sys.modules[key] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[key])
    return sys.modules[key]


@pytest.fixture(scope="session")
def oxigraph() -> ModuleType:
    """`benchmarks/oxigraph_server.py`."""
    return loaded(BENCHMARKS / "oxigraph_server.py")


@pytest.fixture(scope="session")
def serve_triples(oxigraph: ModuleType) -> Callable[..., Any]:
    """`with serve_triples(lines, folder) as address`: an Oxigraph over N-Triples."""
    return oxigraph.served


@pytest.fixture(scope="session")
def starter() -> Tables:
    """The shipped tables, as Wikidata would hold them."""
    return triples.as_wikidata(read(starter_tables()))


@pytest.fixture(scope="session")
def endpoint(
    starter: Tables, serve_triples: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """The address of an Oxigraph that serves them."""
    folder = tmp_path_factory.mktemp("oxigraph")
    with serve_triples(triples.triples(starter), folder) as address:
        yield address


@pytest.fixture(scope="session")
def snapshot(
    starter: Tables, oxigraph: ModuleType, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Snapshot]:
    """A snapshot of the same tables."""
    folder = tmp_path_factory.mktemp("tables")
    oxigraph.write(starter, folder)
    build(folder, folder / "starter.duckdb", approximate=False)
    with Snapshot.open(folder / "starter.duckdb") as opened:
        yield opened


@pytest.fixture
def source(endpoint: str, tmp_path: Path) -> Iterator[SparqlSource]:
    """The real endpoint as a source, with a cache of its own."""
    client = SparqlClient(Service.of(endpoint), cache=tmp_path / "answers.sqlite")
    with SparqlSource(client, sizes=tmp_path / "classes.json") as made:
        yield made


@pytest.fixture
def faulty() -> Iterator[Any]:
    """A server that does what `faulty.plan` says, in order; see `faulty_endpoint`."""
    with loaded(HERE / "faulty_endpoint.py").FaultyEndpoint() as server:
        yield server


@pytest.fixture
def client_of(tmp_path: Path) -> Iterator[Callable[..., SparqlClient]]:
    """`client_of(address, **options)`: clients that wait without sleeping, closed in the end."""
    made: list[SparqlClient] = []

    def make(address: str, **options: Any) -> SparqlClient:
        options.setdefault("cache", tmp_path / "answers.sqlite")
        options.setdefault("wait", lambda seconds: None)
        made.append(SparqlClient(Service.of(address), **options))
        return made[-1]

    yield make
    for client in made:
        client.close()


@pytest.fixture(scope="session")
def fault() -> ModuleType:
    """The replies that `faulty_endpoint` knows."""
    return loaded(HERE / "faulty_endpoint.py")
