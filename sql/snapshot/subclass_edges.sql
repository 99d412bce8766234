-- (subclass, class) as QID numbers, without deprecated statements.
SELECT CAST(substr(qid, 2) AS BIGINT), CAST(substr(value, 2) AS BIGINT)
FROM statements
WHERE property = 'P279' AND rank <> 'deprecated'
ORDER BY ALL
