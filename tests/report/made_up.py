"""A small study that is invented from end to end, in tables shaped like the store's views.

No model wrote these texts and nothing here measures anything: mentions are dealt out by counting.
The QIDs and names are Wikidata's, so that the pages look as they will.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

import duckdb

DERIVED = Path(__file__).with_name("derived.sql")

# surface per language, entity type, QID, countries of origin
DISHES = (
    ({"en": "ramen", "de": "Rāmen", "ja": "ラーメン", "ar": "رامن"}, "Q234646", ["Q17"]),
    ({"en": "pretzel", "de": "Brezel", "ja": "プレッツェル", "ar": "عقدية"}, "Q160525", ["Q183"]),
    ({"en": "pizza", "de": "Pizza", "ja": "ピザ", "ar": "بيتزا"}, "Q177", None),
    ({"en": "kabsa", "de": "Kabsa", "ja": "カブサ", "ar": "كبسة"}, "Q1720857", ["Q398"]),
)
BOOKS = (
    (
        {
            "en": "The Great Gatsby",
            "de": "Der große Gatsby",
            "ja": "グレート・ギャツビー",
            "ar": "غاتسبي العظيم",
        },
        "Q214371",
        ["Q30"],
    ),
)
ITEMS = {"food": DISHES, "book": BOOKS}
TYPES = {"food": ("dish_name", "dish_category"), "book": ("book_title", "book_genre")}
GENERAL = {"en": "soup", "de": "Suppe", "ja": "スープ", "ar": "حساء"}
SENTENCES = {
    "en": "There was {item}, and then {general}.",
    "de": "Es gab {item} und danach {general}.",
    "ja": "{item}と、そのあと{general}がありました。",
    "ar": "كان هناك {item} ثم {general}.",
}
NOTHING = (None, None, None)  # no QID, no label, no origins
SCRIPT = "<script>alert('a text is not a page')</script> "


@dataclass(frozen=True)
class MadeUp:
    """What a made-up study covers; `linked=False` leaves every mention without an item."""

    name: str = "dinner"
    models: tuple[str, ...] = ("local", "model-b")
    languages: tuple[str, ...] = ("en", "de", "ja", "ar")
    topics: tuple[str, ...] = ("food", "book")
    countries: tuple[str, ...] = ("japan", "germany")
    samples: int = 3
    linked: bool = True
    answered: bool = True
    script_in: tuple[str, ...] = field(default=("en",))

    def cells(self) -> Iterator[tuple[str, str, str, str | None, str]]:
        framings = [("neutral", None), *(("explicit", country) for country in self.countries)]
        for model, topic, language in product(self.models, self.topics, self.languages):
            for framing, country in framings:
                yield model, topic, language, country, framing


def fill(connection: duckdb.DuckDBPyConnection, *studies: MadeUp) -> None:
    """Create the tables and put the studies into them."""
    connection.execute(
        """
        CREATE TABLE responses (
            study VARCHAR, model VARCHAR, topic VARCHAR, language VARCHAR, country VARCHAR,
            framing VARCHAR, sample INTEGER, response_id VARCHAR, prompt_id VARCHAR,
            prompt VARCHAR, status VARCHAR, text VARCHAR, in_language BOOLEAN,
            prompt_tokens INTEGER, completion_tokens INTEGER);
        CREATE TABLE mentions (
            study VARCHAR, model VARCHAR, topic VARCHAR, language VARCHAR, country VARCHAR,
            framing VARCHAR, response_id VARCHAR, ordinal INTEGER, surface VARCHAR,
            entity_type VARCHAR, granularity VARCHAR, grounding_status VARCHAR, start INTEGER,
            "end" INTEGER, link_id VARCHAR, link_status VARCHAR, qid VARCHAR, label VARCHAR,
            origins VARCHAR[]);
        CREATE TABLE targets AS
            SELECT * FROM (VALUES ('japan', 'Q17'), ('germany', 'Q183')) t(country, qid);
        """
    )
    for study in studies:
        _fill_one(connection, study)
    connection.execute(DERIVED.read_text(encoding="utf-8"))


def _fill_one(connection: duckdb.DuckDBPyConnection, study: MadeUp) -> None:
    responses: list[tuple[object, ...]] = []
    mentions: list[tuple[object, ...]] = []
    for at, (model, topic, language, country, framing) in enumerate(study.cells()):
        for sample in range(study.samples):
            number = at * study.samples + sample
            key = (study.name, model, topic, language, country, framing)
            response_id = f"answer1-{(number * 2654435761) % 2**32:08x}"
            names, qid, origins = ITEMS[topic][
                (number * 7 // 3 + len(country or "")) % len(ITEMS[topic])
            ]
            item, general = names[language], GENERAL[language]
            text = SENTENCES[language].format(item=item, general=general)
            if sample == 0 and language in study.script_in:
                text = SCRIPT + text
            prompt = f"[{language}] {framing} {country or ''} {topic}"
            asked = (*key, sample, response_id, f"prompt1-{at:04d}", prompt)
            if not study.answered or number % 17 == 0:
                responses.append((*asked, "timeout", None, None, None, None))
                continue
            responses.append((*asked, "ok", text, number % 11 != 3, 40, 12))
            specific, category = TYPES[topic]
            link = (qid, names["en"], origins) if study.linked and number % 5 != 4 else NOTHING
            status = "linked" if link[0] else "nil"
            mention = (*key, response_id)
            span = _span(text, item)
            mentions.append(
                (
                    *mention,
                    0,
                    item,
                    specific,
                    "specific",
                    "grounded",
                    *span,
                    "link1-x",
                    status,
                    *link,
                )
            )
            if number % 4:
                span = _span(text, general)
                mentions.append(
                    (
                        *mention,
                        1,
                        general,
                        category,
                        "category",
                        "grounded",
                        *span,
                        "link1-y",
                        "wrong_type",
                        *NOTHING,
                    )
                )
            if number % 6 == 0:
                mentions.append(
                    (
                        *mention,
                        2,
                        "nowhere",
                        specific,
                        "specific",
                        "ungrounded",
                        None,
                        None,
                        None,
                        None,
                        *NOTHING,
                    )
                )
    _insert(connection, "responses", responses)
    _insert(connection, "mentions", mentions)


def _insert(
    connection: duckdb.DuckDBPyConnection, table: str, rows: list[tuple[object, ...]]
) -> None:
    """All rows in one statement, as one statement per row takes seconds."""
    if rows:
        places = f"({', '.join('?' * len(rows[0]))})"
        values = [value for row in rows for value in row]
        connection.execute(f"INSERT INTO {table} VALUES {', '.join([places] * len(rows))}", values)


def _span(text: str, surface: str) -> tuple[int, int]:
    start = text.index(surface)
    return start, start + len(surface)
