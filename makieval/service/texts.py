"""Labels and descriptions of items, kept: a snapshot never changes while it is served."""

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from threading import Lock

from makieval import catalog
from makieval.linking.candidates import KINDS, KnowledgeSource
from makieval.linking.linker import name_languages

#: Items in one language that are kept in memory: some tens of megabytes.
_KEPT = 100_000


@dataclass(frozen=True, slots=True)
class Text:
    """How an item is shown: the best label, and the description (empty where there is none)."""

    label: str
    description: str


class Texts:
    """Looks texts up, each item and language once while it is kept."""

    def __init__(self, source: KnowledgeSource) -> None:
        self._source = source
        self._kept: OrderedDict[tuple[str, str], Text | None] = OrderedDict()
        self._lock = Lock()

    def of(self, qids: Iterable[str], language: str) -> dict[str, Text]:
        """QID → texts in the best of the language's fallbacks; an item without name is missing."""
        wanted = list(dict.fromkeys(qids))
        with self._lock:
            known = {q: self._kept[q, language] for q in wanted if (q, language) in self._kept}
        missing = [qid for qid in wanted if qid not in known]
        if missing:
            known.update(self._looked_up(missing, language))
            with self._lock:
                self._kept.update({(qid, language): known[qid] for qid in missing})
                while len(self._kept) > _KEPT:
                    self._kept.popitem(last=False)
        return {qid: text for qid in wanted if (text := known[qid])}

    def _looked_up(self, qids: Sequence[str], language: str) -> dict[str, Text | None]:
        chain = name_languages(catalog.language(language))
        place = {code: at for at, code in enumerate(chain)}
        # Of several names of a kind the shortest counts, then the first by code point.
        names = sorted(
            self._source.names(qids, chain),
            key=lambda one: (KINDS.index(one.kind), place[one.language], len(one.text), one.text),
        )
        labels: dict[str, str] = {}
        for name in names:
            labels.setdefault(name.qid, name.text)
        about: dict[str, str] = {}
        told = self._source.descriptions(labels, chain)
        for description in sorted(told, key=lambda one: place[one.language]):
            about.setdefault(description.qid, description.text)
        return {
            qid: Text(labels[qid], about.get(qid, "")) if qid in labels else None for qid in qids
        }
