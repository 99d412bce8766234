"""What the Entity Reconciliation API 0.2 asks of every answer, as checks.

After the W3C community report of 10 April 2023 and its JSON schemas; written anew, not copied.
"""

from typing import Any
from urllib.parse import urlsplit


def text(value: Any) -> None:
    assert isinstance(value, str)
    assert value


def record(value: Any, required: dict[str, type], optional: dict[str, type]) -> None:
    """An object with these fields; further fields only where both are silent about them."""
    assert isinstance(value, dict)
    assert required.keys() <= value.keys(), value
    for name, kind in (required | optional).items():
        if name in value:
            assert isinstance(value[name], kind), (name, value[name])
    for name, kind in required.items():
        if kind is str:
            text(value[name])


def type_(value: Any) -> None:
    record(value, {"id": str, "name": str}, {"description": str, "broader": list})


def manifest(value: Any) -> None:
    record(
        value,
        {"versions": list, "name": str, "identifierSpace": str, "schemaSpace": str},
        {
            "defaultTypes": list,
            "documentation": str,
            "logo": str,
            "serviceVersion": str,
            "view": dict,
            "preview": dict,
            "suggest": dict,
            "extend": dict,
            "batchSize": int,
        },
    )
    assert "0.2" in value["versions"]
    for space in ("identifierSpace", "schemaSpace"):
        assert urlsplit(value[space]).scheme in ("http", "https")
    for one in value["defaultTypes"]:
        type_(one)
    ids = [one["id"] for one in value["defaultTypes"]]
    assert len(ids) == len(set(ids))
    assert "{{id}}" in value["view"]["url"]
    record(value["preview"], {"url": str, "width": int, "height": int}, {})
    assert "{{id}}" in value["preview"]["url"]
    assert value["suggest"].keys() <= {"entity", "type", "property"}
    for service in (*value["suggest"].values(), value["extend"]["propose_properties"]):
        record(service, {"service_url": str, "service_path": str}, {})
    for setting in value["extend"]["property_settings"]:
        record(setting, {"name": str, "label": str, "type": str}, {"help_text": str})
        kinds = {"number": int | float, "text": str, "checkbox": bool, "select": str}
        assert isinstance(setting["default"], kinds[setting["type"]])
        if setting["type"] == "select":
            for choice in setting["choices"]:
                record(choice, {"value": str, "name": str}, {})


def results(value: Any, asked: set[str]) -> None:
    """A result batch with an answer for each query asked."""
    assert value.keys() == asked
    for answer in value.values():
        record(answer, {"result": list}, {})
        scores = [one["score"] for one in answer["result"]]
        assert scores == sorted(scores, reverse=True)
        ids = [one["id"] for one in answer["result"]]
        assert len(ids) == len(set(ids))
        for one in answer["result"]:
            record(
                one,
                {"id": str, "name": str, "score": int | float},
                {"description": str, "match": bool, "type": list, "features": list},
            )
            for kind in one["type"]:
                type_(kind)
            features = [feature["id"] for feature in one["features"]]
            assert len(features) == len(set(features))
            for feature in one["features"]:
                assert isinstance(feature["value"], bool | int | float)


def suggestions(value: Any) -> None:
    record(value, {"result": list}, {})
    for one in value["result"]:
        record(one, {"id": str, "name": str}, {"description": str, "notable": list})


def proposals(value: Any) -> None:
    record(value, {"type": str, "properties": list}, {"limit": int})
    for one in value["properties"]:
        record(one, {"id": str, "name": str}, {})


def extension(value: Any, ids: set[str], properties: list[str]) -> None:
    record(value, {"meta": list, "rows": dict}, {})
    for one in value["meta"]:
        record(one, {"id": str, "name": str}, {"type": dict, "service": str})
    assert [one["id"] for one in value["meta"]] == properties
    assert value["rows"].keys() == ids
    cells = [{}, {"id": str, "name": str}, {"str": str}, {"float": float}, {"int": int}]
    for row in value["rows"].values():
        assert row.keys() == set(properties)
        for values in row.values():
            for one in values:
                shape = next(cell for cell in cells if cell.keys() == one.keys())
                assert all(isinstance(one[name], kind) for name, kind in shape.items())
