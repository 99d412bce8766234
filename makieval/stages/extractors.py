"""The extractors that a study may name: a model, or the snapshot's names as a dictionary.

Both turn a text into grounded mentions; only the first asks somebody. The extract stage knows
neither: a further extractor is one class and one entry here.
"""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from makieval import catalog
from makieval.extraction.gazetteer import Gazetteer
from makieval.extraction.ground import GroundedMention, ground
from makieval.extraction.instructions import extractor_fingerprint, messages, schema
from makieval.extraction.parse import parse
from makieval.llm.request import Message, Request
from makieval.stages.job import Job
from makieval.status import ANSWERED, Status


@dataclass(frozen=True, slots=True)
class Task:
    """A text to extract from, and what the extractor model answered, if one was asked."""

    text: str
    topic: catalog.Topic
    language: catalog.Language
    status: str | None = None
    answer: str | None = None


class Extractor(Protocol):
    """Finds the entities of a text."""

    def version(self, topic: catalog.Topic) -> str:
        """Changes exactly when what it finds under `topic` could change."""
        ...

    def request(self, task: Task) -> Request | None:
        """What to ask a model; None for an extractor that asks none."""
        ...

    def read(self, tasks: Sequence[Task]) -> list[tuple[Status, list[GroundedMention]]]:
        """The mentions of each text."""
        ...


class ModelExtractor:
    """Extraction by a model through a JSON schema (MAKIEval, appendix B.2)."""

    def __init__(self, job: Job) -> None:
        self.endpoint = dataclasses.replace(
            job.study.extraction_model.endpoint(),
            decoding={"temperature": 0, "max_tokens": job.study.extraction.max_tokens},
            system=None,
        )

    def version(self, topic: catalog.Topic) -> str:
        """Wording, schema, reading and model."""
        return extractor_fingerprint(topic, self.endpoint.identity)

    def request(self, task: Task) -> Request:
        """Deterministic decoding under the topic's schema."""
        system, user = messages(task.topic, task.language, task.text)
        return Request(
            endpoint=self.endpoint,
            messages=(Message("system", system), Message("user", user)),
            seed=0,
            schema=schema(task.topic),
        )

    def read(self, tasks: Sequence[Task]) -> list[tuple[Status, list[GroundedMention]]]:
        """Parse each answer and keep what stands in its text."""
        return [self._read(task) for task in tasks]

    @staticmethod
    def _read(task: Task) -> tuple[Status, list[GroundedMention]]:
        status = Status(task.status or Status.EMPTY)
        if status not in ANSWERED:
            return status, []
        parsed = parse(task.answer or "", task.topic)
        return parsed.status, ground(task.text, parsed.entities)


class GazetteerExtractor:
    """The snapshot's names as a dictionary: no model, a baseline."""

    def __init__(self, job: Job) -> None:
        self._gazetteer = Gazetteer(job.snapshot)

    def version(self, topic: catalog.Topic) -> str:
        """Rules and names, the same for every topic."""
        del topic
        return self._gazetteer.fingerprint

    def request(self, task: Task) -> None:
        """Nothing is asked."""
        del task

    def read(self, tasks: Sequence[Task]) -> list[tuple[Status, list[GroundedMention]]]:
        """Look the texts' words up."""
        found = self._gazetteer.extract([(t.text, t.topic, t.language) for t in tasks])
        return [(Status.OK, mentions) for mentions in found]


def extractor(job: Job) -> Extractor:
    """The extractor that the study names."""
    kinds = {"model": ModelExtractor, "gazetteer": GazetteerExtractor}
    return kinds[job.study.extraction.extractor](job)
