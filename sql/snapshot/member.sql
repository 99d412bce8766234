-- P31/P279* and the direct evidence, for every item at once.
INSERT INTO member
    WITH instances AS (
        SELECT qid, value AS class FROM statements WHERE property = 'P31' AND rank <> 'deprecated'
    ),
    -- The classes that hold an item: those it is an instance of, and itself where it is a class.
    held AS (
        SELECT qid, class, 1 AS step FROM instances
        UNION ALL
        SELECT DISTINCT class, class, 0 FROM closure
    ),
    classed AS (
        SELECT h.qid, c.topic, c.root, min(c.depth + h.step) AS depth,
               arg_min(h.class, ((c.depth + h.step)::BIGINT << 40) + substr(h.class, 2)::BIGINT)
                   AS class,
               NULL AS evidence
        FROM held h JOIN closure c USING (class)
        GROUP BY ALL
    ),
    all_of_them AS (
        FROM classed UNION ALL SELECT qid, topic, '', NULL, NULL, evidence FROM topics
    )
    FROM all_of_them
    WHERE qid NOT IN (SELECT qid FROM instances SEMI JOIN barred USING (class))
    ORDER BY qid, topic, root;
