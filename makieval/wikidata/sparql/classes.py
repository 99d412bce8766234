"""The classes under a root, asked for once, level by level, and then held here.

Whether an item fits is decided on this closure, never by a property path per candidate, which is
what makes public services time out (openrefine-wikibase#131). The same breadth-first walk as a
snapshot's gives the same paths. One bad edit can put half of Wikidata under a class
(ad-freiburg/qlever#1474), so the size of each is remembered, and a class that has grown fivefold
stops the work.
"""

import json
import secrets
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from makieval.errors import SnapshotError
from makieval.linking.candidates import Scope, number
from makieval.wikidata import closure
from makieval.wikidata.sparql import queries, terms
from makieval.wikidata.sparql.batches import Batches

#: Classes whose subclasses one query asks for.
PER_QUERY = 200
GROWTH = 5
#: Below this many classes no growth is remarkable; above the other, none is right unseen.
_FEW, _MOST = 1_000, 300_000


class Classes:
    """The closures of roots, by need; sizes are remembered in the file `sizes`, per `address`."""

    def __init__(self, batches: Batches, sizes: Path, address: str) -> None:
        self._batches = batches
        self._sizes, self._address = sizes, address
        self._below: dict[int, list[int]] = {}
        self._expanded: set[int] = set()
        self._closures: dict[str, Mapping[int, closure.Under]] = {}

    def load(self, roots: Iterable[str]) -> None:
        """Fetch the closures of `roots` that are not here yet.

        A `ServiceError` where the service fails, a `SnapshotError` where a class has exploded.
        """
        missing = sorted(set(roots) - self._closures.keys(), key=number)
        if not missing:
            return
        before = self._remembered()
        allowed = {root: _allowed(before.get(root)) for root in missing}
        self._expand(missing, max(allowed.values()) * len(missing))
        found = {
            root: {entry.cls: entry for entry in closure.under(number(root), self._below)}
            for root in missing
        }
        for root, classes in found.items():
            if len(classes) > allowed[root]:
                raise SnapshotError(
                    f"{self._address}: {len(classes)} classes lie under {root}, where"
                    f" {before.get(root, 0)} lay before: perhaps a bad edit of P279. If it is"
                    f" right, delete {self._sizes}"
                )
        self._closures.update(found)
        self._remember({**before, **{root: len(classes) for root, classes in found.items()}})

    def holds(self, root: str, qid: str) -> bool:
        """Whether `qid` is `root` or a class under it."""
        return number(qid) in self._closures[root]

    def fit(
        self, qid: str, instance_of: Iterable[str], scope: Scope
    ) -> tuple[str, tuple[str, ...]]:
        """The nearest root of `scope` over an item and the path to it; two empties where none is.

        Of several the one listed first, over the lowest class.
        """
        held = [(number(qid), 0), *((number(cls), 1) for cls in instance_of)]
        ways = [
            (entry.depth + step, ordinal, cls, root)
            for ordinal, root in enumerate(scope.roots)
            for cls, step in held
            if (entry := self._closures[root].get(cls))
        ]
        if not ways:
            return "", ()
        _, _, cls, root = min(ways)
        path = self._path(root, cls)
        return root, path if path[0] == qid else (qid, *path)

    def _path(self, root: str, cls: int) -> tuple[str, ...]:
        found: list[str] = []
        here: int | None = cls
        while here is not None:
            found.append(f"Q{here}")
            here = self._closures[root][here].parent
        return tuple(found)

    def _expand(self, roots: Iterable[str], most: int) -> None:
        """Fetch every P279 edge below `roots`."""
        level = {number(root) for root in roots} - self._expanded
        while level:
            asked = [f"Q{cls}" for cls in sorted(level)]
            rows = self._batches.gather(asked, PER_QUERY, queries.subclasses).or_raise()
            self._expanded |= level
            if len(self._expanded) > most:
                raise SnapshotError(
                    f"{self._address}: more than {most} classes under {', '.join(sorted(roots))}:"
                    " perhaps a bad edit of P279"
                )
            edges = {
                (number(child), number(parent))
                for row in rows
                if not row["rank"].text.endswith("DeprecatedRank")
                and (child := terms.qid(row["child"].text))
                and (parent := terms.qid(row["parent"].text))
            }
            for child, parent in sorted(edges):
                self._below.setdefault(parent, []).append(child)
            level = {child for child, _ in edges} - self._expanded

    def _remembered(self) -> dict[str, int]:
        return self._file().get(self._address, {})

    def _remember(self, sizes: Mapping[str, int]) -> None:
        self._sizes.parent.mkdir(parents=True, exist_ok=True)
        part = self._sizes.with_name(f".{self._sizes.name}.{secrets.token_hex(6)}")
        content = {**self._file(), self._address: dict(sorted(sizes.items()))}
        part.write_text(json.dumps(content, indent=1), encoding="utf-8")
        part.replace(self._sizes)

    def _file(self) -> dict[str, Any]:
        try:
            return json.loads(self._sizes.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}


def _allowed(before: int | None) -> int:
    return _MOST if before is None else max(before * GROWTH, _FEW)
