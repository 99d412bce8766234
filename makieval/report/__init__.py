"""Results as people read them: terminal tables, charts, one HTML file, exported tables.

`frames` asks the store's views, `results` lays the answers out as plain tables, and `tables`,
`charts`, `html` and `export` each render them for one kind of reader. All take an open DuckDB
connection and the name of a study; none opens a file of the store.
"""
