"""Reviewed decisions: what they override, how they are checked, and that none is ever lost."""

import multiprocessing
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from makieval.errors import InputError
from makieval.linking import Linker, Mention
from makieval.linking.reviewed import COLUMNS, Decision, Reviewed, append, load
from makieval.status import Status
from makieval.wikidata import Snapshot

AMSTERDAM = Mention("Amsterdam", "en", "book", "book_title")


def decision(surface: str, qid: str, entity_type: str = "", **more: str) -> Decision:
    told = {"language": "en", "topic": "food", "who": "ann", "when": "2026-11-30", "why": "seen"}
    told |= {"surface": surface, "qid": qid, "entity_type": entity_type, **more}
    return Decision.of(told)


def written(path: Path, *lines: str, columns: tuple[str, ...] = COLUMNS) -> Path:
    """A file of decisions; columns stand apart by ` | ` here."""
    text = "\n".join(["\t".join(columns), *(line.replace(" | ", "\t") for line in lines)])
    path.write_text(text + "\n", encoding="utf-8")
    return path


# Overriding


def test_a_decision_overrides_the_linker(snapshot: Snapshot) -> None:
    sushi = Mention("Sushi", "en", "food", "dish_name")
    decided = Reviewed(Linker(snapshot), [decision("sushi", "Q420646")])
    (link,) = decided.link([sushi])
    assert (link.status, link.qid, link.method, link.score) == (
        Status.LINKED,
        "Q420646",
        "reviewed",
        1.0,
    )


def test_a_decision_for_nil_takes_the_link_away(snapshot: Snapshot) -> None:
    decided = Reviewed(Linker(snapshot), [decision("sushi", "NIL")])
    (link,) = decided.link([Mention("Sushi", "en", "food", "dish_name")])
    assert (link.status, link.qid, link.method) == (Status.NIL, None, "reviewed")


def test_a_decision_holds_for_every_spelling_with_the_same_key(snapshot: Snapshot) -> None:
    decided = Reviewed(Linker(snapshot), [decision("Sushi", "Q420646")])
    spellings = ("sushi", "SUSHI", "“Sushi”", " ｓｕｓｈｉ ")
    links = decided.link([Mention(text, "en", "food", "dish_name") for text in spellings])
    assert {link.qid for link in links} == {"Q420646"}


def test_a_decision_holds_in_its_language_and_topic_alone(snapshot: Snapshot) -> None:
    decided = Reviewed(Linker(snapshot), [decision("pizza", "Q420646")])
    links = decided.link(
        [Mention("pizza", "de", "food", "dish_name"), Mention("pizza", "en", "music", "song_name")]
    )
    assert [link.method for link in links] == ["exact", None]


def test_a_decision_for_a_type_comes_before_one_for_all_types(snapshot: Snapshot) -> None:
    decided = Reviewed(
        Linker(snapshot),
        [decision("pizza", "Q420646"), decision("pizza", "Q46383", "dish_category")],
    )
    links = decided.link(
        [
            Mention("pizza", "en", "food", "dish_name"),
            Mention("pizza", "en", "food", "dish_category"),
        ]
    )
    assert [link.qid for link in links] == ["Q420646", "Q46383"]


def test_what_the_linker_knows_of_the_decided_item_is_kept(snapshot: Snapshot) -> None:
    (before,) = Linker(snapshot).link([AMSTERDAM])
    told = decision("Amsterdam", before.qid or "", topic="book")
    (same,) = Reviewed(Linker(snapshot), [told]).link([AMSTERDAM])
    assert same == replace(before, method="reviewed", score=1.0)
    novel = Mention("Pizza", "en", "food", "dish_name")
    (elsewhere,) = Reviewed(Linker(snapshot), [decision("pizza", "Q9900001")]).link([novel])
    assert (elsewhere.qid, elsewhere.name, elsewhere.path) == ("Q9900001", None, ())


def test_a_rival_that_is_decided_for_brings_its_name_and_path(snapshot: Snapshot) -> None:
    java = Mention("Java", "en", "beverage", "drink_name")
    (before,) = Linker(snapshot).link([java])
    island = next(rival for rival in before.rivals if rival.qid == "Q3757")
    told = decision("Java", "Q3757", topic="beverage")
    (link,) = Reviewed(Linker(snapshot), [told]).link([java])
    assert (link.name, link.name_language, link.path) == (island.name, island.language, island.path)
    assert [rival.qid for rival in link.rivals] == ["Q251"]


# Fingerprint


def test_the_fingerprint_changes_with_what_is_decided_and_with_nothing_else(
    snapshot: Snapshot,
) -> None:
    linker = Linker(snapshot)
    one, other = decision("sushi", "Q420646"), decision("pizza", "NIL")
    assert Reviewed(linker, []).fingerprint == linker.fingerprint
    assert Reviewed(linker, [one]).fingerprint != linker.fingerprint
    assert Reviewed(linker, [one]).fingerprint != Reviewed(linker, [other]).fingerprint
    assert Reviewed(linker, [one, other]).fingerprint == Reviewed(linker, [other, one]).fingerprint
    by_another = decision("Sushi", "Q420646", who="bob", when="2026-12-01", why="because")
    assert Reviewed(linker, [one]).fingerprint == Reviewed(linker, [by_another]).fingerprint


# The file


def test_columns_may_stand_in_any_order_and_the_type_may_be_missing(tmp_path: Path) -> None:
    path = written(
        tmp_path / "r.tsv",
        "ann | 2026-11-30 | a dish | Q46383 | food | en | Sushi",
        "",
        columns=("who", "when", "why", "qid", "topic", "language", "surface"),
    )
    assert load(path) == [decision("Sushi", "Q46383", why="a dish")]


def test_spreadsheets_may_leave_a_mark_and_carriage_returns(tmp_path: Path) -> None:
    path = written(tmp_path / "r.tsv", "Sushi | en | food |  | nil | ann | 2026-11-30 | no")
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert load(path) == [decision("Sushi", "NIL", why="no")]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a | xx | food |  | Q1 | ann | 2026-11-30 | w", "line 2: unknown language 'xx'"),
        ("a | en | foot |  | Q1 | ann | 2026-11-30 | w", "line 2: unknown topic 'foot'"),
        ("a | en | food | place | Q1 | ann | 2026-11-30 | w", "line 2: unknown type of topic"),
        ("a | en | food |  | 17 | ann | 2026-11-30 | w", "line 2: qid '17' is neither"),
        ("a | en | food |  | Q1 | ann | yesterday | w", "line 2: when 'yesterday' is no date"),
        ("a | en | food |  | Q1 |  | 2026-11-30 | w", "line 2: 'who' is empty"),
        ("a | en | food", "line 2 has 3 columns, the header 8"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        load(written(tmp_path / "r.tsv", line))
    assert message in str(caught.value)


def test_every_bad_line_is_named_at_once(tmp_path: Path) -> None:
    bad = "a | en | food |  | 17 | ann | 2026-11-30 | w"
    with pytest.raises(InputError) as caught:
        load(written(tmp_path / "r.tsv", bad, bad))
    assert len(str(caught.value).splitlines()) == 2


def test_two_decisions_that_differ_are_an_error_with_both_lines(tmp_path: Path) -> None:
    path = written(
        tmp_path / "r.tsv",
        "Sushi | en | food |  | Q46383 | ann | 2026-11-30 | a dish",
        "Pizza | en | food |  | Q177 | ann | 2026-11-30 | a dish",
        "“sushi” | en | food |  | NIL | bob | 2026-12-01 | no dish",
        "sushi | en | food |  | Q46383 | cyd | 2026-12-01 | the same again",
    )
    with pytest.raises(InputError) as caught:
        load(path)
    (line,) = str(caught.value).splitlines()
    assert "line 2 says that 'Sushi' (en, food) means Q46383, line 4 that" in line
    assert line.endswith("means NIL")


@pytest.mark.parametrize(
    ("header", "message"),
    [
        (("surface", "langage"), "unknown column 'langage'; did you mean 'language'"),
        (("surface", "language"), "lacks topic, qid"),
        ((*COLUMNS, "who"), "names who twice"),
    ],
)
def test_a_bad_header_is_named(tmp_path: Path, header: tuple[str, ...], message: str) -> None:
    with pytest.raises(InputError) as caught:
        load(written(tmp_path / "r.tsv", columns=header))
    assert message in str(caught.value)


def test_a_missing_file_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.tsv: cannot be read"):
        load(tmp_path / "none.tsv")


# Adding


def test_what_is_added_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "new" / "r.tsv"
    first, second = decision("Sushi", "NIL", "dish_name"), decision("a\tb\nc", "Q42", why="x\ty")
    for one in (first, second, first):
        append(path, one)
    assert load(path) == [first, second]
    assert second.surface == "a b c"


def test_a_line_without_its_end_is_not_run_into(tmp_path: Path) -> None:
    path = written(tmp_path / "r.tsv", "Pizza | en | food |  | Q177 | ann | 2026-11-30 | a dish")
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    append(path, decision("Sushi", "Q46383"))
    assert [one.qid for one in load(path)] == ["Q177", "Q46383"]


def test_the_columns_of_the_file_are_kept(tmp_path: Path) -> None:
    columns = tuple(reversed(COLUMNS))
    path = written(tmp_path / "r.tsv", columns=columns)
    append(path, decision("Sushi", "Q46383"))
    assert path.read_text(encoding="utf-8").splitlines()[0] == "\t".join(columns)
    assert load(path) == [decision("Sushi", "Q46383")]


def test_a_type_that_the_file_has_no_column_for_is_refused(tmp_path: Path) -> None:
    columns = tuple(name for name in COLUMNS if name != "entity_type")
    path = written(tmp_path / "r.tsv", columns=columns)
    before = path.read_bytes()
    with pytest.raises(InputError, match="no column entity_type"):
        append(path, decision("Sushi", "Q46383", "dish_name"))
    assert path.read_bytes() == before


def test_a_decision_that_differs_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    path = tmp_path / "r.tsv"
    append(path, decision("Sushi", "Q46383"))
    before = path.read_bytes()
    with pytest.raises(InputError, match=r"line 2 says that 'Sushi' \(en, food\) means Q46383"):
        append(path, decision("SUSHI", "NIL"))
    assert path.read_bytes() == before


def _add(path: Path, start: int) -> None:
    for at in range(start, start + 25):
        append(path, decision(f"dish {at}", f"Q{at + 1}"))


def test_several_processes_lose_no_decision(tmp_path: Path) -> None:
    path = tmp_path / "r.tsv"
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_add, args=(path, 25 * at)) for at in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert {one.qid for one in load(path)} == {f"Q{at + 1}" for at in range(100)}


# The commands


def test_review_writes_and_one_obeys(
    run: Callable[..., str], snapshot: Snapshot, tmp_path: Path
) -> None:
    path = tmp_path / "r.tsv"
    about = ("--language", "en", "--topic", "food")
    told = ("--qid", "Q420646", "--who", "ann", "--why", "the text says soup", "--file", path)
    assert "means Q420646" in run("link", "review", "Sushi", *about, *told)
    asked = ("link", "one", "sushi", *about, "--source", snapshot.path)
    assert "Q46383" in run(*asked)
    said = run(*asked, "--reviewed", path)
    assert "Q420646" in said
    assert "method    reviewed" in said


def test_one_explains_the_class_path_and_the_rivals(
    run: Callable[..., str], snapshot: Snapshot
) -> None:
    said = run(
        *("link", "one", "kimono", "--language", "en", "--topic", "clothing"),
        *("--source", snapshot.path),
    )
    assert "Q483444" in said
    assert "→ Q11460" in said
    beverage = ("--language", "en", "--topic", "beverage", "--type", "drink")
    said = run("link", "one", "Java", *beverage, "--source", snapshot.path)
    assert "status    wrong_type" in said
    assert "rival     Q251" in said
    assert "does not fit" in said
