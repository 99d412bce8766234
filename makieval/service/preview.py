"""A small page about an item, for a frame in the client (API 0.2, section "Preview Service")."""

import re
from html import escape

from makieval import catalog
from makieval.service.texts import Text

WIDTH, HEIGHT = 400, 110
#: The page runs nothing and loads nothing; any client may frame it.
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
    "X-Content-Type-Options": "nosniff",
}
_QID = re.compile("Q[1-9][0-9]*")
_PAGE = """\
<!doctype html>
<html lang="{language}" dir="{direction}">
<head><meta charset="utf-8"><title>{label}</title>
<style>body {{ font: 14px/1.4 sans-serif; margin: 8px }} h1 {{ font-size: 16px; margin: 0 }}
p {{ margin: 4px 0 0 }} a {{ color: #36c }} small {{ color: #54595d }}</style></head>
<body><h1><a href="https://www.wikidata.org/wiki/{qid}" target="_blank" rel="noopener">{label}</a>
<small>{qid}</small></h1><p>{description}</p></body>
</html>
"""


def is_qid(text: str) -> bool:
    """Whether this is the id of an item."""
    return _QID.fullmatch(text) is not None


def page(qid: str, text: Text, language: str) -> str:
    """The page in HTML, every text escaped."""
    return _PAGE.format(
        qid=qid,
        label=escape(text.label),
        description=escape(text.description),
        language=language,
        direction="rtl" if catalog.language(language).rtl else "ltr",
    )
