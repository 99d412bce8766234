"""The result tables of a study, metric by metric, each figure with its coverage beside it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from makieval.report import frames, labels
from makieval.report.cells import Cell, Column, Table, count, figure, share
from makieval.report.frames import Average, Coverage, Scope

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

MEAN = "Means over cells (model × topic × language × country × framing), unweighted."

NO_MENTION = "no cultural mention in these cells"
NO_LINK = "no cultural mention is linked in these cells"
NO_ORIGIN = "no linked mention has a known country of origin"
NO_GAIN = "needs both neutral and explicit prompts, each with a linked mention of known origin"
NO_PAIR = "neither language has a linked mention in these cells"

Key = tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Beside:
    """A share of `coverage` that is printed beside a metric."""

    heading: str
    hint: str
    cell: Callable[[Coverage], Cell]


PARSED = Beside(
    "Parsed",
    "texts whose extraction could be read, of the texts answered",
    lambda row: share(row.parsed, row.answered, "answered text"),
)
IN_LANGUAGE = Beside(
    "In language",
    "texts in the language asked for, of the texts long enough to tell",
    lambda row: share(row.in_language, row.language_known, "text long enough to tell"),
)
GROUNDED = Beside(
    "Grounded",
    "mentions that stand in their text, of the mentions extracted",
    lambda row: share(row.grounded, row.mentions, "mention"),
)
LINKED = Beside(
    "Linked",
    "cultural mentions linked to a Wikidata item",
    lambda row: share(row.linked, row.cultural, "cultural mention"),
)
KNOWN_ORIGIN = Beside(
    "Origin known",
    "linked mentions whose item has a known country of origin",
    lambda row: share(row.known_origin, row.linked, "linked mention"),
)


class Results:
    """The tables of one study; what several of them need is read once."""

    def __init__(self, connection: "DuckDBPyConnection", study: str) -> None:
        self._connection = connection
        self.scope: Scope = frames.scope(connection, study)
        self._heads = ("model", "language") if len(self.scope.models) > 1 else ("language",)
        self._coverage = {row.key: row for row in self._counts(self._heads)}

    def tables(self) -> list[Table]:
        """Every table, in the order of the report."""
        return [
            self.coverage(),
            self.granularity(),
            self.diversity(),
            self.specificity(),
            *self.specificity_by_country(),
            self.consensus(),
        ]

    def coverage(self) -> Table:
        """How far texts and mentions came, per model and language."""
        besides = (IN_LANGUAGE, PARSED, GROUNDED, LINKED, KNOWN_ORIGIN)
        rows = [
            (
                *self._head_cells(self._heads, row.key),
                share(row.answered, row.asked, "text asked for"),
                *(beside.cell(row) for beside in besides),
            )
            for row in self._coverage.values()
        ]
        return Table(
            name="coverage",
            title="How far the texts and mentions came",
            columns=(
                *_head_columns(self._heads),
                Column("Answered", hint="texts that arrived, of the texts asked for"),
                *(Column(beside.heading, hint=beside.hint) for beside in besides),
            ),
            rows=tuple(rows),
            note="Shares with their counts; each is of the ones before it that can have it.",
        )

    def granularity(self) -> Table:
        """Mean granularity by topic, n = cultural mentions."""
        return self._by_topic(
            name="granularity",
            title="Granularity: share of specific among cultural mentions",
            count_column="mentions",
            digits=2,
            reason=NO_MENTION,
            besides=(PARSED, GROUNDED),
        )

    def diversity(self) -> Table:
        """Mean number of distinct items by topic, n = linked mentions."""
        return self._by_topic(
            name="diversity",
            title="Diversity: distinct Wikidata items per cell",
            count_column="linked_mentions",
            digits=1,
            reason=NO_LINK,
            besides=(LINKED,),
        )

    def specificity(self) -> Table:
        """Culture specificity per framing and the gain, per model and language."""
        return self._specificity(
            "specificity", "Culture specificity and its gain, by language", self._heads, "language"
        )

    def specificity_by_country(self) -> list[Table]:
        """The same per country asked about; nothing where there are fewer than two."""
        if len(self.scope.countries) < 2:
            return []
        heads = tuple("target" if name == "language" else name for name in self._heads)
        title = "Culture specificity and its gain, by country"
        return [self._specificity("specificity-countries", title, heads, "target")]

    def consensus(self) -> Table:
        """Mean consensus of each language with all others, n = shared of all items."""
        rows = frames.averages(
            self._connection,
            self.scope.study,
            frames.CONSENSUS_FROM_EACH,
            self._heads,
            ("shared", "total"),
        )
        return Table(
            name="consensus",
            title="Consensus of each language with the others",
            columns=(
                *_head_columns(self._heads),
                Column("Consensus", hint="mean Jaccard similarity over pairs and cells"),
                Column("Cells", hint="pairs of cells that define it, of all pairs"),
                Column(LINKED.heading, hint=LINKED.hint),
            ),
            rows=tuple(
                (
                    *self._head_cells(self._heads, row.key),
                    figure(row.value, 3, _of(row.counts), NO_PAIR),
                    Cell(f"{count(row.defined)}/{count(row.cells)}"),
                    self._beside(LINKED, row.key),
                )
                for row in rows
            ),
            note="Beside each figure: items shared / items of either language, summed over pairs.",
        )

    def _counts(self, by: Sequence[str]) -> list[Coverage]:
        return frames.coverage(self._connection, self.scope.study, by)

    def _averages(
        self, source: str, by: Sequence[str], counts: Sequence[str], value: str = "value"
    ) -> Mapping[Key, Average]:
        rows = frames.averages(self._connection, self.scope.study, source, by, counts, value)
        return {row.key: row for row in rows}

    def _beside(self, beside: Beside, key: Key) -> Cell:
        row = self._coverage.get(key)
        return beside.cell(row) if row else Cell("–", reason="no text asked for")

    def _head_cells(self, heads: Sequence[str], key: Key) -> tuple[Cell, ...]:
        return tuple(Cell(labels.named(name, part)) for name, part in zip(heads, key, strict=True))

    def _by_topic(
        self,
        name: str,
        title: str,
        count_column: str,
        digits: int,
        reason: str,
        besides: Sequence[Beside],
    ) -> Table:
        topics = self.scope.topics
        each = self._averages(name, (*self._heads, "topic"), (count_column,))
        whole = self._averages(name, self._heads, (count_column,))

        def cell(row: Average | None) -> Cell:
            if row is None:
                return Cell("–", reason="no text asked for")
            return figure(row.value, digits, f"n {count(row.counts[0])}", reason)

        rows = [
            (
                *self._head_cells(self._heads, key),
                *(cell(each.get((*key, topic))) for topic in topics),
                *((cell(overall),) if len(topics) > 1 else ()),
                *(self._beside(beside, key) for beside in besides),
            )
            for key, overall in whole.items()
        ]
        return Table(
            name=name,
            title=title,
            columns=(
                *_head_columns(self._heads),
                *(Column(labels.topic(topic)) for topic in topics),
                *((Column("All topics"),) if len(topics) > 1 else ()),
                *(Column(beside.heading, hint=beside.hint) for beside in besides),
            ),
            rows=tuple(rows),
            note=f"{MEAN} n: {count_column.replace('_', ' ')}.",
        )

    def _specificity(self, name: str, title: str, heads: tuple[str, ...], last: str) -> Table:
        """`last` is the head that tells rows apart: `language`, or `target` (a country)."""
        each = self._averages("specificity", (*heads, "framing"), ("matching", "known_origin"))
        gains = self._averages("specificity_gain", heads, (), "gain")
        framings = [f for f in self.scope.framings if any(key[-1] == f for key in each)]
        order = {key[:-1]: None for key in each}
        besides = (LINKED, KNOWN_ORIGIN) if last == "language" else ()

        def cell(row: Average | None) -> Cell:
            if row is None:
                return Cell("–", reason="not asked with this framing")
            return figure(row.value, 2, _of(row.counts), NO_ORIGIN)

        def gain(key: Key) -> Cell:
            row = gains.get(key)
            value = row.value if row else None
            return figure(value, 2, f"{row.defined} cells" if row else "", NO_GAIN, signed=True)

        rows = [
            (
                *self._head_cells(heads, key),
                *(cell(each.get((*key, framing))) for framing in framings),
                gain(key),
                *(self._beside(beside, key) for beside in besides),
            )
            for key in order
        ]
        return Table(
            name=name,
            title=title,
            columns=(
                *_head_columns(heads),
                *(
                    Column(labels.framing(f).capitalize(), hint=labels.framing_meaning(f))
                    for f in framings
                ),
                Column("Gain", hint="explicit − neutral"),
                *(Column(beside.heading, hint=beside.hint) for beside in besides),
            ),
            rows=tuple(rows),
            note="Beside each figure: mentions from the country / mentions of known origin, summed "
            "over cells. Neutral texts are measured once against each country.",
        )


def _head_columns(heads: Sequence[str]) -> tuple[Column, ...]:
    names = {"target": "Country"}
    return tuple(Column(names.get(name, name.capitalize()), head=True) for name in heads)


def _of(counts: Sequence[int]) -> str:
    return f"{count(counts[0])}/{count(counts[1])}"
