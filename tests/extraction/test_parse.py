"""Reading what the extraction model answers."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from makieval.catalog import topics
from makieval.extraction.parse import Entity, parse
from makieval.status import Status

FOOD = topics()["food"]
BOOK = topics()["book"]
PIZZA = (Entity("Pizza", "dish_name"),)


@pytest.mark.parametrize(
    "answer",
    [
        '{"dish_name": ["Pizza"], "place": []}',
        '\ufeff  {"dish_name":["Pizza"]}\n',
        '```json\n{"dish_name": ["Pizza"]}\n```',
        'Here you are:\n```\n{"dish_name": ["Pizza"]}\n```\nEnjoy!',
        '<think>It could be {"place": ["Rome"]}.</think>\n{"dish_name": ["Pizza"]}',
        'It could be {"place": ["Rome"]}.</think>{"dish_name": ["Pizza"]}',
        '{"entities": [{"text": "Pizza", "type": "dish_name"}]}',
        '{"result": {"entities": [{"entity": "Pizza", "entity_type": "dish_name"}]}}',
        '[{"name": "Pizza", "label": "Dish Name"}]',
        '{"dish_name": [{"text": "Pizza"}]}',
        '[["Pizza", "dish_name"]]',
        '[{"Pizza": "dish_name"}]',
        '{"Pizza": "dish_name"}',
        '{"dish_name": "Pizza"}',
        '{"Dish-Name": ["Pizza"]}',
        '{"name of dish": ["Pizza"]}',
        '{"dish_name": ["Pizza", null], "place": null, "person_name": ""}',
    ],
)
def test_every_common_layout_is_read(answer):
    parsed = parse(answer, FOOD)
    assert parsed.status is Status.OK
    assert tuple(entity for entity in parsed.entities if entity.surface) == PIZZA


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "Pizza",
        '"Pizza"',
        "42",
        '["Pizza"]',
        '{"dish_name": ["Pizza", "Pa',
        '{"dish_name": ["Pizza"]',
        "{'dish_name': ['Pizza']}",
        '{"entities": [{"text": "Pizza"}]}',
        '<think>Perhaps {"dish_name": ["Pizza"]}',
        '```\n{"dish_name": ["Pizza"]}\n```\n```\n{"dish_name": ["Pasta"]}\n```',
        "[" * 100_000,
        '{"dish_name": ' + "9" * 5000 + "}",
    ],
)
def test_what_is_not_the_json_that_was_asked_for_is_unparsable_and_yields_nothing(answer):
    parsed = parse(answer, FOOD)
    assert parsed.status is Status.UNPARSABLE
    assert parsed.entities == ()


@pytest.mark.parametrize("answer", ["{}", "[]", '{"entities": []}', '{"dish_name": []}'])
def test_an_answer_without_entities_is_an_answer(answer):
    assert parse(answer, FOOD).status is Status.OK
    assert parse(answer, FOOD).entities == ()


def test_the_spellings_of_the_published_prompts_are_known():
    parsed = parse('{"Orhan Pamuk": "name of author", "Kar": "book title"}', BOOK)
    assert [entity.type for entity in parsed.entities] == ["author_name", "book_title"]


def test_a_type_outside_the_topic_is_kept_and_marked():
    for answer in ['{"Vespa": "vehicle"}', '{"vehicle": ["Vespa"]}']:
        assert parse(answer, FOOD).entities == (Entity("Vespa", "vehicle", known=False),)


def test_places_and_people_are_marked_as_uncounted():
    parsed = parse('{"dish_name": ["Pizza"], "place": ["Rome"], "thing": ["x"]}', FOOD)
    assert [entity.excluded for entity in parsed.entities] == [False, True, False]


def test_a_key_given_twice_loses_nothing():
    parsed = parse('{"dish_name": ["Pizza"], "dish_name": ["Pasta"]}', FOOD)
    assert [entity.surface for entity in parsed.entities] == ["Pizza", "Pasta"]


def test_a_title_that_is_a_number_is_a_title():
    assert parse('{"book_title": [1984]}', BOOK).entities == (Entity("1984", "book_title"),)


def test_a_surface_form_named_like_a_type_is_still_a_surface_form():
    assert parse('{"Novel": "book_genre"}', BOOK).entities == (Entity("Novel", "book_genre"),)


def test_half_a_surrogate_pair_does_not_reach_the_store():
    (entity,) = parse('{"dish_name": ["\\ud83c Pizza\\u0000"]}', FOOD).entities
    assert entity.surface == "\ufffd Pizza\ufffd"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(
            st.text() | st.sampled_from(["text", "type", "dish_name", "entities", "name"]), inner
        )
    ),
    max_leaves=20,
)


@given(st.text() | JSON.map(json.dumps))
def test_no_answer_makes_it_raise(answer):
    parsed = parse(answer, FOOD)
    assert parsed.status in {Status.OK, Status.UNPARSABLE}
    for entity in parsed.entities:
        entity.surface.encode()
        assert entity.known == (entity.type in FOOD.types)


@given(st.dictionaries(st.sampled_from(sorted(FOOD.types)), st.lists(st.text(min_size=1))))
def test_the_layout_that_is_asked_for_comes_back_as_it_was_written(answer):
    told = [(surface, kind) for kind, surfaces in answer.items() for surface in surfaces]
    read = parse(json.dumps(answer), FOOD).entities
    clean = [(surface.replace("\0", "\ufffd"), kind) for surface, kind in told]
    assert [(entity.surface, entity.type) for entity in read] == clean
