SELECT 'Q' || r.source AS "from", 'Q' || r.target AS "to"
FROM redirected r
WHERE r.target IN (SELECT qid FROM kept) AND r.source NOT IN (SELECT qid FROM kept)
ORDER BY r.source
