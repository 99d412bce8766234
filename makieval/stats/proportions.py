"""Intervals for shares, so that 29 of 30 is not printed as if it were 2,900 of 3,000.

`wilson` is for independent trials. Where trials come in clusters (several mentions of one item,
several entities of one text), they agree with one another and Wilson's interval is too narrow:
`bootstrap` then draws whole clusters.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

#: Draws that one step of the bootstrap holds in memory.
_AT_ONCE = 4_000_000


@dataclass(frozen=True, slots=True)
class Share:
    """`hits` of `of` trials, with the bounds of its interval (0 to 1)."""

    hits: int
    of: int
    low: float
    high: float

    @property
    def value(self) -> float | None:
        """The share itself; None where there was no trial."""
        return self.hits / self.of if self.of else None


def share(hits: int, of: int, level: float = 0.95) -> Share:
    """The share with its Wilson interval."""
    return Share(hits, of, *wilson(hits, of, level))


def wilson(hits: int, of: int, level: float = 0.95) -> tuple[float, float]:
    """The score interval of a binomial share (Wilson 1927, JASA 22:209-212; no continuity term).

    Without trials nothing is known: (0, 1). Raises ValueError unless 0 ≤ hits ≤ of.
    """
    if not 0 <= hits <= of:
        raise ValueError(f"{hits} hits of {of} trials")
    z = _z(level)
    if of == 0:
        return 0.0, 1.0
    p = hits / of
    scale = 1 + z * z / of
    centre = (p + z * z / (2 * of)) / scale
    half = z * sqrt(p * (1 - p) / of + z * z / (4 * of * of)) / scale
    # At the ends the bound is exactly 0 or 1, which rounding misses by a hair.
    low = 0.0 if hits == 0 else max(0.0, centre - half)
    high = 1.0 if hits == of else min(1.0, centre + half)
    return low, high


def bootstrap(
    clusters: Sequence[tuple[int, int]],
    replicates: int = 1000,
    seed: int = 0,
    level: float = 0.95,
) -> tuple[float, float]:
    """The percentile interval of a share over clusters of (hits, trials), drawn whole.

    Efron & Tibshirani 1993, chapter 13, with the cluster as the unit. Seeded: the same
    arguments give the same bounds (under one version of Polars, whose generator it is). Without
    trials (0, 1).
    """
    import polars as pl

    _z(level)
    if not sum(of for _, of in clusters):
        return 0.0, 1.0
    if any(not 0 <= hits <= of for hits, of in clusters):
        raise ValueError("a cluster has more hits than trials, or fewer than none")
    count = len(clusters)
    hits = pl.Series([hits for hits, _ in clusters], dtype=pl.Int64)
    trials = pl.Series([of for _, of in clusters], dtype=pl.Int64)
    step = max(1, _AT_ONCE // count)
    drawn: list[pl.Series] = []
    for start in range(0, replicates, step):
        here = min(step, replicates - start)
        at = pl.int_range(0, count, eager=True)
        at = at.sample(here * count, with_replacement=True, seed=seed + start)
        hit, of = (each[at].reshape((here, count)).arr.sum() for each in (hits, trials))
        # A replicate that drew no trial at all is 0 / 0 and says nothing.
        drawn.append((hit / of).drop_nans())
    shares = pl.concat(drawn)
    tail = (1 - level) / 2
    low, high = (shares.quantile(at, "linear") for at in (tail, 1 - tail))
    return float(low or 0.0), float(1.0 if high is None else high)


def _z(level: float) -> float:
    if not 0 < level < 1:
        raise ValueError(f"level {level} is not between 0 and 1")
    return NormalDist().inv_cdf((1 + level) / 2)
