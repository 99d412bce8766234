"""Every query that is put to a service: plain SPARQL 1.1 that Blazegraph, QLever and Oxigraph run.

No label service, no `mwapi`, no query hints, every prefix declared. What is asked for stands in
VALUES as tagged literals or items, once in each branch of a UNION, because not every engine
carries bindings into one; no language filter ever scans (ad-freiburg/qlever#2363). Statements are
read with their ranks, since truthy triples cannot tell a deprecated one from none.
"""

from collections.abc import Iterable, Sequence

from makieval.wikidata.sparql import terms

#: A change of any query, or in how answers are read, changes this.
VERSION = 1

PREFIXES = """\
PREFIX owl: <http://www.w3.org/2002/07/owl#>
PREFIX p: <http://www.wikidata.org/prop/>
PREFIX ps: <http://www.wikidata.org/prop/statement/>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
PREFIX schema: <http://schema.org/>
PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
PREFIX wd: <http://www.wikidata.org/entity/>
PREFIX wikibase: <http://wikiba.se/ontology#>
"""


def named(literals: Sequence[str]) -> str:
    """?item ?kind ?name: what carries one of these literals (as `terms.literal` writes them)."""
    names = _values("name", literals)
    return _select(
        "?item ?kind ?name",
        f'{names} ?item rdfs:label ?name . BIND("label" AS ?kind)',
        f'{names} ?item skos:altLabel ?name . BIND("alias" AS ?kind)',
    )


def classes(qids: Sequence[str]) -> str:
    """?item with ?value and ?rank of each P31 statement, or with ?sitelinks."""
    items = _items(qids)
    return _select(
        "?item ?value ?rank ?sitelinks",
        f"{items} {_statement('P31')}",
        f"{items} ?item wikibase:sitelinks ?sitelinks .",
    )


def statements(qids: Sequence[str], properties: Sequence[str]) -> str:
    """?item ?property ?value ?rank: the statements of these items, deprecated ones included."""
    items = _items(qids)
    return _select(
        "?item ?property ?value ?rank",
        *(
            f"{items} {_statement(each)} BIND({terms.string(each)} AS ?property)"
            for each in properties
        ),
    )


def subclasses(qids: Sequence[str]) -> str:
    """?child ?parent ?rank: P279 statements, also those that name a merged item as the class."""
    parents = _values("parent", map(terms.item, qids))
    rank = "?statement wikibase:rank ?rank ."
    return _select(
        "?child ?parent ?rank",
        f"{parents} ?statement ps:P279 ?parent . ?child p:P279 ?statement . {rank}",
        f"{parents} ?old owl:sameAs ?parent . ?statement ps:P279 ?old . "
        f"?child p:P279 ?statement . {rank}",
    )


def merged(qids: Sequence[str]) -> str:
    """?item ?target: those of the items that were merged into another."""
    return _select("?item ?target", f"{_items(qids)} ?item owl:sameAs ?target .")


def names(qids: Sequence[str], languages: Sequence[str]) -> str:
    """?item ?kind ?name: labels and aliases in these languages."""
    items, wanted = _items(qids), _in("name", languages)
    return _select(
        "?item ?kind ?name",
        f'{items} ?item rdfs:label ?name . BIND("label" AS ?kind) {wanted}',
        f'{items} ?item skos:altLabel ?name . BIND("alias" AS ?kind) {wanted}',
    )


def descriptions(qids: Sequence[str], languages: Sequence[str]) -> str:
    """?item ?text: descriptions in these languages."""
    return _select(
        "?item ?text", f"{_items(qids)} ?item schema:description ?text . {_in('text', languages)}"
    )


def _select(variables: str, *branches: str) -> str:
    union = "\n  UNION\n  ".join(f"{{ {branch} }}" for branch in branches)
    return f"{PREFIXES}SELECT DISTINCT {variables} WHERE {{\n  {union}\n}}"


def _values(variable: str, terms_: Iterable[str]) -> str:
    return f"VALUES ?{variable} {{ {' '.join(terms_)} }}"


def _items(qids: Sequence[str]) -> str:
    return _values("item", map(terms.item, qids))


def _statement(property_: str) -> str:
    pid = terms.prop(property_)
    return (
        f"?item p:{pid} ?statement . ?statement ps:{pid} ?value . ?statement wikibase:rank ?rank ."
    )


def _in(variable: str, languages: Sequence[str]) -> str:
    wanted = ", ".join(map(terms.string, languages))
    return f"BIND(LCASE(LANG(?{variable})) AS ?language) FILTER(?language IN ({wanted}))"
