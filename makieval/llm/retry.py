"""How long to wait before asking again."""

import hashlib

FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 60.0
#: A server that says "0 seconds" would be hammered; one that says "an hour" would hold a slot.
SHORTEST_ASKED_WAIT_S = 1.0


def wait_before(attempt: int, request_id: str, asked_s: float | None) -> float:
    """Seconds to wait before the `attempt`-th repeat (from 1).

    What the server asked for, within 1 to 60 s, plus up to a quarter of a second; otherwise
    doubling from 0.5 s, spread over the upper half of the interval. The spread comes from the
    request's own key: many requests refused at once do not come back at once, and runs stay
    repeatable.
    """
    digest = hashlib.sha256(f"{request_id} {attempt}".encode()).digest()
    share = int.from_bytes(digest[:4]) / 2**32
    if asked_s is not None:
        return min(max(asked_s, SHORTEST_ASKED_WAIT_S), LONGEST_WAIT_S) + 0.25 * share
    longest = min(FIRST_WAIT_S * 2 ** (attempt - 1), LONGEST_WAIT_S)
    return longest * (0.5 + 0.5 * share)
