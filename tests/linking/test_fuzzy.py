"""Names one edit away: kinds of edits and how long a mention must be for each."""

import pytest

from makieval.linking import fuzzy


def kind(key: str, other: str) -> str | None:
    close = fuzzy.closeness(key, other)
    return close and close.kind


@pytest.mark.parametrize(
    ("key", "other", "expected"),
    [
        ("portorico", "porto rico", "joint"),
        ("파리대왕", "파리 대왕", "joint"),
        ("アイスクリームコーン", "アイスクリーム·コーン", "joint"),
        ("creme brulée", "crème brulée", "accent"),
        ("ब्रूनेई", "ब्रुनेई", "spelling"),
        ("spaghettti", "spaghetti", "spelling"),
        ("몬트세레트", "몬트세래트", "spelling"),
        ("bratkartofeln", "bratkartoffeln", "spelling"),
        ("bratkartoffein", "bratkartoffeln", "letter"),
        ("bratkartoffenl", "bratkartoffeln", "letter"),
    ],
)
def test_an_edit_is_of_a_kind(key: str, other: str, expected: str) -> None:
    assert kind(key, other) == kind(other, key) == expected


@pytest.mark.parametrize(
    ("key", "other"),
    [
        ("茶", "抹茶"),
        ("茶", "酒"),
        ("寿司", "寿命"),
        ("김치", "김지"),
        ("ข้าวผัด", "ข่าวผัด"),
        ("mate", "matei"),
        ("pea", "pear"),
        ("tofu", "tofi"),
        ("bream", "bread"),
        ("チーズ", "チヂズ"),
        ("चाय", "चय"),
        ("كاري", "كاسي"),
    ],
)
def test_short_words_are_what_they_are(key: str, other: str) -> None:
    assert kind(key, other) is None


@pytest.mark.parametrize(
    ("key", "other"),
    [
        ("symphony no. 4 in g major", "symphony no. 5 in g major"),
        ("symphony no. 4 in g major", "symphony no. 41 in g major"),
        ("might and magic heroes vi", "might and magic heroes vii"),
        ("ii epístola de pedro", "i epístola de pedro"),
        ("sm-65e atlas missile", "sm-65 atlas missile"),
        ("technical report c++", "technical report c+"),
        ("테살로니카 신자들에게 보낸 첫째 서간", "테살로니카 신자들에게 보낸 둘째 서간"),
        ("テサロニケの信徒への手紙一", "テサロニケの信徒への手紙二"),
    ],
)
def test_figures_and_signs_are_never_exchanged(key: str, other: str) -> None:
    assert kind(key, other) is None


@pytest.mark.parametrize(
    ("key", "other"), [("pho", "phone"), ("mate", "tomate"), ("tea", "tea house"), ("寿", "寿司屋")]
)
def test_a_part_of_a_name_is_not_the_name(key: str, other: str) -> None:
    assert kind(key, other) is None


def test_the_same_key_is_no_edit() -> None:
    assert kind("bratkartoffeln", "bratkartoffeln") is None


def test_every_script_of_the_languages_has_its_lengths() -> None:
    scripts = set(fuzzy.LEAST["letter"])
    assert scripts == set(fuzzy.LEAST["spelling"]) == set(fuzzy.LEAST["joint"])
    for letter, name in zip("aयกあアشﻼ한茶", ("LATIN", "DEVANAGARI", "THAI"), strict=False):
        assert fuzzy.script(letter) == name
