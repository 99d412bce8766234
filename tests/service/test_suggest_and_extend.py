"""Auto-completion, values of properties, and the small page about an item."""

import json
from typing import Any

import pytest


def suggested(client: Any, what: str, prefix: str, language: str = "en", **more: Any) -> list[str]:
    told = client.told(f"/reconcile/{language}/suggest/{what}", prefix=prefix, **more)
    return [one["id"] for one in told["result"]]


def test_items_are_found_by_how_a_name_begins(client: Any, spec: Any) -> None:
    assert suggested(client, "entity", "sus")[0] == "Q46383"
    assert suggested(client, "entity", "寿", "ja")[0] == "Q46383"
    assert suggested(client, "entity", "SUSHI")[0] == "Q46383"
    spec.suggestions(client.told("/reconcile/en/suggest/entity", prefix="a"))


def test_the_name_that_was_typed_is_shown_beside_the_label(client: Any) -> None:
    told = client.told("/reconcile/en/suggest/entity", prefix="whiskey")["result"]
    assert told[0] == {"id": "Q281", "name": "whisky (whiskey)"}


def test_an_identifier_is_suggested(client: Any) -> None:
    assert suggested(client, "entity", "Q46383") == ["Q46383"]


def test_a_cursor_goes_on_where_the_page_ended(client: Any) -> None:
    first = suggested(client, "entity", "a")
    second = suggested(client, "entity", "a", cursor=5)
    assert second[: len(first) - 5] == first[5:]


@pytest.mark.parametrize("prefix", ["", " ", "%", "_", "\\", "'", "zzzzzz"])
def test_a_prefix_that_is_no_name_finds_nothing(client: Any, prefix: str) -> None:
    assert suggested(client, "entity", prefix) == []


def test_types_are_topics_and_their_entity_types(client: Any, spec: Any) -> None:
    assert suggested(client, "type", "foo")[0] == "food"
    assert "food.dish_name" in suggested(client, "type", "dish")
    every = suggested(client, "type", "") + suggested(client, "type", "", cursor=20)
    assert "food.place" not in every
    assert "food.any" not in every
    spec.suggestions(client.told("/reconcile/en/suggest/type", prefix="f"))


def test_properties_are_those_that_items_have(client: Any, spec: Any) -> None:
    assert "P495" in suggested(client, "property", "country")
    assert suggested(client, "property", "P31") == ["P31"]
    assert suggested(client, "property", "descr") == ["description"]
    spec.suggestions(client.told("/reconcile/en/suggest/property", prefix="p"))


def test_other_suggestions_do_not_exist(client: Any) -> None:
    assert "entity, type and property" in client.told("/reconcile/en/suggest/x", 404)["error"]
    assert (
        "at most 500" in client.told("/reconcile/en/suggest/type", 413, prefix="a" * 501)["error"]
    )


def test_what_tells_the_origin_is_proposed_first(client: Any, spec: Any) -> None:
    told = client.told("/reconcile/en/properties", type="book.author_name", limit=3)
    spec.proposals(told)
    assert [one["id"] for one in told["properties"]] == ["label", "description", "P27"]
    assert told["limit"] == 3
    spec.proposals(client.told("/reconcile/en/properties", type="Q35120"))


# Data extension


def extended(client: Any, ids: list[str], *properties: Any, language: str = "en") -> Any:
    columns = [one if isinstance(one, dict) else {"id": one} for one in properties]
    query = json.dumps({"ids": ids, "properties": columns})
    return client.form({"extend": query}, language)


def test_values_come_with_their_labels(client: Any, spec: Any) -> None:
    told = extended(client, ["Q27593", "Q999999999"], "P31", "label", "P9999")
    spec.extension(told, {"Q27593", "Q999999999"}, ["P31", "label", "P9999"])
    assert {"id": "Q5741069", "name": "rock band"} in told["rows"]["Q27593"]["P31"]
    assert told["rows"]["Q27593"]["label"] == [{"str": "AC/DC"}]
    assert told["rows"]["Q999999999"] == {"P31": [], "label": [], "P9999": []}
    assert told["meta"][0] == {"id": "P31", "name": "instance of"}


def test_get_gives_the_same(client: Any) -> None:
    query = json.dumps({"ids": ["Q27593"], "properties": [{"id": "P31"}]})
    assert client.told("/reconcile/en", extend=query) == extended(client, ["Q27593"], "P31")


def test_labels_follow_the_language(client: Any) -> None:
    told = extended(client, ["Q46383"], "label", language="ja")
    assert told["rows"]["Q46383"]["label"] == [{"str": "寿司"}]


def test_settings_limit_and_count(client: Any, spec: Any) -> None:
    every = extended(client, ["Q31"], {"id": "P31"})["rows"]["Q31"]["P31"]
    limited = {"id": "P31", "settings": {"limit": "1"}}
    counted = {"id": "P31", "settings": {"count": "on", "rank": "any"}}
    assert extended(client, ["Q31"], limited)["rows"]["Q31"]["P31"] == every[:1]
    told = extended(client, ["Q31"], counted)
    spec.extension(told, {"Q31"}, ["P31"])
    assert told["rows"]["Q31"]["P31"][0]["int"] >= len(every) >= 1


@pytest.mark.parametrize(
    ("query", "status", "message"),
    [
        ("no", 400, "extend: not JSON"),
        ({"ids": "Q1", "properties": []}, 400, "extend: ids: a list is needed"),
        ({"ids": ["Q1"]}, 400, "extend: properties: a list is needed"),
        ({"ids": ["Q1"], "properties": [{}]}, 400, "extend: 'id' of a property"),
        ({"ids": ["Q1"] * 1001, "properties": []}, 413, "1001 ids"),
    ],
)
def test_a_mistake_is_one_clear_line(client: Any, query: Any, status: int, message: str) -> None:
    told = query if isinstance(query, str) else json.dumps(query)
    assert message in client.form({"extend": told}, status=status)["error"]


# Preview


def test_the_page_shows_label_and_description(client: Any) -> None:
    page = client.get("/reconcile/fa/preview", params={"id": "Q46383"})
    assert "سوشی" in page.text
    assert 'dir="rtl"' in page.text
    assert "default-src 'none'" in page.headers["content-security-policy"]


@pytest.mark.parametrize("qid", ["", "Q999999999", "<script>alert(1)</script>", "Q1'--"])
def test_an_unknown_item_has_no_page(client: Any, qid: str) -> None:
    assert client.told("/reconcile/en/preview", 404, id=qid)["error"].startswith("no item")


def test_a_label_with_markup_shows_as_text() -> None:
    from makieval.service.preview import page
    from makieval.service.texts import Text

    shown = page("Q1", Text("<script>alert(1)</script>", '"><img src=x>'), "en")
    assert "<script>" not in shown
    assert "<img" not in shown
