-- Counts per topic and table, all topics as the catalog's ids; an item of two topics counts in both.
WITH told AS (
    SELECT coalesce(t.topic, 'other') AS topic, c."table", c.sign
    FROM change c LEFT JOIN topical t USING (qid)
    UNION ALL
    SELECT topic, 'classes', sign FROM class_change GROUP BY topic, qid, sign
)
SELECT
    topic, "table",
    count(*) FILTER (sign = '+') AS added,
    count(*) FILTER (sign = '-') AS removed,
    count(*) FILTER (sign = '~') AS changed
FROM told
GROUP BY ALL
ORDER BY ALL
