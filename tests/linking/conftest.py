"""A small real piece of Wikidata for every test that links: 89 items in `fixtures/tables`."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from makieval.wikidata import Snapshot, build

TABLES = Path(__file__).parents[1] / "fixtures" / "tables"

ChangeTables = Callable[..., Path]


@pytest.fixture
def change_tables(tmp_path: Path) -> ChangeTables:
    """A copy of the tables with rows more: `change_tables(names=["Q177\\tmul\\tlabel\\tPizza"])`.

    `without` names the tables whose own rows are left out.
    """

    def change(*, without: tuple[str, ...] = (), **more: list[str]) -> Path:
        folder = tmp_path / "changed"
        shutil.copytree(TABLES, folder, dirs_exist_ok=True)
        for name in {*without, *more}:
            path = folder / f"{name}.tsv"
            lines = path.read_text(encoding="utf-8").split("\n")[:-1]
            kept = lines[:1] if name in without else lines
            text = "\n".join([*kept, *more.get(name, [])]) + "\n"
            path.write_text(text, encoding="utf-8", newline="")
        return folder

    return change


@pytest.fixture(scope="session")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Snapshot]:
    """The tables as an open snapshot."""
    path = tmp_path_factory.mktemp("snapshot") / "fixture.duckdb"
    build(TABLES, path)
    with Snapshot.open(path) as opened:
        yield opened


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """`run("link", "eval", …)` is the command in this process; what it printed."""
    from makieval.cli import main

    def run(*arguments: object, fails: bool = False) -> str:
        monkeypatch.setattr("sys.argv", ["makieval", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        assert bool(ended.value.code) == fails, printed.err
        return printed.err if fails else printed.out

    return run
