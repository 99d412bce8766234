"""What a study will take: requests, tokens, money and time, before anybody is asked.

Token counts rest on rates per language measured on the recorded study (llm/data/tokens.toml);
what the store already holds is not asked for again and not counted. Nothing is sent.
"""

import tomllib
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import mean
from typing import Any

from makieval import catalog
from makieval.extraction.instructions import messages
from makieval.llm.prices import cost
from makieval.stages.plan import wanted
from makieval.store import Store
from makieval.study import Model, Study

_RATES = Path(__file__).parent / "llm" / "data" / "tokens.toml"


@dataclass(frozen=True, slots=True)
class Load:
    """What one model has to do: requests and tokens; `money` and `seconds` where known."""

    model: str
    stage: str
    requests: int
    prompt_tokens: int
    answer_tokens: int
    money: float | None
    seconds: float | None


@dataclass(frozen=True, slots=True)
class Forecast:
    """A study's grid and the loads that are still ahead of it."""

    study: Study
    prompts: int
    texts: int
    present: int
    loads: tuple[Load, ...]


def forecast(study: Study, store: Store) -> Forecast:
    """What `study` still takes on `store` (which need not exist). Asks nothing of any model."""
    have = _answers(store)
    prompts: set[str] = set()
    texts = 0
    asked: Counter[str] = Counter()
    tokens: dict[str, Counter[str]] = {}
    read: Counter[str] = Counter()
    for want in wanted(study):
        texts += 1
        prompts.add(want.prompt_id)
        if want.request.id in have:
            continue
        rates = _rates(want.cell.language)
        answer = min(rates["answer_tokens"], want.model.max_tokens)
        count = tokens.setdefault(want.model.name, Counter())
        asked[want.model.name] += 1
        count["prompt"] += round(_tokens(want.prompt, rates) + rates["template_tokens"])
        count["answer"] += round(answer)
        read["requests"] += 1
        instruction = _instruction_tokens(want.cell.topic)
        read["prompt"] += round(instruction + answer + rates["template_tokens"])
        read["answer"] += round(min(rates["extraction_tokens"], study.extraction.max_tokens))
    loads = [
        _load(model, "generate", asked[model.name], tokens.get(model.name, Counter()))
        for model in study.models
    ]
    if study.extraction.extractor == "model":
        loads.append(_load(study.extraction_model, "extract", read["requests"], read))
    return Forecast(study, len(prompts), texts, texts - sum(asked.values()), tuple(loads))


def _load(model: Model, stage: str, requests: int, tokens: Counter[str]) -> Load:
    seconds = None
    if model.embedded:
        speed = _table()["embedded"]
        seconds = (
            tokens["prompt"] / speed["prompt_tokens_per_s"]
            + tokens["answer"] / speed["answer_tokens_per_s"]
        )
    money = cost(model.model, tokens["prompt"], tokens["answer"])
    return Load(model.name, stage, requests, tokens["prompt"], tokens["answer"], money, seconds)


def _answers(store: Store) -> set[str]:
    if not store.database.is_file():
        return set()
    with store.connect(read_only=True) as connection:
        return {row[0] for row in connection.execute("SELECT answer_id FROM answers").fetchall()}


def _tokens(text: str, rates: dict[str, float]) -> float:
    return len(text) / rates["characters_per_token"]


@cache
def _instruction_tokens(topic: str) -> float:
    system, user = messages(catalog.topic(topic), catalog.language("en"), "")
    return _tokens(system + user, _rates("en"))


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(_RATES.read_text(encoding="utf-8"))


def _rates(language: str) -> dict[str, float]:
    return _table()["languages"][language]


def show(result: Forecast) -> None:
    """Print a forecast."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    study = result.study
    console = Console()
    console.print(Text(f"{study.name}  {study.fingerprint}", style="bold"))
    grid = {
        "topics": study.topics,
        "languages": study.languages,
        "countries": study.countries,
        "framings": study.framings,
    }
    for what, values in grid.items():
        console.print(f"  {len(values):>3} {what:<10} {' '.join(values)}", soft_wrap=True)
    console.print(f"  {result.prompts:,} prompts × {study.samples} samples × {len(study.models)}")
    console.print(f"  = {result.texts:,} texts, {result.present:,} of them present already")
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for column in ("model", "stage"):
        table.add_column(column)
    for column in ("requests", "tokens in", "tokens out", "cost", "time"):
        table.add_column(column, justify="right")
    for load in result.loads:
        table.add_row(
            Text(load.model),
            load.stage,
            f"{load.requests:,}",
            f"{load.prompt_tokens:,}",
            f"{load.answer_tokens:,}",
            "unknown" if load.money is None else f"{load.money:,.2f} USD",
            "unknown" if load.seconds is None else _duration(load.seconds),
        )
    console.print(table)
    average = mean(_rates(language)["answer_tokens"] for language in study.languages)
    console.print(
        f"Estimated from rates measured on the recorded study ({average:.0f} tokens a text);"
        " nothing was asked."
    )


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
