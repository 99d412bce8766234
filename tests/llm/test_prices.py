"""Prices: dated, sourced, and absent rather than invented."""

from datetime import date
from pathlib import Path

import pytest

from makieval.errors import InputError
from makieval.llm.modelfile import DATA
from makieval.llm.prices import cost, price_of, read_prices

OWN = """
[[price]]
model = "made-up-*"
from = 2026-01-01
prompt = 1.0
completion = 4.0
source = "made up for a test"

[[price]]
model = "made-up-*"
from = 2026-07-01
prompt = 2
completion = 8
source = "made up for a test"
"""


@pytest.fixture(autouse=True)
def own_prices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "prices.toml"
    path.write_text(OWN)
    monkeypatch.setenv("MAKIEVAL_PRICES", str(path))
    return path


def test_a_price_is_that_of_the_day() -> None:
    assert cost("made-up-1", 1_000_000, 500_000, date(2026, 3, 1)) == 3.0
    assert cost("made-up-1", 1_000_000, 500_000, date(2026, 7, 1)) == 6.0
    assert cost("made-up-1", 1, 1, date(2025, 12, 31)) is None


def test_a_model_without_a_price_costs_nobody_knows_what() -> None:
    assert cost("another", 10, 10) is None


def test_the_embedded_model_costs_nothing_even_where_tokens_are_unknown() -> None:
    assert cost("local", None, None) == 0.0
    assert cost("local:smollm2-135m", 10, 10) == 0.0


def test_without_token_counts_there_is_no_cost() -> None:
    assert cost("made-up-1", None, 10, date(2026, 3, 1)) is None


def test_every_shipped_price_names_its_source() -> None:
    assert all(price.source for price in read_prices(DATA / "prices.toml"))
    price = price_of("local")
    assert price is not None
    assert price.source


@pytest.mark.parametrize("line", ["prompt = 1.0", "from = 2026-01-01", 'model = "made-up-*"'])
def test_an_incomplete_entry_gets_one_line(own_prices: Path, line: str) -> None:
    own_prices.write_text(OWN.replace(line, "", 1))
    with pytest.raises(InputError, match=f"entry 1 needs '{line.split(maxsplit=1)[0]}'"):
        cost("made-up-1", 1, 1)


def test_a_price_file_that_is_not_there_gets_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAKIEVAL_PRICES", "/nowhere/prices.toml")
    with pytest.raises(InputError, match=r"price file /nowhere/prices\.toml"):
        cost("made-up-1", 1, 1)
