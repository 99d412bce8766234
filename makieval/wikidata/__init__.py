"""Knowledge from Wikidata: tables of facts, and the local index that linking runs on."""

from makieval.wikidata.builder import build
from makieval.wikidata.snapshot import Snapshot

__all__ = ["Snapshot", "build"]
