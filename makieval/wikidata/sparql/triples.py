"""Tables written as Wikidata's own RDF, so that any SPARQL engine can serve what a snapshot holds.

The same shapes as in Wikidata's dumps: names as `rdfs:label` and `skos:altLabel`, statements as
nodes with a rank and, where best, as truthy triples too, merged items as `owl:sameAs`. RDF has no
name that is neither label nor alias, and no direct evidence for a topic: `as_wikidata` first makes
tables without them.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from makieval.wikidata.sparql import terms
from makieval.wikidata.tables import Tables

if TYPE_CHECKING:
    import polars

_WD = terms.ENTITY
_PROP = "http://www.wikidata.org/prop/"
_WIKIBASE = "http://wikiba.se/ontology#"
_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
_ALIAS = "http://www.w3.org/2004/02/skos/core#altLabel"
_SAME_AS = "http://www.w3.org/2002/07/owl#sameAs"
_ABOUT = "http://schema.org/description"
_MODIFIED = "http://schema.org/dateModified"
_XSD = "http://www.w3.org/2001/XMLSchema#"


def as_wikidata(tables: Tables) -> Tables:
    """The tables as Wikidata could hold them: at most one label per item and language.

    The first label, else the first name, by code point; all others become aliases. Evidence for
    topics goes.
    """
    import polars as pl

    order = pl.col("kind").replace_strict({"label": 0, "name": 1, "alias": 2}, return_dtype=pl.Int8)
    names = tables.frames["names"].unique().sort("qid", "lang", order, "name")
    first = (pl.col("kind") != "alias") & pl.struct("qid", "lang").is_first_distinct()
    names = names.with_columns(kind=pl.when(first).then(pl.lit("label")).otherwise(pl.lit("alias")))
    names = names.unique(["qid", "lang", "name"], keep="first", maintain_order=True)
    frames = {**tables.frames, "names": names, "topics": tables.frames["topics"].clear()}
    return replace(tables, frames=frames)


def triples(tables: Tables) -> Iterator[str]:
    """The tables as N-Triples, a line each."""
    frames = tables.frames
    for qid, sitelinks in frames["items"].iter_rows():
        if sitelinks:
            number = f'"{sitelinks}"^^<{_XSD}integer>'
            yield f"<{_WD}{qid}> <{_WIKIBASE}sitelinks> {number} ."
    for qid, lang, kind, name in frames["names"].iter_rows():
        yield f"<{_WD}{qid}> <{_ALIAS if kind == 'alias' else _LABEL}> {_text(name, lang)} ."
    for qid, lang, text in frames["descriptions"].iter_rows():
        yield f"<{_WD}{qid}> <{_ABOUT}> {_text(text, lang)} ."
    for old, new in frames["redirects"].iter_rows():
        yield f"<{_WD}{old}> <{_SAME_AS}> <{_WD}{new}> ."
    yield from _statements(frames["statements"])
    date = str(tables.manifest.get("date", ""))
    if date:
        yield f'<http://www.wikidata.org> <{_MODIFIED}> "{date}T00:00:00Z"^^<{_XSD}dateTime> .'


def _statements(frame: "polars.DataFrame") -> Iterator[str]:
    best: dict[tuple[str, str], str] = defaultdict(lambda: "normal")
    for qid, property_, _, rank in frame.iter_rows():
        if rank == "preferred":
            best[qid, property_] = rank
    for at, (qid, property_, value, rank) in enumerate(frame.iter_rows()):
        node = f"<{_WD}statement/{qid}-{at}>"
        yield f"<{_WD}{qid}> <{_PROP}{property_}> {node} ."
        yield f"{node} <{_PROP}statement/{property_}> <{_WD}{value}> ."
        yield f"{node} <{_WIKIBASE}rank> <{_WIKIBASE}{rank.capitalize()}Rank> ."
        if rank == best[qid, property_]:
            yield f"<{_WD}{qid}> <{_PROP}direct/{property_}> <{_WD}{value}> ."


def _text(text: str, language: str) -> str:
    return terms.literal(text, language)
