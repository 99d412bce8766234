"""Judging links against a gold set: every verdict, what a share is of, what an error is not."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from makieval.errors import InputError
from makieval.linking import Link
from makieval.linking.evaluate import (
    FACETS,
    Measures,
    Verdict,
    evaluate,
    facets_named,
    judge,
)
from makieval.linking.gold import Countries, GoldRow
from makieval.status import Status
from makieval.wikidata import Snapshot


def row(surface: str, language: str, topic: str, qid: str, **more: str | None) -> GoldRow:
    return GoldRow(
        id=f"{language}:{surface}",
        source=more.get("source") or "made",
        tier="A",
        language=language,
        surface=surface,
        topic=topic,
        kind=more.get("kind"),
        qid=qid,
        in_kb=True,
        text=None,
    )


#: Items outside the tables, whatever they are: Q9900001 and up.
ROWS = [
    row("Sushi", "en", "food", "Q46383"),
    row("寿司", "ja", "food", "Q46383"),
    row("Phở", "de", "food", "Q420646"),
    row("whisky", "en", "beverage", "Q281"),
    row("Pizza", "en", "food", "Q9900001"),
    row("a dish nobody knows", "en", "food", "Q9900002"),
    row("Tonkotsu", "en", "food", "Q234646"),
    row("Pizza", "de", "food", "Q420646"),
]


def test_every_answer_gets_its_verdict(snapshot: Snapshot) -> None:
    verdicts = [one.verdict for one in evaluate(snapshot, ROWS).outcomes]
    assert verdicts == [
        Verdict.RIGHT,
        Verdict.RIGHT,
        Verdict.RIGHT,
        Verdict.RIGHT,
        Verdict.FALSE_LINK,  # the tables know no Q9900001, and pizza is another item
        Verdict.RIGHT_NIL,
        Verdict.MISSED,
        Verdict.WRONG,  # pizza, where the gold says pho
    ]


def test_each_measure_says_what_it_is_a_share_of(snapshot: Snapshot) -> None:
    total = evaluate(snapshot, ROWS).total
    assert (total.accuracy.hits, total.accuracy.of) == (5, 8)
    assert (total.precision.hits, total.precision.of) == (4, 6)
    assert (total.recall.hits, total.recall.of) == (4, 6)
    assert (total.nil_precision.hits, total.nil_precision.of) == (1, 2)
    assert (total.nil_recall.hits, total.nil_recall.of) == (1, 2)
    assert (total.false_links.hits, total.false_links.of) == (1, 2)
    assert total.precision.low < 4 / 6 < total.precision.high


def test_an_error_is_never_nil(snapshot: Snapshot) -> None:
    rows = [ROWS[0], ROWS[5]]
    failed = [Link(one.mention, Status.TIMEOUT) for one in rows]
    found = Measures.of(judge(Countries(snapshot), rows, failed))
    assert (found.errors.hits, found.errors.of) == (2, 2)
    for share in (found.accuracy, found.recall, found.nil_precision, found.nil_recall):
        assert share.of == 0


def test_ambiguous_is_neither_a_link_nor_nil(snapshot: Snapshot) -> None:
    rows = [ROWS[0], ROWS[5]]
    undecided = [Link(rows[0].mention, Status.AMBIGUOUS), Link(rows[1].mention, Status.NIL)]
    outcomes = judge(Countries(snapshot), rows, undecided)
    found = Measures.of(outcomes)
    assert [one.verdict for one in outcomes] == [Verdict.UNDECIDED, Verdict.RIGHT_NIL]
    assert (found.ambiguity.hits, found.ambiguity.of) == (1, 2)
    assert (found.precision.of, found.recall.of) == (0, 1)
    assert (found.nil_precision.hits, found.nil_precision.of) == (1, 1)


def test_a_name_in_english_alone_is_known_but_not_named(snapshot: Snapshot) -> None:
    outcome = evaluate(snapshot, [row("Sushi", "hi", "food", "Q46383")]).outcomes[0]
    assert (outcome.known, outcome.named, outcome.verdict) == (True, False, Verdict.RIGHT)
    assert (outcome.difference, outcome.nearest) == ("same name", "Sushi")


def test_an_item_of_another_class_does_not_fit(snapshot: Snapshot) -> None:
    outcome = evaluate(snapshot, [row("Java", "en", "beverage", "Q3757")]).outcomes[0]
    assert (outcome.known, outcome.fits, outcome.difference) == (True, False, "same name")


def test_every_facet_holds_every_row_once(snapshot: Snapshot) -> None:
    evaluation = evaluate(snapshot, ROWS)
    for facet in FACETS:
        groups = evaluation.measures(facet)
        assert sum(found.rows for found in groups.values()) == len(ROWS), facet
    assert list(evaluation.measures("language")) == ["en", "de", "ja"]


def test_the_worst_kinds_come_with_examples_and_with_rows_alike(snapshot: Snapshot) -> None:
    more = [
        row("Tonkotsu ramen", "en", "food", "Q234646"),
        row("tsukemen", "en", "food", "Q234646"),
    ]
    kinds = evaluate(snapshot, [*ROWS, *more]).worst()
    found = next(kind for kind in kinds if kind.examples[0].row.surface == "Tonkotsu")
    assert (found.verdict, found.difference) == (Verdict.MISSED, "other name")
    assert (found.language, found.topic, found.script) == ("en", "food", "Latin")
    assert [one.row.surface for one in found.examples] == ["Tonkotsu", "tsukemen"]
    assert (found.length, found.faults, found.alike, found.fits) == ("8-15", 2, 2, True)
    assert [kind.faults for kind in kinds] == sorted((kind.faults for kind in kinds), reverse=True)


def test_the_record_is_json_and_the_same_each_time(snapshot: Snapshot) -> None:
    first, second = (json.dumps(evaluate(snapshot, ROWS).as_record()) for _ in range(2))
    assert first == second
    record = json.loads(first)
    assert record["total"]["precision"]["of"] == 6
    assert record["by_language"]["ja"]["recall"]["value"] == 1.0
    assert len(record["rows"]) == len(ROWS)
    assert record["source"] == snapshot.id


def test_a_facet_that_is_none_is_an_error_with_the_nearest() -> None:
    assert facets_named("language, topic") == ["language", "topic"]
    with pytest.raises(InputError, match=r"unknown facet 'langage'.*did you mean 'language'"):
        facets_named("topic,langage")


def test_the_command_prints_tables_and_writes_every_figure(
    run: Callable[..., str], gold_file: Path, snapshot: Snapshot, tmp_path: Path
) -> None:
    out = tmp_path / "figures.json"
    said = run("link", "eval", gold_file, "--source", snapshot.path, "--json", out, "--by", "topic")
    assert "Links by topic" in said
    assert "Worst kinds" in said
    assert json.loads(out.read_text(encoding="utf-8"))["total"]["rows"] == len(ROWS)


def test_a_damaged_line_is_named(
    run: Callable[..., str], gold_file: Path, snapshot: Snapshot
) -> None:
    with gold_file.open("a", encoding="utf-8") as file:
        file.write("{\n")
    said = run("link", "eval", gold_file, "--source", snapshot.path, fails=True)
    assert f"line {len(ROWS) + 1}" in said


@pytest.fixture
def gold_file(tmp_path: Path) -> Path:
    """`ROWS` as a gold set."""
    path = tmp_path / "gold.jsonl"
    lines = [
        {
            "id": one.id,
            "source": one.source,
            "tier": one.tier,
            "lang": one.language,
            "mention": one.surface,
            "topic": one.topic,
            "kind": one.kind,
            "qid": one.qid,
            "in_kb": one.in_kb,
            "text": one.text,
        }
        for one in ROWS
    ]
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    path.write_text(text, encoding="utf-8")
    return path
