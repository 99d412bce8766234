"""Polars frames into DuckDB without pyarrow, through the Arrow C stream that both speak.

DuckDB recognises a Polars frame by its class and then asks pyarrow to convert it; seen only as a
stream it needs nobody.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars


class ArrowStream:
    """A frame to `register` with a DuckDB connection as a view."""

    def __init__(self, frame: "polars.DataFrame") -> None:
        self._frame = frame

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The Arrow PyCapsule interface."""
        return self._frame.__arrow_c_stream__(requested_schema)
