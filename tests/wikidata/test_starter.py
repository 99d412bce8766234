"""The shipped starter tables hold what they promise, and the check finds every kind of fault."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from makieval import catalog
from makieval.errors import SnapshotError
from makieval.wikidata.consistency import (
    NOT_ENTITIES,
    Finding,
    Rows,
    below,
    check,
    components,
    members,
    read_rows,
)

TOP = Path(__file__).parents[2]
STARTER = TOP / "makieval" / "wikidata" / "starter"
NO_ITEM = "Q999999999"

LEAST_NAMES = {
    "food": 140,
    "book": 40,
    "music": 10,
    "beverage": 9,
    "clothing": 5,
    "transportation": 25,
}
"""Items with a name, in the worst-served language; exceptions below."""
WORSE = {("clothing", "hi"): 1, ("clothing", "th"): 0}
NO_DISH = {"taiwan", "united-arab-emirates"}
"""Evaluated countries for which no source gives the origin of a dish."""


@pytest.fixture(scope="module")
def starter() -> Rows:
    return read_rows(STARTER)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for path in STARTER.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    return tmp_path


def topical(rows: Rows, topic: str) -> set[str]:
    direct = {qid for qid, named, _ in rows.topics if named == topic}
    return members(catalog.topics()[topic].roots, rows) | direct


def origins(rows: Rows, properties: Iterable[str]) -> set[tuple[str, str]]:
    return {(qid, value) for qid, prop, value, _ in rows.statements if prop in properties}


def test_the_shipped_tables_pass_the_check_in_under_two_seconds() -> None:
    started = time.perf_counter()
    findings = check(STARTER)
    assert findings == []
    assert time.perf_counter() - started < 2


def test_there_are_at_least_2500_items_in_at_most_6_megabytes(starter: Rows) -> None:
    assert len(starter.items) >= 2500
    assert sum(path.stat().st_size for path in STARTER.iterdir()) <= 6_000_000


@pytest.mark.parametrize("topic", sorted(LEAST_NAMES))
def test_every_topic_has_names_in_every_language(starter: Rows, topic: str) -> None:
    held = topical(starter, topic)
    for code, language in catalog.languages().items():
        named = {qid for qid, lang, _, _ in starter.names if lang in language.chain}
        least = WORSE.get((topic, code), LEAST_NAMES[topic])
        assert len(held & named) >= least, f"{topic} in {code}"


@pytest.mark.parametrize(
    "country", [c for c in catalog.countries().values() if c.evaluated], ids=lambda c: c.id
)
def test_every_evaluated_country_has_dishes_of_its_own_but_two(
    starter: Rows, country: catalog.Country
) -> None:
    food = topical(starter, "food")
    own = {
        qid for qid, of in origins(starter, ["P495", "P17"]) if of == country.qid and qid in food
    }
    assert bool(own) is (country.id not in NO_DISH)


def test_every_topic_has_items_with_a_known_origin_where_the_rule_asks_for_one(
    starter: Rows,
) -> None:
    of_item = {qid for qid, _ in origins(starter, ["P495", "P17"])}
    of_person = {qid for qid, _ in origins(starter, ["P27"])}
    assert len(topical(starter, "food") & of_item) > 2000
    assert len(topical(starter, "book") & of_item) > 100
    assert len(topical(starter, "music") & of_item) > 200
    assert len(members(["Q5"], starter) & of_person) > 1000


def test_no_excluded_source_is_named_in_evidence_or_manifest(starter: Rows) -> None:
    excluded = ("off_", "oewn", "wikivoyage", "omw", "stw", "wikikge10", "inspire", "nsi")
    evidence = {tag for row in starter.topics for tag in row[2].split("|")}
    sources = {line.split(":")[0] for line in starter.manifest["sources"]}
    assert not [tag for tag in evidence | sources if tag.startswith(excluded)]


def test_the_notice_names_every_source_of_the_manifest(starter: Rows) -> None:
    notice = (TOP / "NOTICE").read_text(encoding="utf-8")
    for line in starter.manifest["sources"]:
        assert line.split(":")[0] in notice


def test_songs_are_not_books_and_missiles_are_no_means_of_transport(starter: Rows) -> None:
    topics = catalog.topics()
    assert "Q7366" in below(topics["music"].roots, starter)
    assert "Q7366" not in below(topics["book"].roots, starter)
    assert {"Q41291", "Q974850"}.isdisjoint(topical(starter, "transportation"))


def edit(folder: Path, table: str, change: Callable[[str], str]) -> None:
    path = folder / f"{table}.tsv"
    path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")


def add(folder: Path, table: str, *row: str) -> None:
    edit(folder, table, lambda text: text + "\t".join(row) + "\n")


def drop(folder: Path, table: str, start: str) -> None:
    edit(
        folder,
        table,
        lambda text: "\n".join(line for line in text.split("\n") if not line.startswith(start)),
    )


def found(folder: Path, kind: str) -> list[Finding]:
    """The findings of one kind; those about changed counts are a matter of course."""
    return [finding for finding in check(folder) if finding.check == kind]


def test_a_value_that_is_no_item_is_found(folder: Path) -> None:
    add(folder, "statements", "Q177", "P495", NO_ITEM, "normal")
    assert NO_ITEM in str(found(folder, "dangling")[0])


def test_a_name_description_or_topic_of_no_item_is_found(folder: Path) -> None:
    add(folder, "names", NO_ITEM, "en", "label", "nothing")
    add(folder, "descriptions", NO_ITEM, "en", "nothing")
    add(folder, "topics", NO_ITEM, "food", "hearsay")
    tables = {finding.where for finding in found(folder, "dangling")}
    assert tables == {"names", "descriptions", "topics"}


def test_a_redirect_must_lead_from_no_item_to_an_item(folder: Path) -> None:
    add(folder, "redirects", "Q177", NO_ITEM)
    add(folder, "redirects", NO_ITEM, "Q177")
    assert [finding.where for finding in found(folder, "dangling")] == ["redirect Q177"]


def test_a_circle_of_classes_is_found(folder: Path) -> None:
    add(folder, "statements", "Q2095", "P279", "Q746549", "normal")
    assert "Q2095, Q746549" in found(folder, "cycle")[0].message


def test_a_disambiguation_page_is_found(folder: Path) -> None:
    add(folder, "items", NO_ITEM, "")
    add(folder, "items", "Q4167410", "")
    add(folder, "names", NO_ITEM, "en", "label", "Mercury")
    add(folder, "statements", NO_ITEM, "P31", "Q4167410", "normal")
    assert {finding.where for finding in found(folder, "page")} == {NO_ITEM, "Q4167410"}


@pytest.mark.parametrize("kind", ["Q13406463", "Q202444", "Q101352", "Q4167836"])
def test_lists_names_and_categories_are_no_entities(folder: Path, kind: str) -> None:
    add(folder, "statements", "Q177", "P31", kind, "normal")
    assert NOT_ENTITIES[kind] in found(folder, "page")[0].message


def test_a_missing_root_is_found(folder: Path) -> None:
    drop(folder, "items", "Q11460\t")
    assert [finding.where for finding in found(folder, "root")] == ["Q11460"]


def test_a_missing_country_is_found(folder: Path) -> None:
    drop(folder, "names", "Q878\t")
    assert "United Arab Emirates" in found(folder, "country")[0].message


def test_an_item_that_reaches_no_root_is_found(folder: Path) -> None:
    add(folder, "items", NO_ITEM, "")
    add(folder, "names", NO_ITEM, "en", "label", "a lost dish")
    assert [finding.where for finding in found(folder, "unreached")] == [NO_ITEM]


def test_a_lost_class_between_items_and_root_is_found(folder: Path) -> None:
    drop(folder, "statements", "Q41415\tP279")
    assert "Q41415" in {finding.where for finding in found(folder, "unreached")}


def test_an_unknown_topic_and_empty_evidence_are_found(folder: Path) -> None:
    add(folder, "topics", "Q177", "sport", "hearsay")
    add(folder, "topics", "Q41415", "food", "")
    assert len(found(folder, "topic")) == 2


def test_rows_given_twice_are_found(folder: Path) -> None:
    for table in ("items", "names", "statements", "descriptions", "topics"):
        first = (folder / f"{table}.tsv").read_text(encoding="utf-8").split("\n")[1]
        add(folder, table, first)
    assert len(found(folder, "duplicate")) == 5


@pytest.mark.parametrize(
    ("table", "row"),
    [
        ("items", ("q177", "")),
        ("items", ("Q0177", "")),
        ("items", (NO_ITEM, "many")),
        ("statements", ("Q177", "495", "Q38", "normal")),
        ("statements", ("Q177", "P17", "Q38", "best")),
        ("names", ("Q177", "en", "nickname", "flat pie")),
    ],
)
def test_malformed_ids_counts_ranks_and_kinds_are_found(
    folder: Path, table: str, row: tuple[str, ...]
) -> None:
    add(folder, table, *row)
    assert found(folder, "form")


@pytest.mark.parametrize(
    ("lang", "name", "kind"),
    [
        ("xx", "pizza pie", "language"),
        ("en", " pizza pie", "name"),
        ("en", "pizza  pie", "name"),
        ("en", "", "name"),
        ("de", "Pizzabrötchen".replace("ö", "o\u0308"), "name"),
    ],
)
def test_unknown_languages_and_unclean_names_are_found(
    folder: Path, lang: str, name: str, kind: str
) -> None:
    add(folder, "names", "Q177", lang, "alias", name)
    assert len(found(folder, kind)) == 1


def test_an_item_without_a_name_and_one_with_two_labels_are_found(folder: Path) -> None:
    add(folder, "items", NO_ITEM, "")
    add(folder, "names", "Q41415", "de", "label", "Brühe")
    add(folder, "names", "Q41415", "de", "label", "Suppe, noch eine")
    assert found(folder, "unnamed")[0].where == NO_ITEM
    assert found(folder, "label")[0].where == "Q41415 de"


def test_counts_that_differ_from_the_manifest_are_found(folder: Path) -> None:
    add(folder, "descriptions", "Q177", "tr", "yemek")
    assert [finding.where for finding in found(folder, "manifest")] == ["counts.descriptions"]


def test_a_cut_off_or_widened_table_is_refused_with_its_place(folder: Path) -> None:
    edit(folder, "items", lambda text: text[:-3])
    with pytest.raises(SnapshotError, match=r"items\.tsv: the last line is not ended"):
        check(folder)
    edit(folder, "items", lambda _: "qid\tsitelinks\nQ1\t\tmore\n")
    with pytest.raises(SnapshotError, match=r"items\.tsv: line 2 has 3 columns, not 2"):
        check(folder)
    (folder / "items.tsv").unlink()
    with pytest.raises(SnapshotError, match=r"items\.tsv: not a readable table"):
        check(folder)


def test_circles_are_found_whatever_their_length() -> None:
    graph = {"Q1": {"Q2"}, "Q2": {"Q3"}, "Q3": {"Q1", "Q4"}, "Q4": {"Q5"}, "Q6": {"Q6"}}
    assert components(graph) == [["Q1", "Q2", "Q3"], ["Q6"]]
    chain = {f"Q{n}": {f"Q{n + 1}"} for n in range(1, 5000)}
    assert components(chain) == []


def test_the_compiler_says_what_it_lacks(tmp_path: Path) -> None:
    script = str(TOP / "benchmarks" / "compile_starter.py")
    outcome = subprocess.run(
        [sys.executable, script, str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        cwd=TOP,
        env={"PYTHONPATH": str(TOP)},
    )
    assert outcome.returncode == 2
    assert "lacks full_names.tsv.gz" in outcome.stderr
