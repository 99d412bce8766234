-- A folder of tables as the rows that the closures are computed over.
CREATE VIEW read_statement AS
SELECT
    CAST(substr(qid, 2) AS BIGINT) AS qid, property, CAST(substr(value, 2) AS BIGINT) AS value, rank
FROM read_csv('$folder/statements.tsv', delim = '\t', quote = '', escape = '', header = true,
    all_varchar = true);
CREATE VIEW read_name AS
SELECT CAST(substr(qid, 2) AS BIGINT) AS qid, lang, kind, name
FROM read_csv('$folder/names.tsv', delim = '\t', quote = '', escape = '', header = true,
    all_varchar = true);
