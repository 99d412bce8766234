"""What a service does wrong, and what is made of it. Numbers are those of the list of faults."""

import json
import threading
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from makieval.errors import ServiceError
from makieval.status import UNANSWERED, Status
from makieval.wikidata.sparql import SparqlClient
from makieval.wikidata.sparql.batches import Batches

Clients = Callable[..., SparqlClient]
QUERY = "SELECT ?x WHERE { ?x ?y ?z }"


def asking(units: Sequence[str]) -> str:
    return f"SELECT ?{''.join(units)} {{}}"


def failed(client: SparqlClient, query: str = QUERY) -> ServiceError:
    with pytest.raises(ServiceError) as caught:
        client.select(query)
    assert caught.value.status in UNANSWERED
    return caught.value


def test_429_is_waited_out_as_long_as_asked_and_counted(
    faulty: Any, fault: Any, client_of: Clients
) -> None:
    """Fault 1 (RDFLib/sparqlwrapper#138): really slept here, two seconds each."""
    faulty.plan = [fault.slow_down("2"), fault.slow_down("2")]
    client = client_of(faulty.address, wait=time.sleep)
    rows = client.select(QUERY)
    assert [row["query"].text for row in rows] == [QUERY]
    first, second, third = (asked.at for asked in faulty.asked)
    assert second - first >= 1.9
    assert third - second >= 1.9
    assert client.traffic.retries == 2


def test_retry_after_zero_waits_a_second_at_least_then_longer_then_gives_up(
    faulty: Any, fault: Any, client_of: Clients
) -> None:
    """Fault 2 (covid-19-open-data#183)."""
    waits: list[float] = []
    faulty.plan = [fault.slow_down("0")] * 5
    client = client_of(faulty.address, wait=waits.append)
    assert failed(client).status is Status.RATE_LIMITED
    assert len(faulty.asked) == 5
    assert [round(wait) for wait in waits] == [1, 2, 4, 8]


def test_retry_after_may_be_a_date(faulty: Any, fault: Any, client_of: Clients) -> None:
    waits: list[float] = []
    later = datetime.now(UTC) + timedelta(seconds=30)
    faulty.plan = [fault.slow_down(format_datetime(later, usegmt=True))]
    client_of(faulty.address, wait=waits.append).select(QUERY)
    assert 27 < waits[0] <= 31


@pytest.mark.parametrize("header", ["soon", "", "-5", "1e9999"])
def test_an_unreadable_retry_after_is_as_if_there_were_none(
    header: str, faulty: Any, fault: Any, client_of: Clients
) -> None:
    waits: list[float] = []
    faulty.plan = [fault.slow_down(header)]
    client_of(faulty.address, wait=waits.append).select(QUERY)
    assert [round(wait) for wait in waits] == [1]


def test_a_503_with_retry_after_is_retried(faulty: Any, fault: Any, client_of: Clients) -> None:
    waits: list[float] = []
    faulty.plan = [fault.REFUSED_SLOT]
    client_of(faulty.address, wait=waits.append).select(QUERY)
    assert [round(wait) for wait in waits] == [3]


def test_an_hour_is_not_waited_for(faulty: Any, fault: Any, client_of: Clients) -> None:
    waits: list[float] = []
    faulty.plan = [fault.slow_down("3600")]
    error = failed(client_of(faulty.address, wait=waits.append))
    assert error.status is Status.RATE_LIMITED
    assert "3600" in str(error)
    assert waits == []


def test_while_one_thread_is_told_to_wait_no_other_asks(
    faulty: Any, fault: Any, client_of: Clients
) -> None:
    faulty.plan = [fault.slow_down("1")]
    client = client_of(faulty.address, wait=time.sleep)
    client_thread = threading.Thread(target=client.select, args=("SELECT ?a {}",))
    client_thread.start()
    while not faulty.asked:
        time.sleep(0.01)
    time.sleep(0.2)
    client.select("SELECT ?b {}")
    client_thread.join()
    assert all(asked.at - faulty.asked[0].at >= 0.95 for asked in faulty.asked[1:])


@pytest.mark.parametrize("reply", ["TIMEOUT_IN_200", "TIMEOUT_AS_429", "MEMORY"])
def test_what_is_too_much_is_split_in_half_and_nothing_broken_is_kept(
    reply: str, faulty: Any, fault: Any, client_of: Clients
) -> None:
    """Fault 4 (sparqlwrapper#171, qlever#2002, qlever#730)."""

    def overtaxed(query: str) -> Any:
        return getattr(fault, reply) if len(query) > len(asking("ab")) else fault.echo(query)

    faulty.otherwise = overtaxed
    client = client_of(faulty.address)
    batches = Batches(client, 3)
    for _ in range(2):
        gathered = batches.gather("abcdefgh", 8, asking)
        assert [row["query"].text for row in gathered.rows] == [
            asking(pair) for pair in ("ab", "cd", "ef", "gh")
        ]
        assert not gathered.failures
    batches.close()
    assert client.traffic.splits == 6
    assert client.traffic.cached == 4  # the broken replies were asked for again
    assert client.traffic.retries == 0  # a query that is too slow is not throttled


def test_one_unit_that_cannot_be_answered_leaves_the_others_alone(
    faulty: Any, fault: Any, client_of: Clients
) -> None:
    """Fault 7 (osm-search/wikipedia-wikidata#4)."""

    def poisoned(query: str) -> Any:
        return fault.SYNTAX if "x" in query.partition("?")[2] else fault.echo(query)

    faulty.otherwise = poisoned
    batches = Batches(client_of(faulty.address), 1)
    gathered = batches.gather("abxd", 4, asking)
    batches.close()
    assert [row["query"].text for row in gathered.rows] == [asking("ab"), asking("d")]
    assert {unit: error.status for unit, error in gathered.failures.items()} == {
        "x": Status.REJECTED
    }
    with pytest.raises(ServiceError):
        gathered.or_raise()


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        ("POLICY_IN_200", Status.POLICY),
        ("FORBIDDEN", Status.POLICY),
        ("BANNED", Status.BANNED),
        ("SYNTAX", Status.REJECTED),
        ("MEMORY", Status.OUT_OF_MEMORY),
        ("TIMEOUT_AS_429", Status.TIMEOUT),
        ("TIMEOUT_IN_200", Status.TIMEOUT),
    ],
)
def test_every_kind_of_refusal_has_its_status(
    reply: str, status: Status, faulty: Any, fault: Any, client_of: Clients
) -> None:
    """Fault 6 and the client contract: 200 with plain text, 403, bans, syntax, memory."""
    faulty.plan = [getattr(fault, reply)]
    client = client_of(faulty.address)
    assert failed(client).status is status
    assert len(faulty.asked) == 1
    assert client.traffic.failures == {status: 1}


@pytest.mark.parametrize(
    ("code", "status"),
    [
        (401, Status.UNAUTHORIZED),
        (404, Status.REJECTED),
        (413, Status.REJECTED),
        (414, Status.REJECTED),
        (504, Status.TIMEOUT),
    ],
)
def test_every_code_has_its_status(
    code: int, status: Status, faulty: Any, fault: Any, client_of: Clients
) -> None:
    faulty.plan = [fault.Reply(code, b"", "text/plain")]
    assert failed(client_of(faulty.address)).status is status


def test_a_moved_service_is_not_followed_but_named(
    faulty: Any, fault: Any, client_of: Clients
) -> None:
    faulty.plan = [fault.Reply(301, headers={"Location": "https://elsewhere.invalid/sparql"})]
    assert "elsewhere.invalid" in str(failed(client_of(faulty.address)))


def test_maxlag_in_a_200_is_a_rate_limit(faulty: Any, fault: Any, client_of: Clients) -> None:
    body = json.dumps({"error": {"code": "maxlag", "info": "2 seconds lagged"}}).encode()
    faulty.otherwise = lambda query: fault.Reply(body=body, kind="application/json")
    assert failed(client_of(faulty.address)).status is Status.RATE_LIMITED


@pytest.mark.parametrize(
    "body",
    [b"", b"{}", b"[]", b"null", b'{"results":{}}', b'{"results":{"bindings":{}}}', b"<sparql/>"],
)
def test_200_without_a_result_is_an_error_and_never_no_rows(
    body: bytes, faulty: Any, fault: Any, client_of: Clients
) -> None:
    faulty.plan = [fault.Reply(body=body)] * 5
    client = client_of(faulty.address)
    assert failed(client).status is Status.SERVER_ERROR
    assert [row["query"].text for row in client.select(QUERY)] == [QUERY]  # nothing was kept


def test_a_connection_cut_in_the_middle_is_asked_again(
    faulty: Any, fault: Any, client_of: Clients
) -> None:
    faulty.plan = [fault.Reply(body=b'{"head":{},"results":{"bindings":[', cut=True)]
    client = client_of(faulty.address)
    assert [row["query"].text for row in client.select(QUERY)] == [QUERY]
    assert client.traffic.retries == 1


def test_a_service_that_trickles_is_a_timeout(faulty: Any, fault: Any, client_of: Clients) -> None:
    faulty.plan = [fault.Reply(body=b" " * 1_000_000, parts=8, pause=0.2)]
    started = time.monotonic()
    assert failed(client_of(faulty.address, timeout=0.5)).status is Status.TIMEOUT
    assert time.monotonic() - started < 1.5


def test_a_service_that_says_nothing_is_a_timeout(
    faulty: Any, fault: Any, client_of: Clients
) -> None:
    faulty.plan = [fault.Reply(body=b" ", pause=2)]
    assert failed(client_of(faulty.address, timeout=0.3)).status is Status.TIMEOUT


def test_a_service_that_throttles_for_ever_is_soon_left_alone(
    faulty: Any, fault: Any, client_of: Clients
) -> None:
    """Fault 8 (WidataIntegrator#102): bounded retries, then the circuit breaker."""
    faulty.otherwise = lambda query: fault.slow_down("1")
    client = client_of(faulty.address)
    for number in range(50):
        assert failed(client, f"SELECT ?x{number} {{}}").status is Status.RATE_LIMITED
    assert len(faulty.asked) == 10


def test_a_service_that_is_down_is_an_error_at_once_and_for_all(client_of: Clients) -> None:
    """Fault 53 (spacyfishing#24)."""
    client = client_of("http://127.0.0.1:9/sparql")
    started = time.monotonic()
    for number in range(50):
        error = failed(client, f"SELECT ?x{number} {{}}")
        assert error.status is Status.UNREACHABLE
    assert time.monotonic() - started < 5
    assert client.traffic.requests == 5


def test_after_its_rest_one_query_finds_out_whether_the_service_is_back(
    faulty: Any, fault: Any, client_of: Clients, monkeypatch: pytest.MonkeyPatch
) -> None:
    faulty.plan = [fault.FORBIDDEN]
    client = client_of(faulty.address)
    assert failed(client).status is Status.POLICY
    assert failed(client, "SELECT ?later {}").status is Status.POLICY
    assert len(faulty.asked) == 1
    monkeypatch.setattr("makieval.wikidata.sparql.client.REST", 0.0)
    assert client.select(QUERY)
    assert client.select("SELECT ?more {}")


def test_at_most_three_requests_are_under_way(faulty: Any, fault: Any, client_of: Clients) -> None:
    under_way = most = 0
    lock = threading.Lock()

    def slow(query: str) -> Any:
        nonlocal under_way, most
        with lock:
            under_way += 1
            most = max(most, under_way)
        time.sleep(0.05)
        with lock:
            under_way -= 1
        return fault.echo(query)

    faulty.otherwise = slow
    client = client_of(faulty.address, at_once=64)
    threads = [
        threading.Thread(target=client.select, args=(f"SELECT ?x{n} {{}}",)) for n in range(24)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(faulty.asked) == 24
    assert most == 3


def test_threads_never_get_each_others_answers(faulty: Any, client_of: Clients) -> None:
    """Fault 16: one SPARQLWrapper in eight threads answered one query with another's rows."""
    client = client_of(faulty.address)
    wrong: list[str] = []

    def ask(thread: int) -> None:
        for number in range(100):
            query = f"SELECT ?t{thread}n{number} {{}}"
            if [row["query"].text for row in client.select(query)] != [query]:
                wrong.append(query)

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_queries_are_posted_as_forms_that_keep_every_character(
    faulty: Any, client_of: Clients
) -> None:
    query = 'SELECT ?x { ?x ?y "김치 çığ 寿司 \U0001f35c & = + % #"@ko }'
    assert [row["query"].text for row in client_of(faulty.address).select(query)] == [query]
    (asked,) = faulty.asked
    assert asked.method == "POST"
    assert asked.query == query
    assert asked.headers["content-type"] == "application/x-www-form-urlencoded"
    assert "json" in asked.headers["accept"]
    assert "mozilla" not in asked.headers["user-agent"].lower()
    assert asked.headers["user-agent"].startswith("makieval/")


def test_a_password_lying_about_is_not_sent(
    faulty: Any, client_of: Clients, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fault 47 of the model list: the same canary through this client."""
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login me password canary-7f3a\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    client_of(faulty.address).select(QUERY)
    assert "authorization" not in faulty.asked[0].headers
    kept = b"".join(path.read_bytes() for path in tmp_path.glob("answers*"))
    assert b"canary" not in kept
