"""A table as data: what each cell says, what it rests on, why it is empty.

One shape for every rendering (HTML and terminal here), so that a figure, its n and its rounding
are decided once.
"""

from dataclasses import dataclass

UNDEFINED = "–"


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: its text, what it rests on (`n`), and the reason where there is no figure.

    `lang` and `direction` are set where the text is not English.
    """

    text: str
    n: str = ""
    reason: str = ""
    lang: str = ""
    direction: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """A column's heading, what it means (`hint`), and whether its cells name the row (`head`)."""

    heading: str
    head: bool = False
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A titled table; `note` says how to read it."""

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""

    def n_widths(self) -> list[int]:
        """Per column, the length of its longest `n`: with room for it, figures stand in line."""
        return [max((len(row[at].n) for row in self.rows), default=0) for at in range(self.width)]

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.columns)


def count(number: int) -> str:
    """A whole number with thousands set apart: `5,247,018`."""
    return f"{number:,}"


def plural(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun: `1 text`, `3 countries`."""
    return f"{count(number)} {one if number == 1 else many or one + 's'}"


def percent(part: int, whole: int) -> str:
    """A share in whole per cent; small and large ones never round to nothing or all."""
    if not whole:
        return UNDEFINED
    if 0 < part < whole and not 0.005 <= part / whole < 0.995:
        return "<1%" if part / whole < 0.005 else ">99%"
    return f"{100 * part / whole:.0f}%"


def share(part: int, whole: int, of: str) -> Cell:
    """A share with its counts; undefined where there are no `of` to take a share of."""
    if not whole:
        return Cell(UNDEFINED, reason=f"no {of}")
    return Cell(percent(part, whole), n=f"{count(part)}/{count(whole)}")


def number(value: float, digits: int, signed: bool = False) -> str:
    """A rounded figure; `signed` shows + and a true minus, and a rounded zero bears no sign."""
    rounded = round(value, digits)
    if rounded == 0:
        return f"{0:.{digits}f}"
    text = f"{rounded:+.{digits}f}" if signed else f"{rounded:.{digits}f}"
    return text.replace("-", "−")


def figure(value: float | None, digits: int, n: str, reason: str, signed: bool = False) -> Cell:
    """A metric's cell: the figure with its n, or a dash with the reason."""
    if value is None:
        return Cell(UNDEFINED, reason=reason)
    return Cell(number(value, digits, signed), n=n)
