"""What a study's figures rest on: versions, fingerprints, and where the knowledge comes from."""

import platform
from collections.abc import Mapping
from importlib.metadata import version
from typing import TYPE_CHECKING

from makieval.study import Study

if TYPE_CHECKING:
    import duckdb


def provenance(connection: "duckdb.DuckDBPyConnection", study: str) -> Mapping[str, str]:
    """The study's provenance, in a fixed order; the same store gives the same mapping."""
    found = connection.execute(
        "SELECT fingerprint, definition, extractor, linker, snapshot FROM studies WHERE study = ?",
        [study],
    ).fetchall()
    fingerprint, definition, extractor, linker, snapshot = found[0]
    defined = Study.model_validate_json(definition)
    return {
        "title": defined.report.title or study,
        "study": study,
        "study fingerprint": fingerprint,
        "seed": str(defined.seed),
        "extractor": f"{defined.extraction.extractor} {extractor or '(not run)'}",
        "linker": linker or "(not run)",
        "snapshot": snapshot or "(none)",
        **_manifest(defined, snapshot),
        "makieval": version("makieval"),
    }


def _manifest(study: Study, snapshot: str | None) -> Mapping[str, str]:
    from makieval.errors import SnapshotError
    from makieval.wikidata.snapshot import Snapshot

    if snapshot is None:
        return {}
    try:
        opened = Snapshot.named(study.linking.source)
    except SnapshotError:
        return {}
    if opened.id != snapshot:
        return {}
    wanted = ("name", "date", "licence")
    return {
        f"snapshot {key}": str(opened.manifest[key]) for key in wanted if key in opened.manifest
    }


def machine() -> Mapping[str, str]:
    """The software that made a recording."""
    return {
        "makieval": version("makieval"),
        "python": platform.python_version(),
        "platform": platform.machine(),
    }
