"""Peeling: what each language puts around a name comes off, and short words stay whole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from makieval import catalog
from makieval.linking import normalise, peel, rules, variants


def forms(surface: str, language: str, topic: str = "food") -> dict[str, str]:
    """Peeled key → what was peeled."""
    key = normalise.key(surface, language)
    return {one.key: "+".join(one.tags) for one in peel.peeled(key, language, topic)}


@pytest.mark.parametrize(
    ("surface", "language", "name", "tags"),
    [
        ("the dumpling", "en", "dumpling", "article"),
        ("dumplings", "en", "dumpling", "plural"),
        ("dumpling", "en", "dumplings", "plural"),
        ("berries", "en", "berry", "plural"),
        ("dishes", "en", "dish", "plural"),
        ("the shepherd's", "en", "shepherd", "article+possessive"),
        ("Das Bernstein-Teleskop", "de", "Bernstein-Teleskop", "article"),
        ("dem Bernstein-Teleskop", "de", "das Bernstein-Teleskop", "article"),
        ("Enteneier", "de", "Entenei", "ending"),
        ("Bratäpfel", "de", "Bratapfel", "ending"),
        ("Klößen", "de", "Kloß", "ending"),
        ("den Pfannkuchen", "de", "Pfannkuchen", "article"),
        ("las tapas", "es", "tapas", "article"),
        ("cucuruchos de helado", "es", "cucurucho de helado", "plural"),
        ("tacos dorados", "es", "taco dorado", "plural"),
        ("nueces", "es", "nuez", "plural"),
        ("gli gnocchi", "it", "gnocchi", "article"),
        ("l'arancino", "it", "arancino", "article"),
        ("arancini", "it", "arancino", "plural"),
        ("un'insalata", "it", "insalata", "article"),
        ("lasagne", "it", "lasagna", "plural"),
        ("İskender'in", "tr", "İskender", "apostrophe"),
        ("dolmalar", "tr", "dolma", "plural"),
        ("köfteler", "tr", "köfte", "plural"),
        ("kebabı", "tr", "kebap", "possessive"),
        ("ekmeği", "tr", "ekmek", "possessive"),
        ("baklavayı", "tr", "baklava", "case"),
        ("köfteden", "tr", "köfte", "case"),
        ("الكباب", "ar", "كباب", "article"),
        ("والكباب", "ar", "الكباب", "clitic"),
        ("بالكباب", "ar", "كباب", "clitic+article"),
        ("للكباب", "ar", "كباب", "clitic"),
        ("حلويات", "ar", "حلوية", "plural"),
        ("كباب", "ar", "الكباب", "article"),
        ("کباب‌ها", "fa", "کباب", "plural"),
        ("کباب ها", "fa", "کباب", "plural"),
        ("کتابی", "fa", "کتاب", "indefinite"),
        ("समोसे", "hi", "समोसा", "oblique"),
        ("समोसों", "hi", "समोसा", "plural"),
        ("रोटियाँ", "hi", "रोटी", "plural"),
        ("समोसा में", "hi", "समोसा", "postposition"),
        ("김치를", "ko", "김치", "particle"),
        ("비빔밥을", "ko", "비빔밥", "particle"),
        ("비빔밥은", "ko", "비빔밥", "particle"),
        ("김치에서", "ko", "김치", "particle"),
        ("寿司を", "ja", "寿司", "particle"),
        ("おにぎりから", "ja", "おにぎり", "particle"),
        ("お寿司", "ja", "寿司", "honorific"),
        ("ご飯", "ja", "お飯", None),
        ("ข้าวผัด 2 จาน", "th", "ข้าวผัด 2", "measure"),
        ("好吃的", "zh", "好吃", "particle"),
        ("一碗牛肉面", "zh", "牛肉面", "measure"),
        ("一碗牛肉麵", "zh-tw", "牛肉麵", "measure"),
    ],
)
def test_what_a_language_adds_comes_off(
    surface: str, language: str, name: str, tags: str | None
) -> None:
    assert forms(surface, language).get(normalise.key(name, language)) == tags


@pytest.mark.parametrize(
    ("surface", "language", "topic", "name"),
    [
        ("迷霧驚魂", "zh-tw", "book", "迷霧驚魂 (小說)"),
        ("La guerra de los mundos", "es", "book", "La guerra de los mundos (novela)"),
        ("رواية 1984", "ar", "book", "1984"),
        ("Der Prozess (Roman)", "de", "book", "Der Prozess"),
        ("Dune Messiah: A Novel", "en", "book", "Dune Messiah"),
        ('the song "Yesterday" again', "en", "music", "Yesterday"),
        ("เพลงชาติ", "th", "music", "ชาติ"),
        ("the song Yesterday", "en", "music", "Yesterday"),
    ],
)
def test_titles_lose_and_gain_what_says_their_kind(
    surface: str, language: str, topic: str, name: str
) -> None:
    assert normalise.key(name, language) in forms(surface, language, topic)


@pytest.mark.parametrize(
    ("surface", "language", "never"),
    [
        ("الو", "ar", "و"),  # not an article
        ("Sushi", "de", "sush"),
        ("gas", "en", "ga"),
        ("bus", "en", "bu"),
        ("dress", "en", "dres"),
        ("이", "ko", ""),
        ("가지", "ko", "가"),
        ("비빔밥가", "ko", "비빔밥"),  # 가 follows no consonant
        ("김치은", "ko", "김치"),  # 은 follows no vowel
        ("抹茶", "ja", "茶"),
        ("tomate", "es", "mate"),
    ],
)
def test_words_that_only_look_peelable_stay_whole(surface: str, language: str, never: str) -> None:
    assert never not in forms(surface, language)


@given(st.text(max_size=12), st.sampled_from(list(catalog.languages())))
def test_derived_keys_are_keys_of_their_own_and_never_the_mention(text: str, language: str) -> None:
    key = normalise.key(text, language)
    for one in (*peel.peeled(key, language, "book"), *variants.variants(key, language)):
        assert one.key and one.key != key and one.tags


@pytest.mark.parametrize("table", ["peel", "variants"])
def test_every_rule_compiles_and_says_what_it_does(table: str) -> None:
    languages = {row[0] for row in rules.read(table)}
    assert languages <= {"*", *catalog.languages()}
    for language in catalog.languages():
        assert all(rule.tag and rule.least >= 2 for rule in rules.rules(table, language))


def test_every_language_has_something_to_peel() -> None:
    assert {row[0] for row in rules.read("peel")} == {"*", *catalog.languages()}
