"""Made-up studies in real DuckDB tables; see `made_up.py` for how little they mean."""

from collections.abc import Callable, Iterator

import duckdb
import pytest

from makieval.report.html import render
from tests.report.made_up import MadeUp, fill

Connect = Callable[..., duckdb.DuckDBPyConnection]


@pytest.fixture
def connect() -> Iterator[Connect]:
    """A function from made-up studies to a connection that holds them."""
    opened: list[duckdb.DuckDBPyConnection] = []

    def open_with(*studies: MadeUp) -> duckdb.DuckDBPyConnection:
        connection = duckdb.connect()
        opened.append(connection)
        fill(connection, *studies)
        return connection

    yield open_with
    for connection in opened:
        connection.close()


@pytest.fixture(scope="session")
def dinner() -> Iterator[duckdb.DuckDBPyConnection]:
    """Two models, four languages, two topics, two countries; tests only read it."""
    with duckdb.connect() as connection:
        fill(connection, MadeUp())
        yield connection


@pytest.fixture(scope="session")
def dinner_page(dinner: duckdb.DuckDBPyConnection) -> str:
    """The report of `dinner`, drawn once for all tests that only read it."""
    return render(dinner, "dinner", {"snapshot": "starter-1 <b>", "licence": "CC0"})
