"""Items that are pages or names rather than things, and never win whatever they are called.

`data/barred.tsv` lists their classes; what is an instance (P31) of one of them, or of a class
below (P279), is barred. Frequent subclasses are listed too, for sources that lack the class tree.
"""

from functools import cache
from importlib.resources import files


@cache
def barred_classes() -> tuple[str, ...]:
    """QIDs of the classes whose instances never win: disambiguation pages, lists, name items."""
    source = files("makieval.linking").joinpath("data", "barred.tsv")
    rows = source.read_text(encoding="utf-8").splitlines()[1:]
    return tuple(row.split("\t")[0] for row in rows)
