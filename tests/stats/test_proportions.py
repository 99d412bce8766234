"""Intervals of shares: known values, their ends, and how often they hold the truth."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from makieval.stats.proportions import bootstrap, share, wilson


@given(of=st.integers(1, 2000), part=st.floats(0, 1))
def test_the_bounds_of_wilson_are_where_the_score_test_turns(of: int, part: float) -> None:
    hits = round(part * of)
    for bound in wilson(hits, of):
        if 0 < bound < 1:
            score = (hits / of - bound) ** 2 / (bound * (1 - bound) / of)
            assert score == pytest.approx(1.959964**2, rel=1e-4)
        else:
            assert bound == hits / of


def test_no_trial_says_nothing() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    assert share(0, 0).value is None
    assert bootstrap([]) == bootstrap([(0, 0)]) == (0.0, 1.0)


@given(of=st.integers(1, 10_000), part=st.floats(0, 1))
def test_the_share_lies_within_its_interval(of: int, part: float) -> None:
    found = share(round(part * of), of)
    assert found.value is not None
    assert 0 <= found.low <= found.value <= found.high <= 1


def test_more_hits_than_trials_are_refused() -> None:
    with pytest.raises(ValueError, match="3 hits of 2 trials"):
        wilson(3, 2)
    with pytest.raises(ValueError, match="more hits than trials"):
        bootstrap([(1, 1), (3, 2)])
    with pytest.raises(ValueError, match="not between 0 and 1"):
        wilson(1, 2, level=95)


def test_the_interval_of_wilson_holds_the_truth_about_as_often_as_it_says() -> None:
    draw = random.Random(1)
    for truth, of in ((0.97, 120), (0.5, 40), (0.02, 300)):
        held = 0
        for _ in range(2000):
            low, high = wilson(sum(draw.random() < truth for _ in range(of)), of)
            held += low <= truth <= high
        assert 0.92 <= held / 2000 <= 0.98


def test_the_bootstrap_is_the_same_each_time_and_moves_with_the_seed() -> None:
    clusters = [(at % 3, 2 + at % 2) for at in range(60)]
    assert bootstrap(clusters, seed=4) == bootstrap(clusters, seed=4)
    assert bootstrap(clusters, seed=4) != bootstrap(clusters, seed=5)


def test_clusters_that_agree_make_the_interval_wider_than_wilsons() -> None:
    alone = wilson(200, 400)
    together = bootstrap([(10, 10), (0, 10)] * 20)
    assert together[0] < alone[0] < alone[1] < together[1]


def test_singletons_give_about_wilsons_interval() -> None:
    low, high = bootstrap([(1, 1)] * 300 + [(0, 1)] * 100, replicates=4000)
    assert (low, high) == pytest.approx(wilson(300, 400), abs=0.01)
