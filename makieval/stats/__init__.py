"""Statistics that figures stand on. Pure functions: they know no store and no study."""
