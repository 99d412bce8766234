"""Waiting, and what replies mean: each a status of the closed list."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from makieval.errors import ModelError, Unauthorized
from makieval.llm.answer import Answer
from makieval.llm.endpoint import Endpoint
from makieval.llm.reply import read_error, read_success, redacted
from makieval.llm.retry import wait_before
from makieval.retry_after import asked_wait
from makieval.status import Status

ENDPOINT = Endpoint("gpt", "model-a", "https://api.example.org/v1", "A_KEY")
NOW = datetime(2026, 10, 21, 7, 27, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("7", 7.0),
        ("0.5", 0.5),
        ("Wed, 21 Oct 2026 07:28:00 GMT", 30.0),
        ("Wed, 21 Oct 2026 07:00:00 GMT", 0.0),
        ("soon", None),
        ("-3", None),
        ("nan", None),
        ("", None),
    ],
)
def test_retry_after_is_read_as_seconds_or_as_a_date(value: str, seconds: float | None) -> None:
    assert asked_wait({"retry-after": value}, NOW) == seconds


def test_without_the_header_nothing_is_asked() -> None:
    assert asked_wait({}, NOW) is None


@given(st.integers(1, 30), st.text(), st.none() | st.floats(0, 1e6))
def test_waits_are_bounded_and_repeatable(attempt: int, key: str, asked: float | None) -> None:
    wait = wait_before(attempt, key, asked)
    assert wait == wait_before(attempt, key, asked)
    assert (1.0 if asked is not None else 0.25) <= wait <= 60.25
    if asked is not None and asked <= 60:
        assert wait >= asked


def test_waits_double() -> None:
    waits = [wait_before(attempt, "key", None) for attempt in range(1, 8)]
    for attempt, wait in enumerate(waits):
        assert 0.25 * 2**attempt <= wait <= 0.5 * 2**attempt


def reply(content: Any = "Rice.", finish: Any = "stop", **more: Any) -> bytes:
    choice = {"message": {"role": "assistant", "content": content, **more}, "finish_reason": finish}
    return json.dumps({"model": "m-2026", "choices": [choice], "usage": None}).encode()


@pytest.mark.parametrize(
    ("content", "status"),
    [
        (reply(), Status.OK),
        (reply(finish=None), Status.OK),
        (reply(finish="length"), Status.TRUNCATED),
        (reply("", finish="length"), Status.EMPTY),
        (reply(None), Status.EMPTY),
        (reply(" \n"), Status.EMPTY),
        (reply(None, "content_filter"), Status.FILTERED),
        (reply("half", "content_filter"), Status.FILTERED),
        (reply(None, refusal="I cannot."), Status.REFUSED),
        (reply(["a"]), Status.SERVER_ERROR),
        (reply()[:40], Status.SERVER_ERROR),
        (b"", Status.SERVER_ERROR),
        (b"<html>busy</html>", Status.SERVER_ERROR),
        (b"[]", Status.SERVER_ERROR),
        (b"null", Status.SERVER_ERROR),
        (b'{"choices": []}', Status.SERVER_ERROR),
        (b'{"choices": null}', Status.SERVER_ERROR),
        (b'{"error": {"message": "overloaded"}}', Status.SERVER_ERROR),
        (b'{"choices": [{"message": null}]}', Status.SERVER_ERROR),
        (b"\xff\xfe\x00", Status.SERVER_ERROR),
        (b"[" * 100_000, Status.SERVER_ERROR),
    ],
)
def test_a_reply_has_one_status(content: bytes, status: Status) -> None:
    assert read_success(content).status is status


def test_missing_usage_is_no_number() -> None:
    outcome = read_success(reply())
    assert (outcome.prompt_tokens, outcome.completion_tokens) == (None, None)
    assert (outcome.text, outcome.served_model) == ("Rice.", "m-2026")


def test_the_words_of_a_refusal_are_kept() -> None:
    assert read_success(reply(None, refusal="I cannot.")).text == "I cannot."


def test_half_characters_become_replacement_marks() -> None:
    outcome = read_success(reply("Pho \ud83d and 🍜"))
    assert outcome.text == "Pho \ufffd and 🍜"


@given(st.binary(max_size=200))
def test_no_reply_raises(content: bytes) -> None:
    assert read_success(content).status is Status.SERVER_ERROR


def error(code: int, message: str = "no", inner: str | None = None, **headers: str) -> Any:
    body = {"error": {"message": message, "code": inner}}
    return read_error(code, headers, body, ENDPOINT, "sk-canary")


@pytest.mark.parametrize(
    ("code", "inner", "status", "trouble"),
    [
        (400, None, Status.REJECTED, None),
        (400, "content_filter", Status.FILTERED, None),
        (400, "model_not_found", Status.REJECTED, ModelError),
        (401, None, Status.UNAUTHORIZED, Unauthorized),
        (403, None, Status.UNAUTHORIZED, Unauthorized),
        (404, None, Status.REJECTED, ModelError),
        (408, None, Status.TIMEOUT, None),
        (409, None, Status.SERVER_ERROR, None),
        (413, None, Status.REJECTED, None),
        (422, None, Status.REJECTED, None),
        (429, None, Status.RATE_LIMITED, None),
        (429, "insufficient_quota", Status.RATE_LIMITED, ModelError),
        (500, None, Status.SERVER_ERROR, None),
        (529, None, Status.SERVER_ERROR, None),
    ],
)
def test_an_http_error_has_one_status(
    code: int, inner: str | None, status: Status, trouble: type[Exception] | None
) -> None:
    outcome = error(code, "no", inner)
    assert outcome.status is status
    assert type(outcome.trouble) is (trouble or type(None))


def test_the_wait_that_a_server_asks_for_is_carried() -> None:
    assert read_error(429, {"retry-after": "9"}, None, ENDPOINT, None).asked_wait_s == 9.0
    assert read_error(503, {"retry-after": "9"}, None, ENDPOINT, None).asked_wait_s == 9.0


@pytest.mark.parametrize("code", [400, 401, 403, 404, 429, 500])
def test_no_error_line_holds_the_key(code: int) -> None:
    outcome = error(code, "Incorrect API key provided: sk-canary")
    assert "sk-canary" not in f"{outcome.error} {outcome.trouble}"


@pytest.mark.parametrize("body", [None, "plain words", [], {"detail": "x"}, {"error": "x"}, 3])
def test_an_error_body_of_any_shape_is_read(body: object) -> None:
    assert read_error(500, {}, body, ENDPOINT, None).status is Status.SERVER_ERROR


def test_error_lines_are_single_and_short() -> None:
    assert redacted("a\n  b", None) == "a b"
    assert len(redacted("x" * 999, None)) == 300


def test_an_answer_survives_the_journal() -> None:
    answer = Answer("answer1-x", Status.OK, "Phở", "stop", 3, None, "m", 12, "2026-01-01T00:00Z")
    assert Answer.from_record(json.loads(json.dumps(answer.as_record()))) == answer
