"""The services of docker-compose.yml do their work: bare, on a real PostgreSQL."""

import json
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

from makieval.stages import STAGES
from tests.flows.bare_stack import AUTH, KEYS, MODEL_KEY, PASSWORD, Stack

pytestmark = pytest.mark.services

Write = Callable[..., Path]
Serve = Callable[..., Any]


def run_deployment(services: Stack, study: Path, store: Path) -> dict[str, Any]:
    """The finished flow run of the deployment `study/nightly`."""
    command = [
        *("python", "flows/deploy/with_secrets.py", "prefect", "deployment", "run"),
        *("study/nightly", "--param", f"study={study}", "--param", f"store={store}"),
        *("--flow-run-name", study.stem, "--watch", "--watch-interval", "1"),
    ]
    services.call(command, "deployments", check=False)
    found = services.api("flow_runs/filter", {"flow_runs": {"name": {"any_": [study.stem]}}})
    assert len(found) == 1
    return found[0]


def task_runs(services: Stack, flow_run: dict[str, Any]) -> dict[str, dict[str, Any]]:
    found = services.api(
        "task_runs/filter", {"flow_runs": {"id": {"any_": [flow_run["id"]]}}, "limit": 200}
    )
    assert len({run["name"] for run in found}) == len(found)
    return {run["name"]: run for run in found}


def test_the_deployment_is_registered_with_its_schedule_and_its_limit(services: Stack) -> None:
    (deployment,) = services.api("deployments/filter", {})
    assert deployment["name"] == "nightly"
    assert deployment["entrypoint"] == "flows/study.py:study_flow"
    assert deployment["parameters"]["store"] == str(services.store)
    assert deployment["global_concurrency_limit"]["limit"] == 1
    (schedule,) = deployment["schedules"]
    assert schedule["active"]
    assert schedule["schedule"]["cron"] == "0 2 * * *"
    assert schedule["schedule"]["timezone"] == "UTC"


def test_the_api_is_closed_to_who_has_no_password(services: Stack) -> None:
    with pytest.raises(urllib.error.HTTPError, match="401"):
        urllib.request.urlopen(f"{services.api_url}/admin/version", timeout=20)


def test_a_deployed_study_runs_to_its_figures_with_one_task_run_per_stage(
    services: Stack, write_study: Write, serve: Serve, tmp_path: Path
) -> None:
    server = serve(key=KEYS["LOOPBACK_KEY"])
    study = write_study(tmp_path / "whole.toml", server.base_url, api_key_env="LOOPBACK_KEY")
    run = run_deployment(services, study, tmp_path / "store")
    asked = server.stats()["answered"]
    assert run["state"]["type"] == "COMPLETED", services.log("worker").read_text()
    assert asked == 8
    assert task_runs(services, run).keys() == STAGES.keys()
    with duckdb.connect(str(tmp_path / "store" / "store.duckdb"), read_only=True) as store:
        assert store.execute(
            "SELECT count(*) FROM responses WHERE status = 'ok' AND study = 'Night.ly_whole'"
        ).fetchone() == (asked,)
    (artifact,) = services.api("artifacts/filter", {"flow_runs": {"id": {"any_": [run["id"]]}}})
    assert artifact["key"] == "study-night-ly-whole"
    assert "| asked | 8 |" in artifact["data"]


def test_a_refused_key_is_not_tried_again_and_no_secret_is_left_anywhere(
    services: Stack, write_study: Write, serve: Serve, tmp_path: Path
) -> None:
    """The endpoint repeats the key in its refusals, as real services do."""
    server = serve(key="another")
    study = write_study(
        tmp_path / "refused.toml", server.base_url, api_key_env="REFUSED_KEY", max_retries=5
    )
    run = run_deployment(services, study, tmp_path / "store")
    sent = {headers["Authorization"] for headers in server.headers}
    assert sent == {f"Bearer {KEYS['REFUSED_KEY']}"}
    assert run["state"]["type"] == "FAILED"
    assert "REFUSED_KEY" in run["state"]["message"]
    generate = task_runs(services, run)["generate"]
    assert generate["run_count"] == 1
    database = services.dump()
    assert "Night.ly" in database or "night-ly" in database
    assert "REFUSED_KEY" in database
    for secret in (*KEYS.values(), PASSWORD, AUTH.split(":")[1]):
        assert secret not in database
        for file in [*services.folder.rglob("*"), *tmp_path.rglob("*")]:
            kept_there = file.is_relative_to(services.keys) or "secrets" in file.parts
            cluster = file.is_relative_to(services.folder / "postgres")
            if file.is_file() and not kept_there and not cluster:
                assert secret.encode() not in file.read_bytes(), file


def test_the_model_service_answers_who_has_the_key(services: Stack) -> None:
    """With the small model in place of the large one; the same command."""
    with services.up("model"):
        url = f"http://127.0.0.1:{services.model_port}/v1/models"
        with pytest.raises(urllib.error.HTTPError, match="401"):
            urllib.request.urlopen(url, timeout=20)
        asked = urllib.request.Request(url, headers={"Authorization": f"Bearer {MODEL_KEY}"})
        with urllib.request.urlopen(asked, timeout=20) as reply:
            assert "smollm2-135m" in json.load(reply)["data"][0]["id"]
