"""The flow: the same stages as tasks, without a server to set up."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from makieval.stages import STAGES
from tests.flows.bare_stack import TOP, clean_environment


def python(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Python in a process of its own, with nothing of Prefect's set."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=TOP,
        env=environment,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


def test_the_package_and_its_stages_do_not_import_prefect(tmp_path: Path) -> None:
    code = """
import sys, makieval, makieval.stages, makieval.study, makieval.cli.app
print([name for name in sys.modules if name.split(".")[0] == "prefect"])
"""
    done = python("-c", code, **clean_environment(tmp_path))
    assert done.stdout.strip() == "[]", done.stderr


def test_the_flow_is_imported_without_a_server_and_has_a_task_per_stage(tmp_path: Path) -> None:
    code = """
from flows.study import TASKS, study_flow
from prefect.cache_policies import NO_CACHE
import json
print(json.dumps({
    name: [task.name, task.retries, task.persist_result, task.cache_policy == NO_CACHE]
    for name, task in TASKS.items()
}))
"""
    nobody = {"PREFECT_API_URL": "http://127.0.0.1:9/api"}
    done = python("-c", code, **clean_environment(tmp_path), **nobody)
    tasks = json.loads(done.stdout)
    assert list(tasks) == list(STAGES)
    for name, task in tasks.items():
        assert task == [name, 2 if name in ("generate", "extract") else 0, False, True]


@pytest.mark.services
def test_an_outage_is_asked_again_and_a_run_without_a_configured_api_starts_its_own(
    write_study: Callable[..., Path], serve: Callable[..., Any], tmp_path: Path
) -> None:
    """8 texts; the first 3 requests meet a full server, and no lane repeats a request."""
    home, store, key = tmp_path / "home", tmp_path / "store", "sk-canary-77aa"
    home.mkdir()
    server = serve(first_429=3, key=key)
    study = write_study(
        tmp_path / "outage.toml", server.base_url, api_key_env="A_KEY", max_retries=0
    )
    environment = {**clean_environment(home), "A_KEY": key}
    done = python("tests/flows/call_flow.py", str(study), str(store), **environment)
    assert server.stats()["requests"] == 3 + 8
    assert done.returncode == 0, done.stderr
    totals: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    assert (totals["asked"], totals["answered"], totals["failed"]) == (8, 8, 0)
    assert "3 of 8 answers failed (ok 5, rate_limited 3)" in done.stderr
    assert "generate: ok 3" in done.stderr
    for file in tmp_path.rglob("*"):
        assert not file.is_file() or key.encode() not in file.read_bytes(), file


def test_a_study_that_cannot_be_meant_is_the_study_errors_own_line(tmp_path: Path) -> None:
    study = tmp_path / "wrong.toml"
    study.write_text(
        'name = "wrong"\ntopics = ["food"]\nlanguages = ["jp"]\nframings = ["neutral"]\n'
        '[[models]]\nname = "a"\nmodel = "local"\n'
    )
    code = f"from flows.study import study_flow; study_flow.fn({str(study)!r}, 'nowhere')"
    done = python("-c", code, **clean_environment(tmp_path))
    assert done.stderr.splitlines()[-1].startswith("makieval.errors.StudyError: ")
    assert "did you mean" in done.stderr.splitlines()[-1]
