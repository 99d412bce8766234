"""The study file: what is asked of whom, and how the answers are read.

A study is a grid (topics × languages × countries × framings), the models that are asked, and the
settings of extraction, linking and report. It is written in TOML, read once, checked whole, and
fingerprinted. Every mistake is one line that names the key, the value and what is allowed.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, Protocol, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from makieval import catalog
from makieval.errors import CatalogError, InputError, StudyError
from makieval.fingerprint import fingerprint
from makieval.llm.endpoint import Endpoint
from makieval.nearest import nearest

ALL = "all"
EVALUATED = "evaluated"
STARTER = "starter"


@dataclass(frozen=True, slots=True)
class Cell:
    """One place of the grid: what a prompt is about, in which language and framing."""

    topic: str
    language: str
    framing: str
    country: str | None


class PromptSource(Protocol):
    """Where prompt texts come from: our catalog, or published files of the same shape."""

    def prompt(self, topic: str, language: str, framing: str, country: str | None = None) -> str:
        """The prompt text of one cell."""
        ...


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)


def _known(lookup: Callable[[str], Any], attribute: str = "id") -> AfterValidator:
    """Validates a name by the catalog's own lookup, keeping its "did you mean" line."""

    def check(value: str) -> str:
        try:
            return getattr(lookup(value), attribute)
        except CatalogError as error:
            raise ValueError(str(error)) from None

    return AfterValidator(check)


def _variable(value: str | None) -> str | None:
    """The name of an environment variable; a key pasted in its place is never repeated."""
    if value is not None and not re.fullmatch(r"[A-Z_][A-Z0-9_]{0,63}", value):
        raise ValueError(
            "names the environment variable that holds the key, in capitals such as MY_KEY,"
            " and never the key itself"
        )
    return value


VariableName = Annotated[str | None, AfterValidator(_variable)]
Topic = Annotated[str, _known(catalog.topic)]
Language = Annotated[str, _known(catalog.language, "code")]
Country = Annotated[str, _known(catalog.country)]
Framing = Annotated[str, _known(catalog.framing)]


class Model(_Table):
    """One model to ask: an OpenAI-compatible endpoint, or `model = "local"` for the embedded one.

    Decoding defaults follow the paper's appendix A: temperature 0.7, top-p 0.9, and top-k 10 for
    the embedded model (many services refuse `top_k`, so elsewhere it is sent only where named).
    """

    name: str = Field(min_length=1, max_length=80)
    model: str = Field(min_length=1)
    base_url: str | None = None
    api_key_env: VariableName = None
    temperature: float = Field(default=0.7, ge=0, le=2)
    top_p: float = Field(default=0.9, gt=0, le=1)
    top_k: int | None = Field(default=None, ge=1)
    max_tokens: int = Field(default=150, ge=1, le=100_000)
    system: str | None = None
    language_instruction: bool = False
    extra: dict[str, Any] = Field(default_factory=dict)
    concurrency: int = Field(default=8, ge=1, le=1024)
    timeout_s: float = Field(default=120, gt=0)
    max_retries: int = Field(default=5, ge=0, le=50)

    @model_validator(mode="after")
    def _address(self) -> Self:
        if self.base_url is None and not self.embedded:
            raise ValueError(
                f"model '{self.model}' needs a base_url; only model = \"local\" runs without one"
            )
        if self.base_url is not None and self.embedded:
            raise ValueError('model = "local" is embedded and takes no base_url')
        try:
            self.endpoint()
        except InputError as error:
            raise ValueError(str(error)) from None
        return self

    @property
    def embedded(self) -> bool:
        """Whether this is a model that makieval serves itself."""
        return self.model == "local" or self.model.startswith("local:")

    def endpoint(self) -> Endpoint:
        """The same as the address and decoding that requests are made from."""
        top_k = 10 if self.top_k is None and self.embedded else self.top_k
        decoding: dict[str, Any] = {
            "temperature": self.temperature,
            "top_p": self.top_p,
            "max_tokens": self.max_tokens,
            **({"top_k": top_k} if top_k is not None else {}),
            **self.extra,
        }
        return Endpoint(
            name=self.name,
            model=self.model,
            base_url=self.base_url,
            api_key_env=self.api_key_env,
            decoding=decoding,
            system=self.system,
            concurrency=self.concurrency,
            timeout_s=self.timeout_s,
            max_retries=self.max_retries,
        )


class Extraction(_Table):
    """How cultural entities are found in a text: by a model, or by the snapshot's names."""

    extractor: Literal["model", "gazetteer"] = "model"
    model: str | None = None
    max_tokens: int = Field(default=300, ge=16)


class Linking(_Table):
    """Where links come from: `starter`, or the path of a snapshot file."""

    source: str = STARTER

    @field_validator("source")
    @classmethod
    def _whole_path(cls, value: str, info: ValidationInfo) -> str:
        if value == STARTER or info.context is None:
            return value
        path = Path(info.context) / value
        if not path.exists():
            raise ValueError(
                f"no snapshot file '{value}' (allowed: 'starter', or a file)"
                f"{nearest(value, [STARTER])}"
            )
        return str(path)


class Report(_Table):
    """What the report is called and how many texts it shows."""

    title: str | None = None


class Prompts(_Table):
    """Prompts in the released layout (`prompt.json`, `country.json`, `name.json`)."""

    prompt_json: Path
    country_json: Path
    name_json: Path

    @field_validator("prompt_json", "country_json", "name_json")
    @classmethod
    def _whole_path(cls, value: Path, info: ValidationInfo) -> Path:
        return value if info.context is None else Path(info.context) / value


class Study(_Table):
    """One study, whole and checked. `Study.load(path)` reads a file."""

    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")
    seed: int = Field(default=0, ge=0, le=2**31 - 1)
    topics: list[Topic] = Field(min_length=1)
    languages: list[Language] = Field(min_length=1)
    countries: list[Country] = []
    framings: list[Framing] = Field(default=["neutral", "explicit"], min_length=1)
    samples: int = Field(default=1, ge=1, le=1_000_000)
    max_error_share: float = Field(default=0.05, ge=0, le=1)
    models: list[Model] = Field(min_length=1)
    extraction: Extraction = Extraction()
    linking: Linking = Linking()
    report: Report = Report()
    published_prompts: Prompts | None = None

    @field_validator("topics", "languages", "countries", "framings", mode="before")
    @classmethod
    def _expand(cls, value: Any, info: Any) -> Any:
        """`"all"` is the catalog's whole list, `"evaluated"` the paper's 19 countries."""
        if value == ALL:
            return list(getattr(catalog, info.field_name)())
        if value == EVALUATED and info.field_name == "countries":
            return [c.id for c in catalog.countries().values() if c.evaluated]
        return value

    @field_validator("topics", "languages", "countries", "framings")
    @classmethod
    def _once(cls, value: list[str]) -> list[str]:
        twice = sorted({v for v in value if value.count(v) > 1})
        if twice:
            raise ValueError(f"'{twice[0]}' stands there twice")
        return value

    @model_validator(mode="after")
    def _whole(self) -> Self:
        names = [m.name for m in self.models]
        twice = sorted({n for n in names if names.count(n) > 1})
        if twice:
            raise ValueError(f"models: the name '{twice[0]}' stands there twice")
        if self.extraction.model is not None and self.extraction.model not in names:
            raise ValueError(
                f"extraction.model: '{self.extraction.model}' is none of the models"
                f" ({', '.join(names)}){nearest(self.extraction.model, names)}"
            )
        needy = [f for f in self.framings if catalog.framings()[f].needs_country]
        if needy and not self.countries:
            raise ValueError(f"countries: framing '{needy[0]}' needs at least one country")
        return self

    @classmethod
    def load(cls, path: str | Path) -> "Study":
        """The study in the TOML file at `path`; raises `StudyError`, one line per mistake."""
        path = Path(path)
        try:
            text = path.read_text(encoding="utf-8")
            return cls.parse(text, where=str(path), folder=path.parent.absolute())
        except OSError as error:
            raise StudyError(f"{path}: cannot be read ({error.strerror})") from None
        except UnicodeDecodeError:
            raise StudyError(f"{path}: is not UTF-8 text") from None

    @classmethod
    def parse(cls, text: str, where: str = "study", folder: Path | None = None) -> "Study":
        """The study in TOML `text`; `where` names it in error lines.

        Files that it names are looked for from `folder`, else from the current folder.
        """
        try:
            data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise StudyError(f"{where}: not TOML: {error}") from None
        if not data:
            raise StudyError(f"{where}: is empty; `makieval init` writes a study to start from")
        try:
            return cls.model_validate(data, context=folder)
        except ValidationError as error:
            raise StudyError("\n".join(_lines(error, where))) from None

    @property
    def fingerprint(self) -> str:
        """Changes exactly when the study's definition does."""
        return fingerprint("study", self.model_dump(mode="json"))

    @property
    def extraction_model(self) -> Model:
        """The model that extracts: the one named, else the first."""
        return next((m for m in self.models if m.name == self.extraction.model), self.models[0])

    def cells(self) -> Iterator[Cell]:
        """The grid in a fixed order; a framing without a country is asked once per language."""
        for topic in self.topics:
            for language in self.languages:
                for framing in self.framings:
                    needs = catalog.framings()[framing].needs_country
                    for country in self.countries if needs else (None,):
                        yield Cell(topic, language, framing, country)

    def prompt(self, cell: Cell) -> str:
        """The prompt text of one cell, from the catalog or from published files."""
        return self._prompts.prompt(cell.topic, cell.language, cell.framing, cell.country)

    @cached_property
    def _prompts(self) -> "PromptSource":
        files = self.published_prompts
        if files is None:
            return catalog
        return catalog.published.load(files.prompt_json, files.country_json, files.name_json)


def _lines(error: ValidationError, where: str) -> Iterator[str]:
    """One line per mistake: where, which key, what is wrong, the nearest right thing."""
    for problem in error.errors(include_url=False):
        key = ".".join(str(part) for part in problem["loc"]) or "study"
        yield f"{where}: {_sentence(key, problem)}"


def _sentence(key: str, problem: Mapping[str, Any]) -> str:
    kind, value = problem["type"], problem.get("input")
    if kind == "extra_forbidden":
        allowed = _keys_beside(problem["loc"])
        last = str(problem["loc"][-1])
        return f"unknown key '{key}'{nearest(last, allowed)}; allowed here: {', '.join(allowed)}"
    if kind == "missing":
        return f"key '{key}' is missing"
    message = str(problem["msg"]).removeprefix("Value error, ")
    if kind == "value_error":
        return message if message.startswith(key) or key == "study" else f"{key}: {message}"
    return f"{key} = {value!r}: {message[0].lower()}{message[1:]}"


def _keys_beside(location: tuple[int | str, ...]) -> list[str]:
    """The keys allowed in the table that `location` points into."""
    tables: dict[str, type[_Table]] = {
        "models": Model,
        "extraction": Extraction,
        "linking": Linking,
        "report": Report,
        "published_prompts": Prompts,
    }
    table = tables.get(str(location[0]), Study) if len(location) > 1 else Study
    return sorted(table.model_fields)
