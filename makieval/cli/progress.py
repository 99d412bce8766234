"""Progress bars with rate and time left; plain lines where nobody watches."""

import sys
import time
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from rich.progress import TaskID

_LINE_EVERY_S = 15.0
_MEGABYTE = 1_000_000


class Bars:
    """Progress on stderr: bars in a terminal, a line now and then elsewhere."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            SpinnerColumn,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )

        self._bars: Any = None
        self._task: TaskID | None = None
        self._plain = Lines()
        if sys.stderr.isatty():
            self._bars = Progress(
                SpinnerColumn(),
                TextColumn("[bold]{task.description:<10}"),
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("{task.fields[unit]}  {task.fields[rate]}"),
                TimeElapsedColumn(),
                TextColumn("left"),
                TimeRemainingColumn(),
                console=Console(stderr=True),
            )

    def __enter__(self) -> Self:
        if self._bars is not None:
            self._bars.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        if self._bars is not None:
            self._bars.stop()

    def start(self, stage: str, total: int, unit: str) -> None:
        """A step of `total` units begins."""
        if self._bars is None:
            self._plain.start(stage, total, unit)
        else:
            self._task = self._bars.add_task(stage, total=total, unit=unit, rate="")

    def advance(self, units: int = 1) -> None:
        """`units` more are done."""
        if self._bars is None:
            self._plain.advance(units)
        elif self._task is not None:
            self._bars.advance(self._task, units)
            speed = self._bars.tasks[self._task].speed
            self._bars.update(self._task, rate=f"{speed:,.2f}/s" if speed else "")

    def finish(self) -> None:
        """The step is over."""
        if self._bars is None:
            self._plain.finish()


class Download:
    """A download's progress on bars: `download(step, done, total)`, in bytes."""

    def __init__(self, bars: Bars) -> None:
        self._bars = bars
        self._step = ""
        self._megabytes = 0

    def __call__(self, step: str, done: int, total: int) -> None:
        """Move the step's bar to where it is."""
        if step != self._step:
            self.close()
            self._step, self._megabytes = step, 0
            self._bars.start(step, total // _MEGABYTE, "MB")
        self._bars.advance(done // _MEGABYTE - self._megabytes)
        self._megabytes = done // _MEGABYTE

    def close(self) -> None:
        """End the last step's bar."""
        if self._step:
            self._bars.finish()
            self._step = ""


class Lines:
    """Plain lines for logs and continuous integration."""

    def __init__(self) -> None:
        self._stage, self._unit = "", ""
        self._total = self._done = 0
        self._began = self._said = 0.0

    def start(self, stage: str, total: int, unit: str) -> None:
        """Say what begins."""
        self._stage, self._unit, self._total, self._done = stage, unit, total, 0
        self._began = self._said = time.monotonic()
        print(f"{stage}: {total:,} {unit}", file=sys.stderr, flush=True)

    def advance(self, units: int = 1) -> None:
        """Say how far it is, but not too often."""
        self._done += units
        now = time.monotonic()
        if now - self._said >= _LINE_EVERY_S:
            self._said = now
            rate = self._done / (now - self._began)
            left = (self._total - self._done) / rate
            print(
                f"{self._stage}: {self._done:,} of {self._total:,} {self._unit},"
                f" {rate:,.2f}/s, {left:,.0f} s left",
                file=sys.stderr,
                flush=True,
            )

    def finish(self) -> None:
        """Say that it is over."""
        took = time.monotonic() - self._began
        print(f"{self._stage}: {self._done:,} {self._unit} in {took:,.1f} s", file=sys.stderr)


def pulled(model: str, source: Path | None = None) -> Path:
    """The file of a registered model, pulled in front of somebody where it is not there yet."""
    from makieval.llm.modelfile import pull

    with Bars() as bars:
        download = Download(bars)
        try:
            return pull(model, source, download)
        finally:
            download.close()
