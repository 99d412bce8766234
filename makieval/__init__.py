"""makieval: what language models know and say about the world's cultures, with evidence.

Three steps from a file to figures:

    import makieval

    study = makieval.Study.load("study.toml")                  # what to ask of whom
    totals = makieval.run(study, store="makieval-store")       # ask, extract, link, measure
    rows = makieval.query("makieval-store", "FROM diversity")  # a list of dicts

Linking alone:

    with makieval.Snapshot.starter() as snapshot:
        link, = makieval.Linker(snapshot).link(
            [makieval.Mention("Sushi", "en", "food", "dish_name")]
        )

Everything here is loaded when it is first used, so that importing makieval costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from makieval.errors import MakievalError as MakievalError
    from makieval.face import query as query
    from makieval.face import run as run
    from makieval.linking import Link as Link
    from makieval.linking import Linker as Linker
    from makieval.linking import Mention as Mention
    from makieval.status import Status as Status
    from makieval.store import Store as Store
    from makieval.study import Study as Study
    from makieval.wikidata.snapshot import Snapshot as Snapshot

_HOMES = {
    "Link": "makieval.linking",
    "Linker": "makieval.linking",
    "MakievalError": "makieval.errors",
    "Mention": "makieval.linking",
    "Snapshot": "makieval.wikidata.snapshot",
    "Status": "makieval.status",
    "Store": "makieval.store",
    "Study": "makieval.study",
    "query": "makieval.face",
    "run": "makieval.face",
}

__all__ = [
    "Link",
    "Linker",
    "MakievalError",
    "Mention",
    "Snapshot",
    "Status",
    "Store",
    "Study",
    "query",
    "run",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'makieval' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
