"""Reads a page as a browser would, as far as the tests ask: elements, attributes, text."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "link", "br", "hr", "img", "input"}


@dataclass
class Element:
    name: str
    attributes: dict[str, str]
    text: str = ""


@dataclass
class Page(HTMLParser):
    """All elements of a page in order; each holds the text of everything inside it."""

    source: str
    elements: list[Element] = field(default_factory=list)
    unclosed: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._open: list[Element] = []
        self.feed(self.source)
        self.close()
        self.unclosed = [element.name for element in self._open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.elements.append(element)
        if tag not in VOID:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self._open and self._open[-1].name == tag, f"</{tag}> closes {self._open[-1:]}"
        self._open.pop()

    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.text += data

    def all(self, name: str, **attributes: str) -> list[Element]:
        return [
            element
            for element in self.elements
            if element.name == name
            and all(element.attributes.get(key) == value for key, value in attributes.items())
        ]
