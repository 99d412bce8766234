"""Keys of answers: what changes them, what must not, and what they can be verified from."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from makieval.errors import InputError, ModelFileError
from makieval.fingerprint import canonical
from makieval.llm import modelfile
from makieval.llm.endpoint import Endpoint
from makieval.llm.request import Message, Request, request_id

ENDPOINT = Endpoint("gpt", "model-a", "https://api.example.org/v1", "A_KEY", {"temperature": 0.7})
SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}}
REQUEST = Request(ENDPOINT, (Message("user", "Write about dinner."),), 7, 0, None)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(-2, 2) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=4,
)
messages = st.lists(
    st.builds(Message, st.sampled_from(["system", "user", "assistant"]), st.text(max_size=9)),
    min_size=1,
    max_size=3,
).map(tuple)
schemas = st.none() | st.dictionaries(st.text(max_size=3), json_values, max_size=2)
#: Every field that can change an answer, with values it can take.
CHANGING = {
    "model": st.text(min_size=1, max_size=9),
    "base_url": st.sampled_from(
        [
            "https://api.example.org/v1",
            "https://api.example.org",
            "https://b.example.org/v1",
            "http://api.example.org/v1",
            "https://api.example.org:8443/v1",
        ]
    ),
    "decoding": st.dictionaries(st.sampled_from(["temperature", "top_p", "top_k"]), json_values),
    "system": st.none() | st.text(max_size=9),
    "messages": messages,
    "seed": st.none() | st.integers(0, 2**31),
    "sample": st.integers(0, 9),
    "schema": schemas,
}


def with_field(request: Request, name: str, value: Any) -> Request:
    if name in ("messages", "seed", "sample", "schema"):
        return replace(request, **{name: value})
    return replace(request, endpoint=replace(request.endpoint, **{name: value}))


@pytest.mark.parametrize("name", CHANGING)
@given(data=st.data())
def test_every_field_that_can_change_the_answer_changes_the_key(name: str, data: Any) -> None:
    one, two = data.draw(CHANGING[name]), data.draw(CHANGING[name])
    first, second = with_field(REQUEST, name, one), with_field(REQUEST, name, two)
    as_json = (lambda v: [[m.role, m.content] for m in v]) if name == "messages" else lambda v: v
    same = plain(as_json(one)) == plain(as_json(two))
    assert (first.id == second.id) == same


def plain(value: Any) -> str:
    """`value` as text in which 1 and 1.0 are one number."""
    return canonical(json.loads(json.dumps(value), parse_float=lambda f: as_number(float(f))))


def as_number(number: float) -> float | int:
    return int(number) if number.is_integer() else number


@given(
    name=st.text(min_size=1),
    key=st.none() | st.text(min_size=1),
    concurrency=st.integers(1, 999),
    timeout=st.floats(1, 999),
    retries=st.integers(0, 9),
)
def test_how_an_endpoint_is_reached_does_not_change_the_key(
    name: str, key: str | None, concurrency: int, timeout: float, retries: int
) -> None:
    endpoint = replace(
        ENDPOINT,
        name=name,
        api_key_env=key,
        concurrency=concurrency,
        timeout_s=timeout,
        max_retries=retries,
    )
    assert replace(REQUEST, endpoint=endpoint).id == REQUEST.id


@given(messages=messages, schema=schemas, seed=st.integers(0, 9), system=st.text(max_size=9))
def test_a_key_can_be_verified_from_the_journalled_fields_alone(
    messages: Any, schema: Any, seed: int, system: str
) -> None:
    request = Request(replace(ENDPOINT, system=system), messages, seed, 1, schema)
    journalled = json.loads(json.dumps(request.fields()))
    assert request_id(journalled) == request.id


def test_fields_name_what_differs_between_two_requests() -> None:
    other = replace(REQUEST, endpoint=replace(ENDPOINT, decoding={"temperature": 0.8}))
    pairs = zip(REQUEST.fields().items(), other.fields().items(), strict=True)
    assert [one[0] for one, two in pairs if one != two] == ["decoding"]


def test_long_texts_stand_in_the_fields_by_their_hash() -> None:
    long = "word " * 1000
    request = Request(replace(ENDPOINT, system=long), (Message("user", long),), 1, 0, SCHEMA)
    assert len(json.dumps(request.fields())) < 700


def test_one_and_one_point_zero_are_the_same_decoding() -> None:
    one, two = (replace(ENDPOINT, decoding={"temperature": t, "stop": ["x"]}) for t in (1, 1.0))
    assert replace(REQUEST, endpoint=one).id == replace(REQUEST, endpoint=two).id


@pytest.mark.parametrize(
    "url",
    ["https://api.example.org/v1/", "HTTPS://API.Example.org/v1", "https://api.example.org:443/v1"],
)
def test_spellings_of_one_address_are_one_server(url: str) -> None:
    assert replace(ENDPOINT, base_url=url).identity == ENDPOINT.identity


@pytest.mark.parametrize(
    "url",
    [
        "https://user:hunter2@api.example.org/v1",
        "https://hunter2@api.example.org/v1",
        "https://api.example.org/v1?api_key=hunter2",
        "https://api.example.org/v1#hunter2",
    ],
)
def test_an_address_with_credentials_is_refused_without_repeating_them(url: str) -> None:
    with pytest.raises(InputError) as caught:
        replace(ENDPOINT, base_url=url)
    assert "hunter2" not in str(caught.value)
    assert "base_url" in str(caught.value)


@pytest.mark.parametrize("url", ["api.example.org/v1", "ftp://x/v1", "", "http://", "http://h:x/"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(InputError, match="https://host/v1"):
        replace(ENDPOINT, base_url=url)


@pytest.mark.parametrize("key", ["api_key", "seed", "n", "messages", "stream"])
def test_decoding_takes_no_field_that_is_not_decoding(key: str) -> None:
    with pytest.raises(InputError, match=f"decoding.{key}"):
        replace(ENDPOINT, decoding={key: "x"})


def test_decoding_takes_no_number_that_json_cannot_carry() -> None:
    with pytest.raises(InputError, match="nan"):
        replace(ENDPOINT, decoding={"temperature": float("nan")})


def test_the_body_carries_messages_decoding_seed_and_schema_but_never_n() -> None:
    endpoint = replace(ENDPOINT, decoding={"max_tokens": 5, "top_k": 3}, system="Be brief.")
    body = Request(endpoint, REQUEST.messages, 7, 4, SCHEMA).body()
    assert body == {
        "model": "model-a",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Write about dinner."},
        ],
        "max_tokens": 5,
        "top_k": 3,
        "seed": 7,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "answer", "schema": SCHEMA, "strict": True},
        },
    }


def test_the_default_model_has_an_identity_without_being_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAKIEVAL_CACHE", str(tmp_path))
    default = modelfile.registry()[modelfile.default_id()]
    identity = Endpoint("local", "local").identity
    assert identity["server"] == {"embedded": default.sha256}
    assert identity["model"] == default.id
    assert identity["decoding"] == {"cache_prompt": False}


def test_an_embedded_model_is_its_bytes_and_not_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAKIEVAL_CACHE", str(tmp_path))
    for name, content in (("a.gguf", b"one"), ("b.gguf", b"one"), ("c.gguf", b"two")):
        (tmp_path / name).write_bytes(content)
    a, b, c = (Endpoint("x", f"local:{tmp_path / name}.gguf").identity for name in "abc")
    assert a == b != c


def test_a_changed_model_file_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAKIEVAL_CACHE", str(tmp_path))
    file = tmp_path / "a.gguf"
    file.write_bytes(b"one")
    before = Endpoint("x", f"local:{file}").identity
    file.write_bytes(b"three")
    assert Endpoint("x", f"local:{file}").identity != before


def test_an_unknown_embedded_model_gets_a_line_with_the_nearest() -> None:
    with pytest.raises(InputError, match="did you mean 'smollm2-135m'"):
        Endpoint("x", "local:smollm2")


def test_a_missing_model_file_gets_a_line_that_says_where() -> None:
    with pytest.raises(ModelFileError, match=r"no model file at /nowhere/x\.gguf"):
        _ = Endpoint("x", "local:/nowhere/x.gguf").identity


def test_limits_of_an_endpoint_are_checked() -> None:
    with pytest.raises(InputError, match="concurrency must be at least 1"):
        replace(ENDPOINT, concurrency=0)
