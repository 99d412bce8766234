"""Wikidata behind a SPARQL endpoint: the public service, or one of your own.

    with SparqlSource.open("wikidata", contact="you@your.university") as source:
        link, = Linker(source).link([Mention("Sushi", "en", "food", "dish_name")])

terms, queries   what is asked, and how text gets into it    variants   how a name may be spelt
service          who is asked by whom                        answers    what a reply really says
client           retries, waits, the circuit breaker         gate, courier, cache   its parts
batches, classes, source   from lookups to candidates        check      what an endpoint can do
triples          tables in the form in which services hold them
"""

from makieval.wikidata.sparql.client import SparqlClient
from makieval.wikidata.sparql.service import Service, is_endpoint
from makieval.wikidata.sparql.source import SparqlSource

__all__ = ["Service", "SparqlClient", "SparqlSource", "is_endpoint"]
