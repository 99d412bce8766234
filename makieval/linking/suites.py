"""Two suites made from a source's own names: what a change of spelling loses, what absence invents.

Perturbation: a real name that links as it stands is changed as running text changes names (case,
composition, quotes, article, plural, particle, one typo, …) and has to reach the same item.

Absent mention: the name's key is taken out of the index. What still links either reaches the same
item by another of its names, or is a false link.

Both are seeded and draw the same number of names for each language, spread over topics. They
measure kinds of change, on names that link at all: no share here is the linker's accuracy.
"""

import random
import re
import string
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import Any, Protocol
from unicodedata import category, normalize

from makieval import catalog
from makieval.fingerprint import fingerprint
from makieval.linking import normalise
from makieval.linking.candidates import (
    Candidate,
    Description,
    Failure,
    Form,
    KnowledgeSource,
    Lookup,
    Mention,
    Name,
    Statement,
)
from makieval.linking.changes import changed, changes
from makieval.linking.choose import Link
from makieval.linking.linker import Linker, name_languages
from makieval.stats.proportions import Share, share

#: Shortest name that gets a typo: in four letters one edit may well make another word.
TYPO_FROM = 5
_ASCII = string.ascii_letters + string.digits
_FULL_WIDTH = str.maketrans(_ASCII, "".join(chr(ord(each) + 0xFEE0) for each in _ASCII))


class Names(KnowledgeSource, Protocol):
    """A source that can also list its names' keys, as a snapshot can."""

    def dictionary(self, topic: str, languages: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
        """Key of a name in these Wikidata languages → entity types of the topic it may be."""
        ...


@dataclass(frozen=True, slots=True)
class Named:
    """A mention that is a real name, and the item it links to as it stands."""

    mention: Mention
    qid: str


@dataclass(frozen=True, slots=True)
class Changed:
    """A changed name and what became of its link. `change` is a kind, `way` names it closer."""

    named: Named
    change: str
    way: str
    link: Link


@dataclass(frozen=True, slots=True)
class Kept:
    """Of names changed in one way: how many still reach their item, how many another one."""

    right: Share
    wrong: Share

    @classmethod
    def of(cls, changed: Iterable[Changed]) -> "Kept":
        """The two shares of these changed names."""
        links = [(one.link.qid, one.named.qid) for one in changed]
        right = sum(qid == meant for qid, meant in links)
        wrong = sum(qid not in (None, meant) for qid, meant in links)
        return cls(share(right, len(links)), share(wrong, len(links)))


def sample(
    source: Names, per_language: int, seed: int = 0, languages: Iterable[str] | None = None
) -> list[Named]:
    """Up to `per_language` names of each catalog language that link exactly as they stand."""
    linker = Linker(source)
    found: list[Named] = []
    for language in map(catalog.language, languages or catalog.languages()):
        drawn = [
            _drawn(source, topic, language, per_language, seed)
            for topic in catalog.topics().values()
        ]
        # One of each topic in turn, so that no topic of a million songs fills the sample.
        asked = [one for turn in zip_longest(*drawn) for one in turn if one is not None]
        links = (link for link in linker.link(asked) if _stands(link, language))
        found += [
            Named(Mention(link.name or "", *_rest(link.mention)), link.qid or "")
            for link, _ in zip(links, range(per_language), strict=False)
        ]
    return found


def perturb(source: KnowledgeSource, names: Sequence[Named], seed: int = 0) -> list[Changed]:
    """Every applicable change of every name, linked; kind `none` is the name as it stands."""
    asked = [
        (named, change, way, Mention(surface, *_rest(named.mention)))
        for named in names
        for change, way, surface in changes_of(named.mention, seed)
    ]
    links = Linker(source).link([mention for *_, mention in asked])
    return [
        Changed(named, change, way, link)
        for (named, change, way, _), link in zip(asked, links, strict=True)
    ]


def without(source: KnowledgeSource, names: Sequence[Named]) -> list[Changed]:
    """Each name linked over a source from which the keys of all of them are gone."""
    keys = {
        (code, normalise.key(named.mention.surface, code))
        for named in names
        for code in name_languages(catalog.language(named.mention.language))
    }
    links = Linker(Without(source, keys)).link([named.mention for named in names])
    return [Changed(named, "absent", "", link) for named, link in zip(names, links, strict=True)]


def shares(outcomes: Iterable[Changed]) -> dict[str, dict[str, Kept]]:
    """Kind of change → language → shares, both in the order in which they first come."""
    groups: dict[str, dict[str, list[Changed]]] = defaultdict(lambda: defaultdict(list))
    for one in outcomes:
        groups[one.change][one.named.mention.language].append(one)
    return {
        change: {language: Kept.of(found) for language, found in languages.items()}
        for change, languages in groups.items()
    }


def as_record(outcomes: Iterable[Changed]) -> list[dict[str, Any]]:
    """Every changed name as plain JSON."""
    return [
        {
            "language": one.named.mention.language,
            "topic": one.named.mention.topic,
            "entity_type": one.named.mention.entity_type,
            "name": one.named.mention.surface,
            "qid": one.named.qid,
            "change": one.change,
            "way": one.way,
            "surface": one.link.mention.surface,
            "status": str(one.link.status),
            "linked": one.link.qid,
            "method": one.link.method,
            "matched": one.link.name,
        }
        for one in outcomes
    ]


def changes_of(mention: Mention, seed: int = 0) -> Iterator[tuple[str, str, str]]:
    """(kind, way, surface) of every change that applies to the name and alters it."""
    name, language = mention.surface, mention.language
    yield "none", "", name
    seen = {name}
    for kind, way, surface in chain(
        _spellings(name, language),
        _grammar(name, language),
        _typo(name, f"{seed}/{language}/{name}"),
    ):
        if surface not in seen:
            seen.add(surface)
            yield kind, way, surface


def _spellings(name: str, language: str) -> Iterator[tuple[str, str, str]]:
    turkic = language in normalise.TURKIC
    lower = name.replace("İ", "i").replace("I", "ı") if turkic else name
    yield "lower case", "", lower.lower()
    yield "upper case", "", _upper(name, turkic)
    yield "title case", "", re.sub(r"\S+", lambda word: _title(word[0], turkic), name)
    yield "decomposed", "NFD", normalize("NFD", name)
    yield "quotes", "curly", f"“{name}”"
    yield "quotes", "angle", f"«{name}»"
    yield "quotes", "corner", f"《{name}》"
    yield "punctuation", "full stop", f"{name}."
    yield "punctuation", "comma", f"{name},"
    yield "white space", "doubled", f" {name.replace(' ', '  ')} "
    yield "full width", "", name.translate(_FULL_WIDTH)
    yield "half space", "as space", name.replace("\u200c", " ")
    yield "half space", "for space", name.replace(" ", "\u200c") if language == "fa" else name
    yield "arabic letters", "", name.replace("ی", "ي").replace("ک", "ك")
    bare = "".join(each for each in normalize("NFD", name) if category(each)[0] != "M")
    # Marks are accents in Latin script; in Hindi or Thai they are the vowels.
    if not set(bare) - set(map(chr, range(128))):
        yield "marks dropped", "", bare


def _upper(text: str, turkic: bool) -> str:
    return (text.replace("i", "İ") if turkic else text).upper()


def _title(word: str, turkic: bool) -> str:
    return _upper(word[0], turkic) + word[1:]


def _grammar(name: str, language: str) -> Iterator[tuple[str, str, str]]:
    for kind, ways in changes(language).items():
        for way, rules in ways.items():
            made = changed(name, rules)
            if made is not None:
                yield kind, way, made


def _typo(name: str, seed: str) -> Iterator[tuple[str, str, str]]:
    """One edit behind the first letter, with letters of the name itself."""
    draw = random.Random(seed)
    letters = sorted({each for each in name if each.isalpha()})
    if sum(each.isalpha() for each in name) < TYPO_FROM or len(letters) < 2:
        return
    at = draw.randrange(1, len(name) - 1)
    before, here, after = name[:at], name[at], name[at + 1 :]
    way = draw.choice(("missing", "added", "exchanged", "swapped"))
    other = draw.choice([each for each in letters if each != here])
    made = {
        "missing": before + after,
        "added": before + other + here + after,
        "exchanged": before + other + after,
        "swapped": before + after[0] + here + after[1:],
    }[way]
    if normalise.key(made, "en") != normalise.key(name, "en"):
        yield "typo", way, made


def _drawn(
    source: Names, topic: catalog.Topic, language: catalog.Language, count: int, seed: int
) -> list[Mention]:
    """Keys of names as mentions, three times as many as wanted: not every key links."""
    keys = source.dictionary(topic.id, language.chain)
    draw = random.Random(f"{seed}/{topic.id}/{language.code}")
    chosen = draw.sample(list(keys), min(len(keys), 3 * count))
    return [Mention(key, language.code, topic.id, keys[key][0]) for key in chosen]


def _stands(link: Link, language: catalog.Language) -> bool:
    return (
        link.qid is not None
        and link.method == "exact"
        and link.name_language in language.chain
        and any(map(str.isalpha, link.name or ""))
    )


def _rest(mention: Mention) -> tuple[str, str, str]:
    return mention.language, mention.topic, mention.entity_type


class Without:
    """A source from which names are gone: those filed under `keys` of (Wikidata language, key)."""

    def __init__(self, source: KnowledgeSource, keys: Collection[tuple[str, str]]) -> None:
        self._source = source
        self._gone = frozenset(keys)

    @property
    def id(self) -> str:
        """Another source than the whole one."""
        return fingerprint("without", {"source": self._source.id, "keys": sorted(self._gone)})

    @property
    def approximate(self) -> bool:
        """The source's."""
        return self._source.approximate

    def candidates(self, lookups: Sequence[Lookup]) -> list[Sequence[Candidate] | Failure]:
        """The source's, but for those found by a form that is gone."""
        found = self._source.candidates(lookups)
        return [
            many
            if isinstance(many, Failure)
            else [one for one in many if not self._is_gone(lookup.forms[one.rank])]
            for lookup, many in zip(lookups, found, strict=True)
        ]

    def similar(self, forms: Sequence[Form]) -> list[list[str]]:
        """The source's, but for the keys that are gone."""
        return [
            [key for key in keys if (form.language, key) not in self._gone]
            for form, keys in zip(forms, self._source.similar(forms), strict=True)
        ]

    def statements(self, qids: Iterable[str], properties: Iterable[str]) -> list[Statement]:
        """The source's."""
        return self._source.statements(qids, properties)

    def names(self, qids: Iterable[str], languages: Iterable[str]) -> list[Name]:
        """The source's."""
        return self._source.names(qids, languages)

    def descriptions(self, qids: Iterable[str], languages: Iterable[str]) -> list[Description]:
        """The source's."""
        return self._source.descriptions(qids, languages)

    def _is_gone(self, form: Form) -> bool:
        return (form.language, form.key) in self._gone
