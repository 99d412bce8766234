"""Measures the token rates that `makieval plan` rests on, from a store of the embedded model.

    python benchmarks/token_rates.py STORE > makieval/llm/data/tokens.toml

Per language: characters of a prompt per token, tokens of an answer, tokens of its extraction.
The speeds are those of one request at a time on two idle cores, asked here and now.
"""

import asyncio
import sys
import time
from pathlib import Path

from makieval.llm.asker import Asker
from makieval.llm.endpoint import Endpoint
from makieval.llm.request import Message, Request
from makieval.store import Store

#: Tokens that the chat template adds to every prompt (usage less the tokens of the text alone).
TEMPLATE_TOKENS = 26

RATES = f"""
SELECT
    r.language,
    sum(length(p.text)) / sum(a.prompt_tokens - {TEMPLATE_TOKENS}) AS characters_per_token,
    avg(a.completion_tokens) AS answer_tokens,
    avg(e.completion_tokens) AS extraction_tokens,
    count(*) AS texts
FROM requests r
JOIN prompts p USING (prompt_id)
JOIN answers a ON a.answer_id = r.response_id
JOIN response_extractions x ON x.response_id = r.response_id AND x.topic = r.topic
JOIN answers e ON e.answer_id = x.answer_id
GROUP BY r.language
ORDER BY min(r.rowid)
"""


async def speeds() -> tuple[float, float]:
    """Tokens per second of a long prompt, and of an answer; the first request warms up."""
    took: list[tuple[int, int, float]] = []
    words = " ".join(["noodles"] * 400)
    for text, most in (("Hello.", 8), (f"{words} Say yes.", 1), ("Write about dinner.", 100)):
        endpoint = Endpoint("embedded", "local", decoding={"max_tokens": most})
        async with Asker([endpoint]) as asker:
            request = Request(endpoint, (Message("user", "Hi."),), seed=0)
            _ = [answer async for answer in asker.answers([request])]
            start = time.perf_counter()
            request = Request(endpoint, (Message("user", text),), seed=1)
            (answer,) = [answer async for answer in asker.answers([request])]
            seconds = time.perf_counter() - start
        took.append((answer.prompt_tokens or 0, answer.completion_tokens or 0, seconds))
    return took[1][0] / took[1][2], took[2][1] / took[2][2]


def main() -> None:
    """Print the rates as TOML."""
    with Store(Path(sys.argv[1])).existing().connect(read_only=True) as connection:
        rates = connection.execute(RATES).fetchall()
    prompt, answer = asyncio.run(speeds())
    print("# How many tokens texts take per language, and how fast the embedded model is.")
    print("# Measured by benchmarks/token_rates.py on the recorded study (Qwen2.5-Coder-1.5B, two")
    print("# cores); other tokenizers differ.")
    print("\n[embedded]")
    print(f"prompt_tokens_per_s = {prompt:.0f}")
    print(f"answer_tokens_per_s = {answer:.1f}")
    for language, characters, answers, extraction, texts in rates:
        print(f"\n[languages.{language}] # {texts} texts")
        print(f"characters_per_token = {characters:.2f}")
        print(f"template_tokens = {TEMPLATE_TOKENS}")
        print(f"answer_tokens = {answers:.0f}")
        print(f"extraction_tokens = {extraction:.0f}")


if __name__ == "__main__":
    main()
