"""The HTTP application: a reconciliation service per language, over one snapshot.

    /reconcile/en                       manifest; queries=…; extend=…   (GET, or POST as a form)
    /reconcile/en/suggest/entity        prefix=…&cursor=…; also /type and /property
    /reconcile/en/properties            type=…&limit=…
    /reconcile/en/preview               id=…
    /health

`/reconcile` alone is the service in English. Read-only; every answer may be read from any page
(CORS). What goes beyond a limit is refused with 413, what cannot be meant with 400, as
`{"error": one line}`.
"""

from collections.abc import Sequence
from importlib.metadata import version
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

from fastapi import APIRouter, FastAPI, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.middleware.cors import CORSMiddleware
from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.exceptions import HTTPException

from makieval import catalog
from makieval.errors import CatalogError
from makieval.linking.reviewed import Decision
from makieval.service import batches, manifest, preview
from makieval.service.extend import extend
from makieval.service.reconcile import Reconciler
from makieval.service.refused import Refused, bad, too_much
from makieval.service.suggest import Suggester

if TYPE_CHECKING:
    from makieval.wikidata import Snapshot

#: A batch of the most queries, each of the most characters, percent-encoded, fits easily.
MAX_BODY = 2_000_000
_FORM = "application/x-www-form-urlencoded"


def create_app(snapshot: "Snapshot", decisions: Sequence[Decision] = ()) -> FastAPI:
    """The service over an open snapshot, which the caller closes after serving."""
    app = FastAPI(title="makieval", version=version("makieval"), redirect_slashes=False)
    app.add_middleware(
        CORSMiddleware, allow_origins=["*"], allow_methods=["GET", "POST"], allow_headers=["*"]
    )
    app.add_exception_handler(Refused, _refused)
    app.add_exception_handler(HTTPException, _plain_error)
    app.include_router(_router(snapshot, decisions))

    @app.get("/health")
    def health() -> dict[str, str]:  # pyright: ignore[reportUnusedFunction]
        """Whether the service answers, and from which snapshot."""
        return {"status": "ok", "version": version("makieval"), "snapshot": snapshot.id}

    return app


def _router(snapshot: "Snapshot", decisions: Sequence[Decision]) -> APIRouter:
    router = APIRouter(tags=["reconciliation"])
    reconciler = Reconciler(snapshot, decisions)
    suggester = Suggester(snapshot, reconciler.texts)

    def answer(told: dict[str, str], base: str, language: str) -> dict[str, Any]:
        if "queries" in told:
            return reconciler.answer(batches.queries(told["queries"]), language)
        if "extend" in told:
            wanted = batches.extension(told["extend"])
            return extend(snapshot, reconciler.texts, wanted, language)
        return manifest.manifest(base, language)

    @router.get("/reconcile", summary="Manifest, queries= or extend=, in English")
    @router.get("/reconcile/{language}", summary="Manifest, queries= or extend=")
    @router.post("/reconcile", summary="queries= or extend= as a form, in English")
    @router.post("/reconcile/{language}", summary="queries= or extend= as a form")
    @router.get("/reconcile/{language}/", include_in_schema=False)
    @router.post("/reconcile/{language}/", include_in_schema=False)
    async def reconcile(request: Request, language: str = "en") -> Response:  # pyright: ignore[reportUnusedFunction]
        code = _language(language)
        told = await _told(request)
        if request.method == "POST" and not told.keys() & {"queries", "extend"}:
            raise bad("the form has neither 'queries' nor 'extend'")
        base = str(request.base_url).rstrip("/")
        return JSONResponse(await run_in_threadpool(answer, told, base, code))

    @router.get("/reconcile/{language}/suggest/{what}")
    def suggest(language: str, what: str, prefix: str = "", cursor: int = 0) -> JSONResponse:  # pyright: ignore[reportUnusedFunction]
        """Complete what somebody types: `what` is entity, type or property."""
        code, skipped = _language(language), max(0, cursor)
        if len(prefix) > batches.MAX_TEXT:
            raise too_much(f"prefix: {len(prefix)} characters; at most {batches.MAX_TEXT}")
        match what:
            case "entity":
                found = suggester.items(prefix, skipped, code)
            case "type":
                found = suggester.types(prefix, skipped)
            case "property":
                found = suggester.properties(prefix, skipped)
            case _:
                raise Refused(404, f"no suggestions of {what!r}; entity, type and property are")
        return JSONResponse(found)

    @router.get("/reconcile/{language}/properties")
    def properties(language: str, type: str = "", limit: int | None = None) -> JSONResponse:  # noqa: A002  # pyright: ignore[reportUnusedFunction]
        """Propose properties to fetch for items of a type."""
        _language(language)
        return JSONResponse(suggester.proposed(type, None if limit is None else max(0, limit)))

    @router.get("/reconcile/{language}/preview")
    def preview_(language: str, id: str = "") -> HTMLResponse:  # noqa: A002  # pyright: ignore[reportUnusedFunction]
        """A small page about one item."""
        code = _language(language)
        known = reconciler.texts.of([id], code) if preview.is_qid(id) else {}
        if id not in known:
            raise Refused(404, f"no item {id[:40]!r} in this snapshot")
        return HTMLResponse(preview.page(id, known[id], code), headers=preview.HEADERS)

    return router


async def _told(request: Request) -> dict[str, str]:
    """The parameters of the query string, and of the form where one was sent."""
    told = dict(request.query_params)
    if request.method != "POST":
        return told
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != _FORM:
        raise Refused(415, f"content type {kind or 'none'!r}; send a form: {_FORM}")
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY:
            raise too_much(f"more than {MAX_BODY:,} bytes of body; send smaller batches")
    try:
        form = parse_qs(body.decode("ascii"), keep_blank_values=True, errors="strict")
    except ValueError:
        raise bad("the form is not percent-encoded UTF-8") from None
    return told | {name: values[-1] for name, values in form.items()}


def _language(value: str) -> str:
    try:
        return catalog.language(value).code
    except CatalogError as error:
        raise Refused(404, str(error)) from None


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return JSONResponse({"error": error.message}, error.status)


async def _plain_error(_: Request, error: Exception) -> Response:
    """What the framework refuses itself, in our own shape."""
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": str(error.detail)}, error.status_code, error.headers)
