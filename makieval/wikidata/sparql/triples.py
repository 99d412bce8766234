"""Tables written as Wikidata's own RDF, so that any SPARQL engine can serve what a snapshot holds.

The same shapes as in Wikidata's dumps: names as `rdfs:label` and `skos:altLabel`, statements as
nodes with a rank and, where best, as truthy triples too, merged items as `owl:sameAs`. RDF has no
name that is neither label nor alias, and no direct evidence for a topic: `as_wikidata` first makes
tables without them.
"""

from collections.abc import Iterator
from dataclasses import replace

from makieval.wikidata.sparql import terms
from makieval.wikidata.tables import Tables

_WD = terms.ENTITY
_PROP = "http://www.wikidata.org/prop/"
_WIKIBASE = "http://wikiba.se/ontology#"
_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
_ALIAS = "http://www.w3.org/2004/02/skos/core#altLabel"
_SAME_AS = "http://www.w3.org/2002/07/owl#sameAs"
_ABOUT = "http://schema.org/description"
_MODIFIED = "http://schema.org/dateModified"
_BEST = "preferred"
_XSD = "http://www.w3.org/2001/XMLSchema#"


def as_wikidata(tables: Tables) -> Tables:
    """The tables as Wikidata could hold them: at most one label per item and language.

    The first label, else the first name, by code point; all others become aliases.
    """
    import polars as pl

    kinds = ("label", "name", "alias")
    given = {(q, lang, kinds.index(kind), name) for q, lang, kind, name in _rows(tables, "names")}
    made: dict[tuple[str, str, str], str] = {}
    labelled: set[tuple[str, str]] = set()
    for qid, lang, kind, name in sorted(given):
        label = kind < kinds.index("alias") and (qid, lang) not in labelled
        if label:
            labelled.add((qid, lang))
        made.setdefault((qid, lang, name), "label" if label else "alias")
    rows = [(qid, lang, kind, name) for (qid, lang, name), kind in made.items()]
    names = pl.DataFrame(rows, schema=["qid", "lang", "kind", "name"], orient="row")
    frames = {**tables.frames, "names": names, "topics": tables.frames["topics"].head(0)}
    return replace(tables, frames=frames)


def triples(tables: Tables) -> Iterator[str]:
    """The tables as N-Triples, a line each."""
    for qid, sitelinks in _rows(tables, "items"):
        if sitelinks:
            number = f'"{sitelinks}"^^<{_XSD}integer>'
            yield f"<{_WD}{qid}> <{_WIKIBASE}sitelinks> {number} ."
    for qid, lang, kind, name in _rows(tables, "names"):
        property_ = _ALIAS if kind == "alias" else _LABEL
        yield f"<{_WD}{qid}> <{property_}> {terms.literal(name, lang)} ."
    for qid, lang, text in _rows(tables, "descriptions"):
        yield f"<{_WD}{qid}> <{_ABOUT}> {terms.literal(text, lang)} ."
    for old, new in _rows(tables, "redirects"):
        yield f"<{_WD}{old}> <{_SAME_AS}> <{_WD}{new}> ."
    yield from _statements(tables)
    date = str(tables.manifest.get("date", ""))
    if date:
        yield f'<http://www.wikidata.org> <{_MODIFIED}> "{date}T00:00:00Z"^^<{_XSD}dateTime> .'


def _statements(tables: Tables) -> Iterator[str]:
    preferred = {(qid, pid) for qid, pid, _, rank in _rows(tables, "statements") if rank == _BEST}
    for at, (qid, pid, value, rank) in enumerate(_rows(tables, "statements")):
        node = f"<{_WD}statement/{qid}-{at}>"
        yield f"<{_WD}{qid}> <{_PROP}{pid}> {node} ."
        yield f"{node} <{_PROP}statement/{pid}> <{_WD}{value}> ."
        yield f"{node} <{_WIKIBASE}rank> <{_WIKIBASE}{rank.capitalize()}Rank> ."
        if rank == (_BEST if (qid, pid) in preferred else "normal"):
            yield f"<{_WD}{qid}> <{_PROP}direct/{pid}> <{_WD}{value}> ."


def _rows(tables: Tables, name: str) -> Iterator[tuple[str, ...]]:
    return tables.frames[name].iter_rows()
