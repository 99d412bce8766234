"""How long a server asks to be left alone: the `Retry-After` header in all its forms."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


def asked_wait(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Seconds that `Retry-After` (seconds or an HTTP date) asks for; None where it says nothing.

    Names of `headers` are in lower case. RFC 9110, section 10.2.3.
    """
    value = headers.get("retry-after", "").strip()
    if re.fullmatch(r"\d{1,9}(\.\d+)?", value):
        return float(value)
    try:
        date = parsedate_to_datetime(value)
    except ValueError:
        return None
    date = date if date.tzinfo else date.replace(tzinfo=UTC)
    return max((date - (now or datetime.now(UTC))).total_seconds(), 0.0)
