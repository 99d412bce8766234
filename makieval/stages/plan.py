"""Plan: the study file becomes rows, one per text that is wanted.

The rows are ordered sample by sample, cell by cell, model by model, so that a study which is
stopped early has something from every cell, and every model is asked in turn.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from makieval import catalog
from makieval.fingerprint import canonical, fingerprint
from makieval.llm.request import Message, Request
from makieval.stages.job import Job
from makieval.store.rows import insert
from makieval.study import Cell, Model, Study

if TYPE_CHECKING:
    import duckdb

_COLUMNS = "study model topic language framing country sample prompt_id response_id"
_ROWS_AT_ONCE = 50_000


@dataclass(frozen=True, slots=True)
class Wanted:
    """One text that a study wants: where it belongs and the request that gets it."""

    cell: Cell
    model: Model
    sample: int
    prompt_id: str
    prompt: str
    request: Request


def prompt_id(text: str) -> str:
    """The key of what is asked."""
    return fingerprint("prompt", {"text": text})


def sample_seed(seed: int, sample: int) -> int:
    """The seed of one sample: stable as samples are added, unlike that of any other sample."""
    digest = hashlib.sha256(f"{seed}:{sample}".encode()).digest()
    return int.from_bytes(digest[:4], "big") >> 1


def request(study: Study, model: Model, language: str, prompt: str, sample: int) -> Request:
    """The request for one text."""
    text = prompt
    if model.language_instruction:
        text = f"{prompt}\n{catalog.language_instruction(language)}"
    return Request(
        endpoint=model.endpoint(),
        messages=(Message("user", text),),
        seed=sample_seed(study.seed, sample),
        sample=sample,
        schema=None,
    )


def wanted(study: Study) -> Iterator[Wanted]:
    """Every text of the study, in the order in which it is asked for."""
    cells = [(cell, study.prompt(cell)) for cell in study.cells()]
    for sample in range(study.samples):
        for cell, prompt in cells:
            for model in study.models:
                asked = request(study, model, cell.language, prompt, sample)
                yield Wanted(cell, model, sample, prompt_id(prompt), prompt, asked)


def plan(job: Job) -> int:
    """Write the study's rows where they changed; the number of texts that it wants."""
    study = job.study
    cells = [(cell, study.prompt(cell)) for cell in study.cells()]
    version = fingerprint(
        "plan",
        {
            "study": study.fingerprint,
            "prompts": [prompt_id(text) for _, text in cells],
            "models": [dict(model.endpoint().identity) for model in study.models],
        },
    )
    total = len(cells) * len(study.models) * study.samples
    with job.store.connect() as connection:
        found = connection.execute(
            "SELECT plan FROM studies WHERE study = ?", [study.name]
        ).fetchall()
        connection.begin()
        _write_catalog(connection, study)
        if found and found[0][0] == version:
            connection.commit()
            return total
        for table in ("study_models", "requests"):
            connection.execute(f"DELETE FROM {table} WHERE study = ?", [study.name])
        # What its figures rest on stays as it is, until a stage has something newer.
        connection.execute(
            """
            INSERT INTO studies (study, fingerprint, definition, plan) VALUES (?, ?, ?, ?)
            ON CONFLICT (study) DO UPDATE SET
                fingerprint = excluded.fingerprint,
                definition = excluded.definition,
                plan = excluded.plan
            """,
            [study.name, study.fingerprint, study.model_dump_json(), version],
        )
        insert(
            connection,
            "study_models",
            "study model position identity embedded",
            [
                (study.name, m.name, position, canonical(m.endpoint().identity), m.embedded)
                for position, m in enumerate(study.models)
            ],
        )
        insert(
            connection,
            "prompts",
            "prompt_id text",
            sorted({(prompt_id(text), text) for _, text in cells}),
        )
        job.progress.start("plan", total, "texts")
        rows = _rows(study)
        while batch := list(islice(rows, _ROWS_AT_ONCE)):
            insert(connection, "requests", _COLUMNS, batch)
            job.progress.advance(len(batch))
        connection.commit()
        job.progress.finish()
    return total


def _write_catalog(connection: "duckdb.DuckDBPyConnection", study: Study) -> None:
    """What the metrics need of the catalog, as it is now: countries and entity types."""
    for table in ("study_countries", "entity_types"):
        connection.execute(f"DELETE FROM {table} WHERE study = ?", [study.name])
    insert(
        connection,
        "study_countries",
        "study country qid position",
        [
            (study.name, country, catalog.country(country).qid, position)
            for position, country in enumerate(study.countries)
        ],
    )
    insert(
        connection,
        "entity_types",
        "study topic entity_type granularity",
        [
            (study.name, topic, kind.id, kind.granularity)
            for topic in study.topics
            for kind in catalog.topic(topic).types.values()
        ],
    )


def _rows(study: Study) -> Iterator[tuple[str | int | None, ...]]:
    for want in wanted(study):
        cell = want.cell
        yield (
            study.name,
            want.model.name,
            cell.topic,
            cell.language,
            cell.framing,
            cell.country,
            want.sample,
            want.prompt_id,
            want.request.id,
        )
