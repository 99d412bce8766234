"""Decisions that people made about mentions: they override the linker, and are replayed.

A file of them is a table of tab-separated values with a header, one decision a line:

    surface  language  topic  entity_type  qid  who  when  why

`entity_type` may be empty: the decision then holds for every type of the topic that has none of
its own. `qid` is an item or NIL. A decision holds for every surface form with the same key. Two
that differ about the same mention are an error that names both lines: people settle it, not we.
"""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, fields, replace
from datetime import date, datetime
from pathlib import Path
from typing import IO

from makieval.errors import CatalogError, InputError
from makieval.fingerprint import fingerprint
from makieval.linking import asked, normalise
from makieval.linking.candidates import Mention
from makieval.linking.choose import Link
from makieval.linking.linker import Linker
from makieval.nearest import nearest
from makieval.status import Status

METHOD = "reviewed"
NIL = "NIL"
_QID = re.compile("Q[1-9][0-9]*")
_SPACE = re.compile(r"\s+")

#: What a decision is about: key, language, topic, entity type (None: any).
About = tuple[str, str, str, str | None]


@dataclass(frozen=True, slots=True)
class Decision:
    """One line of the file, checked. `qid` is None for NIL; `when` is an ISO date or time."""

    surface: str
    language: str
    topic: str
    entity_type: str | None
    qid: str | None
    who: str
    when: str
    why: str

    @classmethod
    def of(cls, values: Mapping[str, str]) -> "Decision":
        """The decision with these texts; an `InputError` says in one line what is wrong."""
        told = {name: _SPACE.sub(" ", value).strip() for name, value in values.items()}
        for name in COLUMNS:
            if not told.get(name) and name != "entity_type":
                raise InputError(f"'{name}' is empty")
        about = asked.mention(
            told["surface"], told["language"], told["topic"], told.get("entity_type") or None
        )
        if told["qid"].upper() != NIL and not _QID.fullmatch(told["qid"]):
            raise InputError(f"qid {told['qid']!r} is neither an item such as Q42 nor {NIL}")
        try:
            datetime.fromisoformat(told["when"])
        except ValueError:
            raise InputError(f"when {told['when']!r} is no date such as 2026-11-30") from None
        return cls(
            told["surface"],
            about.language,
            about.topic,
            None if about.entity_type == asked.ANY else about.entity_type,
            None if told["qid"].upper() == NIL else told["qid"],
            *(told[name] for name in ("who", "when", "why")),
        )

    @classmethod
    def today(
        cls,
        surface: str,
        language: str,
        topic: str,
        entity_type: str | None,
        qid: str,
        *,
        who: str,
        why: str,
    ) -> "Decision":
        """A decision made today."""
        texts = (surface, language, topic, entity_type or "", qid, who, f"{date.today()}", why)
        return cls.of(dict(zip(COLUMNS, texts, strict=True)))

    @property
    def about(self) -> About:
        """The mentions it holds for."""
        key = normalise.key(self.surface, self.language)
        return (key, self.language, self.topic, self.entity_type)

    def __str__(self) -> str:
        kind = f", {self.entity_type}" if self.entity_type else ""
        means = self.qid or NIL
        return f"{self.surface!r} ({self.language}, {self.topic}{kind}) means {means}"


COLUMNS = tuple(field.name for field in fields(Decision))


class Reviewed:
    """A linker whose answers give way to decisions; method `reviewed`, score 1.

    What the linker found stays beside a decision: the name and class path of the decided item
    where it was among the candidates, and the others as rivals.
    """

    def __init__(self, linker: Linker, decisions: Iterable[Decision]) -> None:
        self._linker = linker
        self._decided = {decision.about: decision.qid for decision in decisions}

    @property
    def fingerprint(self) -> str:
        """The linker's own where nothing is decided; else also what is, but not by whom or why."""
        if not self._decided:
            return self._linker.fingerprint
        rows = [[*about, qid] for about, qid in self._decided.items()]
        return fingerprint(
            "linker",
            {
                "linker": self._linker.fingerprint,
                "reviewed": sorted(rows, key=lambda row: [field or "" for field in row]),
            },
        )

    def link(self, mentions: Sequence[Mention]) -> list[Link]:
        """See `Linker.link`."""
        return [self._settled(link) for link in self._linker.link(mentions)]

    def _settled(self, link: Link) -> Link:
        mention = link.mention
        key = normalise.key(mention.surface, mention.language)
        for entity_type in (mention.entity_type, None):
            about = (key, mention.language, mention.topic, entity_type)
            if about in self._decided:
                return _decided(link, self._decided[about])
        return link


def load(path: str | Path) -> list[Decision]:
    """The decisions in the file; an `InputError` lists every bad line and every conflict."""
    path = Path(path)
    try:
        return _parse(path.read_bytes(), path)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None


def append(path: str | Path, decision: Decision) -> None:
    """Add a decision to the file, made where there is none; on disk when this returns.

    Several processes may do so at once. Raises `InputError`, and writes nothing, where the file
    is damaged or holds a decision that differs. One that says the same is not written again.
    """
    path = Path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a+b") as file:
            _lock(file)
            file.seek(0)
            before = file.read()
            made = [one for one in _parse(before, path) if one.about == decision.about]
            if any(one.qid != decision.qid for one in made):
                raise InputError(
                    f"{path}: line {_line_of(before, path, made[0])} says that {made[0]};"
                    " take that line out to decide anew"
                )
            if made:
                return
            file.write(_rows(before, decision, path))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None


def _lock(file: IO[bytes]) -> None:
    import fcntl

    fcntl.flock(file.fileno(), fcntl.LOCK_EX)


def _rows(before: bytes, decision: Decision, path: Path) -> bytes:
    """What to write behind what is there: a header where needed, and the line in its columns."""
    lines = before.decode("utf-8-sig").splitlines()
    columns = _header(lines[0], path) if lines else list(COLUMNS)
    if decision.entity_type and "entity_type" not in columns:
        raise InputError(f"{path}: has no column entity_type for '{decision.entity_type}'; add one")
    texts = dict(zip(COLUMNS, astuple(decision), strict=True))
    texts["qid"] = decision.qid or NIL
    missing = [] if lines else ["\t".join(COLUMNS)]
    line = "\t".join(str(texts[column] or "") for column in columns)
    # A line that another program left without its end must not swallow this one.
    start = "" if not before or before.endswith(b"\n") else "\n"
    return (start + "\n".join([*missing, line]) + "\n").encode()


def _parse(data: bytes, path: Path) -> list[Decision]:
    return [decision for _, decision in _numbered(data, path)]


def _line_of(data: bytes, path: Path, decision: Decision) -> int:
    return next(number for number, one in _numbered(data, path) if one == decision)


def _numbered(data: bytes, path: Path) -> list[tuple[int, Decision]]:
    """(line number, decision) for each; errors of all lines in one exception."""
    try:
        lines = data.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise InputError(f"{path}: is not UTF-8 text") from None
    if not lines:
        return []
    columns = _header(lines[0], path)
    found: list[tuple[int, Decision]] = []
    wrong: list[str] = []
    for number, line in enumerate(lines[1:], start=2):
        if not line.strip():
            continue
        values = line.split("\t")
        if len(values) != len(columns):
            wrong.append(
                f"{path}: line {number} has {len(values)} columns, the header {len(columns)}"
            )
            continue
        try:
            found.append((number, Decision.of(dict(zip(columns, values, strict=True)))))
        except (InputError, CatalogError) as error:
            wrong.append(f"{path}: line {number}: {error}")
    wrong += _conflicts(found, path)
    if wrong:
        raise InputError("\n".join(wrong))
    return found


def _header(line: str, path: Path) -> list[str]:
    columns = [column.strip() for column in line.split("\t")]
    needed = [name for name in COLUMNS if name != "entity_type"]
    for column in columns:
        if column not in COLUMNS:
            raise InputError(
                f"{path}: line 1: unknown column {column!r}{nearest(column, COLUMNS)};"
                f" the columns are {', '.join(COLUMNS)}"
            )
    missing = [name for name in needed if name not in columns]
    twice = [name for name in columns if columns.count(name) > 1]
    if missing or twice:
        what = f"lacks {', '.join(missing)}" if missing else f"names {twice[0]} twice"
        raise InputError(f"{path}: line 1: the header {what}; tabs stand between the columns")
    return columns


def _conflicts(found: Iterable[tuple[int, Decision]], path: Path) -> list[str]:
    first: dict[About, tuple[int, Decision]] = {}
    wrong: list[str] = []
    for number, decision in found:
        line, before = first.setdefault(decision.about, (number, decision))
        if before.qid != decision.qid:
            wrong.append(f"{path}: line {line} says that {before}, line {number} that {decision}")
    return wrong


def _decided(link: Link, qid: str | None) -> Link:
    """`link` with the decided item in place of its own."""
    rivals = tuple(rival for rival in link.rivals if rival.qid != qid)
    if qid is None:
        return Link(link.mention, Status.NIL, method=METHOD, score=1.0, rivals=rivals)
    if qid == link.qid:
        return replace(link, method=METHOD, score=1.0)
    bare = Link(link.mention, Status.LINKED, qid=qid, method=METHOD, score=1.0, rivals=rivals)
    found = next((rival for rival in link.rivals if rival.qid == qid), None)
    if found is None:
        return bare
    return replace(
        bare, name=found.name, name_language=found.language, name_kind=found.kind, path=found.path
    )
