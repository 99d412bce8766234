"""Result tables, the summary in words, and how the terminal shows them."""

import io

import pytest
from rich.cells import cell_len
from rich.console import Console

from makieval.report import cells, frames, labels, words
from makieval.report.results import Results
from makieval.report.tables import print_results
from tests.report.conftest import Connect
from tests.report.made_up import MadeUp


def printed(connection, study="dinner", width=120) -> str:
    console = Console(file=io.StringIO(), width=width)
    print_results(connection, study, console)
    return console.file.getvalue()


def table(connection, name, study="dinner"):
    return next(t for t in Results(connection, study).tables() if t.name == name)


def test_a_mean_over_cells_is_the_mean_over_cells(dinner):
    expected = dinner.execute(
        "SELECT avg(value), sum(mentions) FROM granularity "
        "WHERE model = 'local' AND language = 'ja' AND topic = 'food'"
    ).fetchone()
    found = frames.averages(
        dinner, "dinner", "granularity", ("model", "language", "topic"), ("mentions",)
    )
    row = next(row for row in found if row.key == ("local", "ja", "food"))
    assert row.value == pytest.approx(expected[0], abs=1e-6)
    assert row.counts == (expected[1],)


def test_cells_without_a_figure_are_left_out_and_counted(connect: Connect):
    connection = connect(MadeUp())
    connection.execute("UPDATE granularity SET value = NULL WHERE country = 'japan'")
    (row,) = frames.averages(connection, "dinner", "granularity", ("study",), ())
    assert (row.defined, row.cells) == (32, 48)


def test_rows_stand_in_the_catalogs_order(dinner):
    rows = table(dinner, "granularity").rows
    assert [row[1].text for row in rows[:4]] == ["English", "German", "Japanese", "Arabic"]


def test_a_lone_model_needs_no_column(connect: Connect):
    columns = table(connect(MadeUp(models=("local",))), "granularity").columns
    assert columns[0].heading == "Language"


def test_coverage_stands_beside_every_metric(dinner):
    beside = {
        "granularity": {"Parsed", "Grounded"},
        "diversity": {"Linked"},
        "specificity": {"Linked", "Origin known"},
        "consensus": {"Linked"},
    }
    for name, headings in beside.items():
        assert headings <= {column.heading for column in table(dinner, name).columns}


def test_consensus_counts_each_pair_for_both_of_its_languages(dinner):
    rows = frames.averages(
        dinner, "dinner", frames.CONSENSUS_FROM_EACH, ("language",), ("shared", "total")
    )
    pairs = dinner.execute("SELECT count(*) FROM consensus").fetchone()[0]
    assert sum(row.cells for row in rows) == 2 * pairs


def test_the_summary_says_what_was_asked_and_what_came_of_it(dinner):
    first, *rest = words.summary(dinner, frames.scope(dinner, "dinner"))
    assert first.startswith("2 models × 4 languages × 2 topics × 2 countries × 2 framings: ")
    assert "135 texts of 144 asked for" in first
    openings = ["Granularity", "Diversity", "Culture specificity", "Consensus"]
    assert all(said.startswith(word) for said, word in zip(rest, openings, strict=True))


def test_the_summary_speaks_of_one_in_the_singular(connect: Connect):
    study = MadeUp(models=("m",), languages=("ja",), topics=("food",), countries=())
    connection = connect(study)
    first = words.summary(connection, frames.scope(connection, "dinner"))[0]
    assert first.startswith("1 model × 1 language × 1 topic × 1 framing: ")


def test_a_summary_without_links_claims_nothing_about_them(connect: Connect):
    connection = connect(MadeUp(linked=False))
    said = " ".join(words.summary(connection, frames.scope(connection, "dinner")))
    assert "none of these is linked" in said
    assert "Culture specificity" not in said and "Consensus" not in said


def test_the_most_frequent_entities_are_ordered_and_ties_go_to_the_lowest_qid(dinner):
    found = frames.frequent_entities(dinner, "dinner")
    keys = [(-entity.mentions, int(entity.qid[1:])) for entity in found]
    assert keys == sorted(keys)
    assert len({entity.qid for entity in found}) == frames.distinct_entities(dinner, "dinner")


def test_samples_are_two_answered_texts_of_each_language(dinner):
    found = frames.samples(dinner, "dinner")
    assert [sample.language for sample in found] == ["en", "en", "de", "de", "ja", "ja", "ar", "ar"]
    assert all(sample.text for sample in found)


def test_statuses_add_up_to_the_rows(dinner):
    for read, view in ((frames.text_statuses, "responses"), (frames.mention_statuses, "mentions")):
        total = dinner.execute(f"SELECT count(*) FROM {view}").fetchone()[0]
        assert sum(share.rows for share in read(dinner, "dinner", ("model",))) == total


def test_the_terminal_shows_every_metric_and_says_that_figures_are_means(dinner):
    text = printed(dinner)
    for word in ("Granularity", "Diversity", "Culture specificity", "Consensus", "unweighted"):
        assert word in text


def test_terminal_rows_are_aligned_also_with_wide_characters(connect: Connect):
    connection = connect(MadeUp(models=("模型一", "b")))
    lines = printed(connection).splitlines()
    start = next(i for i, line in enumerate(lines) if "Granularity: share" in line)
    rows = [line for line in lines[start : start + 14] if " n " in line and "0." in line]
    assert len(rows) == 8
    assert len({cell_len(row) for row in rows}) == 1


@pytest.mark.parametrize(
    "study",
    [
        MadeUp(models=("m",), languages=("ja",), topics=("food",), countries=()),
        MadeUp(linked=False),
        MadeUp(answered=False),
    ],
)
def test_the_terminal_copes_with_what_a_study_lacks(study, connect: Connect):
    assert "answered" in printed(connect(study)).lower()


def test_shares_never_round_to_none_or_all():
    assert cells.percent(1, 1000) == "<1%"
    assert cells.percent(999, 1000) == ">99%"
    assert cells.percent(0, 10) == "0%"
    assert cells.percent(10, 10) == "100%"
    assert cells.percent(0, 0) == cells.UNDEFINED


def test_gains_bear_their_sign_and_a_rounded_zero_bears_none():
    assert cells.number(0.125, 2, signed=True) == "+0.12"
    assert cells.number(-0.2, 2, signed=True) == "−0.20"
    assert cells.number(-0.001, 2, signed=True) == "0.00"


def test_ids_that_the_catalog_does_not_hold_still_show():
    assert labels.language("yo") == "yo"
    assert labels.direction("yo") == "auto"
    assert labels.country("atlantis") == "atlantis"
    assert labels.ordered("language", ["yo", "tr", "en"]) == ["en", "tr", "yo"]
    assert labels.native("atlantis", "en") is None
