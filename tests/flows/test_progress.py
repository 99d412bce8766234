"""Progress in a server's log: a line now and then, never one per request."""

from flows.study import LoggedProgress


def test_between_first_and_last_line_a_line_comes_at_most_every_so_often() -> None:
    lines: list[str] = []
    progress = LoggedProgress(lines.append, every_s=3600)
    progress.start("generate", 1_000, "answers")
    for _ in range(1_000):
        progress.advance()
    progress.finish()
    assert lines[0] == "generate: 1,000 answers"
    assert lines[1].startswith("generate: 1,000 answers in ")
    assert len(lines) == 2


def test_a_line_tells_rate_and_time_left() -> None:
    lines: list[str] = []
    progress = LoggedProgress(lines.append, every_s=0)
    progress.start("generate", 10, "answers")
    progress.advance(4)
    assert lines[1].startswith("generate: 4 of 10 answers, ")
    assert lines[1].endswith(" s left")
