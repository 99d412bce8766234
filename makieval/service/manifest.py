"""What the service says of itself (API 0.2, section "Service Manifest")."""

from importlib.metadata import version
from typing import Any

from makieval import catalog
from makieval.service import batches, preview
from makieval.service.extend import SETTINGS
from makieval.service.reconcile import type_record

#: The same as Wikidata's own service, so that clients know our items for its items.
IDENTIFIERS = "http://www.wikidata.org/entity/"
SCHEMA = "http://www.wikidata.org/prop/direct/"


def manifest(base: str, language: str) -> dict[str, Any]:
    """The manifest of the service in `language`; `base` is the address that the client used."""
    here = f"{base}/reconcile/{language}"
    return {
        "versions": ["0.2"],
        "name": f"makieval ({catalog.language(language).english})",
        "identifierSpace": IDENTIFIERS,
        "schemaSpace": SCHEMA,
        "serviceVersion": version("makieval"),
        "defaultTypes": [type_record(topic) for topic in catalog.topics()],
        "batchSize": batches.MAX_QUERIES,
        "view": {"url": "https://www.wikidata.org/wiki/{{id}}"},
        "preview": {
            "url": f"{here}/preview?id={{{{id}}}}",
            "width": preview.WIDTH,
            "height": preview.HEIGHT,
        },
        "suggest": {
            what: {"service_url": here, "service_path": f"/suggest/{what}"}
            for what in ("entity", "type", "property")
        },
        "extend": {
            "propose_properties": {"service_url": here, "service_path": "/properties"},
            "property_settings": list(SETTINGS),
        },
    }
