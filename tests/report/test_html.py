"""The HTML report: one file, safe, accessible, the same each time."""

import re
from pathlib import Path

import pytest

from makieval.errors import InputError
from makieval.report import words
from makieval.report.frames import Sample, Span
from makieval.report.html import pieces, write_report
from tests.report.conftest import Connect
from tests.report.made_up import SCRIPT, MadeUp
from tests.report.page import Page

PROVENANCE = {"snapshot": "starter-1 <b>", "licence": "CC0"}
ONE = MadeUp(models=("local",), languages=("ja",), topics=("food",), countries=("japan",))
STUDIES = {
    "one of everything": ONE,
    "neutral prompts only": MadeUp(countries=()),
    "nothing linked": MadeUp(linked=False),
    "nothing answered": MadeUp(answered=False),
}


def report(connection, folder: Path, study: str = "dinner", provenance=PROVENANCE) -> str:
    path = write_report(connection, study, folder / "report.html", provenance)
    return path.read_text(encoding="utf-8")


def test_it_loads_nothing_and_links_only_to_wikidata_and_itself(dinner_page):
    page = Page(dinner_page)
    ids = {element.attributes["id"] for element in page.elements if "id" in element.attributes}
    for element in page.elements:
        assert not {"src", "srcset", "data", "action", "poster"} & set(element.attributes)
        for name in ("href", "xlink:href"):
            address = element.attributes.get(name)
            if address is None:
                continue
            assert element.name == "a"
            assert re.fullmatch(r"#[\w-]+|https://www\.wikidata\.org/wiki/[QP]\d+", address)
            assert not address.startswith("#") or address[1:] in ids
    assert not page.all("script") and not page.all("link") and not page.all("img")
    assert "@import" not in dinner_page
    assert set(re.findall(r"url\(([^)]{0,2})", dinner_page)) <= {"#g", "#s", "#d", "#c"}


def test_every_element_is_closed_and_no_id_is_used_twice(dinner_page):
    page = Page(dinner_page)
    ids = [element.attributes["id"] for element in page.elements if "id" in element.attributes]
    assert page.unclosed == []
    assert len(ids) == len(set(ids))


def test_a_text_that_contains_a_script_shows_as_text(connect: Connect, tmp_path):
    study = MadeUp(languages=("en",), samples=1)  # sample 0 of an English cell carries the script
    page = Page(report(connect(study), tmp_path))
    quotes = page.all("blockquote")
    assert quotes
    assert all(quote.text.startswith(SCRIPT) for quote in quotes)
    assert not page.all("script")


def test_names_from_outside_are_escaped(connect: Connect, tmp_path):
    nasty = 'x"><script>&</script>'
    connection = connect(MadeUp(name=nasty, models=(nasty,)))
    source = report(connection, tmp_path, nasty)
    assert "<script" not in source
    assert Page(source).all("h1")[0].text == nasty


def test_texts_and_prompts_carry_their_language_and_direction(dinner_page):
    page = Page(dinner_page)
    quotes = {q.attributes["lang"]: q.attributes["dir"] for q in page.all("blockquote")}
    assert quotes == {"en": "ltr", "de": "ltr", "ja": "ltr", "ar": "rtl"}
    assert page.all("p", lang="ar", dir="rtl")


def test_chinese_says_which_script_it_is_in(connect: Connect, tmp_path):
    connection = connect(ONE)
    connection.execute("UPDATE responses SET language = 'zh' WHERE language = 'ja'")
    assert Page(report(connection, tmp_path)).all("blockquote", lang="zh-hans")


def test_there_is_a_named_chart_for_each_metric(dinner_page):
    page = Page(dinner_page)
    names = [svg.attributes["aria-label"] for svg in page.all("svg", role="img")]
    for metric in ("Granularity", "Diversity", "Culture specificity", "Consensus", "texts"):
        assert any(metric in name for name in names)
    assert all(len(name) > 60 for name in names)


def test_it_has_landmarks_a_skip_link_and_scoped_headers(dinner_page):
    page = Page(dinner_page)
    for landmark in ("header", "nav", "main", "footer"):
        assert len(page.all(landmark)) == 1
    assert page.all("html", lang="en")
    assert page.all("a", href="#main")[0].text.startswith("Skip")
    assert all(cell.attributes.get("scope") in {"row", "col"} for cell in page.all("th"))
    assert len(page.all("caption")) == len(page.all("table"))
    assert len(page.all("h1")) == 1


def test_every_figure_has_its_count_beside_it_or_a_reason(dinner_page):
    page = Page(dinner_page)
    cells = [cell for cell in page.all("td") if cell.attributes.get("class") != "words"]
    dashes = [cell for cell in cells if cell.text.strip().startswith("–")]
    assert all(cell.attributes["title"].startswith("undefined: ") for cell in dashes)
    assert any(re.fullmatch(r"0\.\d\d n \d+", cell.text) for cell in cells)
    assert any(re.fullmatch(r"\d+% \d+/\d+", cell.text) for cell in cells)


def test_an_undefined_figure_says_why(connect: Connect, tmp_path):
    page = Page(report(connect(MadeUp(linked=False)), tmp_path))
    reasons = {cell.attributes["title"] for cell in page.all("td", **{"class": "undefined"})}
    assert any("no linked mention has a known country of origin" in reason for reason in reasons)


def test_the_embedded_model_is_said_to_measure_nobodys_culture(connect: Connect, tmp_path):
    note = "This embedded model checks the pipeline; it measures nobody’s culture."
    assert note in report(connect(ONE), tmp_path)


def test_cautions_name_the_embedded_models_of_the_store(dinner):
    (embedded, *_) = words.cautions(dinner, "dinner")
    assert embedded[0] == words.EMBEDDED_NOTE
    assert "local" in embedded[1]
    assert "model-b" not in embedded[1]


def test_an_incomplete_study_says_so_before_any_figure(connect: Connect, tmp_path):
    connection = connect(ONE)
    connection.execute("UPDATE completeness SET failed = asked")
    page = report(connection, tmp_path)
    assert "This study is incomplete" in page
    assert page.index("This study is incomplete") < page.index('id="granularity"')
    assert "do not publish" in page


def test_provenance_is_shown_as_given(dinner_page):
    page = Page(dinner_page)
    assert "starter-1 <b>" in [dd.text for dd in page.all("dd")]


def test_methods_name_the_equations_and_both_definitions_of_specificity(dinner_page):
    methods = Page(dinner_page).all("section", id="methods")[0].text
    for source in ("equation 1", "equation 2", "section 4.3", "appendix F"):
        assert source in methods


def test_the_same_rows_give_the_same_bytes(dinner, dinner_page, tmp_path):
    assert report(dinner, tmp_path) == dinner_page


def test_rows_in_another_order_give_the_same_bytes(connect: Connect, dinner_page, tmp_path):
    connection = connect(MadeUp())
    for table in ("responses", "mentions", "coverage", "granularity", "diversity", "consensus"):
        connection.execute(f"CREATE TABLE copy AS SELECT * FROM {table} ORDER BY hash({table})")
        connection.execute(f"DROP TABLE {table}; ALTER TABLE copy RENAME TO {table}")
    assert report(connection, tmp_path) == dinner_page


@pytest.mark.parametrize("study", STUDIES.values(), ids=STUDIES.keys())
def test_a_study_that_lacks_something_still_has_a_report(study, connect: Connect, tmp_path):
    page = Page(report(connect(study), tmp_path))
    assert page.unclosed == []
    assert page.all("section", id="provenance")


def test_entities_link_to_their_items_and_show_all_their_names(dinner_page):
    page = Page(dinner_page)
    assert page.all("a", href="https://www.wikidata.org/wiki/Q234646")
    assert {"ラーメン", "رامن", "Rāmen"} <= {bdi.text for bdi in page.all("bdi")}


def test_an_unknown_study_is_one_clear_line_with_the_nearest_name(dinner, tmp_path):
    with pytest.raises(InputError, match=r"study 'diner' has no rows .*did you mean 'dinner'\?"):
        write_report(dinner, "diner", tmp_path / "report.html", {})
    assert list(tmp_path.iterdir()) == []


def test_a_report_that_cannot_be_written_is_one_clear_line(dinner, tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(InputError, match="cannot write"):
        write_report(dinner, "dinner", tmp_path / "file" / "report.html", {})


def sample_of(text: str, *spans: Span) -> Sample:
    return Sample("answer1-0", "m", "food", "en", None, "neutral", "ok", "?", text, spans)


def test_overlapping_or_misplaced_mentions_never_change_the_text():
    text = "miso soup and 🍜 ramen"
    spans = (
        Span(0, 9, "miso soup", "Q1", "a"),
        Span(5, 9, "soup", "Q2", "b"),
        Span(10, 13, "but", "Q3", "c"),
        Span(16, 21, "ramen", "Q4", "d"),
    )
    found = pieces(sample_of(text, *spans))
    assert "".join(piece for piece, _ in found) == text
    assert [span.qid for _, span in found if span] == ["Q1", "Q4"]
