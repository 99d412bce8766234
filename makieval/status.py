"""The closed list of row statuses: why a row is what it is.

A status, never a silent gap. Every answer, mention and link carries one of these words; metrics
count by them and print the counts beside each figure.
"""

from enum import StrEnum


class Status(StrEnum):
    """One word of the closed list."""

    # An answer of a model.
    OK = "ok"  # text arrived and the model had finished
    TRUNCATED = "truncated"  # text arrived, cut at the token limit (finish_reason = length)
    EMPTY = "empty"  # the model finished and said nothing
    REFUSED = "refused"  # the model declined (the API says so)
    FILTERED = "filtered"  # a content filter removed the answer
    RATE_LIMITED = "rate_limited"  # 429 until the tries ran out
    TIMEOUT = "timeout"  # no answer within the time allowed
    UNREACHABLE = "unreachable"  # no connection
    UNAUTHORIZED = "unauthorized"  # 401 or 403
    SERVER_ERROR = "server_error"  # 5xx, or a reply that is not the API's
    REJECTED = "rejected"  # another 4xx: the request is not accepted as it is

    # An extraction.
    UNPARSABLE = "unparsable"  # the extractor's answer is not the JSON that was asked for

    # A mention.
    GROUNDED = "grounded"  # the surface form stands in the text
    UNGROUNDED = "ungrounded"  # it does not: dropped, and counted
    UNKNOWN_TYPE = "unknown_type"  # its type is outside the topic's vocabulary

    # A link.
    LINKED = "linked"
    NIL = "nil"  # no item carries this name
    WRONG_TYPE = "wrong_type"  # items carry it, none under the type's root classes
    AMBIGUOUS = "ambiguous"  # several equals, none better by any rule


#: Answers that hold text to work with.
ANSWERED = frozenset({Status.OK, Status.TRUNCATED})
#: Answers that are final: the model was asked and this is what came of it.
FINAL = ANSWERED | {Status.EMPTY, Status.REFUSED, Status.FILTERED}
#: Attempts that failed for a passing reason and are repeated within a run.
RETRIED = frozenset(
    {
        Status.RATE_LIMITED,
        Status.TIMEOUT,
        Status.UNREACHABLE,
        Status.UNAUTHORIZED,
        Status.SERVER_ERROR,
    }
)
#: What is asked again by the next run: nothing was said, and nothing was charged. A rejected
#: request is among them, since an empty account or a model that is not there yet rejects too.
UNANSWERED = RETRIED | {Status.REJECTED}
