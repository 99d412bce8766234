-- Every key, in these languages, of an item that some entity type of the topic admits.
-- languages(lang), scopes(scope, topic, direct, root, ordinal): one scope per type, in order.
WITH instances AS (
    SELECT qid, value AS class FROM statements WHERE property = 'P31' AND rank <> 'deprecated'
),
held AS (
    SELECT qid, class FROM instances
    UNION ALL
    SELECT DISTINCT class AS qid, class FROM closure
),
admitted AS (
    SELECT h.qid, s.scope
    FROM held h
    JOIN closure c ON c.class = h.class
    JOIN scopes s ON s.topic = c.topic AND s.root = c.root
    UNION
    SELECT t.qid, s.scope FROM topics t JOIN scopes s ON s.topic = t.topic AND s.direct
)
SELECT n.key, list_sort(list_distinct(list(a.scope))) AS scopes
FROM names n
SEMI JOIN languages USING (lang)
JOIN admitted a USING (qid)
WHERE n.qid NOT IN (SELECT qid FROM instances SEMI JOIN barred USING (class))
GROUP BY n.key
ORDER BY n.key
