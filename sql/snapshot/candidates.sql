-- Every item that carries a looked-up name, and whether and why it fits.
-- asked(ask, place, language, key, scope): the forms of each lookup; place 0 is preferred.
-- scopes(scope, topic, root, ordinal): the roots that a lookup admits; '' is direct evidence.
WITH hits AS (
    SELECT a.ask, a.place, a.scope, n.qid, n.name, n.lang, n.kind, n.sitelinks
    FROM asked a JOIN names n ON n.key = a.key AND n.lang = a.language
),
pairs AS (SELECT DISTINCT scope, qid FROM hits),
-- The nearest root; of several the one listed first. Evidence counts where no class does.
fitting AS (
    SELECT p.scope, p.qid, m.topic, m.class, m.root, m.evidence
    FROM pairs p
    JOIN member m ON m.qid = p.qid
    JOIN scopes s ON s.scope = p.scope AND s.topic = m.topic AND s.root = m.root
    QUALIFY row_number() OVER (
        PARTITION BY p.scope, p.qid ORDER BY m.root = '', m.depth, s.ordinal
    ) = 1
)
SELECT h.ask, h.place, h.qid, h.name, h.lang, h.kind, h.sitelinks, f.root,
       CASE WHEN f.root = '' THEN ['direct', f.evidence]
            WHEN f.class = h.qid THEN c.path
            WHEN f.qid IS NOT NULL THEN list_prepend(h.qid, c.path) END AS path
FROM hits h
LEFT JOIN fitting f ON f.scope = h.scope AND f.qid = h.qid
LEFT JOIN closure c ON c.topic = f.topic AND c.class = f.class AND c.root = f.root
