"""A study that links on a SPARQL service: nothing is NIL because the service failed."""

from pathlib import Path
from typing import Any

import pytest

from makieval.errors import InputError, MakievalError, ServiceError, StudyError
from makieval.stages import Job, run
from makieval.status import UNANSWERED
from makieval.store import Store
from makieval.study import Study

STUDY = """
name = "served"
topics = ["food"]
languages = ["en"]
countries = ["italy", "japan"]
framings = ["neutral", "explicit"]

[[models]]
name = "loopback"
model = "loopback-model"
base_url = "{model}"

[extraction]
extractor = "{extractor}"

[linking]
source = "{source}"
{more}
"""


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAKIEVAL_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("MAKIEVAL_CONTACT", raising=False)


def study(source: str, model: str = "http://127.0.0.1:9/v1", **more: str) -> Study:
    fields = {"extractor": "model", "more": "", **more}
    return Study.parse(STUDY.format(source=source, model=model, **fields))


def statuses(store: Path) -> set[str]:
    with Store(store).connect(read_only=True) as connection:
        rows = connection.execute("SELECT DISTINCT status FROM links").fetchall()
    return {status for (status,) in rows}


def test_mentions_that_could_not_be_looked_up_are_refused_kept_apart_and_looked_up_again(
    tmp_path: Path, serve: Any, faulty: Any, fault: Any
) -> None:
    served = study(faulty.address, serve().base_url)
    store = tmp_path / "store"
    faulty.otherwise = lambda query: fault.FORBIDDEN
    with pytest.raises(MakievalError, match="could not be looked up"):
        run(Job(served, Store(store)))
    assert statuses(store) == {"policy"}
    assert len(faulty.asked) == 1
    faulty.otherwise = lambda query: fault.result()
    totals = run(Job(served, Store(store)))
    assert totals.cultural > 0
    assert totals.unanswered == 0
    assert statuses(store) == {"nil"}
    asked = len(faulty.asked)
    assert run(Job(served, Store(store))) == totals
    assert len(faulty.asked) == asked


def test_a_study_links_on_a_real_endpoint_and_describes_what_it_found(
    tmp_path: Path, serve: Any, endpoint: str
) -> None:
    totals = run(Job(study(endpoint, serve().base_url), Store(tmp_path / "store")))
    assert totals.unanswered == 0
    assert statuses(tmp_path / "store") <= {"linked", "nil", "wrong_type"}
    assert not statuses(tmp_path / "store") & {str(status) for status in UNANSWERED}


def test_the_gazetteer_says_that_it_needs_a_snapshot(
    tmp_path: Path, serve: Any, faulty: Any
) -> None:
    with pytest.raises(InputError, match="needs a snapshot"):
        run(Job(study(faulty.address, serve().base_url, extractor="gazetteer"), Store(tmp_path)))


def test_the_public_service_without_a_contact_is_refused_before_anything_is_sent(
    tmp_path: Path,
) -> None:
    with pytest.raises(InputError, match="contact"):
        _ = Job(study("wikidata"), Store(tmp_path)).source


def test_offline_the_service_is_not_asked_and_no_contact_is_needed(tmp_path: Path) -> None:
    job = Job(study("wikidata"), Store(tmp_path), offline=True)
    with pytest.raises(ServiceError, match="offline"):
        job.source.names(["Q1"], ["en"])
    job.close()


def test_a_contact_is_no_part_of_a_study() -> None:
    named = study("wikidata", more='contact = "someone@makieval.invalid"')
    assert named.linking.contact == "someone@makieval.invalid"
    assert named.fingerprint == study("wikidata").fingerprint
    assert "someone" not in named.model_dump_json()


@pytest.mark.parametrize(
    ("source", "more", "told"),
    [
        ("http://me:secret-9f2@127.0.0.1/sparql", "", "no user or password"),
        ("https://127.0.0.1/sparql?key=secret-9f2", "", "keys do not belong"),
        ("https:///sparql", "", "not the address"),
        ("wikidata", 'contact = "Mozilla/5.0"', "browser"),
        ("wikidata", 'contact = ""', "must be an e-mail address"),
    ],
)
def test_what_cannot_be_meant_is_one_clear_line(source: str, more: str, told: str) -> None:
    with pytest.raises(StudyError, match=told) as caught:
        study(source, more=more)
    assert "linking" in str(caught.value)
    assert "secret-9f2" not in str(caught.value)
