"""Reconciliation over HTTP: what the API's definition asks, and what the linker decides."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from makieval import catalog
from makieval.linking import Linker, Mention
from makieval.wikidata import Snapshot


def ids(answer: Any, name: str = "q0") -> list[str]:
    return [one["id"] for one in answer[name]["result"]]


def test_without_parameters_the_service_tells_what_it_is(client: Any, spec: Any) -> None:
    for language in catalog.languages():
        told = client.told(f"/reconcile/{language}")
        spec.manifest(told)
        assert catalog.language(language).english in told["name"]
    assert client.told("/reconcile") == client.told("/reconcile/en")


def test_every_address_of_the_manifest_answers(client: Any, spec: Any) -> None:
    told = client.told("/reconcile/en")
    for service in told["suggest"].values():
        spec.suggestions(client.told(service["service_url"] + service["service_path"], prefix="a"))
    proposing = told["extend"]["propose_properties"]
    address = proposing["service_url"] + proposing["service_path"]
    spec.proposals(client.told(address, type="food"))
    page = client.get(told["preview"]["url"].replace("{{id}}", "Q46383"))
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")


def test_a_name_that_links_is_a_match(client: Any, spec: Any) -> None:
    batch = {"q0": {"query": "Sushi"}, "q1": {"query": "kimono", "type": "clothing"}}
    answer = client.reconcile(batch)
    spec.results(answer, {"q0", "q1"})
    best = answer["q0"]["result"][0]
    assert (best["id"], best["name"], best["match"], best["score"]) == (
        "Q46383",
        "sushi",
        True,
        100.0,
    )
    assert best["type"] == [{"id": "food", "name": "food"}]
    assert ids(answer, "q1") == ["Q483444"]


def test_get_and_post_give_the_same(client: Any) -> None:
    batch = json.dumps({"q0": {"query": "Pizza"}})
    got = client.told("/reconcile/en", queries=batch)
    assert got == client.reconcile(batch)
    assert got["q0"]["result"][0]["id"] == "Q177"


@pytest.mark.parametrize("language", ["en", "de", "ja", "fa", "zh-tw"])
def test_the_service_answers_as_the_linker_does(
    client: Any, service_snapshot: Snapshot, language: str, spec: Any
) -> None:
    names = sorted({one.text for one in service_snapshot.names(["Q46383", "Q177"], [language])})
    names += ["nothing of this name", "Java", "“Sushi”"]
    batch = {name: {"query": name, "type": ["food.dish_name"], "limit": 1} for name in names}
    answer = client.reconcile(batch, language)
    spec.results(answer, set(names))
    links = Linker(service_snapshot).link(
        [Mention(name, language, "food", "dish_name") for name in names]
    )
    for name, link in zip(names, links, strict=True):
        matched = [one["id"] for one in answer[name]["result"] if one["match"]]
        assert matched == ([link.qid] if link.qid else []), name


def test_a_type_decides_among_namesakes(client: Any) -> None:
    batch = {
        "novel": {"query": "Amsterdam", "type": ["book.book_title"]},
        "song": {"query": "Amsterdam", "type": ["music.song_name"]},
        "any": {"query": "Amsterdam"},
    }
    answer = client.reconcile(batch)
    assert ids(answer, "novel")[0] == "Q478433"
    assert ids(answer, "song")[0] == "Q122781"
    assert {"Q478433", "Q122781"} <= set(ids(answer, "any"))
    assert not any(one["match"] for one in answer["any"]["result"])


def test_an_item_that_does_not_fit_is_shown_and_is_no_match(client: Any) -> None:
    answer = client.reconcile({"q0": {"query": "Java", "type": "beverage.drink_name"}})
    assert set(ids(answer)) == {"Q251", "Q3757"}
    for one in answer["q0"]["result"]:
        assert not one["match"]
        assert one["score"] <= 30
        assert {"id": "fits", "value": False} in one["features"]


def test_an_identifier_finds_its_item(client: Any) -> None:
    answer = client.reconcile({"q0": {"query": "Q46383"}, "q1": {"query": "Q999999999"}})
    assert [(one["id"], one["match"]) for one in answer["q0"]["result"]] == [("Q46383", True)]
    assert ids(answer, "q1") == []


def test_a_limit_keeps_the_best(client: Any) -> None:
    answer = client.reconcile(
        {"q0": {"query": "Amsterdam"}, "q1": {"query": "Amsterdam", "limit": 1}}
    )
    assert ids(answer, "q1") == ids(answer)[:1]
    assert len(ids(answer)) > 1


def test_a_property_speaks_for_the_item_that_has_it(
    client: Any, service_snapshot: Snapshot
) -> None:
    (statement,) = (
        one for one in service_snapshot.statements(["Q27593"], ["P31"]) if one.value == "Q5741069"
    )
    query = {"query": "AC/DC", "type": "music.artist_name"}
    batch = {
        "has": {**query, "properties": [{"pid": "P31", "v": {"id": statement.value}}]},
        "name": {**query, "properties": [{"pid": "P31", "v": ["rock band"]}]},
        "lacks": {**query, "properties": [{"pid": "P31", "v": "Q5"}]},
    }
    answer = client.reconcile(batch)
    assert answer["has"]["result"][0]["match"]
    assert {"id": "P31", "value": True} in answer["has"]["result"][0]["features"]
    assert not answer["lacks"]["result"][0]["match"]
    assert answer["lacks"]["result"][0]["score"] == 50.0
    known = service_snapshot.names(["Q5741069"], ["en"])
    assert answer["name"]["result"][0]["match"] == ("rock band" in {one.text for one in known})


def test_properties_without_a_name_find_nothing(client: Any, spec: Any) -> None:
    answer = client.reconcile({"q0": {"properties": [{"pid": "P31", "v": "Q5"}]}})
    spec.results(answer, {"q0"})
    assert ids(answer) == []


def test_a_reviewed_decision_is_obeyed(client: Any) -> None:
    answer = client.reconcile({"q0": {"query": "Whiskey", "type": "beverage"}}, "de")
    assert not any(one["match"] for one in answer["q0"]["result"])
    assert client.reconcile({"q0": {"query": "Whiskey", "type": "beverage"}})["q0"]["result"][0][
        "match"
    ]


def test_answers_do_not_depend_on_the_batch(client: Any) -> None:
    words = ["Sushi", "Amsterdam", "Java", "pho", "kimono", "The Beatles", "no such thing"]
    together = client.reconcile({word: {"query": word} for word in words})
    for word in reversed(words):
        assert client.reconcile({word: {"query": word}})[word] == together[word]


def test_many_clients_at_once_get_the_answers_of_one(client: Any) -> None:
    words = ["Sushi", "Amsterdam", "Java", "pho", "kimono", "drink", "ramen", "AC/DC"] * 4
    alone = {word: client.reconcile({"q0": {"query": word}}) for word in set(words)}
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda word: client.reconcile({"q0": {"query": word}}), words))
    assert answers == [alone[word] for word in words]


@pytest.mark.parametrize(
    "surface", ['"@en } UNION {', "'; DROP TABLE names; --", "\\", "a\nb", "\x00", "%", "{{id}}"]
)
def test_a_hostile_name_is_looked_up_literally(client: Any, surface: str) -> None:
    assert client.reconcile({"q0": {"query": surface}}) == {"q0": {"result": []}}


# What is refused


@pytest.mark.parametrize(
    ("batch", "status", "message"),
    [
        ("{", 400, "queries: not JSON"),
        ("[" * 100_000, 400, "queries: not JSON"),
        ([], 400, "queries: a JSON object is needed"),
        ({"q0": []}, 400, "query 'q0': a JSON object is needed"),
        ({"q0": {}}, 400, "query 'q0': needs a non-empty 'query' or 'properties'"),
        ({"q0": {"query": " "}}, 400, "query 'q0': needs a non-empty 'query' or 'properties'"),
        ({"q0": {"query": 7}}, 400, "query 'q0': 'query': a non-empty text is needed"),
        ({"q0": {"query": "a", "limit": 0}}, 400, "query 'q0': 'limit' 0 is not a positive number"),
        ({"q0": {"query": "a", "limit": "x"}}, 400, "query 'q0': 'limit': 'x' is not a whole"),
        ({"q0": {"query": "a", "type": "foot"}}, 400, "unknown type 'foot'; did you mean 'food'?"),
        ({"q0": {"query": "a", "type": "food.place"}}, 400, "unknown type 'food.place'"),
        ({"q0": {"query": "a" * 501}}, 413, "query 'q0': 'query': 501 characters; at most 500"),
        (
            {f"q{n}": {"query": "a"} for n in range(201)},
            413,
            "201 queries in one batch; at most 200",
        ),
    ],
)
def test_a_mistake_is_one_clear_line(client: Any, batch: Any, status: int, message: str) -> None:
    error = client.reconcile(batch, status=status)["error"]
    assert message in error
    assert "\n" not in error


def test_a_body_beyond_the_limit_is_refused(client: Any) -> None:
    answer = client.form({"queries": "x" * 2_100_000}, status=413)
    assert "2,000,000 bytes" in answer["error"]


def test_only_a_form_is_read(client: Any) -> None:
    answer = client.post("/reconcile/en", json={"queries": "{}"})
    assert (answer.status_code, "send a form" in answer.json()["error"]) == (415, True)
    assert "neither" in client.form({"query": "{}"}, status=400)["error"]
    raw = client.post(
        "/reconcile/en",
        content=b"queries=\xff",
        headers={"content-type": "application/x-www-form-urlencoded"},
    )
    assert raw.status_code == 400


def test_an_unknown_language_or_address_is_not_found(client: Any) -> None:
    assert "did you mean 'ja'" in client.told("/reconcile/jp", 404)["error"]
    assert client.told("/nothing/here", 404)["error"] == "Not Found"


# Cross-origin access


def test_any_page_may_read_every_answer(client: Any) -> None:
    origin = {"Origin": "http://somewhere.example"}
    for path in ("/reconcile/en", "/reconcile/en/suggest/type", "/reconcile/xx", "/health"):
        assert client.get(path, headers=origin).headers["access-control-allow-origin"] == "*"
    asked = {**origin, "Access-Control-Request-Method": "POST"}
    assert client.options("/reconcile/en", headers=asked).status_code == 200


def test_health_names_the_snapshot(client: Any, service_snapshot: Snapshot) -> None:
    assert client.told("/health")["snapshot"] == service_snapshot.id


def test_the_openapi_document_names_the_addresses(client: Any) -> None:
    paths = client.told("/openapi.json")["paths"]
    assert "/reconcile/{language}" in paths
    assert "post" in paths["/reconcile/{language}"]
