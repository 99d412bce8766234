"""Content-addressed keys: a key changes exactly when the answer could change.

One recipe for all of them, so that resume, caching, sharing between studies and offline replay
are one mechanism. A key reads `<kind>1-<32 hex digits>`: the digit names the recipe (SHA-256 over
canonical JSON, first 128 bits), so that a later recipe can live beside it.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

RECIPE = "1"


def canonical(value: Any) -> str:
    """`value` as JSON that does not depend on key order, spacing or escaping."""
    return json.dumps(
        value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
    )


def fingerprint(kind: str, fields: Mapping[str, Any]) -> str:
    """The key of a thing of this `kind` that is fully described by JSON-like `fields`."""
    text = canonical({"kind": kind, "fields": fields})
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{kind}{RECIPE}-{digest[:32]}"
