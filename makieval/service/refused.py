"""A request that cannot be answered: its HTTP status and one clear line."""


class Refused(Exception):
    """The service answers with `status` and `{"error": message}`."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


def bad(message: str) -> Refused:
    """A request that is wrong in itself (400)."""
    return Refused(400, message)


def too_much(message: str) -> Refused:
    """A request beyond a limit (413)."""
    return Refused(413, message)
