"""Keys of columns are the keys of their texts, whatever stands beside a sign."""

import polars as pl

from makieval.linking import normalise
from makieval.linking.columns import FEW, keys

TEXTS = [
    ("थाईलैण्ड", "hi"),
    ("अन्न", "hi"),
    ("کرهٔ جنوبی", "fa"),
    ("خامۀ ترش", "fa"),
    ("Congo - Kinshasa", "en"),
    ("Congo – Kinshasa", "en"),
    ("ハリー ・ ポッター", "ja"),
    ("Isırgan", "tr"),
    ("¡Olé!", "es"),
    ("ข้าวผัด", "th"),
]


def test_a_column_of_names_has_the_keys_of_each_name() -> None:
    rows = TEXTS * (FEW // len(TEXTS) + 1)
    texts, languages = (pl.Series(column) for column in zip(*rows, strict=True))
    found = dict(zip(rows, keys(texts, languages), strict=True))
    assert found == {row: normalise.key(*row) for row in TEXTS}
