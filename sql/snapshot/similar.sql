-- Keys that share a text with an asked key when both lose at most one character: all that lie
-- within one edit, and some that lie two away. asked(ask, language, key).
WITH parts AS (
    SELECT ask, language, key AS part FROM asked
    UNION ALL
    SELECT ask, language, concat(substr(key, 1, place - 1), substr(key, place + 1))
    FROM (SELECT ask, language, key, unnest(range(1, length(key) + 1)) AS place FROM asked)
    WHERE place = 1 OR substr(key, place, 1) <> substr(key, place - 1, 1)
)
SELECT DISTINCT p.ask, k.key
FROM parts p
JOIN deletions d ON d.hash = deletion_hash(p.language, p.part)
JOIN keys k ON k.id = d.id AND k.lang = p.language
ORDER BY ALL
