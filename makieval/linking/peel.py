"""What languages and titles put around a name: articles, particles, endings, brackets, type words.

`data/peel.tsv` holds the rules of each language, both ways where names are filed either way (`taco`
and `tacos`, `Bernstein-Teleskop` and `Das Bernstein-Teleskop`). `data/type_words.tsv` holds words
that say what kind of thing a name names, which speakers and labels add or leave out: Thai files
countries under ประเทศ (country), Spanish titles under `(novela)`.

A peeled form is a guess: it counts only where it finds an item that fits, after the mention as it
stands found none, and the link records what was peeled.
"""

from collections.abc import Iterator, Sequence
from functools import cache

from makieval import catalog
from makieval.linking import normalise, rules
from makieval.linking.rules import Derived, Rule

#: Least letters of a name that a type word is taken from.
LEAST = 2
_ADDED = "type word added"
#: What was left out by these said which of several is meant: adding a guess would mislead.
_LOST = frozenset({"bracket", "subtitle", "quoted"})


def peeled(key: str, language: str, topic: str) -> Iterator[Derived]:
    """Keys of what `key` may be without its trappings, least peeled first; never `key` itself."""
    seen = {key}
    own = rules.rules("peel", language)
    once = [*rules.derive(key, language, own, 1), *_typed(key, language, topic)]
    for derived in (*once, *_twice(key, once, own, language, topic)):
        if derived.key not in seen:
            seen.add(derived.key)
            yield derived


def _twice(
    key: str, once: Sequence[Derived], own: Sequence[Rule], language: str, topic: str
) -> Iterator[Derived]:
    """What a second step makes of forms that lost something in the first, and other spellings."""
    spelt = rules.rules("variants", language)
    shorter = [derived for derived in once if len(derived.key) < len(key)]
    for first in shorter:
        more = (
            *rules.derive(first.key, language, (*spelt, *own), 1),
            *_typed(first.key, language, topic),
        )
        for second in more:
            misled = second.tags == (_ADDED,) and not _LOST.isdisjoint(first.tags)
            if second.tags[0] not in first.tags and not misled:
                yield Derived(second.key, first.tags + second.tags)
    yield from rules.derive(key, language, own, 2)


@cache
def _words(topic: str, language: str) -> tuple[tuple[str, str], ...]:
    """(place, word as a key) of a topic's type words in a language."""
    return tuple(
        (place, (" " if word[0] == " " else "") + normalise.key(word, language))
        for of, lang, place, word in rules.read("type_words")
        if (of, lang) == (topic, language)
    )


def _typed(key: str, language: str, topic: str) -> Iterator[Derived]:
    """`key` without a type word it has, then with one it may lack."""
    gap = " " if catalog.language(language).spaced and language != "ko" else ""
    words = _words(topic, language)
    for place, word in words:
        rest = key
        if place == "before":
            rest = key.removeprefix(word + gap)
        elif place == "after":
            rest = key.removesuffix(gap + word)
        elif place == "joined":
            rest = key.removesuffix(word)
        if rest != key and sum(map(str.isalnum, rest)) >= LEAST:
            yield Derived(normalise.key(rest, language), ("type word",))
    for place, word in words:
        if place == "before":
            yield Derived(f"{word}{gap}{key}", (_ADDED,))
        elif place == "after":
            yield Derived(f"{key}{gap}{word}", (_ADDED,))
        elif place == "bracket":
            yield Derived(f"{key} ({word})", (_ADDED,))
            if gap != " ":
                yield Derived(f"{key}({word})", (_ADDED,))
