-- Classes and items under each root, in the snapshot before and now. before: an attached snapshot.
WITH old AS (
    SELECT c.topic, c.root, count(DISTINCT c.class) AS classes, count(DISTINCT h.qid) AS items
    FROM before.closure c
    JOIN (
        SELECT qid, value AS class FROM before.statements
        WHERE property = 'P31' AND rank <> 'deprecated'
        UNION ALL
        SELECT DISTINCT class, class FROM before.closure
    ) h USING (class)
    GROUP BY ALL
),
new AS (
    SELECT
        u.topic, 'Q' || u.root AS root, any_value(u.creator) AS creator,
        count(b.class) AS classes, count(*) AS items
    FROM under_root u
    LEFT JOIN below b ON b.root = u.root AND b.class = u.qid
    GROUP BY ALL
)
SELECT n.topic, n.root, o.classes, n.classes, o.items, n.items, n.creator
FROM new n
JOIN old o USING (topic, root)
ORDER BY n.topic, CAST(substr(n.root, 2) AS BIGINT)
