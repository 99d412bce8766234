"""What languages and titles put around a name: articles, particles, endings, brackets, type words.

`data/peel.tsv` holds the rules of each language, both ways where names are filed either way (`taco`
and `tacos`, `Bernstein-Teleskop` and `Das Bernstein-Teleskop`). `data/type_words.tsv` holds words
that say what kind of thing a name names, which speakers and labels add or leave out: Thai files
countries under ประเทศ (country), Spanish titles under `(novela)`.

A peeled form is a guess: it counts only where it finds an item that fits, after the mention as it
stands found none, and the link records what was peeled.
"""

from collections.abc import Iterator
from functools import cache

from makieval import catalog
from makieval.linking import normalise, rules
from makieval.linking.rules import Derived

#: Least letters of a name that a type word is taken from.
LEAST = 2


def peeled(key: str, language: str, topic: str) -> Iterator[Derived]:
    """Keys of what `key` may be without its trappings, least peeled first; never `key` itself."""
    seen = {key}
    own = rules.rules("peel", language)
    forms = (*rules.derive(key, language, own, 1), *_typed(key, language, topic))
    for derived in forms:
        if derived.key not in seen:
            seen.add(derived.key)
            yield derived
    for derived in rules.derive(key, language, own, 2):
        if derived.key not in seen:
            seen.add(derived.key)
            yield derived


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
        if rest != key and sum(map(str.isalnum, rest)) >= LEAST:
            yield Derived(normalise.key(rest, language), ("type word",))
    for place, word in words:
        if place == "before":
            yield Derived(f"{word}{gap}{key}", ("type word added",))
        elif place == "after":
            yield Derived(f"{key}{gap}{word}", ("type word added",))
        else:
            yield Derived(f"{key} ({word})", ("type word added",))
            if gap != " ":
                yield Derived(f"{key}({word})", ("type word added",))
