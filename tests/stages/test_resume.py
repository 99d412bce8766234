"""Nothing paid for is lost, nothing is paid twice: the anti-join that every stage rests on."""

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from makieval.errors import EndpointUnreachable, MakievalError, OfflineMiss, Unauthorized
from makieval.status import FINAL
from makieval.store import Journal

#: Everything of a store but the times at which answers came.
EVERYTHING = [
    "FROM requests ORDER BY ALL",
    "SELECT answer_id, status, text, finish_reason FROM answers ORDER BY ALL",
    "FROM response_checks ORDER BY ALL",
    "FROM response_extractions ORDER BY ALL",
    "FROM extractions ORDER BY ALL",
    "FROM extracted_mentions ORDER BY ALL",
    "FROM links ORDER BY ALL",
    "FROM link_rivals ORDER BY ALL",
    "FROM entities ORDER BY ALL",
    "FROM entity_origins ORDER BY ALL",
    "FROM coverage",
]


def test_a_finished_study_asks_for_nothing_when_it_is_run_again(
    tmp_path: Path, serve: Any, study_text: Any, run_study: Any
) -> None:
    server = serve()
    first = run_study(study_text(server), tmp_path)
    asked = server.stats()["requests"]
    assert first.asked == first.answered == 12
    assert run_study(study_text(server), tmp_path) == first
    assert server.stats()["requests"] == asked


def test_a_second_language_asks_only_for_the_new_cells(
    tmp_path: Path, serve: Any, study_text: Any, run_study: Any
) -> None:
    server = serve()
    run_study(study_text(server, languages='["en"]', extractor="gazetteer"), tmp_path)
    assert server.stats()["requests"] == 6
    totals = run_study(study_text(server, extractor="gazetteer"), tmp_path)
    assert server.stats()["requests"] == 12
    assert totals.answered == 12


def test_more_samples_keep_the_ones_that_are_there(
    tmp_path: Path, serve: Any, study_text: Any, run_study: Any
) -> None:
    server = serve()
    run_study(study_text(server, extractor="gazetteer"), tmp_path)
    run_study(study_text(server, samples=3, extractor="gazetteer"), tmp_path)
    assert server.stats()["requests"] == 36
    assert max(server.stats()["by_body"].values()) == 1


def test_another_extractor_asks_for_no_text_again(
    tmp_path: Path, serve: Any, study_text: Any, run_study: Any
) -> None:
    server = serve()
    run_study(study_text(server, extractor="gazetteer"), tmp_path)
    assert server.stats()["requests"] == 12
    run_study(study_text(server), tmp_path)
    assert server.stats()["requests"] == 24


def test_failed_requests_alone_are_asked_again(
    tmp_path: Path, serve: Any, study_text: Any, run_study: Any, rows: Any
) -> None:
    faulty = serve(share_500=0.7)
    text = study_text(faulty, extractor="gazetteer", model="").replace(
        "max_retries = 2", "max_retries = 0"
    )
    with pytest.raises(MakievalError, match="run the same command again"):
        run_study(text, tmp_path)
    answered = len(rows(tmp_path, "SELECT * FROM answers"))
    assert 0 < answered < 12
    before = faulty.stats()["requests"]
    with pytest.raises(MakievalError):
        run_study(text, tmp_path)
    assert faulty.stats()["requests"] - before == 12 - answered


def test_rejected_requests_are_no_answers_and_are_asked_again(
    tmp_path: Path, serve: Any, study_text: Any, run_study: Any, rows: Any
) -> None:
    """A strict server refuses a field with 400; once it is lenient, all is asked for."""
    strict = serve(reject_fields=("top_p",))
    text = study_text(strict, extractor="gazetteer")
    with pytest.raises(MakievalError, match="accepts no request"):
        run_study(text, tmp_path)
    assert rows(tmp_path, "SELECT count(*) FROM answers") == [(0,)]
    lenient = serve()
    assert run_study(text.replace(strict.base_url, lenient.base_url), tmp_path).answered == 12


def test_a_dead_endpoint_does_not_hold_up_a_living_one(
    tmp_path: Path, serve: Any, study_text: Any, run_study: Any, rows: Any
) -> None:
    dead = '[[models]]\nname = "dead"\nmodel = "x"\nbase_url = "http://127.0.0.1:9/v1"\n'
    text = study_text(serve(), extractor="gazetteer", model="max_retries = 0").replace(
        "max_retries = 2\n", ""
    )
    with pytest.raises(EndpointUnreachable):
        run_study(text.replace("[extraction]", f"{dead}[extraction]"), tmp_path)
    assert rows(
        tmp_path, "SELECT model, count(*) FROM responses WHERE text IS NOT NULL GROUP BY 1"
    ) == [("loopback", 12)]


def test_the_same_model_name_at_another_address_is_another_model(
    tmp_path: Path, serve: Any, study_text: Any, run_study: Any
) -> None:
    here, there = serve(), serve()
    run_study(study_text(here, extractor="gazetteer"), tmp_path)
    run_study(study_text(there, extractor="gazetteer"), tmp_path)
    assert there.stats()["requests"] == 12


def test_offline_uses_what_is_there_and_asks_nobody(
    tmp_path: Path, serve: Any, study_text: Any, run_study: Any
) -> None:
    server = serve()
    first = run_study(study_text(server), tmp_path)
    asked = server.stats()["requests"]
    assert run_study(study_text(server), tmp_path, offline=True) == first
    assert server.stats()["requests"] == asked


def test_offline_lists_what_was_never_recorded_and_keeps_the_rest(
    tmp_path: Path, serve: Any, study_text: Any, run_study: Any, rows: Any
) -> None:
    server = serve()
    run_study(study_text(server, languages='["en"]'), tmp_path)
    with pytest.raises(OfflineMiss, match="generate: 6 answers") as caught:
        run_study(study_text(server), tmp_path, offline=True)
    assert len(caught.value.missing) == 6
    assert len(rows(tmp_path, "SELECT * FROM answers")) == 12


def test_identical_texts_are_extracted_once(
    tmp_path: Path, serve: Any, study_text: Any, run_study: Any, rows: Any
) -> None:
    """A server without any variety says one and the same to every prompt of a language."""
    server = serve(words=0)
    run_study(study_text(server), tmp_path)
    texts = rows(tmp_path, "SELECT count(DISTINCT (text, topic, language)) FROM responses")[0][0]
    assert texts < 12
    assert rows(tmp_path, "SELECT count(*) FROM extractions") == [(texts,)]


def test_a_refused_key_stops_at_once_and_says_which_variable(
    tmp_path: Path, serve: Any, study_text: Any, run_study: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_KEY", "sk-canary-7f3a")
    server = serve(key="sk-another")
    with pytest.raises(Unauthorized, match="SOME_KEY") as caught:
        run_study(study_text(server, model='api_key_env = "SOME_KEY"'), tmp_path)
    assert "canary" not in str(caught.value)
    assert server.stats()["requests"] <= 4
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert b"canary" not in path.read_bytes(), path


def test_a_missing_key_is_told_before_anything_is_sent(
    tmp_path: Path, serve: Any, study_text: Any, run_study: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    server = serve()
    with pytest.raises(Unauthorized, match="NO_SUCH_KEY"):
        run_study(study_text(server, model='api_key_env = "NO_SUCH_KEY"'), tmp_path)
    assert server.stats()["requests"] == 0


def test_an_address_where_nobody_answers_is_one_clear_line(
    tmp_path: Path, study_text: Any, run_study: Any
) -> None:
    with pytest.raises(EndpointUnreachable) as caught:
        run_study(study_text("http://127.0.0.1:9/v1"), tmp_path)
    assert "\n" not in str(caught.value)


def test_a_run_killed_at_ten_random_moments_ends_like_an_undisturbed_one(
    tmp_path: Path, serve: Any, study_text: Any, run_study: Any, rows: Any
) -> None:
    """SIGKILL: the resumed run has the same rows, and repeats no request whose answer had come."""
    server = serve(latency=0.05)
    text = study_text(server, samples=8).replace("concurrency = 4", "concurrency = 2")
    study = tmp_path / "study.toml"
    study.write_text(text)
    killed = tmp_path / "killed"
    command = [sys.executable, "-m", "makieval", "run", str(study), "--store", str(killed)]
    draw = random.Random(20261130)
    kills = 0
    for _ in range(60):
        known = final_answers(killed)
        before = server.stats()["requests"]
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
        )
        # Each kill comes at a random moment after a little more has been answered.
        goal = known + draw.randint(1, 12)
        while process.poll() is None and final_answers(killed) < goal and kills < 10:
            time.sleep(0.02)
        if kills < 10 and process.poll() is None:
            time.sleep(draw.random() * 0.3)
            os.killpg(process.pid, signal.SIGKILL)
            kills += 1
        _, errors = process.communicate(timeout=120)
        if process.returncode == 0:
            assert server.stats()["requests"] - before == 2 * 96 - known
            break
        assert process.returncode == -signal.SIGKILL, errors.decode()
    else:
        pytest.fail("never finished in 60 runs")
    assert kills == 10
    twice = [key for key, count in answers_by_key(killed).items() if count > 1]
    assert twice == []

    run_study(text, tmp_path / "whole")
    for query in EVERYTHING:
        assert rows(killed, query) == rows(tmp_path / "whole", query), query


def answers_by_key(store: Path) -> Counter[str]:
    """How often each key has a final answer in the journal."""
    return Counter(
        record["id"] for record in Journal(store / "journal").records() if record["status"] in FINAL
    )


def final_answers(store: Path) -> int:
    return len(answers_by_key(store))


def test_a_run_can_be_read_while_it_goes_on(
    tmp_path: Path, serve: Any, study_text: Any, makieval: Callable[..., Any]
) -> None:
    server = serve(latency=0.2)
    study = tmp_path / "study.toml"
    study.write_text(study_text(server, samples=5, extractor="gazetteer"))
    store = tmp_path / "store"
    process = subprocess.Popen(
        [sys.executable, "-m", "makieval", "run", str(study), "--store", str(store)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    try:
        while final_answers(store) == 0:
            assert process.poll() is None
            time.sleep(0.05)
        read = makieval("sql", "SELECT count(*) AS texts FROM requests", "--store", store)
        assert read.returncode == 0, read.stderr
        assert "60" in read.stdout
        other = makieval("run", study, "--store", store)
        assert other.returncode == 4
        assert "another run" in other.stderr
    finally:
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    if process.returncode != 0:
        assert process.returncode == 130
        assert "the same command goes on" in errors.decode()
