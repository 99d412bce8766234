"""The store: opened for moments, migrated when older, filled from the journal exactly once."""

import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from makieval.errors import StoreBusy, StoreError
from makieval.store import Store
from makieval.store.rows import insert


def record(key: str, status: str = "ok", text: str = "tea") -> dict[str, object]:
    return {
        "id": key,
        "status": status,
        "text": text,
        "received_at": "2026-01-01T00:00:00Z",
        "fields": {"model": "m"},
    }


def rows(store: Store, query: str) -> list[tuple[object, ...]]:
    with store.connect(read_only=True) as connection:
        return connection.execute(query).fetchall()


def test_an_answer_enters_the_tables_once_however_often_they_are_brought_up_to_date(
    tmp_path: Path,
) -> None:
    store = Store(tmp_path).create()
    with store.journal.writer() as writer:
        writer.append([record("a"), record("b")])
        assert store.ingest() == 2
        assert store.ingest() == 0
        writer.append([record("c")])
        assert store.ingest() == 1
    assert rows(store, "SELECT answer_id FROM answers ORDER BY 1") == [("a",), ("b",), ("c",)]


def test_the_first_final_answer_stays(tmp_path: Path) -> None:
    store = Store(tmp_path).create()
    with store.journal.writer() as writer:
        writer.append([record("a", text="first"), record("a", text="second")])
    with store.journal.writer() as writer:
        writer.append([record("a", text="third")])
    store.ingest()
    assert rows(store, "SELECT text FROM answers") == [("first",)]


def test_a_passing_failure_is_an_attempt_and_no_answer(tmp_path: Path) -> None:
    store = Store(tmp_path).create()
    with store.journal.writer() as writer:
        writer.append([record("a", "timeout"), record("b", "refused")])
    store.ingest()
    assert rows(store, "SELECT answer_id, status FROM answers") == [("b", "refused")]
    assert rows(store, "SELECT answer_id, status FROM attempts") == [("a", "timeout")]


def test_a_lost_database_is_rebuilt_from_the_journal(tmp_path: Path) -> None:
    store = Store(tmp_path).create()
    with store.journal.writer() as writer:
        writer.append([record(str(n)) for n in range(50)])
    store.ingest()
    store.database.unlink()
    assert store.create().ingest() == 50


def test_rows_whose_key_is_there_are_left_out_also_within_one_batch(tmp_path: Path) -> None:
    store = Store(tmp_path).create()
    with store.connect() as connection:
        assert insert(connection, "prompts", "prompt_id text", [("a", "x"), ("a", "y")]) == 1
        assert insert(connection, "prompts", "prompt_id text", [("a", "z"), ("b", "z")]) == 1
        assert insert(connection, "prompts", "prompt_id text", []) == 0


def test_texts_of_every_kind_come_back_as_they_went_in(tmp_path: Path) -> None:
    texts = ["", "a\x00b", "ẹ̀kọ", "🍜", 'quote " back \\ slash', "line\nbreak", "𠮷野家", "می‌خورم"]
    store = Store(tmp_path).create()
    with store.connect() as connection:
        insert(connection, "prompts", "prompt_id text", list(enumerate_as_text(texts)))
    assert [r[0] for r in rows(store, "SELECT text FROM prompts ORDER BY prompt_id")] == texts


def enumerate_as_text(texts: list[str]) -> list[tuple[str, str]]:
    return [(str(number), text) for number, text in enumerate(texts)]


HOLD = """
import sys, time, duckdb
connection = duckdb.connect(sys.argv[1])
print("held", flush=True)
time.sleep(float(sys.argv[2]))
connection.close()
"""


def hold(store: Store, seconds: float) -> subprocess.Popen[str]:
    """Another process that has the database open for `seconds`."""
    other = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(store.database), str(seconds)],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert other.stdout is not None
    assert other.stdout.readline() == "held\n"
    return other


def test_a_store_held_for_a_moment_is_waited_for(tmp_path: Path) -> None:
    store = Store(tmp_path).create()
    with hold(store, 0.5) as other, store.connect() as connection:
        assert connection.execute("SELECT 1").fetchall() == [(1,)]
        other.wait()


def test_a_store_held_for_long_is_one_clear_line_that_names_the_process(tmp_path: Path) -> None:
    store = Store(tmp_path).create()
    with hold(store, 30) as other:
        try:
            with (
                pytest.raises(StoreBusy, match=rf"process {other.pid} holds it"),
                store.connect(wait_s=0.2),
            ):
                pass
        finally:
            other.kill()


def test_two_runs_do_not_work_on_one_store_at_once(tmp_path: Path) -> None:
    store = Store(tmp_path).create()
    with (
        store.run_lock(),
        pytest.raises(StoreBusy, match="another run"),
        Store(tmp_path).run_lock(),
    ):
        pass
    with Store(tmp_path).run_lock():
        pass


def test_a_store_of_a_newer_makieval_is_refused_in_one_line(tmp_path: Path) -> None:
    store = Store(tmp_path).create()
    with store.connect() as connection:
        connection.execute("INSERT INTO schema_version (version) VALUES (9999)")
    with pytest.raises(StoreError, match="newer makieval"):
        Store(tmp_path).create()


def test_what_is_no_database_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "store.duckdb").write_text("not a database at all, but long enough " * 500)
    with pytest.raises(StoreError) as caught:
        Store(tmp_path).create()
    assert "\n" not in str(caught.value)


def test_a_folder_without_a_store_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="makieval run"):
        Store(tmp_path / "nowhere").existing()


def test_creating_twice_changes_nothing(tmp_path: Path) -> None:
    store = Store(tmp_path).create()
    with store.journal.writer() as writer:
        writer.append([record("a")])
    store.ingest()
    store.create()
    assert rows(store, "SELECT count(*) FROM answers") == [(1,)]


def test_a_plain_duckdb_shell_can_read_the_store(tmp_path: Path) -> None:
    store = Store(tmp_path).create()
    with duckdb.connect(str(store.database), read_only=True) as connection:
        views = {row[0] for row in connection.execute("SHOW TABLES").fetchall()}
    assert {"responses", "mentions", "granularity", "diversity", "consensus"} <= views
