"""Words of a query: how text, items and properties are written so that they mean only themselves.

Everything that comes from outside enters a query through `literal`, `item` or `prop`, and nowhere
else. SPARQL 1.1, sections 4.1.2 (literals), 19.2 (code point escapes) and 19.7 (escapes in
strings). Section 19.2 lets a processor read `\\u0022` as a quote before it reads anything else,
even behind a backslash that is itself escaped; so a letter u behind a backslash is spelt out.
"""

import re

ENTITY = "http://www.wikidata.org/entity/"

_ESCAPES = str.maketrans(
    {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
)
_BEHIND_BACKSLASH = re.compile(r"(?<=\\)[uU]")
_LANGUAGE = re.compile(r"[a-z]{2,8}(-[a-z0-9]{1,8})*")
_ITEM = re.compile(r"Q[1-9][0-9]*")
_PROPERTY = re.compile(r"P[1-9][0-9]*")
_NEVER = re.compile("[\0\ud800-\udfff]")


def writable(text: str) -> bool:
    """Whether `text` can stand in a query at all: no lone surrogate, no NUL."""
    return not _NEVER.search(text)


def string(text: str) -> str:
    """`text` as a SPARQL string in double quotes; a ValueError where it is not `writable`."""
    if not writable(text):
        raise ValueError(f"not to be written in a query: {text!r}")
    spelt = _BEHIND_BACKSLASH.sub(lambda match: f"\\u{ord(match[0]):04X}", text.translate(_ESCAPES))
    return f'"{spelt}"'


def literal(text: str, language: str) -> str:
    """`text` as a literal tagged with a Wikidata language."""
    return f"{string(text)}@{_whole(_LANGUAGE, language)}"


def item(qid: str) -> str:
    """A QID as `wd:Q42`."""
    return f"wd:{_whole(_ITEM, qid)}"


def prop(pid: str) -> str:
    """A property id such as `P31`, to be put behind `p:` or `ps:`."""
    return _whole(_PROPERTY, pid)


def qid(iri: str) -> str | None:
    """The QID in an entity's address; None for properties, lexemes, unknown values and the rest."""
    name = iri.removeprefix(ENTITY)
    return name if name != iri and _ITEM.fullmatch(name) else None


def _whole(pattern: re.Pattern[str], value: str) -> str:
    if not pattern.fullmatch(value):
        raise ValueError(f"not to be written in a query: {value!r}")
    return value
