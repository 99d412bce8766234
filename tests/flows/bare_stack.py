"""The services of docker-compose.yml without containers: the same commands, on free ports.

Commands, health checks and settings are read from the compose file; only what containers give a
service (addresses, paths, the folder of secrets) is put in their place.
"""

import json
import os
import pwd
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

TOP = Path(__file__).parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((TOP / "docker-compose.yml").read_text("utf-8"))
PASSWORD = "canary-database-password"
AUTH = "admin:canary-prefect-password"
MODEL_KEY = "sk-canary-5ce2aa"
KEYS = {"LOOPBACK_KEY": "sk-canary-1b90e6", "REFUSED_KEY": "sk-canary-4f1d0c"}
_PYTHONS_PATH = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))


def postgres_folder() -> Path | None:
    """Where PostgreSQL's programs lie, if they do."""
    found = shutil.which("initdb")
    folders = [Path(found).resolve().parent] if found else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in folders if (folder / "initdb").is_file()), None)


def free_port() -> int:
    """A port of 127.0.0.1 that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def clean_environment(home: Path) -> dict[str, str]:
    """This process's environment without Prefect's and our settings, talking to nobody outside."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PREFECT_", "MAKIEVAL_", "PYTEST_"))
    }
    return {
        **kept,
        "PATH": _PYTHONS_PATH,
        "PYTHONPATH": str(TOP),
        "PREFECT_HOME": str(home),
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "DO_NOT_TRACK": "1",
    }


def wait_until(
    ready: Callable[[], bool], what: str, alive: Callable[[], bool], seconds: float
) -> None:
    """Returns once `ready()`; fails where the process has ended or the time is over."""
    deadline = time.monotonic() + seconds
    while not ready():
        assert alive(), f"{what} ended before it was ready"
        assert time.monotonic() < deadline, f"{what} was not ready after {seconds:g} s"
        time.sleep(0.5)


@contextmanager
def process(
    command: list[str], environment: dict[str, str], log: Path
) -> Iterator[subprocess.Popen[bytes]]:
    """`command` while the context lasts, from the project's top, its output in `log`."""
    with log.open("wb") as output:
        child = subprocess.Popen(
            command, cwd=TOP, env=environment, stdout=output, stderr=subprocess.STDOUT
        )
    try:
        yield child
    finally:
        child.terminate()
        try:
            child.wait(20)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()


@contextmanager
def postgres(folder: Path) -> Iterator[int]:
    """A PostgreSQL server with the compose file's user and database; its port.

    It refuses to run as root, so root hands it to a user without rights.
    """
    programs = postgres_folder()
    assert programs is not None
    data, port = folder / "data", free_port()
    folder.mkdir()
    password = folder / "password"
    password.write_text(PASSWORD)
    as_user: list[str] = []
    if os.geteuid() == 0:
        shutil.chown(folder, "nobody")
        shutil.chown(password, "nobody")
        group = pwd.getpwnam("nobody").pw_gid
        as_user = ["setpriv", "--reuid=nobody", f"--regid={group}", "--clear-groups"]
    settings = COMPOSE["services"]["postgres"]["environment"]
    user = settings["POSTGRES_USER"]
    subprocess.run(
        [
            *as_user,
            str(programs / "initdb"),
            f"--pgdata={data}",
            f"--username={user}",
            f"--pwfile={password}",
            "--auth-local=scram-sha-256",
            settings["POSTGRES_INITDB_ARGS"],
            "--no-sync",
        ],
        check=True,
        capture_output=True,
        cwd=folder,
    )
    command = [
        *as_user,
        str(programs / "postgres"),
        *("-D", str(data), "-p", str(port), "-k", str(folder), "-h", "127.0.0.1", "-F"),
    ]
    environment = clean_environment(folder) | {"PGPASSWORD": PASSWORD}
    with process(command, environment, folder.with_suffix(".log")) as server:

        def query(sql: str) -> subprocess.CompletedProcess[bytes]:
            address = ["-h", "127.0.0.1", "-p", str(port), "-U", user, "-d", "postgres"]
            return subprocess.run(
                [str(programs / "psql"), *address, "-c", sql],
                env=environment,
                capture_output=True,
                check=False,
            )

        wait_until(
            lambda: query("SELECT 1").returncode == 0,
            "PostgreSQL",
            lambda: server.poll() is None,
            60,
        )
        assert query(f"CREATE DATABASE {settings['POSTGRES_DB']}").returncode == 0
        yield port


@dataclass
class Stack:
    """The running services; `run` starts a compose service's command to its end."""

    folder: Path
    api_url: str
    database_port: int
    worker_port: int
    model_port: int

    def environment(self, service: str) -> dict[str, str]:
        """What the compose file sets for `service`, with addresses and paths of this machine."""
        secrets = self.folder / "secrets" / service
        secrets.mkdir(parents=True, exist_ok=True)
        values = {"postgres_password": PASSWORD, "prefect_auth": AUTH, "model_key": MODEL_KEY}
        for secret in COMPOSE["services"][service].get("secrets", []):
            (secrets / secret["target"]).write_text(values[secret["source"]] + "\n")
        home = self.folder / "home" / service
        home.mkdir(parents=True, exist_ok=True)
        here = {
            "SECRETS": f"{secrets}:{self.keys}",
            "MAKIEVAL_HOME": str(TOP),
            "MAKIEVAL_STORE": str(self.store),
            "MAKIEVAL_STUDY": str(self.folder / "study.toml"),
            "PREFECT_API_URL": self.api_url,
            "PREFECT_SERVER_API_HOST": "127.0.0.1",
            "PREFECT_SERVER_API_PORT": self.api_url.split(":")[2].split("/")[0],
            "PREFECT_SERVER_DATABASE_HOST": "127.0.0.1",
            "PREFECT_SERVER_DATABASE_PORT": str(self.database_port),
            "PREFECT_WORKER_WEBSERVER_PORT": str(self.worker_port),
            "MAKIEVAL_SERVE_MODEL": "smollm2-135m",
            "MAKIEVAL_SERVE_HOST": "127.0.0.1",
            "MAKIEVAL_SERVE_PORT": str(self.model_port),
        }
        # The scheduler's loops poll every few seconds; the tests have not got so long.
        quick = {"PREFECT_WORKER_QUERY_SECONDS": "1"}
        return clean_environment(home) | COMPOSE["services"][service]["environment"] | here | quick

    @property
    def store(self) -> Path:
        """The store that the deployment writes."""
        return self.folder / "store"

    @property
    def keys(self) -> Path:
        """The folder of model keys: a file per variable."""
        return self.folder / "keys"

    def log(self, service: str) -> Path:
        """What the service said."""
        return self.folder / f"{service}.log"

    def healthy(self, service: str) -> bool:
        """Whether the compose file's health check of `service` passes."""
        kind, *check = COMPOSE["services"][service]["healthcheck"]["test"]
        assert kind == "CMD-SHELL"
        done = subprocess.run(
            ["sh", "-c", check[0].replace("$$", "$")],
            cwd=TOP,
            env=self.environment(service),
            capture_output=True,
            check=False,
        )
        return done.returncode == 0

    @contextmanager
    def up(self, service: str) -> Iterator[None]:
        """`service` while the context lasts, from the moment on when it is healthy."""
        command = COMPOSE["services"][service]["command"]
        with process(command, self.environment(service), self.log(service)) as child:
            wait_until(lambda: self.healthy(service), service, lambda: child.poll() is None, 120)
            yield

    def run(self, service: str) -> str:
        """The output of a service that ends by itself; fails where it does not end well."""
        return self.call(COMPOSE["services"][service]["command"], service).stdout

    def call(
        self, command: list[str], service: str, *, check: bool = True
    ) -> subprocess.CompletedProcess[str]:
        """`command` as `service` would run it."""
        done = subprocess.run(
            command,
            cwd=TOP,
            env=self.environment(service),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=180,
            check=False,
        )
        assert not check or done.returncode == 0, done.stdout
        return done

    def api(self, path: str, body: dict[str, Any]) -> Any:
        """What the Prefect API answers."""
        request = urllib.request.Request(
            f"{self.api_url}/{path}",
            data=json.dumps(body).encode(),
            headers={
                "Content-Type": "application/json",
                "Authorization": "Basic " + b64encode(AUTH.encode()).decode(),
            },
        )
        with urllib.request.urlopen(request, timeout=20) as reply:
            return json.load(reply)

    def dump(self) -> str:
        """Everything that PostgreSQL holds, as SQL."""
        programs = postgres_folder()
        assert programs is not None
        address = ["-h", "127.0.0.1", "-p", str(self.database_port), "-U", "prefect", "prefect"]
        done = subprocess.run(
            [str(programs / "pg_dump"), *address],
            env=os.environ | {"PGPASSWORD": PASSWORD},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout


@contextmanager
def stack(folder: Path) -> Iterator[Stack]:
    """PostgreSQL and the Prefect server on it."""
    with ExitStack() as opened:
        port = opened.enter_context(postgres(folder / "postgres"))
        made = Stack(folder, f"http://127.0.0.1:{free_port()}/api", port, free_port(), free_port())
        made.keys.mkdir()
        for variable, key in KEYS.items():
            (made.keys / variable).write_text(f"{key}\n")
        opened.enter_context(made.up("prefect-server"))
        yield made
