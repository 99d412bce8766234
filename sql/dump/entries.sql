-- Of one root (?): the P279 statements by which classes newly lie under it, and how many instances
-- each class under it has. entry: a new class, the class of old above it.
WITH old AS (
    SELECT DISTINCT CAST(substr(class, 2) AS BIGINT) AS class
    FROM before.closure WHERE root = 'Q' || $root
),
new AS (
    SELECT class FROM below WHERE root = $root AND class NOT IN (SELECT class FROM old)
),
instances AS (
    SELECT value AS class, count(*) AS items FROM fact
    WHERE property = 'P31' AND rank <> 'deprecated' GROUP BY value
)
SELECT n.class, e.parent, e.parent IN (SELECT class FROM old) AS entry, coalesce(i.items, 0)
FROM new n
JOIN edge e ON e.child = n.class
JOIN below b ON b.root = $root AND b.class = e.parent
LEFT JOIN instances i ON i.class = n.class
ORDER BY ALL
