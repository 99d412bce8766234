"""From mentions to links, in batches: look distinct names up, stage by stage, then choose.

 1. exact: the key of the surface form;
 2. derived: other spellings (`variants`) and the form without its trappings (`peel`);
 3. similar: names one edit away, where length and script allow (`fuzzy`);
 4. unclassed: the name itself, of an item of whose class the source knows nothing at all. Not
    known is not wrong, but such an item counts only alone, by its name in the mention's language.

A mention enters a later stage only where no earlier one found an item that fits, so a guess never
takes the place of a name that stands in the source.

A mention's link depends on the key of its surface form, its language, topic and entity type, on
the source and on the rules; never on the other mentions, their order or the size of a batch.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import islice

from makieval import catalog
from makieval.fingerprint import fingerprint
from makieval.linking import choose, fuzzy, normalise, peel, rules, variants
from makieval.linking.candidates import Candidate, Form, KnowledgeSource, Lookup, Mention, Scope
from makieval.linking.choose import Link

BATCH = 20_000
#: Derived forms are many, and only what the exact stage left over asks for them.
DERIVED_BATCH = 2_000
#: Tried after a language's own chain: Wikidata's default for all languages, then English.
DEFAULT = "mul"
FALLBACK = (DEFAULT, "en")
#: At most so many derived keys of one mention are looked up, the nearest.
DERIVED = 48
UNCLASSED = "unclassed"


def name_languages(language: catalog.Language) -> tuple[str, ...]:
    """The Wikidata languages whose names a mention in `language` may match, best first."""
    return tuple(dict.fromkeys((*language.chain, *FALLBACK)))


@dataclass(frozen=True, slots=True)
class _Question:
    """All of a mention that its link depends on."""

    key: str
    language: catalog.Language
    scope: Scope

    def __hash__(self) -> int:
        return hash((self.key, self.language.code, self.scope))


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

    @property
    def source(self) -> KnowledgeSource:
        """Where its candidates come from."""
        return self._source

    @cached_property
    def fingerprint(self) -> str:
        """Rules, keys, roots, language chains and the source, in one word."""
        return fingerprint(
            "linker",
            {
                "choose": choose.VERSION,
                "normalise": normalise.VERSION,
                "fuzzy": fuzzy.VERSION,
                "tables": rules.digest(),
                "converters": variants.converters(),
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
        questions = [self._question(mention) for mention in mentions]
        found = self._answers(dict.fromkeys(questions))
        return [
            choose.choose(mention, found[question], question.scope.roots)
            for mention, question in zip(mentions, questions, strict=True)
        ]

    def lookup(self, mention: Mention) -> Lookup:
        """What `mention` is looked up as first. Depends on the surface through its key alone."""
        question = self._question(mention)
        return Lookup(tuple(_exact(question)), question.scope)

    def _question(self, mention: Mention) -> _Question:
        topic = self._topics.get(mention.topic)
        entity_type = topic.types.get(mention.entity_type) if topic else None
        language = self._languages.get(mention.language)
        if topic is None or entity_type is None or language is None:
            raise ValueError(f"not in the catalog: {mention}")
        if entity_type.granularity == "excluded":
            raise ValueError(
                f"type '{entity_type.id}' of topic '{topic.id}' is excluded from linking: {mention}"
            )
        key = normalise.key(mention.surface, language.code)
        return _Question(key, language, Scope.of(topic, entity_type))

    def _answers(self, questions: Iterable[_Question]) -> dict[_Question, Sequence[Candidate]]:
        """The candidates of each question, from the first stage that found one that fits."""
        found = self._find(questions, BATCH, _each(_exact))
        stages = [_each(_derived)]
        if self._source.approximate:
            stages.append(self._similar)
        for stage in stages:
            open_ = [one for one, many in found.items() if not _fitting(many)]
            for question, candidates in self._find(open_, DERIVED_BATCH, stage).items():
                if fitting := _fitting(candidates):
                    found[question] = fitting
        return self._unclassed(found)

    def _unclassed(
        self, found: dict[_Question, Sequence[Candidate]]
    ) -> dict[_Question, Sequence[Candidate]]:
        """Stage 4, on the candidates of the first."""
        own = {
            question: [one for one in many if one.language in question.language.chain]
            for question, many in found.items()
            if not _fitting(many)
        }
        alone = {
            question: many
            for question, many in own.items()
            if len({candidate.qid for candidate in many}) == 1
        }
        qids = {many[0].qid for many in alone.values()}
        classed = {one.qid for one in self._source.statements(qids, ("P31", "P279"))}
        for question, many in alone.items():
            if many[0].qid not in classed:
                found[question] = [
                    replace(one, typed=True, path=(UNCLASSED,), method=UNCLASSED) for one in many
                ]
        return found

    def _find(
        self,
        questions: Iterable[_Question],
        size: int,
        forms: Callable[[Sequence[_Question]], Iterable[tuple[Form, ...]]],
    ) -> dict[_Question, Sequence[Candidate]]:
        found: dict[_Question, Sequence[Candidate]] = {}
        waiting = iter(questions)
        while batch := list(islice(waiting, size)):
            asked = [Lookup(made, one.scope) for one, made in zip(batch, forms(batch), strict=True)]
            found.update(zip(batch, self._source.candidates(asked), strict=True))
        return found

    def _similar(self, questions: Sequence[_Question]) -> Iterator[tuple[Form, ...]]:
        """Names within one edit, the most alike first, in the question's own languages."""
        asked: list[tuple[int, Form]] = [
            (at, Form(code, one.key, "similar"))
            for at, one in enumerate(questions)
            if fuzzy.admits(one.key)
            for code in _own_languages(one.language)
        ]
        near = self._source.similar([form for _, form in asked])
        forms: dict[int, list[tuple[float, int, Form]]] = {}
        for place, ((at, form), keys) in enumerate(zip(asked, near, strict=True)):
            for other in keys:
                closeness = fuzzy.closeness(form.key, other)
                if closeness is not None:
                    similar = Form(form.language, other, f"similar:{closeness.kind}")
                    forms.setdefault(at, []).append((-closeness.score, place, similar))
        for at in range(len(questions)):
            ranked = sorted(forms.get(at, ()), key=lambda one: (*one[:2], one[2].key))
            yield tuple(form for _, _, form in ranked)


def _each(
    forms: Callable[[_Question], Iterable[Form]],
) -> Callable[[Sequence[_Question]], Iterable[tuple[Form, ...]]]:
    return lambda questions: (tuple(forms(one)) for one in questions)


def _fitting(candidates: Iterable[Candidate]) -> list[Candidate]:
    return [candidate for candidate in candidates if candidate.typed]


def _own_languages(language: catalog.Language) -> tuple[str, ...]:
    """Where guesses are looked up: rules of one language say nothing of English names."""
    return tuple(dict.fromkeys((*language.chain, DEFAULT)))


def _exact(question: _Question) -> Iterator[Form]:
    """The exact forms. A key is its own key, but for what Turkic languages make of the letter i."""
    turkic = question.language.code in normalise.TURKIC
    for code in name_languages(question.language):
        same = (code in normalise.TURKIC) == turkic
        key = question.key if same else normalise.key(question.key, code)
        yield Form(code, key, "exact")


def _derived(question: _Question) -> Iterator[Form]:
    """Other spellings, then peeled forms, each in the question's own languages."""
    key, code = question.key, question.language.code
    seen = {key}
    spelt = [("variant", one) for one in variants.variants(key, code)]
    bare = [
        ("peeled", other)
        for one in peel.peeled(key, code, question.scope.topic)
        for other in variants.in_scripts(one, code)
    ]
    for kind, one in (*spelt, *bare):
        if one.key in seen:
            continue
        seen.add(one.key)
        if len(seen) > DERIVED:
            return
        for language in _own_languages(question.language):
            yield Form(language, one.key, f"{kind}:{'+'.join(one.tags)}")
