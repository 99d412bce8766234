"""Asking over real HTTP: every status, every fault, limits, keys, and stopping."""

import asyncio
import json
import logging
import socket
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from makieval.errors import EndpointUnreachable, InputError, ModelError, Unauthorized
from makieval.llm.answer import Answer
from makieval.llm.asker import LOOK_AHEAD, Asker
from makieval.llm.endpoint import Endpoint
from makieval.llm.request import Message, Request
from makieval.status import Status

Ask = Callable[..., list[Answer]]
Prompts = Callable[..., list[Request]]
Serve = Callable[..., Any]
CANARY = "sk-canary-4f6e1b"


def endpoint(server: Any, **fields: Any) -> Endpoint:
    return Endpoint("test", "loopback-model", server.base_url, **{"timeout_s": 5.0, **fields})


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def test_each_request_gets_its_own_answer(serve: Serve, ask: Ask, prompts: Prompts) -> None:
    where = endpoint(serve())
    requests = prompts(where, 40)
    answers = ask(where, requests)
    assert {each.id for each in answers} == {each.id for each in requests}
    assert len(answers) == 40
    assert all(each.status is Status.OK and each.error is None for each in answers)
    assert len({each.text for each in answers}) > 30
    assert all(each.prompt_tokens == 4 and each.completion_tokens == 12 for each in answers)


def test_asking_twice_gives_the_same_texts(serve: Serve, ask: Ask, prompts: Prompts) -> None:
    where = endpoint(serve())
    first, second = ({a.id: a.text for a in ask(where, prompts(where, 9))} for _ in range(2))
    assert first == second


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        ("share_empty", Status.EMPTY),
        ("share_refusal", Status.REFUSED),
        ("share_length", Status.TRUNCATED),
        ("share_filter", Status.FILTERED),
    ],
)
def test_what_a_model_does_is_a_status_and_is_not_asked_again(
    serve: Serve, ask: Ask, prompts: Prompts, fault: str, status: Status
) -> None:
    server = serve(**{fault: 1.0})
    where = endpoint(server)
    assert [each.status for each in ask(where, prompts(where, 3))] == [status] * 3
    assert server.stats()["requests"] == 3


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        ("share_500", Status.SERVER_ERROR),
        ("share_html", Status.SERVER_ERROR),
        ("share_drop", Status.SERVER_ERROR),
        ("share_half", Status.SERVER_ERROR),
        ("share_429", Status.RATE_LIMITED),
        ("share_hang", Status.TIMEOUT),
    ],
)
def test_a_fault_that_lasts_is_tried_again_and_then_a_status(
    serve: Serve, ask: Ask, prompts: Prompts, fault: str, status: Status
) -> None:
    server = serve(**{fault: 1.0})
    where = endpoint(server, max_retries=1, timeout_s=0.5)
    [answer] = ask(where, prompts(where, 1))
    assert answer.status is status
    assert answer.error
    assert answer.text is None
    assert server.stats()["requests"] == 2


def test_passing_faults_lose_nothing_and_repeat_no_answer(
    serve: Serve, ask: Ask, prompts: Prompts
) -> None:
    server = serve(
        share_429=0.1,
        share_500=0.05,
        share_drop=0.05,
        share_half=0.05,
        share_html=0.05,
        retry_after="",
    )
    where = endpoint(server, concurrency=32, max_retries=12)
    answers = ask(where, prompts(where, 100))
    assert Counter(each.status for each in answers) == {Status.OK: 100}
    assert set(server.stats()["by_body"].values()) == {1}


@pytest.mark.parametrize("header", ["1", "0", "date"])
def test_retry_after_is_honoured_and_never_hammered(
    serve: Serve, ask: Ask, prompts: Prompts, header: str
) -> None:
    where = endpoint(serve(first_429=1, retry_after=header))
    start = time.monotonic()
    [answer] = ask(where, prompts(where, 1))
    assert answer.status is Status.OK
    assert 1.0 <= time.monotonic() - start < 3.0


def test_no_retries_means_one_attempt(serve: Serve, ask: Ask, prompts: Prompts) -> None:
    server = serve(share_429=1.0)
    where = endpoint(server, max_retries=0)
    assert [a.status for a in ask(where, prompts(where, 2))] == [Status.RATE_LIMITED] * 2
    assert server.stats()["requests"] == 2


@pytest.mark.parametrize("concurrency", [1, 4, 16])
def test_no_more_are_in_flight_than_the_endpoint_allows(
    serve: Serve, ask: Ask, prompts: Prompts, concurrency: int
) -> None:
    server = serve(latency=0.02)
    where = endpoint(server, concurrency=concurrency)
    ask(where, prompts(where, 64))
    assert server.stats()["most_at_once"] == concurrency


def test_requests_are_taken_only_as_places_become_free(serve: Serve) -> None:
    where = endpoint(serve(), concurrency=4)
    taken = 0

    def source() -> Iterator[Request]:
        nonlocal taken
        for number in range(100_000):
            taken += 1
            yield Request(where, (Message("user", f"{number}"),))

    async def main() -> None:
        seen = 0
        async with Asker([where]) as asker:
            async for _ in asker.answers(source()):
                seen += 1
                assert taken <= seen + LOOK_AHEAD + 4 + 1
                if seen == 20:
                    await asyncio.sleep(0.5)
                if seen == 600:
                    break

    asyncio.run(main())
    assert taken < 600 + LOOK_AHEAD + 10


def test_a_slow_endpoint_does_not_hold_up_a_fast_one(serve: Serve) -> None:
    slow = Endpoint("slow", "m", serve(latency=0.4).base_url, concurrency=1)
    fast = Endpoint("fast", "m", serve().base_url, concurrency=4)
    requests = [
        Request(where, (Message("user", "Dinner."),), sample=sample)
        for sample in range(80)
        for where in ([slow, fast] if sample % 20 == 0 else [fast])
    ]

    async def main() -> list[str]:
        names = {each.id: each.endpoint.name for each in requests}
        async with Asker([slow, fast]) as asker:
            return [names[answer.id] async for answer in asker.answers(requests)]

    order = asyncio.run(main())
    assert order.count("slow") == 4
    assert order[-3:] == ["slow"] * 3


def test_each_answer_is_handed_over_before_it_is_yielded(serve: Serve, prompts: Prompts) -> None:
    where = endpoint(serve())
    kept: list[str] = []

    async def main() -> None:
        async with Asker([where], arrived=lambda answer: kept.append(answer.id)) as asker:
            async for answer in asker.answers(prompts(where, 20)):
                assert answer.id in kept

    asyncio.run(main())
    assert len(kept) == 20


def test_a_refused_key_ends_the_run_with_one_line_and_leaves_no_trace_of_the_key(
    serve: Serve,
    ask: Ask,
    prompts: Prompts,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("TEST_KEY", CANARY)
    caplog.set_level(logging.DEBUG)
    where = endpoint(serve(key="another"), api_key_env="TEST_KEY")
    arrived: list[Answer] = []
    with pytest.raises(Unauthorized) as caught:
        ask(where, prompts(where, 100), arrived)
    line = str(caught.value)
    assert "test" in line
    assert where.host in line
    assert "TEST_KEY" in line
    assert "\n" not in line
    assert arrived
    assert {each.status for each in arrived} == {Status.UNAUTHORIZED}
    trace = traceback.TracebackException.from_exception(caught.value, capture_locals=True)
    left = [line, caplog.text, *capfd.readouterr(), *trace.format(), *map(repr, arrived)]
    left += [repr(where), *(str(each.as_record()) for each in arrived)]
    assert not [text for text in left if CANARY in text]


def test_a_missing_key_is_told_before_anything_is_sent(
    serve: Serve, ask: Ask, prompts: Prompts, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = serve()
    where = endpoint(server, api_key_env="TEST_KEY")
    for value in (None, "", "  "):
        if value is None:
            monkeypatch.delenv("TEST_KEY", raising=False)
        else:
            monkeypatch.setenv("TEST_KEY", value)
        with pytest.raises(Unauthorized, match="set the variable TEST_KEY"):
            ask(where, prompts(where, 3))
    assert server.stats()["requests"] == 0


def test_a_key_that_no_header_can_carry_is_told_without_showing_it(
    serve: Serve, ask: Ask, prompts: Prompts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEST_KEY", "sk-schlüssel")
    where = endpoint(serve(), api_key_env="TEST_KEY")
    with pytest.raises(Unauthorized, match="TEST_KEY") as caught:
        ask(where, prompts(where, 1))
    assert "schl" not in str(caught.value)


def test_a_key_is_needed_only_when_something_is_asked(ask: Ask) -> None:
    where = Endpoint("test", "m", "http://127.0.0.1:9/v1", "NO_SUCH_VARIABLE")
    assert ask(where, []) == []


def test_the_key_is_sent_only_to_the_endpoint_that_names_it(
    serve: Serve, ask: Ask, prompts: Prompts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    monkeypatch.setenv("TEST_KEY", "mine")
    bare, keyed = serve(), serve()
    ask(endpoint(bare), prompts(endpoint(bare), 1))
    where = endpoint(keyed, api_key_env="TEST_KEY")
    ask(where, prompts(where, 1))
    assert not [value for headers in bare.headers for value in headers.values() if CANARY in value]
    assert "Authorization" not in bare.headers[0]
    assert keyed.headers[0]["Authorization"] == "Bearer mine"


def test_nothing_at_the_address_is_told_soon(ask: Ask, prompts: Prompts) -> None:
    where = Endpoint("test", "m", f"http://127.0.0.1:{free_port()}/v1")
    arrived: list[Answer] = []
    start = time.monotonic()
    with pytest.raises(EndpointUnreachable, match=where.host):
        ask(where, prompts(where, 50), arrived)
    assert time.monotonic() - start < 5
    assert {each.status for each in arrived} == {Status.UNREACHABLE}


def test_a_host_that_does_not_exist_is_unreachable(ask: Ask, prompts: Prompts) -> None:
    where = Endpoint("test", "m", "http://no-such-host.invalid/v1")
    with pytest.raises(EndpointUnreachable, match=r"no-such-host\.invalid"):
        ask(where, prompts(where, 5))


def test_an_endpoint_that_goes_away_ends_the_run_and_keeps_what_came(
    serve: Serve, prompts: Prompts
) -> None:
    server = serve(latency=0.01)
    where = endpoint(server, concurrency=2, max_retries=1)
    arrived: list[Answer] = []

    async def main() -> None:
        async with Asker([where]) as asker:
            async for answer in asker.answers(prompts(where, 5000)):
                arrived.append(answer)
                if len(arrived) == 20:
                    await asyncio.to_thread(server.stop)

    with pytest.raises(EndpointUnreachable):
        asyncio.run(main())
    assert Counter(each.status for each in arrived)[Status.OK] >= 20


def test_an_unknown_model_is_named(serve: Serve, ask: Ask, prompts: Prompts) -> None:
    where = replace(endpoint(serve(models=("other",))), model="loopback-modle")
    with pytest.raises(ModelError, match="no model 'loopback-modle'"):
        ask(where, prompts(where, 20))


def test_a_used_up_quota_ends_the_run_at_once(serve: Serve, ask: Ask, prompts: Prompts) -> None:
    server = serve(quota_after=11)
    where = endpoint(server, concurrency=2)
    arrived: list[Answer] = []
    with pytest.raises(ModelError, match="quota"):
        ask(where, prompts(where, 500), arrived)
    assert Counter(each.status for each in arrived)[Status.OK] == 10
    assert server.stats()["requests"] <= 12


def test_a_server_that_accepts_nothing_is_given_up_with_its_own_words(
    serve: Serve, ask: Ask, prompts: Prompts
) -> None:
    server = serve(reject_fields=("top_k",))
    where = endpoint(server, decoding={"top_k": 10}, concurrency=1)
    with pytest.raises(ModelError, match="Unrecognized request argument supplied: top_k"):
        ask(where, prompts(where, 500))
    assert server.stats()["requests"] == 3


def test_an_answer_to_a_schema_is_json_that_quotes_the_text(serve: Serve, ask: Ask) -> None:
    schema = {
        "type": "object",
        "properties": {
            "entities": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "text": {"type": "string"},
                        "type": {"enum": ["dish", "drink"]},
                    },
                },
            }
        },
    }
    where = endpoint(serve())
    text = "她吃了 ramen と味噌汁"
    [answer] = ask(where, [Request(where, (Message("user", text),), schema=schema)])
    assert answer.text is not None
    entities = json.loads(answer.text)["entities"]
    assert len(entities) == 3
    assert all(each["text"] in text and each["type"] in ("dish", "drink") for each in entities)


def test_missing_usage_gives_no_token_counts(serve: Serve, ask: Ask, prompts: Prompts) -> None:
    where = endpoint(serve(usage=False))
    [answer] = ask(where, prompts(where, 1))
    assert (answer.prompt_tokens, answer.completion_tokens) == (None, None)


def test_cancelling_yields_what_has_arrived_and_closes(serve: Serve, prompts: Prompts) -> None:
    server = serve(latency=0.02)
    where = endpoint(server, concurrency=8)
    kept: list[str] = []
    yielded: list[str] = []
    enough = asyncio.Event()

    async def consume() -> None:
        async with Asker([where], arrived=lambda answer: kept.append(answer.id)) as asker:
            async for answer in asker.answers(prompts(where, 10_000)):
                yielded.append(answer.id)
                if len(yielded) == 30:
                    enough.set()

    async def main() -> None:
        task = asyncio.create_task(consume())
        await enough.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(main())
    assert yielded == kept


def test_leaving_early_closes_everything(serve: Serve, prompts: Prompts) -> None:
    where = endpoint(serve(share_hang=0.5))

    async def main() -> None:
        async with Asker([where]) as asker:
            async for _ in asker.answers(prompts(where, 100)):
                break
        await asyncio.sleep(0)
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(main())


def test_an_error_of_the_source_of_requests_is_raised(serve: Serve, ask: Ask) -> None:
    where = endpoint(serve())

    def source() -> Iterator[Request]:
        yield Request(where, (Message("user", "one"),))
        raise ZeroDivisionError("the plan is wrong")

    arrived: list[Answer] = []
    with pytest.raises(ZeroDivisionError):
        ask(where, source(), arrived)
    assert [each.status for each in arrived] == [Status.OK]


def test_names_of_models_are_unique_and_known(serve: Serve, ask: Ask, prompts: Prompts) -> None:
    where = endpoint(serve())
    with pytest.raises(InputError, match="two models are named 'test'"):
        Asker([where, where])
    with pytest.raises(InputError, match="no model is named 'other'"):
        ask(where, prompts(replace(where, name="other"), 1))
    with pytest.raises(InputError, match="two different models"):
        ask(where, prompts(replace(where, model="other"), 1))
    with pytest.raises(InputError, match="no model to ask"):
        Asker([])


def test_one_endpoint_takes_requests_with_other_decoding(serve: Serve, ask: Ask) -> None:
    server = serve()
    where = endpoint(server, decoding={"temperature": 0.7})
    cold = replace(where, decoding={"temperature": 0})
    ask(where, [Request(cold, (Message("user", "x"),))])
    assert server.bodies[0]["temperature"] == 0
