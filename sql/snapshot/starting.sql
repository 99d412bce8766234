-- Items that have a name whose key begins so, the shortest such name first.
-- languages(lang, place): place 0 is preferred. start, stop: the range of keys, stop excluded.
WITH hits AS (
    SELECT n.qid, n.name, n.lang, n.kind, length(n.key) AS size, l.place
    FROM names n JOIN languages l USING (lang)
    WHERE n.key >= $start AND n.key < $stop
)
SELECT h.qid, h.name, h.lang, h.kind
FROM hits h LEFT JOIN items i USING (qid)
QUALIFY row_number() OVER (
    PARTITION BY h.qid ORDER BY h.size, h.place, h.kind = 'alias', h.name
) = 1
ORDER BY h.size, coalesce(i.sitelinks, -1) DESC, CAST(substr(h.qid, 2) AS BIGINT)
LIMIT $most OFFSET $skipped
