"""The key under which a name is filed and a mention is looked up: one recipe, in Python only.

Two spellings get the same key when a reader would call them the same written word: letter case,
composed or decomposed, full or half width, the shape of quotes, dashes and apostrophes, Arabic
and Persian yeh and kaf, vowel points, the Persian ezafe over heh, digits of another script, the
nasal before a Devanagari stop (हिन्दी, हिंदी), space around a hyphen or middle dot. Two words stay
two words: no accent, nukta, vowel sign, tone mark or voicing mark is dropped (चाय is not चय, ガ is
not カ); what may be dropped at a pinch is a matter of `variants`.

The recipe, in this order:
 1. trade marks go; NFKC (UAX #15);
 2. a zero-width non-joiner between Arabic-script letters becomes a space (Persian writes the half
    space as often as a space), every other invisible character goes;
 3. case folding; in Turkic languages I is ı and İ is i, in all others I, İ and ı are i;
 4. shapes are unified (`_SHAPES`): quotes, apostrophes, dashes, middle dots, yeh, kaf, digits;
    tatweel and Arabic vowel points go, teh marbuta and hamza stay;
 5. a Devanagari nasal with virama before a stop of its own class becomes anusvara (both spellings
    are standard), hamza over heh goes;
 6. white space collapses, around hyphens and middle dots it goes; quotes, brackets around the
    whole, and closing punctuation go;
 7. where nothing is left (`!!!`), the text is kept as it stood after NFKC and folding.

A change of any of this changes VERSION: snapshots keep keys, and must be rebuilt.
"""

import re
from unicodedata import is_normalized, normalize

VERSION = 2

TURKIC = frozenset({"tr", "az"})

# NFKC would turn these into letters, or into a space and a mark.
_BEFORE_NFKC = {**dict.fromkeys(map(ord, "™℠®")), ord("´"): "'", ord("″"): '"'}
_HALF_SPACE = re.compile("(?<=[\u0600-\u06ff])\u200c+(?=[\u0600-\u06ff])")
_DOTTED_I = re.compile("i\u0307+")
_NASAL = re.compile(
    "ङ\u094d(?=[क-घ])|ञ\u094d(?=[च-झ])|ण\u094d(?=[ट-ढ])|न\u094d(?=[त-ध])|म\u094d(?=[प-भ])"
)
_EZAFE = re.compile("(?<=ه)\u0654+")
_LOOSE_JOINT = re.compile(" ?([-·]) ?")


def _shapes() -> dict[int, str | None]:
    """What each unified character becomes; None for what goes."""
    table: dict[int, str | None] = {}
    for target, shapes in {
        '"': "“”„‟«»〝〞〟",
        "'": "‘’‚‛ʼʻʹ′`‹›",
        "-": "‐‑‒–—―−",
        "·": "・‧•∙⋅",
        "ي": "یى",
        "ك": "ک",
        "ه": "ۀ",
    }.items():
        table.update(dict.fromkeys(map(ord, shapes), target))
    for zero in "٠۰०๐":
        table.update({ord(zero) + digit: str(digit) for digit in range(10)})
    invisible = [0x00AD, 0xFEFF, *range(0x200B, 0x2010), *range(0x202A, 0x202F)]
    invisible += [*range(0x2060, 0x2065), *range(0x2066, 0x2070), *range(0xFE00, 0xFE10)]
    vowel_points = [0x0640, *range(0x064B, 0x0653), 0x0670]
    table.update(dict.fromkeys(invisible + vowel_points))
    # Half a surrogate pair, as broken JSON brings it, can be stored nowhere.
    table.update(dict.fromkeys(range(0xD800, 0xE000), "\ufffd"))
    return table


_SHAPES = _shapes()

_CLOSING = ".,;:!?¿¡。、،؛؟।॥"
_OPENING = ",;:¿¡、،؛"
_PAIRS = dict(zip("\"'([{「『《〈【〔〖", "\"')]}」』》〉】〕〗", strict=True))
_OPENERS = {closer: opener for opener, closer in _PAIRS.items()}
_FIRST = frozenset(_OPENING) | _PAIRS.keys() | _OPENERS.keys()
_LAST = frozenset(_CLOSING) | _PAIRS.keys() | _OPENERS.keys()


def key(text: str, language: str) -> str:
    """The key of `text`, read as a name in `language` (a Wikidata code; only case depends on it).

    Idempotent, empty only for white space; the key for another language can be taken from the key:
    `key(key(text, "tr"), "en") == key(text, "en")`.
    """
    turkic = language in TURKIC
    if text.isascii():
        folded = text.replace("I", "ı").lower() if turkic else text.lower()
        if "`" in folded:
            folded = folded.replace("`", "'")
    else:
        folded = _fold(text, turkic)
    folded = " ".join(folded.split())
    if not folded:
        return _keep(text, language)
    if "-" in folded or "·" in folded:
        folded = _LOOSE_JOINT.sub(r"\1", folded)
    if folded[0] in _FIRST or folded[-1] in _LAST:
        folded = _bare(folded)
        if not folded:
            return _keep(text, language)
    return folded


def _fold(text: str, turkic: bool) -> str:
    """Steps 1 to 5; again, until nothing changes, where they leave text that NFKC would change."""
    folded = normalize("NFKC", text.translate(_BEFORE_NFKC))
    if "\u200c" in folded:
        folded = _HALF_SPACE.sub(" ", folded)
    if turkic:
        folded = folded.replace("I", "ı").replace("İ", "i")
    folded = folded.casefold().translate(_SHAPES)
    if "i\u0307" in folded:
        folded = _DOTTED_I.sub("i", folded)
    if not turkic and "ı" in folded:
        folded = folded.replace("ı", "i")
    if "\u094d" in folded:
        folded = _NASAL.sub("\u0902", folded)
    if "\u0654" in folded:
        folded = _EZAFE.sub("", folded)
    if is_normalized("NFKC", folded):
        return folded
    composed = normalize("NFKC", folded)
    return composed if composed == text else _fold(composed, turkic)


def _bare(text: str) -> str:
    """`text` without quotes and brackets around it and without punctuation that closes it.

    A bracket whose partner stands inside the name belongs to it: `(I Can't Get No) Satisfaction`.
    """
    while text:
        before = text
        text = text.rstrip(_CLOSING).lstrip(_OPENING).strip()
        if text and text[0] in _PAIRS:
            partner = text.find(_PAIRS[text[0]], 1)
            if partner < 0:
                text = text[1:]
            elif partner == len(text) - 1:
                text = text[1:-1]
        elif text and text[0] in _OPENERS:
            text = text[1:]
        if text and text[-1] in _LAST and _OPENERS.get(text[-1], text[-1]) not in text[:-1]:
            text = text[:-1]
        text = text.strip()
        if text == before:
            return text
    return text


def _keep(text: str, language: str) -> str:
    """A key for text that is all punctuation: NFKC, folded, otherwise as it stands."""
    kept = " ".join(normalize("NFKC", text).casefold().split())
    return kept if kept == text else key(kept, language)
