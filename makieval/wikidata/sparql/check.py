"""What a SPARQL endpoint can do, found out with a dozen small queries.

Two things matter: whether what linking needs is there (forms that keep every character, tagged
literals, statements with ranks), and what kind of service it is (its engine, how fresh, how it
says that a query took too long). Nothing here is heavy, but for the question about time limits,
which is put only when asked for: it uses up a public service's patience on purpose.
"""

import re
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from makieval.errors import ServiceError
from makieval.status import Status
from makieval.wikidata.sparql import queries, terms
from makieval.wikidata.sparql.client import SparqlClient
from makieval.wikidata.sparql.service import Service

Verdict = Literal["ok", "note", "fails"]
Probe = Callable[[SparqlClient], tuple[Verdict, str]]

#: Engines by what they write into their messages.
_ENGINES = {
    "Blazegraph": r"bigdata|blazegraph|openrdf",
    "QLever": r"qlever|was not registered using a PREFIX",
    "Oxigraph": r"oxigraph|prefix not found|error at \d+:\d+",
    "Virtuoso": r"virtuoso",
    "Apache Jena": r"jena|unresolved prefixed name",
}
#: Characters that a form must bring through: three scripts, a letter outside the first plane, and
#: signs that forms or SPARQL give a meaning to.
_HARD = "김치 çığ 寿司 \U0001f35c & = + % # \" ' \\ \\u0022 \n { } <>"
_SIZES = (100, 400, 1_600)
#: Seconds: the client's own patience with any query of a check.
_PATIENCE = 90.0


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found out: `fails` makes the endpoint useless for linking."""

    about: str
    verdict: Verdict
    told: str


def check(service: Service, *, slow: bool = False) -> list[Finding]:
    """What is found out about `service`; `slow` also asks a query that cannot end in time."""
    with tempfile.TemporaryDirectory(prefix="makieval-check-") as folder:
        path = Path(folder) / "answers.sqlite"
        with SparqlClient(service, cache=path, tries=2, timeout=_PATIENCE) as client:
            found = [_found("answers", _reached, client)]
            if found[0].verdict == "ok":
                found += [_found(about, probe, client) for about, probe in _PROBES.items()]
                found.append(_found("time limit", _limit if slow else _left_out, client))
            return found


def usable(findings: list[Finding]) -> bool:
    """Whether linking can work on the endpoint."""
    return not any(finding.verdict == "fails" for finding in findings)


def lines(findings: list[Finding]) -> Iterator[str]:
    """The findings as a table of text."""
    width = max(len(finding.about) for finding in findings)
    for finding in findings:
        yield f"{finding.verdict:5}  {finding.about:{width}}  {finding.told}"


def _found(about: str, probe: Probe, client: SparqlClient) -> Finding:
    """What a probe finds; a service that fails it would fail linking too."""
    try:
        return Finding(about, *probe(client))
    except ServiceError as error:
        return Finding(about, "fails", f"{error.status}: {error}")


def _reached(client: SparqlClient) -> tuple[Verdict, str]:
    started = time.monotonic()
    client.select('SELECT ?x WHERE { VALUES ?x { "here" } }')
    return "ok", f"in {_milliseconds(started)}"


def _engine(client: SparqlClient) -> tuple[Verdict, str]:
    """By the words of its complaint about a query that no engine takes."""
    try:
        client.select("SELECT ?x WHERE { ?x undeclared:thing }")
    except ServiceError as error:
        for name, words in _ENGINES.items():
            if re.search(words, str(error), re.IGNORECASE):
                return "note", name
        return "note", f"unknown; it says: {error}"
    return "note", "unknown; it takes what is no query"


def _characters(client: SparqlClient) -> tuple[Verdict, str]:
    rows = client.select(f"SELECT ?x WHERE {{ VALUES ?x {{ {terms.string(_HARD)} }} }}")
    came = rows[0]["x"].text if rows else ""
    if came == _HARD:
        return "ok", "forms and escapes bring every character through"
    return "fails", f"sent {_HARD!r}, came back {came!r}"


def _languages(client: SparqlClient) -> tuple[Verdict, str]:
    tagged = terms.literal("麵", "zh-hant")
    rows = client.select(f"SELECT ?x WHERE {{ VALUES ?x {{ {tagged} }} }}")
    if rows and rows[0]["x"].language == "zh-hant":
        return "ok", "tags of literals are kept"
    return "fails", "tags of literals are lost"


def _labels(client: SparqlClient) -> tuple[Verdict, str]:
    rows = client.select(_some("?item rdfs:label ?name ."))
    if any(terms.qid(row["item"].text) and row["name"].language for row in rows):
        return "ok", "items of Wikidata have them"
    return "fails", "no item of Wikidata has one"


def _statements(client: SparqlClient) -> tuple[Verdict, str]:
    """Puts linking's own query for the first item that is an instance of anything."""
    rows = client.select(_some("?item p:P31 ?statement ."))
    qids = sorted({qid for row in rows if (qid := terms.qid(row["item"].text))})
    if qids and any("rank" in row for row in client.select(queries.classes(qids))):
        return "ok", "with nodes and ranks"
    return "fails", "no statement nodes with ranks: no item can be typed"


def _example(pattern: str, told: str, otherwise: str) -> Probe:
    """A probe that looks for one example of a pattern that linking can do without."""

    def probe(client: SparqlClient) -> tuple[Verdict, str]:
        return ("ok", told) if client.select(_some(pattern)) else ("note", otherwise)

    return probe


def _prefixes(client: SparqlClient) -> tuple[Verdict, str]:
    try:
        client.select("SELECT ?x WHERE { VALUES ?x { wd:Q42 } }")
    except ServiceError as error:
        return "note", f"all must be declared, as makieval does ({error.status})"
    return "note", "Wikidata's are known undeclared"


def _label_service(client: SparqlClient) -> tuple[Verdict, str]:
    asked = '<http://www.bigdata.com/rdf#serviceParam> wikibase:language "en" .'
    query = f"VALUES ?x {{ wd:Q42 }} SERVICE wikibase:label {{ {asked} }}"
    try:
        client.select(f"{queries.PREFIXES}SELECT ?x ?xLabel WHERE {{ {query} }}")
    except ServiceError as error:
        return "note", f"none, and makieval needs none ({error.status})"
    return "note", "there is one; makieval does not use it"


def _freshness(client: SparqlClient) -> tuple[Verdict, str]:
    about = "VALUES ?about { <http://www.wikidata.org> wikibase:Dump }"
    rows = client.select(_some(f"{about} ?about schema:dateModified ?date ."))
    return "note", max((row["date"].text for row in rows), default="it does not say when")


def _batches(client: SparqlClient) -> tuple[Verdict, str]:
    """The largest batch of names that it looks up, and how long that takes."""
    told = ""
    for size in _SIZES:
        literals = [terms.literal(f"no such name {number}", "en") for number in range(size)]
        started = time.monotonic()
        try:
            client.select(queries.named(literals))
        except ServiceError as error:
            verdict: Verdict = "note" if told else "fails"
            return verdict, f"{told}{size} names are too many: {error}"
        told = f"{size} names in {_milliseconds(started)}; "
    return "ok", told.removesuffix("; ")


def _limit(client: SparqlClient) -> tuple[Verdict, str]:
    """How the service says that a query took too long."""
    started = time.monotonic()
    pattern = " ".join(f"?a{n} ?b{n} ?c{n} ." for n in range(4))
    lengths = " + ".join(f"STRLEN(STR(?c{n}))" for n in range(4))
    try:
        client.select(f"SELECT (SUM({lengths}) AS ?n) WHERE {{ {pattern} }}")
    except ServiceError as error:
        told = f"{error.status} after {_milliseconds(started)}: {error}"
        known = error.status in {Status.TIMEOUT, Status.OUT_OF_MEMORY}
        return "ok" if known else "note", told
    return "note", "none was met"


def _left_out(_: SparqlClient) -> tuple[Verdict, str]:
    return "note", "not tried (--slow tries)"


def _some(pattern: str) -> str:
    return f"{queries.PREFIXES}SELECT * WHERE {{ {pattern} }} LIMIT 20"


def _milliseconds(started: float) -> str:
    return f"{1000 * (time.monotonic() - started):.0f} ms"


_PROBES: Mapping[str, Probe] = {
    "engine": _engine,
    "characters": _characters,
    "languages": _languages,
    "labels": _labels,
    "aliases": _example("?item skos:altLabel ?name .", "there are some", "none at all"),
    "statements": _statements,
    "classes": _example(
        "?item p:P279 ?node .", "have superclasses", "no P279: only instances of the roots fit"
    ),
    "sitelinks": _example(
        "?item wikibase:sitelinks ?n .", "are counted", "are not: ties go to the lowest QID"
    ),
    "merged items": _example("?old owl:sameAs ?new .", "are followed", "none are known"),
    "prefixes": _prefixes,
    "label service": _label_service,
    "data of": _freshness,
    "batches": _batches,
}
