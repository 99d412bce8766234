"""The metrics say what the paper's section 4 defines, on sets small enough to count by hand."""

from pathlib import Path

import pytest

from makieval import catalog
from tests.metrics.made import Said, figures, store_with

US = catalog.country("united-states").qid
UK = catalog.country("united-kingdom").qid
JAPAN = catalog.country("japan").qid
MOCKINGBIRD = ("To Kill a Mockingbird", "book_title", "Q212340", (US,))

#: Figure 2 of the paper, without the Chinese column.
FIGURE_2 = [
    Said(
        "en",
        (("The Great Gatsby", "book_title", "Q214371", (US,)), MOCKINGBIRD, MOCKINGBIRD),
        "united-states",
    ),
    Said(
        "de",
        (
            ("Wer die Nachtigall stört", "book_title", "Q212340", (US,)),
            ("Der alte Mann und das Meer", "book_title", "Q26505", (US,)),
            ("Der Hobbit", "book_title", "Q74287", (UK,)),
        ),
        "united-states",
    ),
]


def test_the_papers_worked_example(tmp_path: Path) -> None:
    store = store_with(tmp_path, FIGURE_2)
    assert figures(store, "SELECT language, value, mentions FROM granularity") == [
        ("de", 1.0, 3),
        ("en", 1.0, 3),
    ]
    assert figures(store, "SELECT language, value, linked_mentions FROM diversity") == [
        ("de", 3, 3),
        ("en", 2, 3),
    ]
    assert figures(store, "SELECT language, value, matching, known_origin FROM specificity") == [
        ("de", pytest.approx(2 / 3), 2, 3),
        ("en", 1.0, 3, 3),
    ]


def test_the_consensus_printed_in_figure_2_does_not_follow_from_its_own_sets(
    tmp_path: Path,
) -> None:
    """The figure prints 0.5; one shared item of four is 0.25."""
    store = store_with(tmp_path, FIGURE_2)
    assert figures(store, "SELECT language_a, language_b, value, shared, total FROM consensus") == [
        ("de", "en", 0.25, 1, 4)
    ]


def test_granularity_counts_mentions_and_leaves_excluded_types_out(tmp_path: Path) -> None:
    store = store_with(
        tmp_path,
        [
            Said(
                "en",
                (
                    ("novels", "book_genre", None, ()),
                    MOCKINGBIRD,
                    MOCKINGBIRD,
                    ("poems", "book_genre", None, ()),
                    ("Anna", "reader_name", None, ()),
                    ("Boston", "place", None, ()),
                ),
                "united-states",
            )
        ],
    )
    assert figures(store, "SELECT value, mentions, specific FROM granularity") == [(0.5, 4, 2)]


def test_a_cell_without_mentions_has_no_granularity_and_no_diversity(tmp_path: Path) -> None:
    store = store_with(tmp_path, [Said("en", (), "united-states")])
    assert figures(store, "SELECT value, mentions FROM granularity") == [(None, 0)]
    assert figures(store, "SELECT value, linked_mentions FROM diversity") == [(0, 0)]
    assert figures(store, "SELECT value, known_origin FROM specificity") == [(None, 0)]


def test_neutral_prompts_are_held_against_every_country_and_the_gain_is_the_difference(
    tmp_path: Path,
) -> None:
    store = store_with(
        tmp_path,
        [
            Said(
                "en",
                (MOCKINGBIRD, ("Kokoro", "book_title", "Q2", (JAPAN,))),
                framing="neutral",
            ),
            Said("en", (MOCKINGBIRD,), "united-states"),
            Said("en", (MOCKINGBIRD, MOCKINGBIRD, MOCKINGBIRD), "japan"),
        ],
        countries=["united-states", "japan"],
    )
    assert figures(
        store, "SELECT target, framing, value FROM specificity ORDER BY target, framing"
    ) == [
        ("japan", "explicit", 0.0),
        ("japan", "neutral", 0.5),
        ("united-states", "explicit", 1.0),
        ("united-states", "neutral", 0.5),
    ]
    assert figures(store, "SELECT target, neutral, explicit, gain FROM specificity_gain") == [
        ("japan", 0.5, 0.0, -0.5),
        ("united-states", 0.5, 1.0, 0.5),
    ]


def test_an_item_of_several_origins_counts_for_each(tmp_path: Path) -> None:
    both = ("Both", "book_title", "Q3", (US, UK))
    store = store_with(
        tmp_path,
        [Said("en", (both,), "united-states"), Said("en", (both,), "united-kingdom")],
        countries=["united-states", "united-kingdom"],
    )
    assert figures(store, "SELECT target, value FROM specificity ORDER BY target") == [
        ("united-kingdom", 1.0),
        ("united-states", 1.0),
    ]


def test_unknown_origin_and_unlinked_mentions_stay_out_of_the_denominator(tmp_path: Path) -> None:
    store = store_with(
        tmp_path,
        [
            Said(
                "en",
                (MOCKINGBIRD, ("Nowhere", "book_title", "Q4", ()), ("?", "book_title", None, ())),
                "united-states",
            )
        ],
    )
    assert figures(store, "SELECT value, matching, known_origin, linked FROM specificity") == [
        (1.0, 1, 1, 2)
    ]
    assert figures(
        store,
        "SELECT asked, answered, parsed, mentions, cultural, linked, known_origin FROM coverage",
    ) == [(1, 1, 1, 3, 3, 2, 1)]


def test_consensus_lists_every_pair_of_languages_and_keeps_framings_and_countries_apart(
    tmp_path: Path,
) -> None:
    def said(language: str, qid: str, framing: str = "neutral") -> Said:
        return Said(language, ((qid, "book_title", qid, ()),), None, framing)

    store = store_with(
        tmp_path,
        [said("en", "Q1"), said("de", "Q1"), said("ja", "Q9"), Said("ko", (), None, "neutral")],
    )
    assert figures(store, "SELECT language_a, language_b, value, shared, total FROM consensus") == [
        ("de", "en", 1.0, 1, 1),
        ("de", "ja", 0.0, 0, 2),
        ("de", "ko", 0.0, 0, 1),
        ("en", "ja", 0.0, 0, 2),
        ("en", "ko", 0.0, 0, 1),
        ("ja", "ko", 0.0, 0, 1),
    ]


def test_two_empty_sets_have_no_consensus_rather_than_none(tmp_path: Path) -> None:
    store = store_with(tmp_path, [Said("en", (), None, "neutral"), Said("de", (), None, "neutral")])
    assert figures(store, "SELECT value, shared, total FROM consensus") == [(None, 0, 0)]


def test_cells_are_pooled_over_samples_and_kept_apart_by_model_and_topic(tmp_path: Path) -> None:
    store = store_with(
        tmp_path,
        [
            Said("en", (MOCKINGBIRD,), "united-states", model="a"),
            Said("en", (MOCKINGBIRD,), "united-states", model="a"),
            Said("en", (("Kokoro", "book_title", "Q2", ()),), "united-states", model="a"),
            Said("en", (MOCKINGBIRD,), "united-states", model="b"),
        ],
    )
    assert figures(store, "SELECT model, value, linked_mentions FROM diversity") == [
        ("a", 2, 3),
        ("b", 1, 1),
    ]
    assert figures(store, "SELECT model, asked FROM coverage") == [("a", 3), ("b", 1)]


def test_every_metric_file_can_be_run_by_hand(tmp_path: Path) -> None:
    from makieval import resources

    store = store_with(tmp_path, FIGURE_2)
    for path in resources.sql("metrics"):
        figures(store, path.read_text(encoding="utf-8"))
