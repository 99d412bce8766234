"""Measures the token rates that `makieval plan` rests on, from a store of the embedded model.

    python benchmarks/token_rates.py STORE > makieval/llm/data/tokens.toml

Per language: characters of a prompt per token, tokens of an answer, tokens of its extraction.
Speeds are those of the machine that made the store: tokens of answers per second of latency.
"""

import sys
from pathlib import Path

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

#: Both stages give one equation each: latency = prompt tokens / a + answer tokens / b.
SPEEDS = """
SELECT
    regr_slope(latency_ms, completion_tokens) AS ms_per_answer_token,
    regr_intercept(latency_ms, completion_tokens) / avg(prompt_tokens) AS ms_per_prompt_token
FROM answers
"""


def main() -> None:
    """Print the rates as TOML."""
    with Store(Path(sys.argv[1])).existing().connect(read_only=True) as connection:
        rates = connection.execute(RATES).fetchall()
        answer_ms, prompt_ms = connection.execute(SPEEDS).fetchall()[0]
    print("# How many tokens texts take per language, and how fast the embedded model is.")
    print(
        "# Measured by benchmarks/token_rates.py on the recorded study (Qwen2.5-Coder-1.5B on two"
    )
    print("# cores); other tokenizers differ.")
    print("\n[embedded]")
    print(f"prompt_tokens_per_s = {1000 / prompt_ms:.0f}")
    print(f"answer_tokens_per_s = {1000 / answer_ms:.1f}")
    for language, characters, answer, extraction, texts in rates:
        print(f"\n[languages.{language}] # {texts} texts")
        print(f"characters_per_token = {characters:.2f}")
        print(f"template_tokens = {TEMPLATE_TOKENS}")
        print(f"answer_tokens = {answer:.0f}")
        print(f"extraction_tokens = {extraction:.0f}")


if __name__ == "__main__":
    main()
