"""Charts: drawn offline, the same each time, and never a zero where nothing is known."""

import json
import re
import xml.etree.ElementTree as ET

import pytest

from makieval.report.charts import charts, png, svg
from makieval.report.charts.heatmaps import consensus
from makieval.report.frames import scope
from tests.report.conftest import Connect
from tests.report.made_up import MadeUp


def by_name(connection, study="dinner"):
    return {chart.name: chart for chart in charts(connection, study)}


def test_the_same_chart_gives_the_same_bytes_and_its_ids_are_its_own(dinner):
    for chart in charts(dinner, "dinner"):
        first = svg(chart)
        assert svg(chart) == first
        for identifier in re.findall(r'\bid="([^"]+)"', first):
            assert identifier.startswith(f"{chart.name}-")
        defined = set(re.findall(r'\bid="([^"]+)"', first))
        assert set(re.findall(r"url\(#([^)]+)\)", first)) <= defined


def test_svg_is_well_formed_transparent_and_scales(dinner):
    for chart in charts(dinner, "dinner"):
        drawing = ET.fromstring(svg(chart))
        assert "viewBox" in drawing.attrib
        assert drawing[0].tag.endswith("}g")
        assert {t.get("font-family") for t in drawing.iter("{http://www.w3.org/2000/svg}text")} == {
            "sans-serif"
        }


def test_no_text_in_a_chart_is_cut(dinner):
    assert not any("…" in svg(chart) for chart in charts(dinner, "dinner"))


def test_a_model_with_markup_in_its_name_stays_text(connect: Connect):
    connection = connect(MadeUp(models=("<b>&", "b"), samples=1))
    for chart in charts(connection, "dinner"):
        ET.fromstring(svg(chart))


def test_a_chart_can_be_a_png(dinner):
    picture = png(by_name(dinner)["consensus"], scale=1)
    assert picture.startswith(b"\x89PNG")


def test_what_a_study_cannot_have_is_not_drawn(connect: Connect):
    connection = connect(MadeUp(languages=("ja",), countries=(), models=("local",)))
    assert set(by_name(connection)) == {
        "coverage-texts",
        "coverage-mentions",
        "granularity",
        "diversity",
    }


def test_undefined_cells_are_drawn_as_dashes(connect: Connect):
    connection = connect(MadeUp())
    connection.execute("UPDATE specificity SET value = NULL WHERE language = 'ja'")
    spec = json.dumps(by_name(connection)["specificity"].spec, ensure_ascii=False)
    assert '"text": "–"' in spec


def test_the_gain_is_not_hidden_where_it_is_a_loss(dinner):
    spec = json.dumps(by_name(dinner)["specificity"].spec, ensure_ascii=False)
    assert '"text": "−' in spec


def test_each_language_pair_is_drawn_once_in_the_lower_triangle(dinner):
    chart = consensus(dinner, scope(dinner, "dinner"))
    assert chart is not None
    drawn = [row for rows in chart.spec["datasets"].values() for row in rows]
    pairs = {(row["x"], row["y"]) for row in drawn}
    assert len(pairs) == 6
    assert ("English", "Arabic") in pairs and ("Arabic", "English") not in pairs


@pytest.mark.parametrize("models", [1, 9])
def test_any_number_of_models_can_be_drawn(models, connect: Connect):
    names = tuple(f"model-{number}" for number in range(models))
    connection = connect(MadeUp(models=names, topics=("food",), samples=1))
    for chart in charts(connection, "dinner"):
        ET.fromstring(svg(chart))
