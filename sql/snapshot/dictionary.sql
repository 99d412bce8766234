-- Every key, in these languages, of an item that some entity type of the topic admits.
-- languages(lang), scopes(scope, topic, root, ordinal): one scope per type, in order.
WITH admitted AS (
    SELECT DISTINCT m.qid, s.scope FROM member m JOIN scopes s USING (topic, root)
)
SELECT n.key, list_sort(list_distinct(list(a.scope))) AS scopes
FROM names n
SEMI JOIN languages USING (lang)
JOIN admitted a USING (qid)
GROUP BY n.key
ORDER BY n.key
