-- Every difference, once: table, item, sign (+ added, - removed, ~ changed), and what it says.
CREATE TABLE change AS
WITH
items AS (
    SELECT
        coalesce(x.qid, y.qid) AS qid,
        CASE WHEN x.qid IS NULL THEN '+' WHEN y.qid IS NULL THEN '-' ELSE '~' END AS sign,
        CASE
            WHEN r."to" IS NOT NULL THEN 'merged into ' || r."to"
            WHEN x.qid IS NOT NULL AND y.qid IS NOT NULL
                THEN coalesce(x.sitelinks::VARCHAR, '?') || '→' || coalesce(y.sitelinks::VARCHAR, '?')
            ELSE coalesce(x.sitelinks, y.sitelinks)::VARCHAR
        END || CASE WHEN r."to" IS NULL THEN ' sitelinks' ELSE '' END AS said
    FROM a.items x
    FULL JOIN b.items y ON y.qid = x.qid
    LEFT JOIN b.redirects r ON r."from" = x.qid AND y.qid IS NULL
    WHERE x.qid IS NULL OR y.qid IS NULL OR x.sitelinks IS DISTINCT FROM y.sitelinks
),
names AS (
    SELECT
        coalesce(x.qid, y.qid) AS qid,
        CASE WHEN x.qid IS NULL THEN '+' WHEN y.qid IS NULL THEN '-' ELSE '~' END AS sign,
        concat_ws(' ', coalesce(x.lang, y.lang), nullif(concat_ws('→', x.kind, y.kind), ''),
            coalesce(x.name, y.name)) AS said
    FROM a.names x
    FULL JOIN b.names y ON y.qid = x.qid AND y.lang = x.lang AND y.name = x.name
    WHERE x.qid IS NULL OR y.qid IS NULL OR x.kind <> y.kind
),
statements AS (
    SELECT
        coalesce(x.qid, y.qid) AS qid,
        CASE WHEN x.qid IS NULL THEN '+' WHEN y.qid IS NULL THEN '-' ELSE '~' END AS sign,
        concat_ws(' ', coalesce(x.property, y.property), coalesce(x.value, y.value),
            concat_ws('→', x.rank, y.rank)) AS said
    FROM a.statements x
    FULL JOIN b.statements y ON y.qid = x.qid AND y.property = x.property AND y.value = x.value
    WHERE x.qid IS NULL OR y.qid IS NULL OR x.rank <> y.rank
)
SELECT 'items' AS "table", qid, sign, coalesce(said, 'sitelinks not known') AS said FROM items
UNION ALL
SELECT 'names', * FROM names
UNION ALL
SELECT 'statements', * FROM statements;

-- Classes under each root; changed: nearer to it or farther, or by another way.
CREATE TABLE class_change AS
SELECT
    coalesce(x.topic, y.topic) AS topic,
    coalesce(x.class, y.class) AS qid,
    CASE WHEN x.class IS NULL THEN '+' WHEN y.class IS NULL THEN '-' ELSE '~' END AS sign,
    'under ' || coalesce(x.root, y.root) AS said
FROM a.closure x
FULL JOIN b.closure y ON y.topic = x.topic AND y.root = x.root AND y.class = x.class
WHERE x.class IS NULL OR y.class IS NULL OR x.depth <> y.depth
    OR x.parent IS DISTINCT FROM y.parent;
