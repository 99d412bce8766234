"""The command line as a person meets it: one clear line and an exit code for what goes wrong."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from makieval.store import Store

#: Another program that has the store's file open.
HOLD = """
import sys, time, duckdb
connection = duckdb.connect(sys.argv[1])
print("held", flush=True)
time.sleep(60)
"""

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def makieval(tmp_path: Path) -> Run:
    """Run the command line in a process of its own, in an empty folder."""

    def go(*words: object, **options: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "makieval", *map(str, words)],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            cwd=tmp_path,
            **options,
        )

    return go


@pytest.fixture
def finished(tmp_path: Path, serve: Any, makieval: Run) -> Path:
    """A small finished study in the default store of the folder; its study file."""
    server = serve()
    study = tmp_path / "study.toml"
    study.write_text(
        f"""
        name = "small"
        topics = ["food"]
        languages = ["en", "de"]
        countries = ["japan"]
        [[models]]
        name = "loopback"
        model = "loopback-model"
        base_url = "{server.base_url}"
        """
    )
    done = makieval("run", study)
    assert done.returncode == 0, done.stderr
    return study


def one_line(done: subprocess.CompletedProcess[str], code: int, *words: str) -> None:
    """The command ended with `code` and said one line that holds `words`."""
    said = done.stderr.strip().splitlines()
    last = said[-1] if said else ""
    assert done.returncode == code, done.stderr
    assert last.startswith("makieval: "), done.stderr
    assert "Traceback" not in done.stderr
    for word in words:
        assert word in last


def one_line_then_list(done: subprocess.CompletedProcess[str], code: int) -> None:
    """An offline run's line, and below it what is missing."""
    assert done.returncode == code, done.stderr
    said = [line for line in done.stderr.splitlines() if line.startswith("makieval: ")]
    assert len(said) == 1
    assert "Traceback" not in done.stderr


def test_help_names_every_command(makieval: Run) -> None:
    done = makieval("--help")
    assert done.returncode == 0
    for word in "demo init plan run report show sql export studies replay record models".split():
        assert word in done.stdout


def test_importing_makieval_pulls_in_neither_prefect_nor_polars_nor_duckdb() -> None:
    code = (
        "import sys, makieval, makieval.cli.app;"
        "print([m for m in ('prefect', 'polars', 'duckdb', 'altair', 'openai', 'pydantic')"
        " if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_init_writes_a_study_that_plan_can_read(makieval: Run) -> None:
    assert makieval("init").returncode == 0
    done = makieval("plan", "study.toml")
    assert done.returncode == 0, done.stderr
    assert "prompts × 2 samples" in done.stdout
    assert "nothing was asked" in " ".join(done.stdout.split())
    one_line(makieval("init"), 2, "study.toml", "exists already")


def test_plan_counts_only_what_is_missing(makieval: Run, finished: Path) -> None:
    done = makieval("plan", finished)
    assert "4 texts, 4 of them present already" in done.stdout


def test_an_unknown_language_is_told_with_the_nearest(makieval: Run, finished: Path) -> None:
    finished.write_text(finished.read_text().replace('"de"', '"jp"'))
    one_line(makieval("run", finished), 2, "'jp'", "did you mean 'ja'?")


def test_a_missing_study_file_is_told(makieval: Run) -> None:
    one_line(makieval("run", "none.toml"), 2, "none.toml", "cannot be read")


def test_an_empty_study_file_is_told(makieval: Run, tmp_path: Path) -> None:
    (tmp_path / "empty.toml").write_text("")
    one_line(makieval("run", "empty.toml"), 2, "is empty", "makieval init")


def test_a_missing_key_is_told_and_what_was_paid_for_stays(makieval: Run, finished: Path) -> None:
    finished.write_text(
        finished.read_text()
        .replace('["en", "de"]', '["en", "de", "ja"]')
        .replace('model = "loopback-model"', 'model = "loopback-model"\napi_key_env = "NO_KEY"')
    )
    one_line(makieval("run", finished), 5, "NO_KEY")
    counted = makieval("sql", "SELECT count(*) AS n FROM answers", "--csv")
    assert counted.stdout.split() == ["n", "8"]


def test_an_unreachable_endpoint_is_told(makieval: Run, tmp_path: Path, finished: Path) -> None:
    text = finished.read_text()
    start = text.index("http://")
    finished.write_text(text[:start] + 'http://127.0.0.1:9/v1"\nmax_retries = 0\n')
    one_line(makieval("run", finished, "--store", tmp_path / "other"), 5, "127.0.0.1:9")


def test_a_snapshot_that_is_not_there_is_told(makieval: Run, finished: Path) -> None:
    finished.write_text(finished.read_text() + '\n[linking]\nsource = "none.duckdb"\n')
    one_line(makieval("run", finished), 2, "none.duckdb", "starter")


def test_a_snapshot_of_a_newer_version_is_told(
    makieval: Run, finished: Path, tmp_path: Path
) -> None:
    import duckdb

    from makieval.wikidata.snapshot import Snapshot

    with Snapshot.starter() as snapshot:
        newer = tmp_path / "newer.duckdb"
        newer.write_bytes(snapshot.path.read_bytes())
    with duckdb.connect(str(newer)) as connection:
        connection.execute("UPDATE manifest SET value = '999' WHERE key LIKE '%schema%'")
    finished.write_text(finished.read_text() + f'\n[linking]\nsource = "{newer}"\n')
    one_line(makieval("run", finished), 3, "newer")


def test_a_store_opened_by_another_process_is_told(
    makieval: Run, finished: Path, tmp_path: Path
) -> None:
    database = tmp_path / "makieval-store" / "store.duckdb"
    holder = subprocess.Popen(
        [
            sys.executable,
            "-c",
            HOLD,
            str(database),
        ],
        stdout=subprocess.PIPE,
    )
    try:
        assert holder.stdout is not None
        holder.stdout.readline()
        one_line(makieval("run", finished), 4, f"process {holder.pid}", "journal")
    finally:
        holder.kill()
        holder.communicate()


def test_a_store_that_is_not_there_is_told(makieval: Run) -> None:
    one_line(makieval("sql", "SELECT 1"), 4, "no store here")


def test_a_full_disk_is_told_and_the_same_command_goes_on(
    makieval: Run, finished: Path, serve: Any, tmp_path: Path
) -> None:
    """The kernel refuses files beyond 16 kB to this process, as a full disk would."""
    code = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (16384, 16384));"
        "sys.argv = ['makieval', *sys.argv[1:]];"
        "from makieval.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "run", str(finished), "--store", str(tmp_path / "tight")],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    one_line(done, 4, "no room left")
    after = makieval("run", finished, "--store", tmp_path / "tight")
    assert after.returncode == 0, after.stderr


def test_a_mistake_in_sql_is_told(makieval: Run, finished: Path) -> None:
    one_line(makieval("sql", "SELECT nothing FROM nowhere"), 2, "nowhere")


def test_sql_cannot_write(makieval: Run, finished: Path) -> None:
    done = makieval("sql", "DELETE FROM answers")
    assert done.returncode == 2
    assert makieval("sql", "SELECT count(*) AS n FROM answers", "--csv").stdout.split()[1] == "8"


def test_sql_cannot_write_a_file_either(makieval: Run, finished: Path, tmp_path: Path) -> None:
    journal = tmp_path / "makieval-store" / "journal" / "000001.jsonl"
    before = journal.read_bytes()
    one_line(makieval("sql", f"COPY (SELECT 1) TO '{journal}'"), 2, "sql:")
    one_line(makieval("sql", ""), 2, "sql:")
    assert journal.read_bytes() == before


def test_a_failed_edit_leaves_the_finished_cells_their_figures(
    makieval: Run, finished: Path
) -> None:
    figures = "SELECT language, value FROM granularity WHERE language <> 'ja' ORDER BY ALL"
    before = makieval("sql", figures, "--csv").stdout
    finished.write_text(finished.read_text().replace('"de"]', '"de", "ja"]'))
    one_line_then_list(makieval("run", finished, "--offline"), 6)
    assert makieval("sql", figures, "--csv").stdout == before
    report = makieval("report")
    assert report.returncode == 0
    assert "This study is incomplete" in report.stdout


def test_show_walks_from_a_text_to_its_links(makieval: Run, finished: Path, tmp_path: Path) -> None:
    with Store(tmp_path / "makieval-store").connect(read_only=True) as connection:
        key = connection.execute("SELECT response_id FROM mentions ORDER BY ALL").fetchall()[0][0]
    done = makieval("show", key)
    assert done.returncode == 0, done.stderr
    for word in ("prompt", "text", "mention 0", "cell       food"):
        assert word in done.stdout
    one_line(makieval("show", "answer1-nothing"), 2, "no response")
    one_line(makieval("show", "answer"), 2, "several responses")


def test_export_gives_the_same_bytes_every_time(
    makieval: Run, finished: Path, tmp_path: Path
) -> None:
    for file_format in ("parquet", "csv", "jsonl"):
        first = makieval("export", "--to", tmp_path / "a", "--format", file_format)
        assert first.returncode == 0, first.stderr
        makieval("export", "--to", tmp_path / "b", "--format", file_format)
    names = {path.name for path in (tmp_path / "a").iterdir()}
    assert {"responses.parquet", "mentions.csv", "consensus.jsonl", "manifest.json"} <= names
    for name in names:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes(), name


def test_a_study_is_recorded_and_replayed_byte_for_byte(
    makieval: Run, finished: Path, tmp_path: Path
) -> None:
    recorded = makieval("record", tmp_path / "recording")
    assert recorded.returncode == 0, recorded.stderr
    manifest = json.loads((tmp_path / "recording" / "manifest.json").read_text())
    assert manifest["answers"] == 8
    for name in ("one", "two"):
        done = makieval("replay", tmp_path / "recording", "--to", tmp_path / name)
        assert done.returncode == 0, done.stderr
        assert "byte for byte" in done.stdout
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()


def test_a_replay_that_differs_is_an_error(makieval: Run, finished: Path, tmp_path: Path) -> None:
    makieval("record", tmp_path / "recording")
    path = tmp_path / "recording" / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["tables"]["diversity.csv"] = "0" * 64
    path.write_text(json.dumps(manifest))
    one_line(makieval("replay", tmp_path / "recording"), 7, "diversity.csv")


def test_a_replay_never_touches_the_answers_of_other_runs(
    makieval: Run, finished: Path, tmp_path: Path
) -> None:
    makieval("record", tmp_path / "recording")
    store = tmp_path / "makieval-store"
    one_line(makieval("replay", tmp_path / "recording", "--store", store), 2, "other runs")
    counted = makieval("sql", "SELECT count(*) AS n FROM answers", "--csv")
    assert counted.stdout.split() == ["n", "8"]


def test_a_folder_without_a_recording_is_told(makieval: Run, tmp_path: Path) -> None:
    one_line(makieval("replay", tmp_path), 2, "no recording here")


def test_the_catalog_can_be_looked_at(makieval: Run) -> None:
    for what, word in {
        "topics": "dish_name",
        "languages": "日本語",
        "countries": "united-states",
        "framings": "explicit",
    }.items():
        assert word in makieval("catalog", what).stdout
    assert makieval("catalog", "prompt", "food", "en", "explicit", "japan").stdout.strip()
    one_line(makieval("catalog", "prompt", "food", "xx"), 2, "unknown language 'xx'")


def test_the_starter_snapshot_is_consistent(makieval: Run) -> None:
    done = makieval("snapshot", "check")
    assert done.returncode == 0, done.stdout
    assert "consistent" in done.stdout
    assert "CC0" in makieval("snapshot", "info").stdout


def test_models_are_listed(makieval: Run) -> None:
    assert "Apache-2.0" in makieval("models", "list").stdout
    one_line(makieval("models", "pull", "gpt-9"), 2, "gpt-9")


def test_the_shipped_recording_is_replayed_byte_for_byte(makieval: Run, tmp_path: Path) -> None:
    """13 languages × 6 topics × (neutral and two countries), asked of the embedded model."""
    done = makieval("replay", "--report", tmp_path / "report.html")
    assert done.returncode == 0, done.stderr
    assert "byte for byte" in done.stdout
    assert "1 model × 13 languages × 6 topics × 2 countries × 2 framings" in done.stdout
    assert "measures nobody" in (tmp_path / "report.html").read_text(encoding="utf-8")
