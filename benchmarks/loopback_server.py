"""A real OpenAI-compatible server on loopback, for tests and for benchmarks.

It answers as a service does: over HTTP, after a latency, with limits and with faults, each of
them provoked by a stated share of requests. Texts are derived from model, prompt and seed, so
that two runs that ask the same get the same. It counts what it was asked.

    python benchmarks/loopback_server.py --latency 0.05 --words 60 --share-429 0.1

prints its address on the first line and serves until it is stopped. In Python:

    with LoopbackServer(Options(share_500=0.02)) as server:
        server.base_url, server.stats()

`GET /stats` gives {requests, answered, most_at_once, by_status, by_key, by_body}: `by_key` counts
requests per Authorization key, `by_body` finished answers per SHA-256 of the body (the first 16
digits), which shows what was asked twice.
"""

import argparse
import asyncio
import copy
import hashlib
import json
import re
import threading
import time
from collections import Counter
from dataclasses import dataclass, field, fields
from email.utils import formatdate
from typing import Any

from aiohttp import web

MODEL = "loopback-model"


@dataclass(frozen=True)
class Options:
    """How the server behaves. Shares are of requests, 0 to 1; times are in seconds.

    Which requests meet a fault is drawn from `fault_seed` and the number of the request, so a
    repeat of a request meets a new draw. `first_429` refuses that many requests first.
    """

    latency: float = 0.0
    words: int = 12
    key: str | None = None  # None: any key or none is accepted
    models: tuple[str, ...] = ()  # () means: every name is served
    rate: float = 0.0  # requests per second that are accepted; 0 means no limit
    burst: int = 50
    retry_after: str = "1"  # seconds, "date" for an HTTP date one second ahead, "" for no header
    first_429: int = 0
    share_429: float = 0.0
    share_500: float = 0.0
    share_drop: float = 0.0  # closed without an answer
    share_half: float = 0.0  # closed in the middle of the answer
    share_hang: float = 0.0  # never answered
    share_html: float = 0.0  # 200 with a page that is no JSON
    share_empty: float = 0.0
    share_refusal: float = 0.0
    share_length: float = 0.0
    share_filter: float = 0.0
    usage: bool = True
    reject_fields: tuple[str, ...] = ()  # body fields that are answered with 400
    quota_after: int = 0  # 429 insufficient_quota from this request on
    fault_seed: int = 0


#: Fault shares in the order in which one draw passes through them.
_FAULTS = tuple(each.name for each in fields(Options) if each.name.startswith("share_"))


@dataclass
class Stats:
    """What the server was asked."""

    requests: int = 0
    answered: int = 0
    at_once: int = 0
    most_at_once: int = 0
    by_status: Counter[str] = field(default_factory=Counter[str])
    by_key: Counter[str] = field(default_factory=Counter[str])
    by_body: Counter[str] = field(default_factory=Counter[str])


class LoopbackServer:
    """The server in a thread of its own, on a free port of 127.0.0.1; a context manager."""

    def __init__(self, options: Options | None = None, *, port: int = 0) -> None:
        self.options = options or Options()
        self.port = port
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self._stats = Stats()
        self._tokens = float(self.options.burst)
        self._filled_at = time.monotonic()
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._ending: asyncio.Event | None = None
        self._thread = threading.Thread(target=self._serve, daemon=True)

    @property
    def base_url(self) -> str:
        """What a client takes as the base of the API."""
        return f"http://127.0.0.1:{self.port}/v1"

    def stats(self) -> dict[str, Any]:
        """The counts so far, as `/stats` gives them."""
        return copy.deepcopy(vars(self._stats))

    def __enter__(self) -> "LoopbackServer":
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Stops serving; harmless when that has happened."""
        if self._thread.is_alive() and self._ending is not None:
            self._loop.call_soon_threadsafe(self._ending.set)
            self._thread.join()

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._main())
        self._loop.close()

    async def _main(self) -> None:
        self._ending = asyncio.Event()
        app = web.Application(client_max_size=64 * 1024**2)
        app.router.add_post("/v1/chat/completions", self._chat)
        app.router.add_get("/v1/models", self._models)
        app.router.add_get("/stats", self._tell_stats)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", self.port, backlog=1024)
        await site.start()
        self.port = runner.addresses[0][1]
        self._ready.set()
        await self._ending.wait()
        await runner.cleanup()
        hanging = asyncio.all_tasks() - {asyncio.current_task()}
        for task in hanging:
            task.cancel()
        await asyncio.gather(*hanging, return_exceptions=True)

    async def _tell_stats(self, _: web.Request) -> web.Response:
        return web.json_response(self.stats())

    async def _models(self, _: web.Request) -> web.Response:
        names = self.options.models or (MODEL,)
        return web.json_response(
            {"object": "list", "data": [{"id": name, "object": "model"} for name in names]}
        )

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        stats = self._stats
        stats.requests += 1
        number = stats.requests
        stats.at_once += 1
        stats.most_at_once = max(stats.most_at_once, stats.at_once)
        try:
            key = request.headers.get("Authorization", "").removeprefix("Bearer ")
            stats.by_key[key] += 1
            raw = await request.read()
            body = json.loads(raw)
            self.bodies.append(body)
            self.headers.append(dict(request.headers))
            response = self._refusal(key, body, number)
            if response is None:
                response = await self._answer(request, body, number)
            stats.by_status[str(response.status)] += 1
            if response.status == 200 and response.content_type == "application/json":
                stats.answered += 1
                stats.by_body[hashlib.sha256(raw).hexdigest()[:16]] += 1
            return response
        finally:
            stats.at_once -= 1

    def _refusal(self, key: str, body: dict[str, Any], number: int) -> web.Response | None:
        """The refusal that is due before any work is done."""
        options = self.options
        if options.key is not None and key != options.key:
            # As real services do, the refusal repeats the key that was sent.
            return _error(401, f"Incorrect API key provided: {key}", "invalid_api_key")
        if options.models and body["model"] not in options.models:
            return _error(404, f"The model `{body['model']}` does not exist", "model_not_found")
        refused = [name for name in options.reject_fields if name in body]
        if refused:
            return _error(400, f"Unrecognized request argument supplied: {refused[0]}", None)
        if options.quota_after and number >= options.quota_after:
            return _error(429, "You exceeded your current quota", "insufficient_quota")
        if number <= options.first_429 or not self._within_rate():
            return self._too_many()
        return None

    async def _answer(
        self, request: web.Request, body: dict[str, Any], number: int
    ) -> web.StreamResponse:
        fault = self._fault(number)
        if fault == "share_429":
            return self._too_many()
        if fault == "share_hang":
            await asyncio.sleep(3600)
        if self.options.latency:
            await asyncio.sleep(self.options.latency)
        if fault == "share_500":
            return _error(500, "The server had an error", "server_error")
        if fault == "share_html":
            return web.Response(text="<html>busy</html>", content_type="text/html")
        if fault == "share_drop":
            return _cut(request, web.Response(status=499))
        reply = json.dumps(completion(body, self.options, fault), ensure_ascii=False).encode()
        if fault == "share_half":
            half = web.StreamResponse(status=499)
            half.headers["Content-Type"] = "application/json"
            half.headers["Content-Length"] = str(len(reply))
            await half.prepare(request)
            await half.write(reply[: len(reply) // 2])
            return _cut(request, half)
        return web.Response(body=reply, content_type="application/json")

    def _fault(self, number: int) -> str | None:
        digest = hashlib.sha256(f"{self.options.fault_seed} {number}".encode()).digest()
        draw = int.from_bytes(digest[:8]) / 2**64
        for name in _FAULTS:
            share = getattr(self.options, name)
            if draw < share:
                return name
            draw -= share
        return None

    def _within_rate(self) -> bool:
        """A token bucket: `rate` a second, at most `burst` at once."""
        if not self.options.rate:
            return True
        now = time.monotonic()
        gained = (now - self._filled_at) * self.options.rate
        self._tokens = min(self.options.burst, self._tokens + gained)
        self._filled_at = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True

    def _too_many(self) -> web.Response:
        response = _error(429, "Rate limit reached", "rate_limit_exceeded")
        wanted = self.options.retry_after
        if wanted:
            date = formatdate(time.time() + 1, usegmt=True)
            response.headers["Retry-After"] = date if wanted == "date" else wanted
        return response


def completion(body: dict[str, Any], options: Options, fault: str | None) -> dict[str, Any]:
    """The reply to `body`: a text, or JSON by its schema, with the usual fields."""
    prompt = "\n".join(turn["content"] for turn in body["messages"])
    stem = f"{body['model']}\n{prompt}\n{body.get('seed')}"
    schema = body.get("response_format", {}).get("json_schema", {}).get("schema")
    last = body["messages"][-1]["content"]
    text = json.dumps(fill(schema, last, stem), ensure_ascii=False) if schema else ""
    text = text or words(stem, options.words)
    message: dict[str, Any] = {"role": "assistant", "content": text, "refusal": None}
    finish = "stop"
    if fault == "share_empty":
        message["content"] = ""
    elif fault == "share_refusal":
        message.update(content=None, refusal="I cannot help with that.")
    elif fault == "share_length":
        message["content"], finish = text[: max(1, len(text) // 2)], "length"
    elif fault == "share_filter":
        message["content"], finish = None, "content_filter"
    reply: dict[str, Any] = {
        "id": "chatcmpl-" + hashlib.sha256(stem.encode()).hexdigest()[:16],
        "object": "chat.completion",
        "created": 0,
        "model": body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
    }
    if options.usage:
        asked, said = len(prompt.split()), len(text.split())
        reply["usage"] = {
            "prompt_tokens": asked,
            "completion_tokens": said,
            "total_tokens": asked + said,
        }
    return reply


# fmt: off
_WORDS = (
    "evening", "table", "market", "river", "song", "rice", "bread", "tea", "street", "coat",
    "train", "book", "sister", "friend", "window", "soup", "story", "drum", "festival",
    "garden", "bus", "cotton", "poem", "orange", "kitchen", "lamp", "harbour", "guitar",
    "boots",
)
# fmt: on


def words(stem: str, count: int) -> str:
    """`count` words that depend on `stem` alone."""
    digest = b"".join(
        hashlib.sha256(f"{stem}\n{block}".encode("utf-8", "surrogatepass")).digest()
        for block in range(count // 32 + 1)
    )
    return " ".join(_WORDS[byte % len(_WORDS)] for byte in digest[:count]).capitalize() + "."


def fill(schema: dict[str, Any], quoted: str, stem: str) -> Any:
    """A value that satisfies `schema` (its common keywords); strings are words of `quoted`.

    Arrays hold up to three items, fewer where `maxItems` says so.
    """
    pick = int.from_bytes(hashlib.sha256(stem.encode("utf-8", "surrogatepass")).digest()[:6])
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][pick % len(schema["enum"])]
    kind = schema.get("type", "object")
    kind = kind[0] if isinstance(kind, list) else kind
    match kind:
        case "object":
            inner = schema.get("properties", {})
            return {name: fill(each, quoted, f"{stem}.{name}") for name, each in inner.items()}
        case "array":
            count = min(schema.get("maxItems", 3), max(3, schema.get("minItems", 0)))
            return [fill(schema["items"], quoted, f"{stem}[{n}]") for n in range(count)]
        case "string":
            found = re.findall(r"\w+", quoted) or ["word"]
            return found[pick % len(found)][: schema.get("maxLength", 200)]
        case "integer" | "number":
            return schema.get("minimum", 0)
        case "boolean":
            return pick % 2 == 0
        case _:
            return None


def _error(status: int, message: str, code: str | None) -> web.Response:
    error = {"message": message, "type": "error", "param": None, "code": code}
    return web.json_response({"error": error}, status=status)


def _cut(request: web.Request, response: web.StreamResponse) -> web.StreamResponse:
    """Closes the connection under the request."""
    if request.transport is not None:
        request.transport.abort()
    return response


def main() -> None:
    """Serves until stopped; each option is a flag."""
    parser = argparse.ArgumentParser(description="An OpenAI-compatible server on loopback.")
    parser.add_argument("--port", type=int, default=0)
    for each in fields(Options):
        flag = "--" + each.name.replace("_", "-")
        if isinstance(each.default, bool):
            parser.add_argument(flag, action=argparse.BooleanOptionalAction, default=each.default)
        elif isinstance(each.default, tuple):
            parser.add_argument(flag, nargs="*", default=[])
        else:
            kind = str if each.default is None else type(each.default)
            parser.add_argument(flag, type=kind, default=each.default)
    given = vars(parser.parse_args())
    port = given.pop("port")
    options = Options(**{k: tuple(v) if isinstance(v, list) else v for k, v in given.items()})
    with LoopbackServer(options, port=port) as server:
        print(server.base_url, flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
