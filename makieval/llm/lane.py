"""One lane: everything between one endpoint and the answers to its requests.

Opened at its first request, so that a run whose answers are all known needs no key, no network
and no model file. Repeats are ours and not the client library's: each one is bounded, waits as
long as the server asks, and ends at once when the run is stopping.
"""

import asyncio
import os
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from makieval.errors import EndpointUnreachable, MakievalError, ModelError, Unauthorized
from makieval.llm.answer import Answer
from makieval.llm.endpoint import Endpoint
from makieval.llm.reply import Outcome, read_error, read_success
from makieval.llm.request import Request
from makieval.llm.retry import wait_before
from makieval.status import RETRIED, Status

if TYPE_CHECKING:
    from openai import AsyncOpenAI, RequestOptions

    from makieval.llm.embedded import EmbeddedServer

#: Tries without a connection, or requests rejected, after which an endpoint that never worked is
#: given up.
PATIENCE = 3
_CONNECT_TIMEOUT_S = 10.0


class Lane:
    """The way to one endpoint and back; `trouble` is set once the whole endpoint is at fault."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self.trouble: MakievalError | None = None
        self._client: AsyncOpenAI | None = None
        self._server: EmbeddedServer | None = None
        self._opening = asyncio.Lock()
        self._key: str | None = None
        self._options: RequestOptions = {}
        self._worked = False
        self._unreached = 0
        self._rejected = 0

    @property
    def width(self) -> int:
        """Requests in flight at most. The embedded server computes one; a second one waits."""
        width = self.endpoint.concurrency
        return min(width, 2) if self.endpoint.embedded else width

    def check_key(self) -> None:
        """Reads the key; raises Unauthorized where the variable holds none that can be sent."""
        variable = self.endpoint.api_key_env
        if variable is None:
            return
        name = f"model '{self.endpoint.name}' at {self.endpoint.host}"
        key = os.environ.get(variable, "").strip()
        if not key:
            raise Unauthorized(f"{name} needs a key: set the variable {variable}")
        if not (key.isascii() and key.isprintable()):
            raise Unauthorized(f"{name}: the key in {variable} holds characters no key can have")
        self._key = key

    async def ask(self, request: Request, stopping: asyncio.Event) -> Answer:
        """The answer to `request`, after as many attempts as the endpoint allows."""
        body = request.body()
        failed = await self._opened()
        attempt = 0
        while True:
            start = time.perf_counter()
            outcome = failed or await self._attempt(body)
            latency_ms = round((time.perf_counter() - start) * 1000)
            self._judge(outcome)
            attempt += 1
            passing = outcome.status in RETRIED and self.trouble is None
            if not passing or attempt > self.endpoint.max_retries or stopping.is_set():
                return _answer(request, outcome, latency_ms)
            await _pause(wait_before(attempt, request.id, outcome.asked_wait_s), stopping)

    async def close(self) -> None:
        """Closes connections and stops the embedded server."""
        client, self._client = self._client, None
        server, self._server = self._server, None
        try:
            if client is not None:
                await client.close()
        finally:
            if server is not None:
                server.stop()

    async def _attempt(self, body: dict[str, Any]) -> Outcome:
        import httpx2
        import openai

        assert self._client is not None
        try:
            async with asyncio.timeout(self.endpoint.timeout_s):
                reply = await self._client.post(
                    "/chat/completions", cast_to=httpx2.Response, body=body, options=self._options
                )
            return read_success(reply.content)
        except openai.APIStatusError as error:
            headers = error.response.headers
            return read_error(error.status_code, headers, error.body, self.endpoint, self._key)
        except (TimeoutError, openai.APIConnectionError) as error:
            return self._not_answered(error)

    async def _opened(self) -> Outcome | None:
        """Opens the lane once; what came of it where that fails."""
        async with self._opening:
            if self._client is None:
                try:
                    self._client = await self._connect()
                except MakievalError as error:
                    return Outcome(Status.UNREACHABLE, error=str(error), trouble=error)
        return None

    async def _connect(self) -> "AsyncOpenAI":
        import httpx2
        import openai

        if self.trouble is not None:
            raise self.trouble
        if self._key is None and not self.endpoint.embedded:
            # The client insists on a key: it must be none, and not one from OPENAI_API_KEY.
            self._options = {"headers": {"Authorization": openai.omit}}
        url = self.endpoint.base_url
        if url is None:
            url = await self._serve()
        http_client = openai.DefaultAioHttpClient(
            limits=httpx2.Limits(max_connections=self.width, keepalive_expiry=15.0),
            timeout=httpx2.Timeout(None, connect=min(_CONNECT_TIMEOUT_S, self.endpoint.timeout_s)),
            trust_env=not self.endpoint.embedded,  # a proxy has no way to our own loopback
        )
        return openai.AsyncOpenAI(
            base_url=url,
            api_key=self._key or "none",
            http_client=http_client,
            max_retries=0,
        )

    async def _serve(self) -> str:
        from makieval.llm import modelfile
        from makieval.llm.embedded import EmbeddedServer

        path = await asyncio.to_thread(modelfile.locate, self.endpoint.model)
        self._server = EmbeddedServer(path)
        await asyncio.to_thread(self._server.start)
        self._key = self._server.key
        return self._server.base_url

    def _not_answered(self, error: Exception) -> Outcome:
        """What it means that no whole reply came: not connected, cut off, or too late."""
        import aiohttp

        causes = _causes(error)
        if any(isinstance(cause, aiohttp.ClientConnectorError) for cause in causes):
            return Outcome(Status.UNREACHABLE, error=f"no connection to {self.endpoint.host}")
        if any(isinstance(cause, aiohttp.ConnectionTimeoutError) for cause in causes):
            return Outcome(Status.UNREACHABLE, error=f"{self.endpoint.host} does not connect")
        if any(isinstance(cause, TimeoutError) for cause in causes):
            return Outcome(Status.TIMEOUT, error=f"no answer within {self.endpoint.timeout_s:g} s")
        return Outcome(Status.SERVER_ERROR, error="the connection was closed before the answer")

    def _judge(self, outcome: Outcome) -> None:
        """Sets `trouble` where this outcome shows that the endpoint, not the request, is wrong."""
        if outcome.status is Status.UNREACHABLE:
            self._unreached += 1
        else:
            self._unreached = 0
            self._worked = self._worked or outcome.status not in RETRIED | {Status.REJECTED}
            self._rejected += outcome.status is Status.REJECTED
        if self.trouble is None:
            self.trouble = outcome.trouble or self._given_up(outcome)

    def _given_up(self, outcome: Outcome) -> MakievalError | None:
        name = f"model '{self.endpoint.name}' at {self.endpoint.host}"
        # On our own loopback nobody else can be in the way: unreachable is dead, or just dying.
        unreached = outcome.status is Status.UNREACHABLE
        if self._server is not None and (unreached or not self._server.alive):
            return ModelError(f"the embedded model server died: {self._server.last_words()}")
        # Once it has worked, an outage must outlast the repeats of every request in flight.
        repeats = self.width * (self.endpoint.max_retries + 1)
        if self._unreached >= (repeats if self._worked else min(PATIENCE, repeats)):
            return EndpointUnreachable(f"{name}: nothing answers there; is base_url right?")
        if not self._worked and self._rejected >= PATIENCE:
            return ModelError(f"{name} accepts no request: {outcome.error}")
        return None


def _answer(request: Request, outcome: Outcome, latency_ms: int) -> Answer:
    return Answer(
        id=request.id,
        status=outcome.status,
        text=outcome.text,
        finish_reason=outcome.finish_reason,
        prompt_tokens=outcome.prompt_tokens,
        completion_tokens=outcome.completion_tokens,
        served_model=outcome.served_model,
        latency_ms=latency_ms,
        received_at=datetime.now(UTC).isoformat(timespec="milliseconds"),
        error=outcome.error,
    )


async def _pause(seconds: float, stopping: asyncio.Event) -> None:
    try:
        async with asyncio.timeout(seconds):
            await stopping.wait()
    except TimeoutError:
        return


def _causes(error: BaseException | None) -> "list[BaseException]":
    found: list[BaseException] = []
    while error is not None and error not in found:
        found.append(error)
        error = error.__cause__ or error.__context__
    return found
