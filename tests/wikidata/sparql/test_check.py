"""`makieval wikidata check` against a real engine, and against services that are of no use."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from makieval.wikidata.sparql.check import Finding, check, lines, usable
from makieval.wikidata.sparql.service import Service

TOP = Path(__file__).parents[3]


def about(findings: list[Finding]) -> dict[str, Finding]:
    return {finding.about: finding for finding in findings}


def test_an_oxigraph_with_wikidata_in_it_can_be_linked_on(endpoint: str) -> None:
    findings = check(Service.of(endpoint))
    assert usable(findings), list(lines(findings))
    found = about(findings)
    assert found["engine"].told == "Oxigraph"
    assert found["label service"].told.startswith("none")
    assert found["prefixes"].told.startswith("all must be declared")
    assert found["data of"].told == "2026-11-30T00:00:00Z"
    assert found["batches"].told.startswith("1600 names in")
    assert found["time limit"].told.startswith("not tried")


def test_a_store_without_wikidata_is_of_no_use(serve_triples: Any, tmp_path: Path) -> None:
    with serve_triples(['<http://x.invalid/a> <http://x.invalid/b> "c" .'], tmp_path) as address:
        findings = check(Service.of(address))
    assert not usable(findings)
    failing = {finding.about for finding in findings if finding.verdict == "fails"}
    assert failing == {"labels", "statements"}


def test_a_service_that_garbles_characters_is_of_no_use(faulty: Any, fault: Any) -> None:
    """What Blazegraph makes of a body that does not name its charset."""
    faulty.otherwise = lambda query: fault.result({"x": "ê¹€ì¹˜"})
    found = about(check(Service.of(faulty.address)))
    assert found["characters"].verdict == "fails"
    assert found["languages"].verdict == "fails"


@pytest.mark.parametrize(
    ("reply", "engine"),
    [
        (b"SPARQL-QUERY: queryStr=...\norg.openrdf.query.MalformedQueryException", "Blazegraph"),
        (b'{"exception":"Prefix undeclared was not registered using a PREFIX decl"}', "QLever"),
    ],
)
def test_engines_are_told_by_their_complaints(
    reply: bytes, engine: str, faulty: Any, fault: Any
) -> None:
    def answer(query: str) -> Any:
        return fault.Reply(400, reply, "text/plain") if "undeclared:" in query else fault.result()

    faulty.otherwise = answer
    assert about(check(Service.of(faulty.address)))["engine"].told == engine


def test_a_time_limit_is_met_only_when_asked_for(faulty: Any, fault: Any) -> None:
    def answer(query: str) -> Any:
        return fault.TIMEOUT_AS_429 if "STRLEN" in query else fault.result()

    faulty.otherwise = answer
    limit = about(check(Service.of(faulty.address), slow=True))["time limit"]
    assert limit.verdict == "ok"
    assert limit.told.startswith("timeout after")


def run(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "makieval", "wikidata", "check", *words]
    return subprocess.run(
        command, cwd=TOP, capture_output=True, text=True, timeout=120, check=False
    )


def test_the_command_prints_a_table_and_says_by_its_code_whether_links_can_be_made(
    endpoint: str,
) -> None:
    good = run(endpoint)
    assert good.returncode == 0, good.stderr
    assert "ok     characters" in good.stdout
    down = run("http://127.0.0.1:9/sparql")
    assert down.returncode == 8
    assert "fails  answers  unreachable" in down.stdout
    assert down.stderr.count("\n") == 1


def test_the_command_refuses_the_public_service_without_a_contact() -> None:
    refused = run("wikidata")
    assert refused.returncode == 2
    assert "MAKIEVAL_CONTACT" in refused.stderr
