"""The local index of Wikidata that linking runs on: one DuckDB file, built once, then read-only.

It holds names under their keys, statements, descriptions, the class closure of each topic and a
manifest. Its `id` names its content: the same tables give the same id on any machine at any time.
"""

# Polars annotates with libraries that need not be installed.
# pyright: reportUnknownMemberType=false

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from makieval import catalog
from makieval.arrow import ArrowStream
from makieval.errors import SnapshotError
from makieval.linking import normalise
from makieval.linking.candidates import (
    Candidate,
    Description,
    Form,
    Lookup,
    Name,
    Scope,
    Statement,
)
from makieval.wikidata import builder, few
from makieval.wikidata.builder import build

if TYPE_CHECKING:
    import duckdb
    import polars

__all__ = ["STARTER", "Snapshot", "build", "cache_folder", "starter_tables"]

STARTER = "starter"


def starter_tables() -> Path:
    """The folder of tables that ships with the package."""
    return Path(__file__).parent / "starter"


def cache_folder() -> Path:
    """Where built starters lie: `$MAKIEVAL_CACHE`, else `~/.cache/makieval`."""
    named = os.environ.get("MAKIEVAL_CACHE")
    return Path(named) if named else Path.home() / ".cache" / "makieval"


class Snapshot:
    """An open snapshot: a `KnowledgeSource`. Use as a context manager, or `close()` it.

    `id` is the fingerprint of its content; `manifest` says what it is made of.
    """

    def __init__(self, path: Path, connection: "duckdb.DuckDBPyConnection") -> None:
        """For `open` and its kin; they check the file first."""
        self.path = path
        self._connection = connection
        rows = connection.execute("SELECT key, value FROM manifest ORDER BY key").fetchall()
        self.manifest: Mapping[str, Any] = {key: json.loads(value) for key, value in rows}
        self.id: str = self.manifest["id"]
        self._ways: few.Ways = {}
        self.scopes = [
            Scope(scope["topic"], tuple(scope["roots"]), scope["direct"])
            for scope in self.manifest["scopes"]
        ]
        self._roots = {topic: frozenset(roots) for topic, roots in self.manifest["roots"].items()}

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """The snapshot in the file `path`, read-only.

        A `SnapshotError` where there is none, where a newer makieval built it, or where an older
        one did whose keys this one would not find.
        """
        import duckdb

        path = Path(path)
        if not path.is_file():
            raise SnapshotError(f"{path}: no such snapshot file")
        try:
            connection = duckdb.connect(str(path), read_only=True)
        except duckdb.Error as error:
            reason = str(error).splitlines()[0]
            raise SnapshotError(f"{path}: not a snapshot of Wikidata ({reason})") from error
        try:
            _check_versions(path, connection)
            return cls(path, connection)
        except BaseException:
            connection.close()
            raise

    @classmethod
    def starter(cls) -> Self:
        """The snapshot that ships with the package, built into the cache on first use."""
        return cls.cached(starter_tables())

    @classmethod
    def cached(cls, folder: Path) -> Self:
        """The snapshot of the tables in `folder`, built into the cache unless it is there.

        Safe in several processes at once: each builds under its own name and renames.
        """
        ident = builder.identity(folder)
        path = cache_folder() / f"{ident}.duckdb"
        if path.is_file():
            try:
                return cls.open(path)
            except SnapshotError:
                pass  # damaged or half-written by something else: built again below
        build(folder, path)
        return cls.open(path)

    @classmethod
    def named(cls, name: str | Path) -> Self:
        """What a study calls its source of knowledge: `starter`, or the path of a snapshot."""
        return cls.starter() if str(name) == STARTER else cls.open(name)

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # KnowledgeSource

    def candidates(self, lookups: Sequence[Lookup]) -> list[list[Candidate]]:
        """See `KnowledgeSource.candidates`. One query for the batch, point reads for a few."""
        scopes = list(dict.fromkeys(lookup.scope for lookup in lookups))
        self._check(scopes)
        if few.are_few(lookups):
            cursor = self._connection.cursor()
            try:
                return few.candidates(cursor, lookups, self._ways)
            finally:
                cursor.close()
        rows = self._query(
            "candidates", asked=_asked(lookups, scopes), scopes=builder.scope_rows(scopes)
        )
        found: list[list[Candidate]] = [[] for _ in lookups]
        ask: int
        place: int
        for ask, place, qid, name, language, kind, sitelinks, root, path in rows:
            found[ask].append(
                Candidate(
                    qid=qid,
                    name=name,
                    language=language,
                    kind=kind,
                    sitelinks=sitelinks,
                    root=root or "",
                    path=tuple(path or ()),
                    method=lookups[ask].forms[place].method,
                    typed=path is not None,
                    rank=place,
                )
            )
        return found

    def link_exact(
        self, asked: "polars.DataFrame", chain: "polars.DataFrame"
    ) -> "polars.DataFrame":
        """For many mentions at once, the fitting items that carry their names, in `choose`'s order.

        `asked` has a row per mention and letter-i rule (id, language, scope, turkic, key), `scope`
        being a place in `scopes`; `chain` the name languages of each language (language, lang,
        place, turkic). Answers (id, position, equal, qid, name, language, kind, sitelinks, rank,
        root, path): the first is the link, unless it says that the second is its equal. A mention
        that nothing fits has no row.
        """
        import polars as pl

        bit = pl.lit(2, pl.UInt64).pow(pl.col("scope")).cast(pl.UInt64)
        cursor = self._connection.cursor()
        try:
            cursor.register("asked", ArrowStream(asked.with_columns(bit.alias("bit"))))
            cursor.register("chain", ArrowStream(chain))
            cursor.execute(builder.statement("exact"))
            return pl.DataFrame(cursor.sql(builder.statement("exact_rows")))
        finally:
            cursor.close()

    @property
    def approximate(self) -> bool:
        """Whether it was built for `similar`."""
        return bool(self.manifest["approximate"])

    def similar(self, forms: Sequence[Form]) -> list[list[str]]:
        """For each form, the other keys of its language within one edit, in order.

        An edit inserts, drops or replaces one character or swaps two neighbours (optimal string
        alignment). Empty lists where the snapshot was built without (see `approximate`).
        """
        import polars as pl
        from rapidfuzz.distance import OSA

        found: list[list[str]] = [[] for _ in forms]
        if not self.approximate:
            return found
        asked = pl.DataFrame(
            [(ask, form.language, form.key) for ask, form in enumerate(forms)],
            schema={"ask": pl.Int32, "language": pl.String, "key": pl.String},
            orient="row",
        )
        ask: int
        key: str
        for ask, key in self._query("similar", asked=asked):
            if OSA.distance(forms[ask].key, key, score_cutoff=1) == 1:
                found[ask].append(key)
        return found

    def statements(self, qids: Iterable[str], properties: Iterable[str]) -> list[Statement]:
        """See `KnowledgeSource.statements`; in a stable order."""
        rows = self._query(
            "statements", wanted=_column("qid", qids), properties=_column("property", properties)
        )
        return [Statement(*row) for row in rows]

    def names(self, qids: Iterable[str], languages: Iterable[str]) -> list[Name]:
        """See `KnowledgeSource.names`; in a stable order."""
        rows = self._query(
            "names", wanted=_column("qid", qids), languages=_column("lang", languages)
        )
        return [Name(*row) for row in rows]

    def descriptions(self, qids: Iterable[str], languages: Iterable[str]) -> list[Description]:
        """See `KnowledgeSource.descriptions`; in a stable order."""
        rows = self._query(
            "descriptions", wanted=_column("qid", qids), languages=_column("lang", languages)
        )
        return [Description(*row) for row in rows]

    def dictionary(self, topic: str, languages: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """Every key under which a name in these Wikidata languages is filed → what it may be.

        That is the entity types of `topic`, in the catalog's order, under whose roots an item of
        that name lies. In key order.
        """
        known = catalog.topic(topic)
        types = [entity_type for entity_type in known.types.values() if entity_type.roots]
        scopes = [Scope.of(known, entity_type) for entity_type in types]
        self._check(scopes)
        rows = self._query(
            "dictionary", languages=_column("lang", languages), scopes=builder.scope_rows(scopes)
        )
        ids = [entity_type.id for entity_type in types]
        return {key: tuple(map(ids.__getitem__, admitting)) for key, admitting in rows}

    def starting(
        self, prefix: str, languages: Sequence[str], most: int, skipped: int = 0
    ) -> list[Name]:
        """Items with a name in these Wikidata languages (best first) whose key begins so.

        One name each: the shortest, then by language. Shortest first, then by sitelinks.
        """
        import polars as pl

        key = normalise.key(prefix, languages[0])
        if not key:
            return []
        frame = pl.DataFrame(
            {"lang": list(languages), "place": list(range(len(languages)))},
            schema={"lang": pl.String, "place": pl.Int32},
        )
        # Nothing sorts behind the last code point, so this range holds every key with the prefix.
        values = {"start": key, "stop": key + "\U0010ffff", "most": most, "skipped": skipped}
        rows = self._query("starting", values, languages=frame)
        return [Name(qid, lang, kind, name) for qid, name, lang, kind in rows]

    def properties(self) -> list[str]:
        """Every property that some item has a statement of, the most frequent first."""
        return [property_ for (property_,) in self._query("properties")]

    def _check(self, scopes: Iterable[Scope]) -> None:
        """A root that the closure was not built for is an error."""
        for scope in scopes:
            unknown = set(scope.roots) - self._roots.get(scope.topic, frozenset())
            if unknown:
                raise SnapshotError(
                    f"{self.path}: built without the class {', '.join(sorted(unknown))} "
                    f"of topic '{scope.topic}'; build the snapshot again"
                )

    def _query(
        self, name: str, values: Mapping[str, Any] | None = None, **views: "polars.DataFrame"
    ) -> list[tuple[Any, ...]]:
        """The rows of `sql/snapshot/<name>.sql` over these views, none if one of them is empty."""
        if not all(frame.height for frame in views.values()):
            return []
        cursor = self._connection.cursor()
        try:
            for view, frame in views.items():
                cursor.register(view, ArrowStream(frame))
            return cursor.execute(builder.statement(name), values).fetchall()
        finally:
            cursor.close()


def _asked(lookups: Sequence[Lookup], scopes: Sequence[Scope]) -> "polars.DataFrame":
    """One row per form of each lookup."""
    import polars as pl

    numbers = {scope: at for at, scope in enumerate(scopes)}
    rows = [
        (ask, place, form.language, form.key, numbers[lookup.scope])
        for ask, lookup in enumerate(lookups)
        for place, form in enumerate(lookup.forms)
    ]
    schema = {
        "ask": pl.Int32,
        "place": pl.Int32,
        "language": pl.String,
        "key": pl.String,
        "scope": pl.Int32,
    }
    return pl.DataFrame(rows, schema=schema, orient="row")


def _column(name: str, values: Iterable[str]) -> "polars.DataFrame":
    import polars as pl

    return pl.DataFrame({name: sorted(set(values))}, schema={name: pl.String})


def _check_versions(path: Path, connection: "duckdb.DuckDBPyConnection") -> None:
    """Refuse what this version would misread."""
    import duckdb

    try:
        rows = connection.execute(
            "SELECT key, value FROM manifest WHERE key IN ('schema', 'normaliser', 'hash')"
        ).fetchall()
        found = {key: json.loads(value) for key, value in rows}
        schema, keys = int(found["schema"]), int(found["normaliser"])
    except (duckdb.Error, KeyError, ValueError, TypeError) as error:
        raise SnapshotError(f"{path}: not a snapshot of Wikidata (no manifest)") from error
    for what, version, own in (
        ("snapshot", schema, builder.SCHEMA),
        ("key", keys, normalise.VERSION),
    ):
        if version > own:
            raise SnapshotError(
                f"{path}: built by a newer makieval: {what} version {version}, this one reads up "
                f"to {own}; update makieval"
            )
        if version < own:
            raise SnapshotError(
                f"{path}: built by an older makieval: {what} version {version}, this one reads "
                f"{own}; build the snapshot again"
            )
    if found["hash"] != builder.hash_check(connection):
        raise SnapshotError(
            f"{path}: built with another DuckDB, whose hashes this one ({duckdb.__version__}) "
            "would not find; build the snapshot again"
        )
