"""docker-compose.yml and what it starts: no secret inside, nothing open to the outside."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from makieval.study import Study
from tests.flows.bare_stack import COMPOSE, TOP

SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
PASSING = {"deployments"}  # a service that does its work and ends


def test_no_secret_stands_in_the_compose_file() -> None:
    for service in SERVICES.values():
        for variable, value in service.get("environment", {}).items():
            if (
                re.search("PASSWORD|KEY|AUTH|TOKEN", variable)
                and variable != "POSTGRES_INITDB_ARGS"
            ):
                assert value.startswith("/run/secrets/"), variable
    for secret in COMPOSE["secrets"].values():
        assert secret["file"].startswith("./secrets/")


def test_only_loopback_is_published() -> None:
    ports = [port for service in SERVICES.values() for port in service.get("ports", [])]
    assert ports == ["127.0.0.1:4200:4200"]
    assert COMPOSE["networks"]["inside"]["internal"]


@pytest.mark.parametrize("name", sorted(SERVICES.keys() - PASSING))
def test_every_lasting_service_is_checked_restarted_and_bounded(name: str) -> None:
    service = SERVICES[name]
    assert service["healthcheck"]["test"]
    assert service["restart"] == "unless-stopped"
    assert service["deploy"]["resources"]["limits"].keys() == {"cpus", "memory"}


def test_every_image_is_ours_or_pinned_to_a_major_version() -> None:
    images = {service["image"] for service in SERVICES.values()}
    assert images == {"makieval:local", "postgres:15-bookworm"}
    dockerfile = (TOP / SERVICES["worker"]["build"]["dockerfile"]).read_text("utf-8")
    assert re.search(r"^FROM python:3\.\d+-slim-\w+$", dockerfile, re.MULTILINE)
    assert re.search(r"^USER makieval$", dockerfile, re.MULTILINE)


def test_what_the_image_copies_is_there_and_not_ignored() -> None:
    folder = TOP / "flows" / "deploy"
    dockerfile = (folder / "Dockerfile").read_text("utf-8")
    kept = (folder / "Dockerfile.dockerignore").read_text("utf-8").splitlines()
    for line in re.findall(r"^COPY (.+)$", dockerfile, re.MULTILINE):
        for source in line.split()[:-1]:
            assert (TOP / source).exists() or source == "README.md"
            assert f"!{source}" in kept


def test_every_volume_and_secret_that_a_service_uses_is_declared() -> None:
    for service in SERVICES.values():
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            assert source.startswith("./") or source in COMPOSE["volumes"]
        for secret in service.get("secrets", []):
            name = secret if isinstance(secret, str) else secret["source"]
            assert name in COMPOSE["secrets"]


def test_the_example_study_of_the_deployment_is_a_study() -> None:
    study = Study.load(TOP / "flows" / "deploy" / "nightly.toml")
    model = study.models[0]
    assert model.base_url == "http://model:8080/v1"
    assert model.api_key_env in {s["target"] for s in SERVICES["worker"]["secrets"]}


def test_secrets_reach_a_command_as_variables_named_as_their_files(tmp_path: Path) -> None:
    (tmp_path / "A_KEY").write_text("one\n")
    (tmp_path / "other_key").write_text("two")
    (tmp_path / ".hidden").write_text("three")
    done = subprocess.run(
        [
            *(sys.executable, "flows/deploy/with_secrets.py", sys.executable, "-c"),
            "from os import environ as e; print(e['A_KEY'], e['OTHER_KEY'], '.HIDDEN' in e)",
        ],
        cwd=TOP,
        env={**os.environ, "SECRETS": f"{tmp_path}:{tmp_path / 'missing'}"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "one two False\n"


def test_a_service_that_does_not_answer_is_not_healthy() -> None:
    done = subprocess.run(
        [sys.executable, "flows/deploy/healthy.py", "http://127.0.0.1:9/health"],
        cwd=TOP,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 1


@pytest.mark.skipif(sys.platform == "win32", reason="sh is not there")
def test_the_manual_makes_every_secret_that_the_compose_file_wants(tmp_path: Path) -> None:
    """The commands of docs/deploy.md that make secrets, run as they stand."""
    manual = (TOP / "docs" / "deploy.md").read_text("utf-8")
    (commands,) = re.findall(r"```sh\n(mkdir[^`]+)```", manual)
    subprocess.run(["sh", "-euc", commands], cwd=tmp_path, check=True)
    for secret in COMPOSE["secrets"].values():
        made = tmp_path / secret["file"]
        assert len(made.read_text().strip()) >= 20
        # Containers read it as another user; the folder keeps everybody else out.
        assert made.stat().st_mode & 0o777 == 0o444
    assert (tmp_path / "secrets").stat().st_mode & 0o777 == 0o700
