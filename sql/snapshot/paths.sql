-- From each class up to its root, one row per step. starts(topic, class, root).
WITH RECURSIVE walk AS (
    SELECT s.topic, s.class, s.root, s.class AS here, 0 AS step FROM starts s
    UNION ALL
    SELECT w.topic, w.class, w.root, c.parent, w.step + 1
    FROM walk w
    JOIN closure c ON c.topic = w.topic AND c.root = w.root AND c.class = w.here
    WHERE c.parent IS NOT NULL
)
SELECT topic, class, root, here FROM walk ORDER BY topic, class, root, step
