"""Answers are kept once, whole, and for everybody who asks the same."""

import json
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from unicodedata import normalize

import pytest

from makieval.errors import ServiceError, StoreError
from makieval.wikidata.sparql import Service, SparqlClient
from makieval.wikidata.sparql.cache import KEPT_FOR, open_cache, session

Clients = Callable[..., SparqlClient]

_PROCESS = """
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from makieval.wikidata.sparql import Service, SparqlClient

address, cache, first = sys.argv[1:]
with SparqlClient(Service.of(address), cache=Path(cache)) as client:
    def ask(number):
        query = f"SELECT ?x{number} {{}}"
        assert [row["query"].text for row in client.select(query)] == [query]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(ask, range(int(first), int(first) + 500)))
"""


def test_equal_queries_are_asked_once_also_by_the_next_run(faulty: Any, client_of: Clients) -> None:
    """Fault 15: requests-cache alone keeps no POST."""
    for _ in range(2):
        client = client_of(faulty.address)
        for _ in range(3):
            client.select("SELECT ?x {}")
    assert len(faulty.asked) == 1
    assert client.traffic.cached == 3


def test_composed_and_decomposed_names_are_two_queries(faulty: Any, client_of: Clients) -> None:
    client = client_of(faulty.address)
    for form in ("NFC", "NFD"):
        query = f'SELECT ?x {{ ?x ?y "{normalize(form, "김치")}"@ko }}'
        assert client.select(query)[0]["query"].text == query
    assert len(faulty.asked) == 2


def test_what_is_accepted_is_part_of_the_key_and_the_agent_is_not(
    faulty: Any, fault: Any, tmp_path: Path
) -> None:
    with_cache = open_cache(tmp_path / "answers.sqlite")
    asking = session(with_cache)
    form = {"query": "SELECT ?x {}"}
    for accept in ("application/json", "text/csv", "application/json", "text/csv"):
        for agent in ("one", "two"):
            headers = {"Accept": accept, "User-Agent": agent}
            asking.post(faulty.address, data=form, headers=headers)
    asking.close()
    with_cache.close()
    assert [asked.headers["accept"] for asked in faulty.asked] == ["application/json", "text/csv"]


def test_answers_are_believed_for_a_stated_time_and_no_longer(
    faulty: Any, client_of: Clients, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert KEPT_FOR.days == 7
    monkeypatch.setattr("makieval.wikidata.sparql.cache.KEPT_FOR", -KEPT_FOR)
    client = client_of(faulty.address)
    for _ in range(2):
        client.select("SELECT ?x {}")
    assert len(faulty.asked) == 2


def test_many_threads_with_the_same_questions_ask_each_once(
    faulty: Any, client_of: Clients
) -> None:
    """Fault 48 of the model list: 64 threads, the same 50 questions."""
    client = client_of(faulty.address)

    def ask() -> None:
        for number in range(50):
            client.select(f"SELECT ?x{number} {{}}")

    with ThreadPoolExecutor(64) as pool:
        for asking in [pool.submit(ask) for _ in range(64)]:
            asking.result()
    assert len(faulty.asked) == 50


def test_threads_and_processes_share_the_file_without_loss(
    faulty: Any, client_of: Clients, tmp_path: Path
) -> None:
    """Fault 14 (requests-cache#781): 8 threads in each of 2 processes, 1,000 queries."""
    cache = tmp_path / "answers.sqlite"
    command = [sys.executable, "-c", _PROCESS, faulty.address, str(cache)]
    root = Path(__file__).parents[3]
    running = [subprocess.Popen([*command, first], cwd=root) for first in ("0", "500")]
    assert [process.wait(timeout=120) for process in running] == [0, 0]
    assert len(faulty.asked) == 1000
    client = client_of(faulty.address)
    for number in range(1000):
        query = f"SELECT ?x{number} {{}}"
        assert client.select(query)[0]["query"].text == query
    assert len(faulty.asked) == 1000


def test_offline_only_what_was_kept_is_answered(faulty: Any, client_of: Clients) -> None:
    client_of(faulty.address).select("SELECT ?kept {}")
    offline = client_of(faulty.address, only_cached=True)
    assert offline.select("SELECT ?kept {}")
    with pytest.raises(ServiceError, match="offline"):
        offline.select("SELECT ?new {}")
    assert len(faulty.asked) == 1


def test_the_file_holds_plain_json_and_no_pickles(
    faulty: Any, client_of: Clients, tmp_path: Path
) -> None:
    import sqlite3
    from contextlib import closing

    client_of(faulty.address).select("SELECT ?x {}")
    with closing(sqlite3.connect(tmp_path / "answers.sqlite")) as connection:
        values = [value for (value,) in connection.execute("SELECT value FROM responses")]
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert [type(json.loads(value)) for value in values] == [dict]


def test_a_place_that_cannot_be_written_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be kept there"):
        SparqlClient(Service.of("http://127.0.0.1/sparql"), cache=tmp_path / "file" / "x.sqlite")
