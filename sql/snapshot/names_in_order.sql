-- What fits the scopes of the catalog, and the names under their keys, with what a lookup needs to
-- know of their items at once.
-- scopes(scope, topic, root, ordinal): as in candidates.sql; bit 0 of names.fits is scope 0.
INSERT INTO fit
    SELECT s.scope, m.qid, s.ordinal, m.topic, m.root, m.class, m.evidence
    FROM member m JOIN scopes s USING (topic, root)
    QUALIFY row_number() OVER (
        PARTITION BY s.scope, m.qid ORDER BY m.root = '', m.depth, s.ordinal
    ) = 1
    ORDER BY m.qid, s.scope;

INSERT INTO names
    WITH fitting AS (SELECT qid, bit_or(1::UBIGINT << scope) AS fits FROM fit GROUP BY qid),
    final AS (
        SELECT DISTINCT n.key, n.lang, n.kind, n.name, coalesce(r."to", n.qid) AS qid
        FROM read_names n LEFT JOIN redirects r ON r."from" = n.qid
    )
    SELECT n.*, i.sitelinks, coalesce(f.fits, 0)
    FROM final n LEFT JOIN items i USING (qid) LEFT JOIN fitting f USING (qid)
    ORDER BY ALL;
