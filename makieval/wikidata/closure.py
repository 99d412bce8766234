"""Which classes lie under a topic's roots: P279* computed once, instead of at every question.

Breadth first from each root downwards. Every class keeps its distance and the next class on a
shortest path to the root (ties: the lowest QID), so that a link can be explained.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple


class Under(NamedTuple):
    """`cls` lies `depth` steps of P279 under `root`; `parent` is the next one (None: the root)."""

    cls: int
    root: int
    depth: int
    parent: int | None


def subclasses(edges: Iterable[tuple[int, int]]) -> dict[int, list[int]]:
    """Class → its direct subclasses, from (subclass, class) pairs of QID numbers."""
    below: defaultdict[int, list[int]] = defaultdict(list)
    for child, parent in edges:
        below[parent].append(child)
    return dict(below)


def under(root: int, below: Mapping[int, list[int]]) -> Iterator[Under]:
    """`root` and every class under it, nearest first, then by QID. Cycles do no harm."""
    seen = {root}
    level: list[Under] = [Under(root, root, 0, None)]
    while level:
        yield from level
        found: dict[int, Under] = {}
        for entry in level:
            for child in below.get(entry.cls, ()):
                if child not in seen:
                    seen.add(child)
                    found[child] = Under(child, root, entry.depth + 1, entry.cls)
        level = [found[cls] for cls in sorted(found)]


def paths(root: int, below: Mapping[int, list[int]]) -> Iterator[list[str]]:
    """For `root` and every class under it, in the order of `under`, the way up as QIDs."""
    ways: dict[int, list[str]] = {}
    for entry in under(root, below):
        above = [] if entry.parent is None else ways[entry.parent]
        ways[entry.cls] = [f"Q{entry.cls}", *above]
        yield ways[entry.cls]
