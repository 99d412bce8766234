"""A study whose links people have reviewed: nothing is asked again, and a replay obeys as well."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from makieval.errors import InputError
from makieval.linking.reviewed import Decision, append
from makieval.recording import rebuilt, record
from makieval.store import Store
from makieval.study import Study

LINKS = """
SELECT l.surface, l.language, l.topic, l.entity_type, l.qid, l.method
FROM studies s JOIN links l USING (linker) ORDER BY ALL
"""


@pytest.fixture
def reviewed_study(
    tmp_path: Path, serve: Any, study_text: Any, run_study: Any, rows: Any
) -> tuple[str, Path, Path, str]:
    """A study that ran, and one decision about its first surface: (text, store, file, surface)."""
    server = serve()
    text = study_text(server)
    store, file = tmp_path / "store", tmp_path / "reviewed.tsv"
    run_study(text, store)
    asked = server.stats()["requests"]
    surface, language, topic, *_ = rows(store, LINKS)[0]
    told = Decision.today(surface, language, topic, None, "Q46383", who="ann", why="a test")
    append(file, told)
    text += f'\n[linking]\nreviewed = "{file}"\n'
    run_study(text, store)
    assert server.stats()["requests"] == asked
    return text, store, file, surface


def test_a_decision_reaches_the_links_of_the_study(reviewed_study: Any, rows: Any) -> None:
    _, store, _, surface = reviewed_study
    methods = {row[5] for row in rows(store, LINKS) if row[0] == surface and row[4] == "Q46383"}
    assert methods == {"reviewed"}


def test_a_recording_takes_the_decisions_along(reviewed_study: Any, tmp_path: Path) -> None:
    text, store, file, _ = reviewed_study
    record(Store(store), Study.parse(text).name, tmp_path / "recording")
    file.unlink()
    with rebuilt(tmp_path / "recording") as again:
        assert "byte for byte" in again.verdict()


def test_a_study_that_names_no_file_is_defined_as_it_was(study_text: Callable[..., str]) -> None:
    text = study_text("http://127.0.0.1:9/v1")
    assert "reviewed" not in Study.parse(text).model_dump_json()
    named = Study.parse(text + '\n[linking]\nreviewed = "r.tsv"\n')
    assert named.fingerprint != Study.parse(text).fingerprint


def test_a_file_that_is_missing_stops_the_study_with_one_line(
    tmp_path: Path, serve: Any, study_text: Any, run_study: Any
) -> None:
    text = study_text(serve()) + f'\n[linking]\nreviewed = "{tmp_path / "none.tsv"}"\n'
    with pytest.raises(InputError, match=r"none\.tsv: cannot be read"):
        run_study(text, tmp_path / "store")
