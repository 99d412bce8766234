"""The six topics: types, roots and origin rules hang together."""

import dataclasses
import re

import pytest

from makieval import catalog
from makieval.errors import CatalogError

TOPICS = list(catalog.topics().values())
TYPES = [(topic, kind) for topic in TOPICS for kind in topic.types.values()]
CREATORS = {"Q5": "human", "Q215380": "musical group", "Q2088357": "musical ensemble"}


def test_the_six_topics_are_numbered_in_the_published_order() -> None:
    assert [topic.number for topic in TOPICS] == [1, 2, 3, 4, 5, 6]
    assert list(catalog.topics()) == [
        "food",
        "book",
        "music",
        "beverage",
        "clothing",
        "transportation",
    ]


def test_every_root_is_a_well_formed_qid_with_a_label() -> None:
    for topic in TOPICS:
        for qid, label in topic.all_roots.items():
            assert re.fullmatch(r"Q[1-9]\d*", qid)
            assert label


def test_the_root_of_beverages_has_its_q() -> None:
    assert catalog.topic("beverage").roots["Q40050"] == "drink"


def test_the_labels_that_the_release_swaps_are_right() -> None:
    transportation, book = catalog.topic("transportation"), catalog.topic("book")
    assert transportation.roots["Q42889"] == "vehicle"
    assert transportation.roots["Q334166"] == "mode of transport"
    assert book.roots["Q7725634"] == "literary work"


def test_a_type_links_under_its_topic_s_roots_or_under_people_and_groups() -> None:
    for topic, kind in TYPES:
        assert set(kind.roots) <= set(topic.roots) | set(CREATORS)
        assert set(kind.roots) <= set(topic.all_roots)


def test_every_root_of_a_topic_serves_some_type() -> None:
    for topic in TOPICS:
        used = {root for kind in topic.types.values() for root in kind.roots}
        assert used == set(topic.all_roots)


def test_excluded_types_link_to_nothing_and_all_others_have_roots_and_an_origin() -> None:
    for _, kind in TYPES:
        counted = kind.granularity != "excluded"
        assert bool(kind.roots) == counted
        assert bool(kind.origin) == counted


def test_people_and_places_in_a_scene_are_excluded() -> None:
    excluded = {kind.id for _, kind in TYPES if kind.granularity == "excluded"}
    assert excluded == {"place", "person_name", "reader_name", "listener_name"}


def test_the_granularity_split_is_the_reconstruction_s() -> None:
    categories = {kind.id for _, kind in TYPES if kind.granularity == "category"}
    assert categories == {
        "dish_category",
        "ingredient_category",
        "beverage_category",
        "book_genre",
        "music_genre",
        "fashion_style",
        "vehicle_type",
    }


def test_every_topic_has_specific_and_category_types() -> None:
    for topic in TOPICS:
        assert {kind.granularity for kind in topic.types.values()} == {
            "specific",
            "category",
            "excluded",
        }


def test_genres_and_works_do_not_share_roots() -> None:
    for topic, genre, work in (
        ("book", "book_genre", "book_title"),
        ("music", "music_genre", "song_name"),
    ):
        types = catalog.topic(topic).types
        assert not set(types[genre].roots) & set(types[work].roots)


def test_creators_link_to_humans_and_artists_to_groups_too() -> None:
    assert catalog.topic("book").types["author_name"].roots == ("Q5",)
    assert set(catalog.topic("music").types["artist_name"].roots) == set(CREATORS)
    assert dict(catalog.topic("music").creators) == CREATORS


def test_origins_are_property_paths_that_name_each_path_once() -> None:
    for _, kind in TYPES:
        assert len(set(kind.origin)) == len(kind.origin)
        for path in kind.origin:
            assert re.fullmatch(r"P\d+(/P\d+)?", path)


def test_works_take_their_creator_s_country_before_their_own() -> None:
    assert catalog.topic("book").types["book_title"].origin[0] == "P50/P27"
    assert catalog.topic("music").types["song_name"].origin[0] == "P175/P27"
    for topic in ("food", "beverage", "clothing", "transportation"):
        for kind in catalog.topic(topic).types.values():
            assert kind.origin in {(), ("P495", "P17")}


def test_no_spelling_means_two_types_of_one_topic() -> None:
    for topic in TOPICS:
        spellings = [kind.id.replace("_", " ") for kind in topic.types.values()]
        spellings += [alias for kind in topic.types.values() for alias in kind.aliases]
        assert len(set(spellings)) == len(spellings)


@pytest.mark.parametrize(
    ("topic", "spelling", "meant"),
    [
        ("book", "name of author", "author_name"),
        ("book", "Author", "author_name"),
        ("music", "Name of Artist", "artist_name"),
        ("music", "song-title", "song_name"),
        ("food", "dish", "dish_name"),
        ("food", " DISH_NAME ", "dish_name"),
        ("transportation", "mode of transport", "mode_of_transport"),
    ],
)
def test_a_type_is_found_by_the_spellings_that_models_use(
    topic: str, spelling: str, meant: str
) -> None:
    found = catalog.topic(topic).find_type(spelling)
    assert found is not None
    assert found.id == meant


def test_a_spelling_that_means_nothing_finds_nothing() -> None:
    assert catalog.topic("food").find_type("author") is None


def test_every_alias_finds_its_own_type() -> None:
    for topic, kind in TYPES:
        for spelling in (kind.id, *kind.aliases):
            assert topic.find_type(spelling) is kind


def test_a_mistaken_topic_is_told_the_one_that_was_meant() -> None:
    with pytest.raises(CatalogError, match=r"unknown topic 'drinks'.*did you mean 'beverage'\?"):
        catalog.topic("drinks")


def test_topics_cannot_be_edited() -> None:
    food = catalog.topic("food")
    with pytest.raises(TypeError):
        food.roots["Q1"] = "universe"  # type: ignore[index]
    with pytest.raises(TypeError):
        del food.types["dish_name"]  # type: ignore[attr-defined]
    with pytest.raises(dataclasses.FrozenInstanceError):
        food.types["dish_name"].granularity = "category"  # type: ignore[misc]
