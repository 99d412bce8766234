"""Recordings: a study and its answers as a small folder, and the figures rebuilt from it.

    study.json                the study
    journal/000001.jsonl.gz   every answer that it needs, as journalled, sorted by key
    manifest.json             counts, versions, and the SHA-256 of every exported table

`rebuilt` runs the study's own stages offline on that journal, so a replay is a run that finds
nothing missing; equal exports prove that nothing else went in.
"""

import gzip
import hashlib
import json
import shutil
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from makieval import resources
from makieval.errors import InputError, ReplayDiffers
from makieval.provenance import machine, provenance
from makieval.report.export import export as export_tables
from makieval.stages import Job, Progress, Silent, run
from makieval.store import Store
from makieval.study import Study

SHIPPED = resources.shipped("cache") / "recorded"
_NEEDED = """
SELECT DISTINCT response_id FROM requests WHERE study = ?
UNION
SELECT DISTINCT x.answer_id
FROM requests r
JOIN studies s USING (study)
JOIN response_extractions x
    ON x.response_id = r.response_id AND x.topic = r.topic AND x.language = r.language
    AND x.extractor = s.extractor
WHERE r.study = ? AND x.answer_id IS NOT NULL
"""


@dataclass(frozen=True)
class Rebuilt:
    """A replayed study: its store, and whether its tables equal the recorded ones."""

    study: Study
    store: Store
    tables: int
    different: tuple[str, ...]
    made_with: str

    def verdict(self) -> str:
        """That the tables are the recorded ones; raises `ReplayDiffers` where they are not."""
        if self.different:
            raise ReplayDiffers(
                f"{self.study.name}: {', '.join(self.different)} differ from the recording's"
                f" (made with makieval {self.made_with}); the rest is equal byte for byte"
            )
        return f"{self.tables} tables, byte for byte those of the recording"

    def export(self, folder: Path) -> list[Path]:
        """Its tables as Parquet files under `folder`."""
        with self.store.connect(read_only=True) as connection:
            known = provenance(connection, self.study.name)
            return export_tables(connection, self.study.name, folder, "parquet", known)


def record(store: Store, study: str, folder: Path) -> int:
    """Write `study` with all its answers as a recording; the number of answers."""
    with store.connect(read_only=True) as connection:
        found = connection.execute(
            "SELECT definition FROM studies WHERE study = ?", [study]
        ).fetchall()
        needed = {row[0] for row in connection.execute(_NEEDED, [study, study]).fetchall()}
        have = {row[0] for row in connection.execute("SELECT answer_id FROM answers").fetchall()}
    if missing := needed - have:
        raise InputError(f"{study}: {len(missing)} answers are missing; finish the run first")
    kept: dict[str, dict[str, object]] = {}
    for entry in store.journal.records():
        if entry["id"] in needed and entry["status"] not in _passing():
            kept.setdefault(entry["id"], entry)
    (folder / "journal").mkdir(parents=True, exist_ok=True)
    lines = "".join(
        json.dumps(kept[key], ensure_ascii=False, separators=(",", ":")) + "\n"
        for key in sorted(kept)
    )
    with (folder / "journal" / "000001.jsonl.gz").open("wb") as file:
        file.write(gzip.compress(lines.encode(), compresslevel=9, mtime=0))
    defined = Study.model_validate_json(found[0][0])
    (folder / "study.json").write_text(defined.model_dump_json(indent=1) + "\n", encoding="utf-8")
    with tempfile.TemporaryDirectory() as scratch:
        tables = _digests(store, study, Path(scratch))
    manifest = {
        "study": study,
        "fingerprint": defined.fingerprint,
        "answers": len(kept),
        "made with": machine(),
        "tables": tables,
    }
    (folder / "manifest.json").write_text(
        json.dumps(manifest, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    return len(kept)


@contextmanager
def rebuilt(
    folder: Path, into: Path | None = None, progress: Progress | None = None
) -> Generator[Rebuilt]:
    """The recording under `folder`, run offline into a store (`into`, else a passing one)."""
    study_file = folder / "study.json"
    if not study_file.is_file():
        raise InputError(f"{folder}: no recording here (study.json is missing)")
    study = Study.model_validate_json(study_file.read_text(encoding="utf-8"))
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory(prefix="makieval-replay-") as scratch:
        store = Store(into or Path(scratch) / "store")
        _bring(sorted((folder / "journal").iterdir()), store)
        run(Job(study, store, offline=True, progress=progress or Silent()))
        tables = _digests(store, study.name, Path(scratch) / "export")
        different = sorted(
            name
            for name in tables.keys() | manifest["tables"].keys()
            if tables.get(name) != manifest["tables"].get(name)
        )
        made_with = manifest["made with"]["makieval"]
        yield Rebuilt(study, store, len(tables), tuple(different), made_with)


def _bring(segments: list[Path], store: Store) -> None:
    """Copy a recording's journal into a new store, or find it there already."""
    here = {path.name: path.read_bytes() for path in store.journal.segments()}
    recorded = {path.name: path.read_bytes() for path in segments}
    if here and here != recorded:
        raise InputError(
            f"{store.folder}: holds answers of other runs; replay into a folder of its own"
        )
    store.journal.folder.mkdir(parents=True, exist_ok=True)
    for path in segments:
        shutil.copyfile(path, store.journal.folder / path.name)


def _passing() -> frozenset[str]:
    from makieval.status import UNANSWERED

    return frozenset(UNANSWERED)


def _digests(store: Store, study: str, folder: Path) -> dict[str, str]:
    """The SHA-256 of every exported table, as CSV: the bytes of a Parquet file also depend on
    the version of its writer. The export's own manifest is left out, since it names versions."""
    with store.connect(read_only=True) as connection:
        paths = export_tables(connection, study, folder, "csv")
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in paths
        if path.suffix == ".csv"
    }
