"""Parts: what was read of a dump, as small Parquet files that are complete or not there.

A part holds the rows of some blocks. Ids are numbers, and languages, properties, kinds and ranks
are places in lists that the progress file keeps, so a part is a tenth of the text it came from.
"""

import json
from collections import Counter
from collections.abc import Mapping
from mmap import mmap
from pathlib import Path
from typing import Any

from makieval.wikidata.dump.blocks import TOO_LONG
from makieval.wikidata.dump.entity import AROUND, Item, Parse

#: Table → column → Polars type by name.
LAYOUT: Mapping[str, Mapping[str, str]] = {
    "items": {"qid": "Int64", "sitelinks": "Int32"},
    "names": {"qid": "Int64", "lang": "UInt8", "kind": "UInt8", "name": "String"},
    "statements": {"qid": "Int64", "property": "UInt8", "value": "Int64", "rank": "UInt8"},
    "descriptions": {"qid": "Int64", "lang": "UInt8", "text": "String"},
}
#: Damaged lines that a part tells by number; the others it counts.
TOLD = 20


class Part:
    """Rows in the making."""

    def __init__(self) -> None:
        self.blocks: list[int] = []
        self.size = 0
        self.rows = 0
        self.types: Counter[str] = Counter()
        self.damaged: list[tuple[int, str]] = []
        self.damaged_count = 0
        self.modified = ""
        self._columns: dict[str, list[list[Any]]] = {
            table: [[] for _ in columns] for table, columns in LAYOUT.items()
        }

    def read(
        self, number: int, first: int, data: bytes | mmap, start: int, size: int, parse: Parse
    ) -> None:
        """Add the entities of a block: `size` bytes from `start` on in `data`.

        Its first line is number `first` of the dump.
        """
        self.blocks.append(number)
        self.size += size
        types = self.types
        view = memoryview(data)
        line, last = first - 1, start + size
        while start < last:
            line += 1
            end = data.find(b"\n", start, last)
            after = last if end < 0 else end + 1
            stop = after
            # Looked at, not cut out: most of a dump's bytes are never copied.
            while stop > start and data[stop - 1] in AROUND:
                stop -= 1
            while start < stop and data[start] in AROUND:
                start += 1
            entity, start = view[start:stop], after
            if not entity:
                continue
            try:
                item = parse(entity)
            except (ValueError, LookupError) as error:
                self.damage(line, "too long" if bytes(entity[:99]) == TOO_LONG[:-1] else str(error))
                continue
            if isinstance(item, Item):
                types["item"] += 1
                self._add(item)
            else:
                types[item.type] += 1

    def damage(self, line: int, reason: str) -> None:
        """Line `line` of the dump is no entity."""
        self.damaged_count += 1
        if len(self.damaged) < TOLD:
            self.damaged.append((line, reason))

    def _add(self, item: Item) -> None:
        columns = self._columns
        qid, sitelinks, labels, aliases, descriptions, statements, modified = item
        qids, counts = columns["items"]
        qids.append(qid)
        counts.append(sitelinks)
        qids, languages, kinds, names = columns["names"]
        for kind, found in enumerate((labels, aliases)):
            if count := len(found[0]):
                languages += found[0]
                names += found[1]
                kinds += [kind] * count
                qids += [qid] * count
                self.rows += count
        if count := len(descriptions[0]):
            qids, languages, texts = columns["descriptions"]
            languages += descriptions[0]
            texts += descriptions[1]
            qids += [qid] * count
            self.rows += count
        if statements[0]:
            qids, properties, values, ranks = columns["statements"]
            properties += statements[0]
            values += statements[1]
            ranks += statements[2]
            qids += [qid] * len(statements[0])
        self.modified = max(self.modified, modified)

    def write(self, folder: Path) -> dict[str, Any]:
        """Write the part's files and say what it holds, as one record for the progress file."""
        import polars as pl

        name = f"{self.blocks[0]:09d}"
        rows: dict[str, int] = {}
        for table, columns in LAYOUT.items():
            series = [
                pl.Series(column, values, dtype=getattr(pl, kind))
                for (column, kind), values in zip(
                    columns.items(), self._columns[table], strict=True
                )
            ]
            path = folder / f"{name}.{table}.parquet"
            unfinished = path.with_suffix(".unfinished")
            pl.DataFrame(series).write_parquet(unfinished, compression="lz4", statistics=False)
            unfinished.replace(path)
            rows[table] = len(series[0])
        return {
            "part": name,
            "blocks": self.blocks,
            "rows": rows,
            "types": dict(self.types),
            "damaged": self.damaged,
            "damaged_count": self.damaged_count,
            "modified": self.modified,
        }


def message(record: Mapping[str, Any]) -> bytes:
    """A record as one line."""
    return (
        json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode(
            "utf-8", "backslashreplace"
        )
        + b"\n"
    )
