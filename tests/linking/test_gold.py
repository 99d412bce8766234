"""Gold links: what is read, and how countries are asked for."""

import gzip
import json
from pathlib import Path

import pytest

from makieval.errors import MakievalError
from makieval.linking import Linker, Scope, gold
from makieval.status import Status
from makieval.wikidata import Snapshot

ROW = {
    "id": "1",
    "source": "cldr",
    "tier": "A",
    "lang": "zh-hant",
    "mention": "日本",
    "topic": "country",
    "kind": None,
    "qid": "Q17",
    "in_kb": True,
    "text": None,
}


def written(path: Path, *rows: dict[str, object]) -> Path:
    text = "".join(json.dumps(row) + "\n" for row in rows)
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode()))
    else:
        path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["gold.jsonl", "gold.jsonl.gz"])
def test_rows_are_read_plain_or_gzipped(tmp_path: Path, name: str) -> None:
    (row,) = gold.load(written(tmp_path / name, ROW))
    assert (row.language, row.surface, row.qid, row.text) == ("zh-tw", "日本", "Q17", None)


@pytest.mark.parametrize(
    ("fault", "message"),
    [({"lang": "jp"}, "line 2: language 'jp'"), ({"topic": "foods"}, "topic 'foods'")],
)
def test_a_bad_row_is_told_with_its_line(tmp_path: Path, fault: dict[str, str], message) -> None:
    with pytest.raises(MakievalError, match=message):
        gold.load(written(tmp_path / "gold.jsonl", ROW, {**ROW, **fault}))


def test_a_missing_file_or_field_is_told(tmp_path: Path) -> None:
    with pytest.raises(MakievalError, match="not a readable gold set"):
        gold.load(tmp_path / "none.jsonl")
    with pytest.raises(MakievalError, match="lacks qid"):
        gold.load(written(tmp_path / "gold.jsonl", {k: v for k, v in ROW.items() if k != "qid"}))


def test_a_row_asks_for_all_of_its_topic_or_for_people(tmp_path: Path) -> None:
    book, author = gold.load(
        written(
            tmp_path / "gold.jsonl",
            {**ROW, "topic": "book"},
            {**ROW, "topic": "book", "kind": "author"},
        )
    )
    assert gold.scope_of(author) == Scope("book", ("Q5",), direct=False)
    assert gold.scope_of(book).direct and "Q8261" in gold.scope_of(book).roots


def test_countries_are_found_by_the_statements_of_the_source(
    snapshot: Snapshot, tmp_path: Path
) -> None:
    rows = gold.load(
        written(
            tmp_path / "gold.jsonl",
            {**ROW, "lang": "en", "mention": "Japan"},
            {**ROW, "lang": "th", "mention": "จีน", "qid": "Q148"},
            {**ROW, "lang": "en", "mention": "Amsterdam"},
        )
    )
    linker = Linker(gold.Countries(snapshot), topics=gold.topics())
    japan, china, city = linker.link([row.mention for row in rows])
    assert (japan.qid, japan.path) == ("Q17", ("Q17", "Q3624078"))
    assert (china.qid, china.method) == ("Q148", "peeled:type word added")
    assert city.status is Status.WRONG_TYPE
