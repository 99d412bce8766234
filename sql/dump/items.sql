-- A merged item's own number of sitelinks, else the highest of those merged into it.
SELECT 'Q' || k.qid AS qid, coalesce(CAST(i.sitelinks AS VARCHAR), '') AS sitelinks
FROM kept k
LEFT JOIN (
    SELECT
        coalesce(r.target, i.qid) AS qid,
        coalesce(max(i.sitelinks) FILTER (r.target IS NULL), max(i.sitelinks)) AS sitelinks
    FROM read_item i
    LEFT JOIN redirected r ON r.source = i.qid
    GROUP BY 1
) i USING (qid)
ORDER BY k.qid
