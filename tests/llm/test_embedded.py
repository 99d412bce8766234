"""The embedded server with a real (tiny) model: repeatable, bounded, and gone when we are."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from makieval.errors import ModelError
from makieval.llm.answer import Answer
from makieval.llm.asker import Asker
from makieval.llm.embedded import EmbeddedServer
from makieval.llm.endpoint import Endpoint
from makieval.llm.request import Message, Request
from makieval.status import ANSWERED, Status

DECODING = {"temperature": 0.9, "top_p": 0.95, "top_k": 40, "max_tokens": 40}
SCHEMA = {
    "type": "object",
    "properties": {
        "kind": {"enum": ["dish", "drink"]},
        "text": {"type": "string", "maxLength": 12},
    },
    "required": ["kind", "text"],
    "additionalProperties": False,
}

pytest.importorskip("xllamacpp", reason="the extra [local] is not installed")


@pytest.fixture(scope="module")
def answers(small_model: Path) -> dict[str, Answer]:
    """Seeds 1, 1, 2 and a schema, asked in one run, twice over."""
    assert small_model.is_file()
    where = Endpoint("small", "local:smollm2-135m", decoding=DECODING)
    turn = (Message("user", "Name a dish and describe it."),)
    requests = {
        "seed 1": Request(where, turn, seed=1),
        "seed 1 again": Request(where, turn, seed=1, sample=1),
        "seed 2": Request(where, turn, seed=2),
        "schema": Request(where, turn, seed=3, schema=SCHEMA),
        "seed 1, later": Request(where, turn, seed=1, sample=2),
    }

    async def main() -> dict[str, Answer]:
        async with Asker([where]) as asker:
            found = {answer.id: answer async for answer in asker.answers(requests.values())}
        return {name: found[request.id] for name, request in requests.items()}

    return asyncio.run(main())


def test_the_same_seed_gives_the_same_text(answers: dict[str, Answer]) -> None:
    text = answers["seed 1"].text
    assert text
    assert answers["seed 1 again"].text == answers["seed 1, later"].text == text


def test_another_seed_gives_another_text(answers: dict[str, Answer]) -> None:
    assert answers["seed 2"].text != answers["seed 1"].text


def test_a_schema_is_honoured(answers: dict[str, Answer]) -> None:
    answer = answers["schema"]
    assert answer.status is Status.OK
    assert answer.text is not None
    found = json.loads(answer.text)
    assert found["kind"] in ("dish", "drink")
    assert isinstance(found["text"], str)


def test_the_token_limit_is_a_status(answers: dict[str, Answer]) -> None:
    for answer in answers.values():
        assert answer.completion_tokens is not None
        assert answer.completion_tokens <= 40
        assert (answer.status is Status.TRUNCATED) == (answer.finish_reason == "length")


def test_the_served_model_names_file_and_library_but_no_path(answers: dict[str, Answer]) -> None:
    served = answers["seed 1"].served_model
    assert served is not None
    assert served.startswith("smollm2-135m (xllamacpp ")
    assert "/" not in served


@pytest.fixture
def server(small_model: Path) -> Iterator[EmbeddedServer]:
    with EmbeddedServer(small_model, threads=1) as running:
        yield running


def test_it_listens_on_loopback_and_asks_for_its_key(server: EmbeddedServer) -> None:
    assert server.base_url.startswith("http://127.0.0.1:")
    body = json.dumps({"messages": [{"role": "user", "content": "x"}], "max_tokens": 1}).encode()
    request = urllib.request.Request(f"{server.base_url}/chat/completions", body)
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with pytest.raises(urllib.error.HTTPError, match="401") as caught:
        opener.open(request)
    caught.value.close()


def test_its_key_is_not_in_the_process_list(server: EmbeddedServer) -> None:
    command = Path(f"/proc/{server.pid}/cmdline")
    if not command.is_file():
        pytest.skip("no /proc on this system")
    assert server.key not in command.read_text()
    assert server.key not in Path(f"/proc/{server.pid}/environ").read_text()


def test_nothing_of_it_reaches_our_terminal(
    small_model: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with EmbeddedServer(small_model, threads=1) as server:
        assert "listening" in server.last_words()
    assert capfd.readouterr() == ("", "")


def test_it_is_gone_after_exit(small_model: Path) -> None:
    with EmbeddedServer(small_model, threads=1) as server:
        pid = server.pid
        assert pid is not None
        assert runs(pid)
    assert not runs(pid)
    assert not server.alive


def test_it_is_gone_after_its_parent_was_killed(small_model: Path) -> None:
    script = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from makieval.llm.embedded import EmbeddedServer\n"
        "with EmbeddedServer(Path(sys.argv[1]), threads=1) as server:\n"
        "    print(server.pid, flush=True)\n"
        "    time.sleep(600)\n"
    )
    root = str(Path(__file__).parents[2])
    parent = subprocess.Popen(
        [sys.executable, "-c", script, str(small_model)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": root},
    )
    with parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert runs(pid)
        parent.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + 10
    while runs(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not runs(pid)


def test_a_server_that_dies_ends_the_run_with_its_last_words(small_model: Path) -> None:
    assert small_model.is_file()
    where = Endpoint("small", "local:smollm2-135m", decoding={"max_tokens": 4}, max_retries=0)
    requests = [Request(where, (Message("user", "Hello."),), seed=n) for n in range(50)]
    arrived: list[Answer] = []

    async def main() -> None:
        async with Asker([where]) as asker:
            async for answer in asker.answers(requests):
                arrived.append(answer)
                if len(arrived) == 1:
                    [pid] = children_serving(small_model)
                    os.kill(pid, signal.SIGKILL)

    with pytest.raises(ModelError, match="embedded model server died"):
        asyncio.run(main())
    assert len(arrived) < 30
    assert arrived[0].status in ANSWERED


def test_a_file_that_is_no_model_gets_one_line(tmp_path: Path) -> None:
    file = tmp_path / "not.gguf"
    file.write_bytes(b"not a model")
    with pytest.raises(ModelError, match="did not start") as caught, EmbeddedServer(file):
        pass
    assert "\n" not in str(caught.value)


def runs(pid: int) -> bool:
    """Whether a process exists and is no zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/status")
    return not (status.is_file() and "State:\tZ" in status.read_text())


def children_serving(model: Path) -> list[int]:
    """The process ids of this process's own embedded servers."""
    found: list[int] = []
    for children in Path("/proc/self/task").glob("*/children"):
        for pid in map(int, children.read_text().split()):
            if str(model) in Path(f"/proc/{pid}/cmdline").read_text():
                found.append(pid)
    return found
