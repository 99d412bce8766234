"""The five framings, and what each needs."""

import pytest

from makieval import catalog
from makieval.errors import CatalogError


def test_there_are_five_framings_and_the_paper_reports_on_four() -> None:
    assert list(catalog.framings()) == [
        "neutral",
        "explicit",
        "implicit-male",
        "implicit-female",
        "target-group",
    ]
    outside = [key for key, framing in catalog.framings().items() if not framing.in_paper]
    assert outside == ["target-group"]


def test_only_the_neutral_framing_needs_no_country() -> None:
    without = [key for key, framing in catalog.framings().items() if not framing.needs_country]
    assert without == ["neutral"]


def test_the_implicit_framings_need_a_name_of_their_gender() -> None:
    genders = {
        key: framing.gender for key, framing in catalog.framings().items() if framing.needs_name
    }
    assert genders == {"implicit-male": "male", "implicit-female": "female"}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("bias", "explicit"),
        ("nonbias", "neutral"),
        ("explict", "explicit"),
        ("female", "implicit-female"),
    ],
)
def test_a_mistaken_framing_is_told_the_one_that_was_meant(written: str, meant: str) -> None:
    with pytest.raises(CatalogError, match=rf"unknown framing '{written}'.*did you mean '{meant}'"):
        catalog.framing(written)
