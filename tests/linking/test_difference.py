"""How a mention differs from a name, in the words of the closed list."""

import pytest

from makieval import catalog
from makieval.linking import difference
from makieval.linking.changes import changed, changes


@pytest.mark.parametrize(
    ("surface", "name", "language", "word"),
    [
        ("“Sushi”", "sushi", "en", "same name"),
        ("Pho", "Phở", "en", "marks"),
        ("ガム", "カム", "ja", "marks"),
        ("Bibim-bap", "bibimbap", "en", "spacing"),
        ("the sushi", "Sushi", "en", "article"),
        ("sushi", "the Sushi", "en", "article"),
        ("l'arancia", "arancia", "it", "article"),
        ("الكباب", "كباب", "ar", "article"),
        ("Suppen", "Suppe", "de", "plural"),
        ("rice dishes", "rice dish", "en", "plural"),
        ("köfteler", "köfte", "tr", "plural"),
        ("रोटियाँ", "रोटी", "hi", "plural"),
        ("김치를", "김치", "ko", "particle"),
        ("寿司を", "寿司", "ja", "particle"),
        ("kebabı", "kebab", "tr", "ending"),
        ("pastor tacos", "tacos pastor", "en", "word order"),
        ("green tea", "tea", "en", "words"),
        ("อัฟกานิสถาน", "ประเทศอัฟกานิสถาน", "th", "words"),
        ("raamen", "ramen", "en", "typo"),
        ("سوشي", "sushi", "ar", "transliteration"),
        ("एक", "दो", "hi", "other name"),
    ],
)
def test_a_difference_has_a_word(surface: str, name: str, language: str, word: str) -> None:
    assert difference.difference(surface, name, language) == word
    assert word in difference.DIFFERENCES


def test_the_nearest_name_is_the_one_that_differs_least() -> None:
    assert difference.nearest("the sushi", ["sashimi", "sushi", "sushy"], "en") == (
        "article",
        "sushi",
    )


def test_an_item_without_a_name_is_told_apart_from_one_with_another_name() -> None:
    assert difference.nearest("sushi", [], "en") == ("absent name", None)
    assert difference.nearest("sushi", ["ravioli"], "en") == ("other name", "ravioli")


def test_the_script_of_a_text_is_that_of_most_letters() -> None:
    texts = ("sushi", "寿司です", "寿司店で", "김치", "کباب", "№ 5", "!!!")
    assert [difference.script(text) for text in texts] == (
        ["Latin", "Kana", "Han", "Hangul", "Arabic", "no letters", "no letters"]
    )


def test_every_rule_of_every_language_changes_some_name() -> None:
    names = ("sushi", "pizza", "Suppe", "Brot", "café", "arroz", "pan", "gnocco", "döner", "كباب")
    names += ("کباب", "पराठा", "김치", "비빔밥", "寿司", "baklava")
    for language in catalog.languages():
        for ways in changes(language).values():
            for way, rules in ways.items():
                made = [changed(name, rules) for name in names]
                assert any(made), (language, way)
                assert not {one for one in made if one} & set(names)


def test_korean_particles_follow_the_last_consonant() -> None:
    object_particle = changes("ko")["particle"]["eul"]
    assert changed("비빔밥", object_particle) == "비빔밥을"
    assert changed("김치", object_particle) == "김치를"
