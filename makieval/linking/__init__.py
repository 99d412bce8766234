"""Linking surface forms to Wikidata QIDs: keys, candidates, the choice, and facts about items.

    with Snapshot.starter() as snapshot:
        link, = Linker(snapshot).link([Mention("Sushi", "en", "food", "dish_name")])

Pure functions over what a `KnowledgeSource` returns; no I/O happens here.
"""

from makieval.linking.candidates import (
    Candidate,
    Description,
    Failure,
    Form,
    KnowledgeSource,
    Lookup,
    Mention,
    Name,
    Scope,
    Statement,
)
from makieval.linking.choose import Link
from makieval.linking.facts import Facts, Origin, Text, describe, facts_fingerprint
from makieval.linking.linker import Linker, name_languages

__all__ = [
    "Candidate",
    "Description",
    "Facts",
    "Failure",
    "Form",
    "KnowledgeSource",
    "Link",
    "Linker",
    "Lookup",
    "Mention",
    "Name",
    "Origin",
    "Scope",
    "Statement",
    "Text",
    "describe",
    "facts_fingerprint",
    "name_languages",
]
