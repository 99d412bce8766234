"""Makes as many names as a benchmark wants out of a folder of tables of real ones.

    python benchmarks/names.py OUT --names 10000000 [--tables FOLDER]

FOLDER is a folder of tables (the shipped starter where it is not given). OUT holds the real names
and as many copies of the items as it takes; each copy of a name is prefixed by a first word that a
real name of its language has, drawn with a stated seed, and each copy of an item has its original's
statements and evidence. Copies are numbered beyond what Wikidata has reached, so nobody takes them
for items. Speeds on such data are real; what links to what is not.
"""

import argparse
import shutil
from pathlib import Path

import polars as pl

from makieval.wikidata import tables
from makieval.wikidata.snapshot import starter_tables

SEED = 20261130
#: QIDs of copies start here.
BEYOND = 2_000_000_000
TABLES = ("items", "names", "statements", "descriptions", "topics", "redirects")


def words(names: pl.DataFrame) -> dict[str, pl.Series]:
    """Language → the first words of its names; where a script has no spaces, the first two signs."""
    first = (
        pl.when(pl.col("name").str.contains(" "))
        .then(pl.col("name").str.split(" ").list.first() + " ")
        .otherwise(pl.col("name").str.head(2))
    )
    found = names.select("lang", first.alias("word")).unique().sort("lang", "word")
    return {
        str(key[0]): part["word"] for key, part in found.partition_by("lang", as_dict=True).items()
    }


def copy_number(qids: pl.Series, copy: int) -> pl.Series:
    """The QIDs of a copy of these items: no two copies share one."""
    numbers = qids.rank("dense").cast(pl.Int64) + BEYOND + (copy - 1) * qids.n_unique()
    return "Q" + numbers.cast(pl.String)


def write(path: Path, frame: pl.DataFrame, append: bool) -> None:
    with path.open("ab" if append else "wb") as file:
        frame.write_csv(file, separator="\t", quote_style="never", include_header=not append)


def multiply(source: Path, out: Path, wanted: int) -> int:
    """Write the tables with `wanted` names to `out`; how many copies it took."""
    content = {name: tables.read(source).frames[name] for name in TABLES}
    out.mkdir(parents=True, exist_ok=True)
    shutil.copy(source / "manifest.toml", out / "manifest.toml")
    for name, frame in content.items():
        write(out / f"{name}.tsv", frame.head(wanted) if name == "names" else frame, append=False)
    names, items = content["names"], content["items"]
    prefixes, missing, copy = words(names), wanted - names.height, 0
    while missing > 0:
        copy += 1
        renamed = pl.DataFrame({"qid": items["qid"], "to": copy_number(items["qid"], copy)})
        parts = [
            part.with_columns(
                name=prefixes[str(lang[0])].sample(
                    part.height, with_replacement=True, seed=SEED + copy
                )
                + part["name"]
            )
            for lang, part in names.partition_by("lang", as_dict=True).items()
        ]
        named = pl.concat(parts).head(missing)
        missing -= named.height
        for name, frame in (
            ("items", items),
            ("names", named),
            ("statements", content["statements"]),
            ("topics", content["topics"]),
        ):
            columns = frame.columns
            moved = frame.join(renamed, on="qid").drop("qid").rename({"to": "qid"})
            write(out / f"{name}.tsv", moved.select(columns), append=True)
    return copy


def main() -> None:
    parser = argparse.ArgumentParser(description="Makes many names out of real ones.")
    parser.add_argument("out", type=Path)
    parser.add_argument("--names", type=int, default=1_000_000)
    parser.add_argument("--tables", type=Path, default=starter_tables())
    arguments = parser.parse_args()
    copies = multiply(arguments.tables, arguments.out, arguments.names)
    print(
        f"{arguments.names} names in {arguments.out}: those of {arguments.tables}, {copies} copies"
    )


if __name__ == "__main__":
    main()
