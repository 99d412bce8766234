"""The two suites on a small real snapshot: seeded, spread over languages, honest about absence."""

from collections import Counter
from collections.abc import Callable

import pytest

from makieval import catalog
from makieval.linking import Linker, Mention, normalise
from makieval.linking.suites import (
    Named,
    Without,
    as_record,
    changes_of,
    perturb,
    sample,
    shares,
    without,
)
from makieval.wikidata import Snapshot

SUSHI = Named(Mention("sushi", "en", "food", "dish_name"), "Q46383")


def made(surface: str, language: str) -> dict[tuple[str, str], str]:
    mention = Mention(surface, language, "food", "dish_name")
    return {(kind, way): text for kind, way, text in changes_of(mention)}


def test_names_are_drawn_evenly_and_link_as_they_stand(snapshot: Snapshot) -> None:
    names = sample(snapshot, 10)
    by_language = Counter(one.mention.language for one in names)
    assert by_language.keys() == catalog.languages().keys()
    assert max(by_language.values()) == min(by_language.values()) == 10
    links = Linker(snapshot).link([one.mention for one in names])
    assert [link.qid for link in links] == [one.qid for one in names]
    assert all(link.name == link.mention.surface for link in links)


def test_a_seed_draws_the_same_names_and_another_seed_others(snapshot: Snapshot) -> None:
    assert sample(snapshot, 5, seed=3) == sample(snapshot, 5, seed=3)
    assert sample(snapshot, 5, seed=3) != sample(snapshot, 5, seed=4)


def test_changes_are_those_of_the_language() -> None:
    english, korean = made("Rice dish", "en"), made("비빔밥", "ko")
    assert english["article", "the"] == "the Rice dish"
    assert english["plural", "s"] == "Rice dishes"
    assert korean["particle", "eun"] == "비빔밥은"
    assert not [kind for kind, _ in korean if kind in ("article", "upper case", "lower case")]
    assert len(korean["decomposed", "NFD"]) > len("비빔밥")


def test_turkish_case_is_turkish() -> None:
    changed = made("istanbul ızgara", "tr")
    assert changed["upper case", ""] == "İSTANBUL IZGARA"
    assert changed["title case", ""] == "İstanbul Izgara"
    assert made("İstanbul Izgara", "tr")["lower case", ""] == "istanbul ızgara"


def test_marks_are_dropped_from_latin_letters_only() -> None:
    assert made("phở bò", "en")["marks dropped", ""] == "pho bo"
    assert ("marks dropped", "") not in made("पराठा", "hi")
    assert ("marks dropped", "") not in made("ข้าวผัด", "th")


def test_persian_letters_and_half_spaces_are_exchanged() -> None:
    changed = made("نوشیدنی\u200cهای الکلی", "fa")
    assert "ي" in changed["arabic letters", ""]
    assert "ی" not in changed["arabic letters", ""]
    assert changed["half space", "as space"] == "نوشیدنی های الکلی"
    assert changed["half space", "for space"] == "نوشیدنی\u200cهای\u200cالکلی"


def test_a_typo_is_one_edit_and_never_in_a_short_name() -> None:
    from rapidfuzz.distance import OSA

    for name in ("bibimbap", "tacos al pastor", "Käsespätzle"):
        (typo,) = (text for (kind, _), text in made(name, "en").items() if kind == "typo")
        assert OSA.distance(normalise.key(name, "en"), normalise.key(typo, "en")) == 1
        assert typo[0] == name[0]
    assert not [kind for kind, _ in made("taco", "en") if kind == "typo"]


def test_no_change_is_the_name_itself_or_comes_twice() -> None:
    texts = [text for (kind, _), text in made("Käse Brot", "de").items() if kind != "none"]
    assert "Käse Brot" not in texts
    assert len(texts) == len(set(texts))


def test_what_the_key_evens_out_is_never_lost(snapshot: Snapshot) -> None:
    found = shares(perturb(snapshot, sample(snapshot, 8)))
    even = ("none", "upper case", "lower case", "title case", "decomposed", "quotes")
    for change in (*even, "punctuation", "white space", "full width", "arabic letters"):
        for language, kept in found[change].items():
            assert kept.right.value == 1.0, (change, language)
            assert kept.wrong.hits == 0


def test_an_absent_name_reaches_its_item_only_by_another_name(snapshot: Snapshot) -> None:
    keys = {("en", "sushi")}
    alone = Linker(Without(snapshot, keys)).link([SUSHI.mention])[0]
    assert alone.qid is None
    (absent,) = without(snapshot, [SUSHI])
    assert absent.link.qid is None
    drinks = Named(Mention("drinks", "en", "beverage", "beverage_category"), "Q40050")
    (reached,) = without(snapshot, [drinks])
    assert (reached.link.qid, (reached.link.name or "").lower()) == ("Q40050", "drink")
    assert shares([reached])["absent"]["en"].right.hits == 1


def test_a_source_without_names_is_another_source_and_else_the_same(snapshot: Snapshot) -> None:
    less = Without(snapshot, {("en", "sushi")})
    assert less.id != snapshot.id
    assert less.id == Without(snapshot, [("en", "sushi")]).id
    assert less.names(["Q46383"], ["en"]) == snapshot.names(["Q46383"], ["en"])
    kimono = Mention("kimono", "en", "clothing", "clothing_type")
    assert Linker(less).link([kimono]) == Linker(snapshot).link([kimono])


def test_records_say_what_was_changed_and_what_it_became(snapshot: Snapshot) -> None:
    record = as_record(perturb(snapshot, [SUSHI]))
    assert record[0]["change"] == "none"
    assert {line["qid"] for line in record} == {"Q46383"}


@pytest.mark.parametrize("seed", [0, 1])
def test_the_command_prints_both_suites(
    run: Callable[..., str], snapshot: Snapshot, seed: int
) -> None:
    said = run("link", "suite", "--source", snapshot.path, "--per-language", 2, "--seed", seed)
    assert "particle" in said
    assert "Names taken out of the index" in said
