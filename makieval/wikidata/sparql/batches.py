"""Many small questions as few queries: batches in parallel, split where one is too much.

What a service cannot answer for a batch it may answer for half of it; a unit that fails alone
keeps its failure, and the others keep their answers.
"""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import chain
from typing import Generic, TypeVar

from makieval.errors import ServiceError
from makieval.status import Status
from makieval.wikidata.sparql.answers import Row
from makieval.wikidata.sparql.client import CircuitOpen, SparqlClient

#: What a smaller query may cure: too long, too large, or one unit that the service cannot read.
SPLIT = frozenset({Status.TIMEOUT, Status.OUT_OF_MEMORY, Status.REJECTED})

Unit = TypeVar("Unit")


@dataclass(frozen=True, slots=True)
class Gathered(Generic[Unit]):
    """The rows of all batches, in the units' order, and the failure of each unit that has none."""

    rows: list[Row] = field(default_factory=list[Row])
    failures: dict[Unit, ServiceError] = field(default_factory=dict[Unit, ServiceError])

    def or_raise(self) -> list[Row]:
        """The rows, if every unit was answered; else the first failure."""
        for failure in self.failures.values():
            raise failure
        return self.rows


class Batches:
    """Puts batches to a client, a few at once. `close()` it."""

    def __init__(self, client: SparqlClient, at_once: int) -> None:
        self._client = client
        self._pool = ThreadPoolExecutor(at_once, thread_name_prefix="makieval-sparql")

    def gather(
        self, units: Iterable[Unit], size: int, query: Callable[[Sequence[Unit]], str]
    ) -> Gathered[Unit]:
        """The answers to `query` for `units`, `size` of them at a time."""
        whole = list(units)
        batches = [whole[at : at + size] for at in range(0, len(whole), size)]

        def ask(batch: Sequence[Unit]) -> Gathered[Unit]:
            return self._ask(batch, query)

        return _joined(list(self._pool.map(ask, batches)))

    def close(self) -> None:
        """Finish what is under way; start nothing more."""
        self._pool.shutdown(cancel_futures=True)

    def _ask(self, units: Sequence[Unit], query: Callable[[Sequence[Unit]], str]) -> Gathered[Unit]:
        try:
            return Gathered(self._client.select(query(units)))
        except ServiceError as error:
            cured = error.status in SPLIT and not isinstance(error, CircuitOpen)
            if not cured or len(units) == 1:
                return Gathered(failures=dict.fromkeys(units, error))
        self._client.traffic.add(splits=1)
        middle = len(units) // 2
        return _joined([self._ask(units[:middle], query), self._ask(units[middle:], query)])


def _joined(parts: Sequence[Gathered[Unit]]) -> Gathered[Unit]:
    failures: dict[Unit, ServiceError] = {}
    for part in parts:
        failures.update(part.failures)
    return Gathered(list(chain.from_iterable(part.rows for part in parts)), failures)
