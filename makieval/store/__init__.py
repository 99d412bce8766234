"""Where a study lives: a folder with one DuckDB file and an append-only journal beside it.

STORE/store.duckdb   every table and view; opened only for moments, so that others can read
STORE/journal/       what was paid for, on disk before anything else happens to it
STORE/run.lock       held by the one run that may write
"""

from makieval.store.journal import Journal, Writer
from makieval.store.store import Store

__all__ = ["Journal", "Store", "Writer"]
