"""From mentions to links, in batches: look distinct names up once, then choose.

A mention's link depends on the key of its surface form, its language, topic and entity type, on
the source and on the rules; never on the other mentions, their order or the size of a batch.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import cached_property
from itertools import islice

from makieval import catalog
from makieval.fingerprint import fingerprint
from makieval.linking import choose, normalise
from makieval.linking.candidates import (
    Candidate,
    Failure,
    Form,
    KnowledgeSource,
    Lookup,
    Mention,
    Scope,
)
from makieval.linking.choose import Link

BATCH = 20_000
#: Tried after a language's own chain: Wikidata's default for all languages, then English.
FALLBACK = ("mul", "en")


def name_languages(language: catalog.Language) -> tuple[str, ...]:
    """The Wikidata languages whose names a mention in `language` may match, best first."""
    return tuple(dict.fromkeys((*language.chain, *FALLBACK)))


class Linker:
    """Links mentions to QIDs of `source`, under the catalog's topics and languages.

    `fingerprint` changes exactly when a link could change.
    """

    def __init__(
        self,
        source: KnowledgeSource,
        topics: Mapping[str, catalog.Topic] | None = None,
        languages: Mapping[str, catalog.Language] | None = None,
    ) -> None:
        self._source = source
        self._topics = topics if topics is not None else catalog.topics()
        self._languages = languages if languages is not None else catalog.languages()

    @cached_property
    def fingerprint(self) -> str:
        """Rules, keys, roots, language chains and the source, in one word."""
        return fingerprint(
            "linker",
            {
                "choose": choose.VERSION,
                "normalise": normalise.VERSION,
                "source": self._source.id,
                "scopes": {
                    f"{topic.id}.{entity_type.id}": asdict(Scope.of(topic, entity_type))
                    for topic in self._topics.values()
                    for entity_type in topic.types.values()
                },
                "names": {
                    language.code: list(name_languages(language))
                    for language in self._languages.values()
                },
            },
        )

    def link(self, mentions: Sequence[Mention]) -> list[Link]:
        """One link per mention, in the order given.

        The caller leaves out mentions of excluded types (places, people in a text about food):
        those raise a ValueError, as do a topic, type or language that the catalog lacks.
        """
        lookups = [self.lookup(mention) for mention in mentions]
        found = self._find(dict.fromkeys(lookups))
        return [
            _decided(mention, found[lookup])
            for mention, lookup in zip(mentions, lookups, strict=True)
        ]

    def lookup(self, mention: Mention) -> Lookup:
        """What `mention` is looked up as: its keys, and the text for sources that hold none."""
        topic = self._topics.get(mention.topic)
        entity_type = topic.types.get(mention.entity_type) if topic else None
        language = self._languages.get(mention.language)
        if topic is None or entity_type is None or language is None:
            raise ValueError(f"not in the catalog: {mention}")
        if entity_type.granularity == "excluded":
            raise ValueError(
                f"type '{entity_type.id}' of topic '{topic.id}' is excluded from linking: {mention}"
            )
        forms = tuple(_forms(mention.surface, language))
        return Lookup(forms, Scope.of(topic, entity_type))

    def _find(self, lookups: Mapping[Lookup, None]) -> dict[Lookup, Sequence[Candidate] | Failure]:
        found: dict[Lookup, Sequence[Candidate] | Failure] = {}
        waiting = iter(lookups)
        while batch := list(islice(waiting, BATCH)):
            found.update(zip(batch, self._source.candidates(batch), strict=True))
        return found


def _decided(mention: Mention, found: Sequence[Candidate] | Failure) -> Link:
    """The rules' choice; a source that could not answer leaves its status and no choice."""
    if isinstance(found, Failure):
        return Link(mention, found.status)
    return choose.choose(mention, found)


def _forms(surface: str, language: catalog.Language) -> Iterator[Form]:
    """The exact forms. A key is its own key, but for what Turkic languages make of the letter i."""
    own = normalise.key(surface, language.code)
    turkic = language.code in normalise.TURKIC
    for code in name_languages(language):
        same = (code in normalise.TURKIC) == turkic
        yield Form(code, own if same else normalise.key(own, code), "exact", surface)
