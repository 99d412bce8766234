"""Which language a text is written in. The sentences are our own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from makieval.catalog import languages
from makieval.extraction.language import OTHER, detect, in_language

SENTENCES = {
    "en": [
        "Anna opened the window and drank her tea before the others woke up.",
        "On Fridays he eats couscous and tajine at his grandmother's table.",
        "She ordered a ramen, gyoza and mochi.",
    ],
    "de": [
        "Der Mann setzt sich an den Tisch und isst eine Suppe mit Brot.",
        "Jeden Morgen nimmt sie die S-Bahn und liest unterwegs Zeitung.",
        "Yuki isst Sushi, Tempura und Mochi mit ihrer Mutter.",
    ],
    "zh": [
        "小王每天早上骑自行车上班，路上听音乐。",
        "她在家里和朋友一起吃火锅，喝乌龙茶。",
        "他今天晚上在家吃了米饭和豆腐。",
        "她喜欢在Starbucks喝拿铁。",
    ],
    "zh-tw": [
        "小王每天早上騎腳踏車上班，路上聽音樂。",
        "她在家裡和朋友一起吃火鍋，喝烏龍茶。",
        "他今天晚上在家吃了米飯和豆腐。",
        "他在家看「鬼滅の刃」，吃鹹酥雞。",
    ],
    "it": [
        "La nonna prepara le lasagne ogni domenica per tutta la famiglia.",
        "Marco prende il tram per andare in ufficio, poi un caffè.",
    ],
    "ja": [
        "彼女は毎晩、家族と一緒に味噌汁を飲みます。",
        "コーヒーを飲みながら本を読む。",
        "東京都庁前駅発車時刻変更",
    ],
    "es": [
        "La chica bebe un café con leche y mira pasar a la gente.",
        "Todos los domingos comemos paella en casa de mi abuela.",
        "El nino come pan con queso y sale a la calle manana.",
    ],
    "ar": [
        "جلست سارة في المقهى وشربت كوبا من الشاي بالنعناع.",
        "يركب أحمد الحافلة كل صباح ليصل إلى عمله.",
    ],
    "ko": [
        "민수는 저녁에 가족과 함께 김치찌개를 먹었다.",
        "그녀는 커피를 마시며 소설을 읽는다.",
        "그는 BTS의 노래를 매일 듣는다.",
    ],
    "hi": [
        "राहुल हर सुबह मेट्रो से दफ़्तर जाता है।",
        "उसने आज office में lunch किया और फिर cricket देखा।",
    ],
    "th": [
        "สมชายกินข้าวต้มกับครอบครัวทุกเช้า",
        "เธอนั่ง BTS ไปทำงานและฟังเพลง",
    ],
    "fa": [
        "سارا در کافه نشست و یک فنجان چای نوشید.",
        "او هر روز با اتوبوس به سر کار می‌رود.",
        "او در خانه كتاب مي خواند و غذا مي خورد.",
    ],
    "tr": [
        "Ayşe her sabah simit yiyip çay içiyor.",
        "Ahmet her sabah metro ile ise gidiyor ve orada kahve iciyor.",
        "Mehmet aksam yemeginde pilav ve kuru fasulye yedi.",
    ],
}
KNOWN = [(code, sentence) for code, group in SENTENCES.items() for sentence in group]


def test_every_language_of_the_catalog_has_sentences():
    assert list(SENTENCES) == list(languages())


@pytest.mark.parametrize(("code", "sentence"), KNOWN)
def test_a_sentence_is_in_its_own_language_and_in_no_other(code, sentence):
    assert detect(sentence) == code
    assert [asked for asked in languages() if in_language(sentence, asked)] == [code]


@pytest.mark.parametrize(
    "sentence",
    [
        "Elle boit un café au lait à Paris avec son ami.",
        "Ela bebe um café com leite em Lisboa com a sua amiga.",
        "Zij drinkt een kopje koffie met haar vriend in Amsterdam.",
        "Она пьёт чай с лимоном и читает газету.",
        "राहुल आज कार्यालयात जेवला आणि मेट्रोने घरी गेला.",
        "احمد نے آج دفتر میں کھانا کھایا اور گھر چلا گیا۔",
        "Η Μαρία πίνει καφέ στην πλατεία.",
    ],
)
def test_a_language_outside_the_catalog_is_other(sentence):
    assert detect(sentence) == OTHER
    assert not any(in_language(sentence, asked) for asked in languages())


@pytest.mark.parametrize(
    "text", ["", "Pizza", "1234567890 + 0987654321 = ?", "寿司", "...", "🍕" * 30]
)
def test_a_text_too_short_to_tell_is_neither_in_a_language_nor_outside_it(text):
    assert detect(text) is None
    assert in_language(text, "en") is None


def test_chinese_of_characters_common_to_both_scripts_is_left_open():
    text = "他在家吃白米、豆腐和水果。"
    assert detect(text) is None
    assert in_language(text, "zh") is None
    assert in_language(text, "zh-tw") is None
    assert in_language(text, "ko") is False


def test_the_majority_of_letters_decides_in_a_mixed_text():
    thai = "เธอนั่งรถไฟไปทำงาน "
    english = "and listens to her favourite songs on the way "
    assert in_language(thai * 4 + english, "th") is True
    assert in_language(thai * 4 + english, "en") is False
    assert in_language(thai + english * 2, "th") is False
    assert in_language(thai + english * 2, "en") is True


def test_a_text_in_three_scripts_of_which_none_has_half_is_in_no_language():
    text = "She likes it. เธอชอบมาก Она его любит"
    assert detect(text) is None
    assert not any(in_language(text, asked) for asked in languages())


@given(st.text())
def test_every_text_gets_a_verdict(text):
    assert detect(text) in {*languages(), OTHER, None}
