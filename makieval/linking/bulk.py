"""Linking millions of mentions: what an exact name decides is decided as a set.

`Linker.link` asks and chooses in Python, mention by mention. Most mentions of a large study need
none of that: their name stands in the index as it is, and the rules of `choose` order the fitting
items by columns. A source that can follow those rules itself (`ExactSource`) does so for all
mentions at once; what it leaves undecided goes to the linker. The links are the same.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from itertools import count
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from makieval.linking import choose, normalise
from makieval.linking.candidates import Candidate, Mention, Scope
from makieval.linking.choose import Link
from makieval.linking.columns import keys
from makieval.linking.linker import Linker
from makieval.status import Status

if TYPE_CHECKING:
    import polars

MENTION = ("surface", "language", "topic", "entity_type")
EXACT = "exact"
_LINK = ("qid", "method", "score", "name", "name_language", "name_kind", "path")
_CANDIDATE = tuple(field.name for field in fields(Candidate))


@runtime_checkable
class ExactSource(Protocol):
    """A `KnowledgeSource` that decides what exact names decide (see `Snapshot.link_exact`)."""

    scopes: list[Scope]

    def link_exact(
        self, asked: "polars.DataFrame", chain: "polars.DataFrame"
    ) -> "polars.DataFrame":
        """The fitting items of each mention, in the order of `choose`."""
        ...


@dataclass(frozen=True, slots=True)
class Links:
    """The links of a frame of mentions.

    `links` has a row per distinct mention: `id`, the columns of a mention and those of a `Link`.
    `rivals` has a row per rival: `id`, `position` and the columns of a `Candidate`. `of` gives for
    each row of the mentions its `id`.
    """

    links: "polars.DataFrame"
    rivals: "polars.DataFrame"
    of: "polars.Series"

    def each(self) -> Iterator[Link]:
        """Every distinct mention's link, in the order of `links`."""
        rivals: dict[int, list[Candidate]] = {}
        for row in self.rivals.sort("id", "position").iter_rows(named=True):
            at, _ = row.pop("id"), row.pop("position")
            rivals.setdefault(at, []).append(Candidate(**{**row, "path": tuple(row["path"])}))
        for row in self.links.iter_rows(named=True):
            mention = Mention(*(row.pop(column) for column in MENTION))
            found = tuple(rivals.get(row.pop("id"), ()))
            status = Status(row.pop("status"))
            path = tuple(row.pop("path") or ())
            yield Link(mention, status, path=path, rivals=found, **row)


def link(linker: Linker, mentions: "polars.DataFrame") -> Links:
    """The links of `mentions` (surface, language, topic, entity_type), in any number.

    Raises as `Linker.link` does.
    """
    import polars as pl

    distinct, of = _distinct(mentions.select(MENTION))
    found = _exact(linker, distinct)
    best = found.filter(position=0)
    decided = distinct.join(best, on="id", maintain_order="left").select(
        "id",
        *MENTION,
        status=pl.when("equal").then(pl.lit(Status.AMBIGUOUS)).otherwise(pl.lit(Status.LINKED)),
        method=pl.lit(EXACT),
        **{
            name: pl.when(~pl.col("equal")).then(value)
            for name, value in {
                "qid": pl.col("qid"),
                "score": pl.lit(choose.SCORES[EXACT]),
                "name": pl.col("name"),
                "name_language": pl.col("language_right"),
                "name_kind": pl.col("kind"),
                "path": pl.col("path"),
            }.items()
        },
    )
    equal = pl.col("id").is_in(best.filter("equal")["id"].implode())
    rivals = found.filter(equal | (pl.col("position") > 0)).select(
        "id",
        position=pl.when(equal).then("position").otherwise(pl.col("position") - 1),
        **{column: pl.col(column) for column in _CANDIDATE},
    )
    others, theirs = _one_by_one(linker, distinct.join(best, on="id", how="anti"))
    columns = others.columns
    links = pl.concat([decided.select(columns), others]).sort("id")
    return Links(links, pl.concat([rivals.select(theirs.columns), theirs]), of)


def _distinct(mentions: "polars.DataFrame") -> tuple["polars.DataFrame", "polars.Series"]:
    """Each mention once, under an `id`, and the id of each row.

    By a hash of the row, which is much faster than by its texts; all texts are then compared, and
    should two hashes ever be the same, another hash is tried.
    """
    import polars as pl

    for seed in count():
        hashes = mentions.hash_rows(seed)
        firsts = hashes.arg_unique()
        known = pl.DataFrame({"hash": hashes.gather(firsts)}).with_row_index("id")
        of = hashes.to_frame("hash").join(known, on="hash", how="left", maintain_order="left")["id"]
        distinct = mentions[firsts]
        if all((distinct[name].gather(of) == mentions[name]).all() for name in MENTION):
            return distinct.with_row_index("id"), of
    raise AssertionError("unreachable")


def _exact(linker: Linker, distinct: "polars.DataFrame") -> "polars.DataFrame":
    """What the source decides by exact names, see `Snapshot.link_exact`; nothing if it cannot."""
    import polars as pl

    kinds = distinct.select(MENTION[1:]).unique(maintain_order=True)
    lookups = [linker.lookup(Mention("a", *kind)) for kind in kinds.iter_rows()]
    source = linker.source
    if not isinstance(source, ExactSource):
        return pl.DataFrame(schema=_schema("id", "position", "equal", *_CANDIDATE))
    places = {scope: place for place, scope in enumerate(source.scopes)}
    scopes = kinds.with_columns(
        scope=pl.Series([places.get(lookup.scope) for lookup in lookups], dtype=pl.Int32)
    ).filter(pl.col("scope").is_not_null())
    chain = pl.DataFrame(
        [
            (language, form.language, place, form.language in normalise.TURKIC)
            for language, lookup in zip(kinds["language"], lookups, strict=True)
            for place, form in enumerate(lookup.forms)
        ],
        schema={
            "language": pl.String,
            "lang": pl.String,
            "place": pl.Int32,
            "turkic": pl.Boolean,
        },
        orient="row",
    ).unique(maintain_order=True)
    mentions = distinct.join(scopes, on=MENTION[1:], maintain_order="left")
    own = keys(mentions["surface"], mentions["language"])
    mentions = mentions.select("id", "language", "scope", key=own)
    asked = mentions.join(chain.select("language", "turkic").unique(), on="language")
    return source.link_exact(_rekeyed(asked), chain).with_columns(
        method=pl.lit(EXACT), typed=pl.lit(True)
    )


def _rekeyed(asked: "polars.DataFrame") -> "polars.DataFrame":
    """The keys for names of the other letter-i rule, where a row asks for those."""
    import polars as pl

    turkic = pl.col("language").is_in(list(normalise.TURKIC))
    same = asked.filter(turkic == pl.col("turkic"))
    other = asked.filter(turkic != pl.col("turkic"))
    rule = other.select(pl.when("turkic").then(pl.lit("tr")).otherwise(pl.lit("en")))
    return pl.concat([same, other.with_columns(key=keys(other["key"], rule.to_series()))])


def _one_by_one(
    linker: Linker, distinct: "polars.DataFrame"
) -> tuple["polars.DataFrame", "polars.DataFrame"]:
    """The links of these mentions by `Linker.link`, and their rivals."""
    import polars as pl

    made = linker.link([Mention(*row) for row in distinct.select(MENTION).iter_rows()])
    links = [
        (
            at,
            *(getattr(each.mention, name) for name in MENTION),
            str(each.status),
            *(getattr(each, name) for name in _LINK[:-1]),
            list(each.path) if each.qid else None,
        )
        for at, each in zip(distinct["id"], made, strict=True)
    ]
    rivals = [
        (at, position, *(getattr(rival, name) for name in _CANDIDATE))
        for at, each in zip(distinct["id"], made, strict=True)
        for position, rival in enumerate(each.rivals)
    ]
    return (
        pl.DataFrame(links, schema=_schema("id", *MENTION, "status", *_LINK), orient="row"),
        pl.DataFrame(rivals, schema=_schema("id", "position", *_CANDIDATE), orient="row"),
    )


def _schema(*names: str) -> dict[str, Any]:
    """The types of these columns."""
    import polars as pl

    types = {
        "id": pl.UInt32,
        "position": pl.Int64,
        "sitelinks": pl.Int32,
        "rank": pl.Int32,
        "typed": pl.Boolean,
        "equal": pl.Boolean,
        "score": pl.Float64,
        "path": pl.List(pl.String),
    }
    return {name: types.get(name, pl.String) for name in names}
