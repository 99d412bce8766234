"""What every stage is given: the study, the store, and somebody to tell how far it is."""

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from makieval.errors import InputError
from makieval.store import Store
from makieval.study import Study

if TYPE_CHECKING:
    from makieval.linking import Linker
    from makieval.linking.reviewed import Reviewed
    from makieval.wikidata.snapshot import Snapshot
    from makieval.wikidata.sparql import SparqlSource

#: Rows that one batch holds: large enough for set work, small enough for memory.
BATCH = 5_000


class Progress(Protocol):
    """Hears how far a stage is."""

    def start(self, stage: str, total: int, unit: str) -> None:
        """A step of `total` units begins."""
        ...

    def advance(self, units: int = 1) -> None:
        """`units` more are done."""
        ...

    def finish(self) -> None:
        """The step is over."""
        ...


class Silent:
    """Says nothing."""

    def start(self, stage: str, total: int, unit: str) -> None:
        """A step begins."""

    def advance(self, units: int = 1) -> None:
        """It moves on."""

    def finish(self) -> None:
        """It ends."""


@dataclass
class Job:
    """One study on one store. `offline`: an answer that was never recorded is an error.

    `reviewed` stands in for the file that the study names, as in a recording.
    """

    study: Study
    store: Store
    offline: bool = False
    progress: Progress = field(default_factory=Silent)
    reviewed: Path | None = None

    @cached_property
    def source(self) -> "Snapshot | SparqlSource":
        """The source of knowledge that the study names: a snapshot or a SPARQL service."""
        from makieval.wikidata.snapshot import Snapshot
        from makieval.wikidata.sparql import SparqlSource, is_endpoint

        linking = self.study.linking
        if is_endpoint(linking.source):
            return SparqlSource.open(linking.source, linking.contact, only_cached=self.offline)
        return Snapshot.named(linking.source)

    @property
    def snapshot(self) -> "Snapshot":
        """The same where it must be a snapshot; an InputError where it is a service."""
        from makieval.wikidata.snapshot import Snapshot

        if not isinstance(self.source, Snapshot):
            raise InputError(
                f"linking.source = '{self.study.linking.source}': the gazetteer needs a snapshot,"
                " and this is a service; name a snapshot, or let a model extract"
            )
        return self.source

    @cached_property
    def linker(self) -> "Linker | Reviewed":
        """The linker over that source; decisions that people made come first."""
        from makieval.linking import Linker
        from makieval.linking.reviewed import Reviewed, load

        linker = Linker(self.source)
        reviewed = self.reviewed or self.study.linking.reviewed
        return Reviewed(linker, load(reviewed)) if reviewed else linker

    def close(self) -> None:
        """Let go of the source; it is opened again where it is needed again."""
        self.__dict__.pop("linker", None)
        opened: Snapshot | SparqlSource | None = self.__dict__.pop("source", None)
        if opened is not None:
            opened.close()
