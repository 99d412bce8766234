"""The asker: many requests to several endpoints at once, each answered exactly once.

Requests are taken from their iterable only as places in flight become free, so that a study of
millions costs no memory. Answers come in the order in which they arrive. What happens to an answer
first is the caller's: `arrived` is called the moment it is there, before anything can go wrong.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator
from types import TracebackType
from typing import Self

from makieval.errors import InputError
from makieval.llm.answer import Answer
from makieval.llm.endpoint import Endpoint
from makieval.llm.lane import Lane
from makieval.llm.request import Request

#: Requests that may wait for their own endpoint while others are looked for.
LOOK_AHEAD = 256
#: Seconds that requests in flight still have when an endpoint is given up.
GRACE_S = 10.0


class Asker:
    """Asks `endpoints` (names unique). An async context manager: leaving it closes everything.

    `arrived` is called with each answer as it arrives, before `answers` yields it.
    """

    def __init__(
        self, endpoints: Iterable[Endpoint], *, arrived: Callable[[Answer], None] | None = None
    ) -> None:
        self._lanes: dict[str, Lane] = {}
        self._arrived = arrived
        self._runs: set[asyncio.Task[None]] = set()
        for endpoint in endpoints:
            if endpoint.name in self._lanes:
                raise InputError(f"two models are named '{endpoint.name}'; give each its own name")
            self._lanes[endpoint.name] = Lane(endpoint)
        if not self._lanes:
            raise InputError("there is no model to ask")

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await _cancel(*self._runs)
        for lane in self._lanes.values():
            await lane.close()

    async def answers(self, requests: Iterable[Request]) -> AsyncGenerator[Answer, None]:
        """Yields one answer for each request, in the order of arrival.

        When an endpoint as a whole is at fault (Unauthorized, EndpointUnreachable, ModelError),
        nothing further is sent to it, what arrives within 10 s is still yielded, the other
        endpoints go on to their end, then the error is raised. When the task is cancelled, what
        has arrived is yielded first.
        """
        work = _Work(iter(requests), self._lanes)
        done: asyncio.Queue[Answer | None] = asyncio.Queue()
        run = asyncio.create_task(self._run(work, done))
        self._runs.add(run)
        try:
            while (answer := await done.get()) is not None:
                yield answer
                work.yielded()
            await run
        except asyncio.CancelledError:
            await _cancel(run)
            while not done.empty():
                if (answer := done.get_nowait()) is not None:
                    yield answer
            raise
        finally:
            await _cancel(run)
            self._runs.discard(run)

    async def _run(self, work: "_Work", done: "asyncio.Queue[Answer | None]") -> None:
        """Runs one worker for each place in flight; always ends the queue with None."""
        workers = [
            asyncio.create_task(self._worker(lane, work, done))
            for lane in self._lanes.values()
            for _ in range(lane.width)
        ]
        try:
            first, pending = await asyncio.wait(workers, return_when=asyncio.FIRST_EXCEPTION)
            work.stop()
            if pending:
                await asyncio.wait(pending, timeout=GRACE_S)
            for worker in first:
                if not worker.cancelled():
                    worker.result()
            for lane in self._lanes.values():
                if lane.trouble is not None:
                    raise lane.trouble
        finally:
            await _cancel(*workers)
            done.put_nowait(None)

    async def _worker(
        self, lane: Lane, work: "_Work", done: "asyncio.Queue[Answer | None]"
    ) -> None:
        while (request := await work.take(lane)) is not None:
            ended = work.ended[lane.endpoint.name]
            limit = asyncio.timeout(None)
            ended.limits.add(limit)
            try:
                async with limit:
                    answer = await lane.ask(request, ended.event)
            except TimeoutError:
                return  # its endpoint was given up, and the last seconds are over
            finally:
                ended.limits.discard(limit)
            if self._arrived is not None:
                self._arrived(answer)
            done.put_nowait(answer)
            if lane.trouble is not None:
                work.close(lane)


class _Ended:
    """Whether a lane has ended, and the time limits of what it still has in flight."""

    def __init__(self) -> None:
        self.event = asyncio.Event()
        self.limits: set[asyncio.Timeout] = set()

    def end(self) -> None:
        """No further attempts; what is in flight has `GRACE_S` seconds left."""
        if not self.event.is_set():
            self.event.set()
            last = asyncio.get_running_loop().time() + GRACE_S
            for limit in self.limits:
                limit.reschedule(last)


class _Work:
    """The requests still to be asked, shared by all workers."""

    def __init__(self, source: Iterator[Request], lanes: dict[str, Lane]) -> None:
        self.ended = {name: _Ended() for name in lanes}
        self._source = source
        self._lanes = lanes
        self._waiting: dict[str, deque[Request]] = {name: deque() for name in lanes}
        self._waiting_count = 0
        self._unread = 0
        self._most_unread = LOOK_AHEAD + sum(lane.width for lane in lanes.values())
        self._exhausted = False
        self._started = False
        self._moved = asyncio.Event()

    async def take(self, lane: Lane) -> Request | None:
        """The next request of this lane; None when there are no more, or the lane has ended."""
        queue = self._waiting[lane.endpoint.name]
        while not self.ended[lane.endpoint.name].event.is_set():
            if self._unread < self._most_unread:
                if queue or self._look_for(lane, queue):
                    if self._waiting_count == LOOK_AHEAD:
                        self._moved.set()
                    self._waiting_count -= 1
                    self._unread += 1
                    return queue.popleft()
                if self._exhausted:
                    return None
            self._moved.clear()
            await self._moved.wait()
        return None

    def yielded(self) -> None:
        """One answer has been taken by the caller."""
        self._unread -= 1
        if self._unread == self._most_unread - LOOK_AHEAD // 2:  # seldom: each call wakes all
            self._moved.set()

    def stop(self) -> None:
        """Hands out nothing further."""
        for lane in self._lanes.values():
            self.close(lane)

    def close(self, lane: Lane) -> None:
        """Hands out nothing further to this lane; what it has in flight has `GRACE_S` left."""
        name = lane.endpoint.name
        self.ended[name].end()
        self._waiting_count -= len(self._waiting[name])
        self._waiting[name].clear()
        self._moved.set()

    def _look_for(self, lane: Lane, queue: deque[Request]) -> bool:
        while not self._exhausted and self._waiting_count < LOOK_AHEAD:
            request = next(self._source, None)
            if request is None:
                self._exhausted = True
                self._moved.set()
                return False
            self._start()
            name = self._lane_of(request)
            if self.ended[name].event.is_set():
                continue  # of an endpoint that was given up: it stays missing
            self._waiting[name].append(request)
            self._waiting_count += 1
            if queue:
                return True
        return False

    def _start(self) -> None:
        """Checks all keys before the first request is sent anywhere."""
        if not self._started:
            for lane in self._lanes.values():
                lane.check_key()
            self._started = True

    def _lane_of(self, request: Request) -> str:
        asked = request.endpoint
        lane = self._lanes.get(asked.name)
        if lane is None:
            raise InputError(
                f"no model is named '{asked.name}'; there are {', '.join(self._lanes)}"
            )
        known = lane.endpoint
        if (asked.base_url, asked.model) != (known.base_url, known.model):
            raise InputError(f"two different models are named '{asked.name}'")
        return known.name


async def _cancel(*tasks: "asyncio.Task[None]") -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
