"""The choice among candidates: stated rules, in a stated order, nothing else."""

import random
from dataclasses import replace

from makieval.linking import Candidate, Mention
from makieval.linking.choose import choose
from makieval.status import Status

MENTION = Mention("Amsterdam", "en", "music", "song_name")
FITTING = Candidate(
    qid="Q26307851",
    name="Amsterdam",
    language="en",
    kind="label",
    sitelinks=3,
    root="Q7366",
    path=("Q26307851", "Q7366"),
    method="exact",
    typed=True,
    rank=0,
)
CITY = replace(FITTING, qid="Q727", sitelinks=244, root="", path=(), typed=False)


def winner(*candidates: Candidate) -> str | None:
    """The QID chosen, after making sure that order plays no part."""
    chosen = {choose(MENTION, order).qid for order in (candidates, candidates[::-1])}
    assert len(chosen) == 1
    return chosen.pop()


def test_no_candidate_is_nil() -> None:
    link = choose(MENTION, [])
    assert (link.status, link.qid, link.rivals) == (Status.NIL, None, ())


def test_a_single_candidate_of_the_wrong_type_is_not_linked() -> None:
    link = choose(MENTION, [CITY])
    assert (link.status, link.qid, link.score) == (Status.WRONG_TYPE, None, None)
    assert link.rivals == (CITY,)


def test_type_beats_fame() -> None:
    assert winner(CITY, FITTING) == FITTING.qid


def test_an_earlier_language_beats_label_and_sitelinks() -> None:
    own = replace(FITTING, kind="alias", rank=0, sitelinks=None)
    english = replace(FITTING, qid="Q122781", kind="label", rank=2, sitelinks=99)
    assert winner(english, own) == own.qid


def test_an_earlier_language_of_the_wrong_type_beats_nobody() -> None:
    assert winner(replace(CITY, rank=0), replace(FITTING, rank=2)) == FITTING.qid


def test_label_beats_alias_and_an_unknown_kind_stands_between() -> None:
    label, name, alias = (
        replace(FITTING, qid=qid, kind=kind, sitelinks=sitelinks)
        for qid, kind, sitelinks in (
            ("Q26307851", "label", 1),
            ("Q122781", "name", 10),
            ("Q64982855", "alias", 100),
        )
    )
    assert winner(alias, name, label) == label.qid
    assert winner(alias, name) == name.qid


def test_more_sitelinks_win_and_unknown_is_lowest() -> None:
    many = replace(FITTING, sitelinks=4)
    few = replace(FITTING, qid="Q122781", sitelinks=3)
    none = replace(FITTING, qid="Q1666", sitelinks=0)
    unknown = replace(FITTING, qid="Q5", sitelinks=None)
    assert winner(few, many, unknown) == many.qid
    assert winner(unknown, none) == none.qid


def test_equals_are_ambiguous_and_all_are_kept_the_lowest_qid_first() -> None:
    equals = [replace(FITTING, qid=qid) for qid in ("Q122781", "Q99", "Q100")]
    other = replace(FITTING, qid="Q5", kind="alias")
    link = choose(MENTION, [*equals, other, CITY])
    assert (link.status, link.qid, link.score, link.method) == (
        Status.AMBIGUOUS,
        None,
        None,
        "exact",
    )
    assert [rival.qid for rival in link.rivals] == ["Q99", "Q100", "Q122781", "Q5"]


def test_items_whose_sitelinks_nobody_knows_are_equals() -> None:
    unknown = [replace(FITTING, qid=qid, sitelinks=None) for qid in ("Q1", "Q2")]
    assert choose(MENTION, unknown).status is Status.AMBIGUOUS


def test_the_root_listed_first_wins() -> None:
    work = replace(FITTING, qid="Q1", root="Q2188189", sitelinks=99)
    song = replace(FITTING, qid="Q2", root="Q7366", sitelinks=1)
    assert choose(MENTION, [work, song], ("Q7366", "Q2188189")).qid == "Q2"
    assert choose(MENTION, [work, song], ("Q2188189", "Q7366")).qid == "Q1"
    aliased = replace(song, kind="alias")
    assert choose(MENTION, [work, aliased], ("Q7366", "Q2188189")).qid == "Q1"


def test_an_item_found_twice_is_one_candidate() -> None:
    alias = replace(FITTING, kind="alias", name="Port of Amsterdam")
    rival = replace(FITTING, qid="Q122781", sitelinks=1)
    link = choose(MENTION, [alias, rival, FITTING, rival])
    assert (link.qid, link.name_kind) == (FITTING.qid, "label")
    assert [each.qid for each in link.rivals] == ["Q122781"]


def test_a_link_says_how_it_came_about() -> None:
    link = choose(MENTION, [replace(FITTING, language="mul", rank=1)])
    assert (link.method, link.score) == ("exact", 1.0)
    assert (link.name, link.name_language, link.name_kind) == ("Amsterdam", "mul", "label")
    assert link.path == ("Q26307851", "Q7366")


def test_rivals_are_in_the_order_of_the_rules_whatever_the_order_of_candidates() -> None:
    candidates = [replace(FITTING, qid=f"Q{n}", sitelinks=n // 2) for n in range(1, 12)]
    first = choose(MENTION, candidates)
    for seed in range(5):
        random.Random(seed).shuffle(candidates)
        assert choose(MENTION, candidates) == first
