"""Everything that can go wrong, in one look.

    MakievalError                 one clear line for the user; `exit_code` for the shell
    ├── InputError                what the user wrote cannot be meant (exit 2)
    │   ├── StudyError            a study file: names the key, the value, what is allowed
    │   └── CatalogError          an unknown language, country, topic or framing
    ├── SnapshotError             a snapshot is missing, damaged, or from a newer version (exit 3)
    ├── StoreError                the store cannot be opened or written (exit 4)
    │   ├── StoreBusy             another process holds it
    │   └── DiskFull              no room left; what was journalled is safe
    ├── ModelError                a model cannot be asked (exit 5)
    │   ├── ModelFileError        the embedded model's file is missing or is not what it claims
    │   ├── EndpointUnreachable   nothing answers at the address
    │   └── Unauthorized          the key is missing or refused
    ├── OfflineMiss               `--offline`, and an answer was never recorded (exit 6)
    └── ReplayDiffers             a replay's tables are not the recorded ones (exit 7)

Every one carries a message fit to print alone: what, where, what is allowed, what to do.
"""


class MakievalError(Exception):
    """Base of all errors that a user can act on; `str(error)` is one line."""

    exit_code = 1


class InputError(MakievalError):
    """Something the user wrote cannot be meant."""

    exit_code = 2


class StudyError(InputError):
    """A study file does not say a study."""


class CatalogError(InputError):
    """A name that the catalog does not hold."""


class SnapshotError(MakievalError):
    """A snapshot of Wikidata cannot be used."""

    exit_code = 3


class StoreError(MakievalError):
    """The store cannot be opened, read or written."""

    exit_code = 4


class StoreBusy(StoreError):
    """Another process holds the store's DuckDB file."""


class DiskFull(StoreError):
    """The disk has no room left."""


class ModelError(MakievalError):
    """A model cannot be asked."""

    exit_code = 5


class ModelFileError(ModelError):
    """The embedded model's file is missing or has the wrong SHA-256."""


class EndpointUnreachable(ModelError):
    """Nothing answers at an endpoint's address."""


class Unauthorized(ModelError):
    """A key is missing, or the endpoint refused it."""


class OfflineMiss(MakievalError):
    """An offline run needs answers that were never recorded.

    `missing` lists them, one readable line each, so that nothing is invented in their place.
    """

    exit_code = 6

    def __init__(self, message: str, missing: list[str]) -> None:
        super().__init__(message)
        self.missing = missing


class ReplayDiffers(MakievalError):
    """A replay gave other tables than the recording's."""

    exit_code = 7
