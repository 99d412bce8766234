"""A link in words: what was decided, by which name and which rule, through which classes."""

from collections.abc import Iterable, Sequence

from makieval import catalog
from makieval.linking.asked import topics
from makieval.linking.candidates import Candidate, KnowledgeSource
from makieval.linking.choose import Link
from makieval.linking.facts import Facts, describe

_RIVALS = 10


def explain(link: Link, source: KnowledgeSource, languages: Sequence[str] = ("en",)) -> list[str]:
    """Lines that explain `link`: decision, name, class path, rivals, with labels of `source`.

    Labels are in the first of the catalog `languages` that has one, else they are the QID alone.
    """
    asked = link.mention
    rivals = link.rivals[:_RIVALS]
    qids = {qid for qid in (link.qid, *link.path) if qid} | {rival.qid for rival in rivals}
    facts = _facts(qids, link, source, languages)
    language = catalog.language(asked.language).english
    lines = [
        f"mention   {asked.surface!r} in {language}, {asked.topic}, {asked.entity_type}",
        f"status    {link.status}",
    ]
    if link.qid:
        lines.append(f"item      {_named(link.qid, facts, languages, described=True)}")
    if link.method:
        score = "" if link.score is None else f", score {link.score:.2f}"
        lines.append(f"method    {link.method}{score}")
    if link.name:
        lines.append(f"name      {link.name!r}, {link.name_kind} in {link.name_language}")
    if link.path:
        lines.append(f"classes   {_path(link.path, facts, languages)}")
    lines += [f"rival     {_rival(rival, facts, languages)}" for rival in rivals]
    if left := len(link.rivals) - len(rivals):
        lines.append(f"          and {left} more")
    return lines


def _facts(
    qids: Iterable[str], link: Link, source: KnowledgeSource, languages: Sequence[str]
) -> dict[str, Facts]:
    asked = link.mention
    wikidata = [qid for qid in sorted(qids) if qid[:1] == "Q" and qid[1:].isdecimal()]
    items = [(qid, asked.topic, asked.entity_type) for qid in wikidata]
    return {facts.qid: facts for facts in describe(source, items, languages, topics())}


def _named(
    qid: str, facts: dict[str, Facts], languages: Sequence[str], *, described: bool = False
) -> str:
    known = facts.get(qid)
    if known is None:
        return qid
    label = next((known.labels[code].text for code in languages if code in known.labels), "")
    about = known.descriptions
    text = next((about[code].text for code in languages if code in about), "")
    return qid + (f" {label}" if label else "") + (f" ({text})" if text and described else "")


def _path(path: Sequence[str], facts: dict[str, Facts], languages: Sequence[str]) -> str:
    """`Q46383 sushi → Q746549 dish`; direct evidence is told as such."""
    if path[0] == "direct":
        return f"direct evidence for the topic: {path[1]}"
    return " → ".join(_named(qid, facts, languages) for qid in path)


def _rival(rival: Candidate, facts: dict[str, Facts], languages: Sequence[str]) -> str:
    fits = "fits" if rival.typed else "does not fit"
    links = "unknown" if rival.sitelinks is None else f"{rival.sitelinks:,}"
    return (
        f"{_named(rival.qid, facts, languages, described=True)}: {rival.kind} {rival.name!r} in"
        f" {rival.language} by {rival.method}, {fits}, sitelinks {links}"
    )
