"""Approximate search: exactly the keys within one edit, by comparison with trying every key."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from makieval.errors import SnapshotError
from makieval.linking import Form, normalise
from makieval.wikidata import Snapshot, build, builder

TABLES = Path(__file__).parents[1] / "fixtures" / "tables"
#: Real names of the fixture, and words close to one another in several scripts.
NAMES = {
    "en": "tea|teas|eta|ate|tee|ta|t|aa|aaa|aaaa|abab|baba|abba|a b|ab|ba|" + "x" * 80,
    "ja": "茶|抹茶|お茶|寿司|寿命|司寿|ガム|カム",
    "hi": "चाय|चय|चाया",
    "ko": "김치|김지|치김|김치찌개",
    "mul": "tea|🍜|🍜🍜|🍵🍜",
}


def names() -> list[tuple[str, str]]:
    """(language, name) of all that is in the snapshot of `source`."""
    rows = (TABLES / "names.tsv").read_text(encoding="utf-8").splitlines()[1:]
    own = [(row.split("\t")[1], row.split("\t")[3]) for row in rows]
    return own + [(language, name) for language, all_ in NAMES.items() for name in all_.split("|")]


KEYS = sorted({(language, normalise.key(name, language)) for language, name in names()})


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Snapshot]:
    folder = shutil.copytree(TABLES, tmp_path_factory.mktemp("similar") / "tables")
    with (folder / "names.tsv").open("a", encoding="utf-8") as file:
        for language, words in NAMES.items():
            file.writelines(f"Q177\t{language}\talias\t{word}\n" for word in words.split("|"))
    build(folder, folder.parent / "s.duckdb")
    with Snapshot.open(folder.parent / "s.duckdb") as snapshot:
        yield snapshot


def by_trying_all(form: Form) -> list[str]:
    return [
        key
        for language, key in KEYS
        if language == form.language and OSA.distance(form.key, key) == 1
    ]


def agrees(source: Snapshot, forms: list[Form]) -> None:
    found = source.similar(forms)
    assert len(found) == len(forms)
    for form, keys in zip(forms, found, strict=True):
        assert len(keys) == len(set(keys))
        assert sorted(keys) == by_trying_all(form)


def test_every_key_finds_its_neighbours(source: Snapshot) -> None:
    agrees(source, [Form(language, key, "typo") for language, key in KEYS])


@pytest.mark.parametrize(
    ("language", "asked", "wanted"),
    [
        ("en", "tae", {"tea", "ta", "tee", "ate"} - {"ate", "tee"}),
        ("en", "te", {"tea", "tee", "t"}),
        ("ja", "寿", {"寿司", "寿命", "茶"}),
        ("ko", "김치", {"김지", "치김"}),
        ("mul", "🍜🍵", {"🍜", "🍜🍜", "🍵🍜"}),
    ],
)
def test_an_edit_drops_adds_replaces_or_swaps(
    source: Snapshot, language: str, asked: str, wanted: set[str]
) -> None:
    (found,) = source.similar([Form(language, asked, "typo")])
    assert wanted <= set(found)
    assert asked not in found
    assert sorted(found) == by_trying_all(Form(language, asked, "typo"))


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["en", "mul", "xx"]), st.text("abte \x00x", max_size=6))))
def test_any_text_finds_exactly_what_lies_within_one_edit(
    source: Snapshot, asked: list[tuple[str, str]]
) -> None:
    agrees(source, [Form(language, key, "typo") for language, key in asked])


@settings(deadline=None)
@given(st.sampled_from(KEYS), st.integers(0, 40), st.sampled_from(["", "é", "茶", "\u0301", "aa"]))
def test_any_edit_of_a_name_finds_it_if_it_is_one(
    source: Snapshot, known: tuple[str, str], at: int, instead: str
) -> None:
    language, key = known
    agrees(source, [Form(language, key[:at] + instead + key[at + 1 :], "typo")])


def test_nothing_asked_is_nothing_found(source: Snapshot) -> None:
    assert source.similar([]) == []


def test_a_snapshot_may_be_built_without(source: Snapshot, tmp_path: Path) -> None:
    build(TABLES, tmp_path / "s.duckdb", approximate=False)
    with Snapshot.open(tmp_path / "s.duckdb") as exact:
        assert (source.approximate, exact.approximate) == (True, False)
        assert exact.similar([Form("en", "pizz", "typo")]) == [[]]
        assert exact.id == builder.identity(TABLES, approximate=False) != builder.identity(TABLES)


def test_the_hashes_of_another_duckdb_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "s.duckdb"
    build(TABLES, path)
    with duckdb.connect(str(path)) as connection:
        connection.execute("UPDATE manifest SET value = ? WHERE key = 'hash'", [json.dumps(1)])
    with pytest.raises(SnapshotError, match="built with another DuckDB"):
        Snapshot.open(path)
