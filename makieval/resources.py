"""Where the files that ship beside the code lie: SQL and the recorded study.

A wheel holds them inside the package; a checkout (or an editable install) holds them at its top.
"""

from pathlib import Path

_PACKAGE = Path(__file__).parent


def shipped(name: str) -> Path:
    """The folder `name` (`sql` or `cache`), from the wheel or from the checkout."""
    inside = _PACKAGE / name
    return inside if inside.is_dir() else _PACKAGE.parent / name


def sql(folder: str) -> list[Path]:
    """The SQL files of one folder under `sql/`, in name order."""
    return sorted((shipped("sql") / folder).glob("*.sql"))
