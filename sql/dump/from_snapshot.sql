-- A snapshot (attached as `before`) and its changes as the rows that a dump would give. changed:
-- every id that the changes speak of, whose rows of old no longer count.
CREATE VIEW read_item AS
SELECT CAST(substr(qid, 2) AS BIGINT) AS qid, sitelinks
FROM before.items WHERE qid NOT IN (SELECT qid FROM changed)
UNION ALL
SELECT CAST(substr(qid, 2) AS BIGINT), sitelinks FROM new_items;

CREATE VIEW read_name AS
SELECT CAST(substr(qid, 2) AS BIGINT) AS qid, lang, kind, name
FROM before.names WHERE qid NOT IN (SELECT qid FROM changed)
UNION ALL
SELECT CAST(substr(qid, 2) AS BIGINT), lang, kind, name FROM new_names;

CREATE VIEW read_statement AS
SELECT
    CAST(substr(qid, 2) AS BIGINT) AS qid, property, CAST(substr(value, 2) AS BIGINT) AS value, rank
FROM before.statements WHERE qid NOT IN (SELECT qid FROM changed)
UNION ALL
SELECT CAST(substr(qid, 2) AS BIGINT), property, CAST(substr(value, 2) AS BIGINT), rank
FROM new_statements;

CREATE VIEW read_description AS
SELECT CAST(substr(qid, 2) AS BIGINT) AS qid, lang, text
FROM before.descriptions WHERE qid NOT IN (SELECT qid FROM changed)
UNION ALL
SELECT CAST(substr(qid, 2) AS BIGINT), lang, text FROM new_descriptions;
