-- Up to $most differences per topic, table and sign, of the best-known items first.
WITH told AS (
    SELECT coalesce(t.topic, 'other') AS topic, c."table", c.sign, c.qid, c.said
    FROM change c LEFT JOIN topical t USING (qid)
    UNION ALL
    SELECT topic, 'classes', sign, qid, said FROM class_change
),
labelled AS (
    SELECT told.*, l.name AS label, i.sitelinks
    FROM told
    LEFT JOIN (
        SELECT qid, arg_min(name, (lang <> 'en', name)) AS name
        FROM (
            SELECT qid, lang, name FROM a.names WHERE lang IN ('en', 'mul') AND kind <> 'alias'
            UNION ALL
            SELECT qid, lang, name FROM b.names WHERE lang IN ('en', 'mul') AND kind <> 'alias'
        )
        GROUP BY qid
    ) l USING (qid)
    LEFT JOIN (
        SELECT qid, max(sitelinks) AS sitelinks
        FROM (SELECT * FROM a.items UNION ALL SELECT * FROM b.items) GROUP BY qid
    ) i USING (qid)
)
SELECT topic, "table", sign, qid, label, said
FROM labelled
QUALIFY row_number() OVER (
    PARTITION BY topic, "table", sign
    ORDER BY sitelinks DESC NULLS LAST, CAST(substr(qid, 2) AS BIGINT), said
) <= $most
ORDER BY topic, "table", sign, sitelinks DESC NULLS LAST, CAST(substr(qid, 2) AS BIGINT), said
