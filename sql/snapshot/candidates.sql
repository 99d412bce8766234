-- Every item that carries a looked-up name, and whether and why it fits.
-- asked(ask, place, language, key, scope): the forms of each lookup; place 0 is preferred.
-- scopes(scope, topic, direct, root, ordinal): the roots that a lookup admits; ordinal NULL: none.
WITH hits AS (
    SELECT a.ask, a.place, a.scope, n.qid, n.name, n.lang, n.kind
    FROM asked a JOIN names n ON n.key = a.key AND n.lang = a.language
),
pairs AS (SELECT DISTINCT scope, qid FROM hits),
instances AS (
    SELECT p.scope, p.qid, s.value AS class
    FROM pairs p JOIN statements s
        ON s.qid = p.qid AND s.property = 'P31' AND s.rank <> 'deprecated'
),
-- The classes that hold an item: those it is an instance of, and itself where it is a class.
held AS (
    SELECT scope, qid, class, 1 AS step FROM instances
    UNION ALL
    SELECT scope, qid, qid, 0 FROM pairs
),
-- The nearest root; of several the one listed first, over the lowest class.
classed AS (
    SELECT h.scope, h.qid, h.class, s.topic, s.root
    FROM held h
    JOIN scopes s ON s.scope = h.scope
    JOIN closure c ON c.topic = s.topic AND c.root = s.root AND c.class = h.class
    QUALIFY row_number() OVER (
        PARTITION BY h.scope, h.qid
        ORDER BY c.depth + h.step, s.ordinal, CAST(substr(h.class, 2) AS BIGINT)
    ) = 1
),
direct AS (
    SELECT DISTINCT p.scope, p.qid, t.evidence
    FROM pairs p
    JOIN scopes s ON s.scope = p.scope AND s.direct
    JOIN topics t ON t.topic = s.topic AND t.qid = p.qid
),
pages AS (SELECT DISTINCT scope, qid FROM instances SEMI JOIN barred USING (class))
SELECT h.ask, h.place, h.qid, h.name, h.lang, h.kind, i.sitelinks,
       c.topic, c.class, c.root, d.evidence, b.qid IS NOT NULL AS barred
FROM hits h
LEFT JOIN items i ON i.qid = h.qid
LEFT JOIN classed c ON c.scope = h.scope AND c.qid = h.qid
LEFT JOIN direct d ON d.scope = h.scope AND d.qid = h.qid
LEFT JOIN pages b ON b.scope = h.scope AND b.qid = h.qid
