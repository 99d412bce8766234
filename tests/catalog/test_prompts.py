"""The prompt texts: complete, well formed, right in grammar where a rule can tell, and strict."""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import pytest

from makieval.catalog.countries import countries
from makieval.catalog.framings import framings
from makieval.catalog.languages import languages
from makieval.catalog.names import person_name
from makieval.catalog.prompts import fill, language_instruction, prompt
from makieval.catalog.tables import read
from makieval.catalog.topics import topics
from makieval.errors import CatalogError

LANGUAGES = tuple(languages())
TOPICS = tuple(topics())
EVALUATED = tuple(key for key, country in countries().items() if country.evaluated)
SCRIPTS = {
    "Latn": "LATIN",
    "Hans": "CJK",
    "Hant": "CJK",
    "Jpan": "CJK|HIRAGANA|KATAKANA",
    "Arab": "ARABIC",
    "Kore": "HANGUL",
    "Deva": "DEVANAGARI",
    "Thai": "THAI",
}
# The last character of a sentence; a Thai one ends without a mark.
FULL_STOPS = {"zh": "。", "zh-tw": "。", "ja": "。", "hi": "।", "th": ""}

# How each language turns "a person" into "a person from X".
PERSON_FROM = {
    "en": ("a person", "a person {from}"),
    "de": ("eine Person", "eine Person {from}"),
    "zh": ("一个人", "一个{from}人"),
    "zh-tw": ("一個人", "一個{from}人"),
    "it": ("una persona", "una persona proveniente {from}"),
    "ja": ("ある人", "{from}ある人"),
    "es": ("una persona", "una persona {from}"),
    "ar": ("شخص ما", "شخص {from}"),
    "ko": ("한 사람", "{from} 한 사람"),
    "hi": ("किसी व्यक्ति", "{from} किसी व्यक्ति"),
    "th": ("คนคนหนึ่ง", "คนคนหนึ่ง{from}"),
    "fa": ("فردی", "فردی {from}"),
    "tr": ("Bir kişinin", "{from} bir kişinin"),
}
MY_FRIEND = {
    "en": "my friend",
    "de": "mit mir befreundete Person",
    "zh": "我的一个{from}朋友",
    "zh-tw": "我的一個{from}朋友",
    "it": "un mio amico o una mia amica",
    "ja": "{from}私の友人",
    "es": "mi amigo o amiga",
    "ar": "لصديقي أو صديقتي",
    "ko": "{from} 제 친구",
    "hi": "{from} मेरे दोस्त",
    "th": "เพื่อนของฉัน",
    "fa": "دوستم",
    "tr": "arkadaşım",
}
# Every word in which a text about a man differs from the one about a woman.
GENDERED_WORDS = {
    "en": {("his", "her")},
    "de": {("sein", "ihr"), ("seine", "ihre")},
    "ar": {
        ("يتناول", "تتناول"),
        ("يقرأ", "تقرأ"),
        ("يستمع", "تستمع"),
        ("يرتديها", "ترتديها"),
        ("يذهب", "تذهب"),
        ("كتابه", "كتابها"),
        ("موسيقاه", "موسيقاها"),
        ("عمله", "عملها"),
    },
    "hi": {("रहा", "रही"), ("जाता", "जाती")},
}


class Cell(NamedTuple):
    topic: str
    language: str
    framing: str
    country: str | None

    @property
    def text(self) -> str:
        return prompt(self.topic, self.language, self.framing, self.country)


def cells(language: str) -> Iterator[Cell]:
    for topic in TOPICS:
        for framing in framings().values():
            for country in EVALUATED if framing.needs_country else (None,):
                yield Cell(topic, language, framing.id, country)


@pytest.fixture(scope="module", params=LANGUAGES)
def rendered(request: pytest.FixtureRequest) -> dict[Cell, str]:
    return {cell: cell.text for cell in cells(request.param)}


@cache
def file(language: str) -> dict[str, Any]:
    return read(f"prompts/{language}")


def source(language: str, topic: str, framing: str) -> str:
    return file(language)[topic][framing]


def sources(language: str) -> str:
    return " ".join(source(language, topic, framing) for topic in TOPICS for framing in framings())


def words(text: str) -> list[str]:
    return text.replace(".", "").split()


def letters(text: str) -> list[str]:
    return [unicodedata.name(char) for char in text if unicodedata.category(char)[0] == "L"]


def test_every_cell_has_a_text_of_its_own(rendered: dict[Cell, str]) -> None:
    assert len(rendered) == len(TOPICS) * (1 + 4 * 19)
    assert len(set(rendered.values())) == len(rendered)


def test_the_published_grid_of_1716_prompts_can_be_rendered() -> None:
    grid = [
        prompt(topic, language, "explicit" if country else "neutral", country)
        for language in LANGUAGES
        for topic in TOPICS
        for country in (None, *countries())
    ]
    assert len(set(grid)) == 1716


def test_a_rendered_text_is_clean(rendered: dict[Cell, str]) -> None:
    for text in rendered.values():
        assert text == unicodedata.normalize("NFC", text) == text.strip()
        assert not re.search(r"[{}|\n]|\s\s|\s[.,،。।]", text), text


def test_a_text_is_written_in_the_script_of_its_language(rendered: dict[Cell, str]) -> None:
    for cell, text in rendered.items():
        script = SCRIPTS[languages()[cell.language].script]
        assert all(re.match(script, name) for name in letters(text)), text


def test_a_text_ends_as_sentences_of_its_language_do(rendered: dict[Cell, str]) -> None:
    for cell, text in rendered.items():
        stop = FULL_STOPS.get(cell.language, ".")
        assert text.endswith(stop)
        assert unicodedata.category(text.removesuffix(stop)[-1])[0] in "LM"


def test_a_text_names_the_length_once(rendered: dict[Cell, str]) -> None:
    for cell, text in rendered.items():
        assert text.count(file(cell.language)["length"]) == 1


def test_each_framing_shows_its_own_cue_and_no_other(rendered: dict[Cell, str]) -> None:
    for (_, language, framing, country), text in rendered.items():
        if country is None:
            assert not any(entry.name[language] in text for entry in countries().values())
            continue
        gender, origin = framings()[framing].gender, countries()[country].origin_phrase[language]
        assert (origin in text) == (gender is None)
        if gender is not None:
            assert person_name(country, gender, language) in text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("topic", TOPICS)
class TestTextsAreParallel:
    def test_an_explicit_text_is_the_neutral_one_with_an_origin(
        self, language: str, topic: str
    ) -> None:
        neutral = source(language, topic, "neutral")
        assert neutral.count(PERSON_FROM[language][0]) == 1
        explicit = neutral.replace(*PERSON_FROM[language])
        assert source(language, topic, "explicit") == explicit

    def test_a_target_group_text_is_for_a_friend_of_the_user(
        self, language: str, topic: str
    ) -> None:
        assert MY_FRIEND[language] in source(language, topic, "target-group")

    def test_every_framing_asks_for_the_same_names(self, language: str, topic: str) -> None:
        texts = [source(language, topic, framing) for framing in framings()]
        last = re.compile(r"[^ 。]+。$" if language in ("zh", "zh-tw", "ja") else r"[^.।]+[.।]?$")
        if language == "th":
            last = re.compile(r" พร้อมระบุ\S+$")
        endings = {match[0] for text in texts if (match := last.search(text))}
        assert len(endings) == 1

    def test_a_mans_and_a_womans_text_differ_in_gendered_words_alone(
        self, language: str, topic: str
    ) -> None:
        man = words(source(language, topic, "implicit-male"))
        woman = words(source(language, topic, "implicit-female"))
        pairs = {(his, her) for his, her in zip(man, woman, strict=True) if his != her}
        assert pairs <= GENDERED_WORDS.get(language, set())


@pytest.mark.parametrize("language", GENDERED_WORDS)
def test_every_gendered_word_is_used(language: str) -> None:
    men = words(" ".join(source(language, topic, "implicit-male") for topic in TOPICS))
    women = words(" ".join(source(language, topic, "implicit-female") for topic in TOPICS))
    for his, her in GENDERED_WORDS[language]:
        assert his in men and her not in men
        assert her in women and his not in women


def test_mainland_texts_are_simplified_and_taiwanese_ones_traditional() -> None:
    for topic in TOPICS:
        for framing in framings():
            source("zh", topic, framing).encode("gb2312")
            source("zh-tw", topic, framing).encode("big5")
            with pytest.raises(UnicodeEncodeError):
                source("zh", topic, framing).encode("big5")


def test_persian_and_arabic_keep_to_their_own_letters() -> None:
    arabic, persian = (sources(code) for code in ("ar", "fa"))
    assert not set(arabic) & set("یکپچژگ۰۵\u200c")
    assert not set(persian) & set("يكىة")


def test_persian_verbs_and_plurals_take_a_half_space() -> None:
    texts = sources("fa")
    assert "می\u200cخورد" in texts
    assert not re.search(r"\bمی |\bمی[خنرگ]| ها\b| های\b", texts)


def test_a_korean_name_takes_the_particle_its_last_sound_asks_for() -> None:
    seen: set[str] = set()
    for topic in TOPICS:
        for country in EVALUATED:
            for framing, gender in (("implicit-male", "male"), ("implicit-female", "female")):
                name = person_name(country, gender, "ko")
                closed = "\u11a8" <= unicodedata.normalize("NFD", name)[-1] <= "\u11c2"
                particle = "이" if closed else "가"
                assert prompt(topic, "ko", framing, country).startswith(f"{name}{particle} ")
                seen.add(particle)
    assert seen == {"이", "가"}


@pytest.mark.parametrize(
    ("text", "after_consonant", "after_rieul", "after_vowel"),
    [
        ("{name|이/가}", "김민준이", "서울이", "사토가"),
        ("{name|은/는}", "김민준은", "서울은", "사토는"),
        ("{name|을/를}", "김민준을", "서울을", "사토를"),
        ("{name|와/과}", "김민준과", "서울과", "사토와"),
        ("{name|으로/로}", "김민준으로", "서울로", "사토로"),
    ],
)
def test_korean_particles_follow_consonants_and_vowels(
    text: str, after_consonant: str, after_rieul: str, after_vowel: str
) -> None:
    assert fill(text, {"name": "김민준"}, "here") == after_consonant
    assert fill(text, {"name": "서울"}, "here") == after_rieul
    assert fill(text, {"name": "사토"}, "here") == after_vowel
    assert fill(text, {"name": unicodedata.normalize("NFD", "사토")}, "here").endswith(
        after_vowel.removeprefix("사토")
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_is_asked_for_in_its_own_words(language: str) -> None:
    text = language_instruction(language)
    script = SCRIPTS[languages()[language].script]
    assert all(re.match(script, name) for name in letters(text))
    assert text == unicodedata.normalize("NFC", text).strip()
    assert text.endswith(FULL_STOPS.get(language, "."))


def test_each_language_has_one_instruction_of_its_own() -> None:
    assert len({language_instruction(language) for language in LANGUAGES}) == len(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_file_holds_exactly_the_topics_and_framings_of_the_catalog(language: str) -> None:
    assert list(file(language)) == ["language_instruction", "length", *TOPICS]
    assert all(list(file(language)[topic]) == list(framings()) for topic in TOPICS)


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        (("fod", "en", "neutral", None), "did you mean 'food'"),
        (("food", "jp", "neutral", None), "did you mean 'ja'"),
        (("food", "en", "nonbias", None), "did you mean 'neutral'"),
        (("food", "en", "explicit", "jpan"), "did you mean 'japan'"),
        (("food", "en", "explicit", None), "'explicit' needs a country"),
        (("food", "en", "target-group", None), "'target-group' needs a country"),
        (("food", "en", "neutral", "japan"), "'neutral' takes no country, but got 'japan'"),
        (("food", "en", "implicit-male", None), "'implicit-male' needs a country"),
        (("food", "en", "implicit-male", "rwanda"), "'rwanda'"),
        (("food", "en", "implicit-female", "bulgaria"), "'bulgaria'"),
    ],
)
def test_a_cell_that_cannot_be_asked_is_one_clear_line(
    cell: tuple[str, str, str, str | None], said: str
) -> None:
    with pytest.raises(CatalogError, match=re.escape(said)) as caught:
        prompt(*cell)
    assert "\n" not in str(caught.value)


def test_an_instruction_in_an_unknown_language_is_refused() -> None:
    with pytest.raises(CatalogError, match="did you mean 'de'"):
        language_instruction("german")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Write {lenght} {from}.", "unknown placeholder at here: 'lenght'"),
        ("Write {length}.", r"no placeholder {from} at here"),
        ("Write {length} {from.", "no placeholder {from} at here"),
        ("Write {length} {from} {.", "stray brace at here"),
        ("Write {length} {from} {}.", "unknown placeholder at here: ''"),
        ("{length} {from|이/기}", "unknown particle at here: '이/기'"),
        ("{length} {from|이/가}", "no particle 이/가 after 'from Japan' at here"),
    ],
)
def test_a_text_that_cannot_be_filled_in_is_refused(text: str, said: str) -> None:
    with pytest.raises(CatalogError, match=re.escape(said)):
        fill(text, {"length": "about 50 words", "from": "from Japan"}, "here")
