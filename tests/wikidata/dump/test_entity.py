"""One line of a dump, read for what is wanted of it."""

import json
from typing import Any

import pytest

from makieval.wikidata.dump.entity import RANKS, Item, NotAnItem, Parse, parser
from makieval.wikidata.dump.wanted import Wanted

WANTED = Wanted.of()
CODES, PROPERTIES = WANTED.codes, WANTED.read


@pytest.fixture(scope="module")
def parse() -> Parse:
    return parser(CODES, PROPERTIES)


def item(parse: Parse, entity: dict[str, Any]) -> Item:
    """The item of an entity."""
    found = parse(json.dumps(entity).encode())
    assert isinstance(found, Item)
    return found


def names(found: Item) -> set[tuple[str, str]]:
    """(language, text) of its labels."""
    return {(CODES[at], text) for at, text in zip(*found.labels, strict=True)}


def statements(found: Item) -> set[tuple[str, int, str]]:
    """(property, value, rank)."""
    return {
        (PROPERTIES[at], value, RANKS[rank])
        for at, value, rank in zip(*found.statements, strict=True)
    }


def test_every_wanted_name_description_and_statement_of_real_items_is_read(
    parse: Parse, by_id: dict[str, dict[str, Any]]
) -> None:
    for qid, entity in by_id.items():
        if not qid.startswith("Q"):
            continue
        found = item(parse, entity)
        assert found.qid == int(qid[1:])
        assert found.sitelinks == len(entity.get("sitelinks", {}))
        assert names(found) == {
            (code, text["value"])
            for code, text in entity.get("labels", {}).items()
            if code in CODES
        }
        assert sorted(found.aliases[1]) == sorted(
            alias["value"]
            for code, aliases in entity.get("aliases", {}).items()
            if code in CODES
            for alias in aliases
        )
        assert sorted(found.descriptions[1]) == sorted(
            text["value"] for code, text in entity.get("descriptions", {}).items() if code in CODES
        )
        assert statements(found) == {
            (pid, int(claim["mainsnak"]["datavalue"]["value"]["id"][1:]), claim["rank"])
            for pid, claims in entity.get("claims", {}).items()
            if pid in PROPERTIES
            for claim in claims
            if claim["mainsnak"]["snaktype"] == "value"
        }


def test_ranks_are_kept(parse: Parse, by_id: dict[str, dict[str, Any]]) -> None:
    assert ("P175", 1666, "preferred") in statements(item(parse, by_id["Q122781"]))


def test_no_value_and_unknown_value_are_left_out(
    parse: Parse, by_id: dict[str, dict[str, Any]]
) -> None:
    claims = [
        {"mainsnak": {"snaktype": kind, "property": "P31"}, "rank": "normal"}
        for kind in ("novalue", "somevalue")
    ]
    assert not statements(item(parse, {**by_id["Q4115189"], "claims": {"P31": claims}}))


def test_an_empty_list_in_place_of_an_empty_map_is_empty(parse: Parse) -> None:
    maps = ("labels", "aliases", "descriptions", "claims", "sitelinks")
    empty: dict[str, list[Any]] = {key: [] for key in maps}
    found = item(parse, {"type": "item", "id": "Q1", **empty})
    assert found == Item(1, 0, ([], []), ([], []), ([], []), ([], [], []), "")


def test_a_value_without_its_letter_is_read_as_old_dumps_write_it(
    parse: Parse, by_id: dict[str, dict[str, Any]]
) -> None:
    entity = json.loads(json.dumps(by_id["Q26307851"]))
    for claims in entity["claims"].values():
        for claim in claims:
            value = claim["mainsnak"].get("datavalue", {}).get("value")
            if isinstance(value, dict):
                value.pop("id", None)
    assert statements(item(parse, entity)) == statements(item(parse, by_id["Q26307851"]))


def test_properties_and_lexemes_are_told_from_items(
    parse: Parse, by_id: dict[str, dict[str, Any]]
) -> None:
    for entity, kind in (("P3035", "property"), ("L525", "lexeme")):
        assert parse(json.dumps(by_id[entity]).encode()) == NotAnItem(kind)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"type":"item","id":"Q1","labels":{"en":{"lang', "truncated"),
        (b'{"type":"item","labels":{}}', "missing required field `id`"),
        (b'{"type":"item","id":"Q0"}', "id is 'Q0'"),
        (b'{"type":"item","id":"Q1","labels":{"en":5}}', "Expected `object"),
        (b"<html>", "malformed"),
        (b'"a text"', "Expected `object`"),
    ],
)
def test_what_is_no_entity_is_refused_with_a_reason(parse: Parse, line: bytes, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        parse(line)
