"""Over HTTP: the linker as a reconciliation service."""
