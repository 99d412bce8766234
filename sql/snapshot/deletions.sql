-- The deletion neighbourhood of every key (SymSpell, Garbe 2012, with one edit): two keys within one
-- edit of each other share a text that either becomes by losing at most one character.
INSERT INTO keys
    SELECT row_number() OVER (), lang, key
    FROM (SELECT DISTINCT key, lang FROM names ORDER BY key, lang);

-- Losing any character of a run of the same leaves the same text: only the first is taken.
INSERT INTO deletions
    WITH parts AS (
        SELECT id, lang, key AS part FROM keys
        UNION ALL
        SELECT id, lang, concat(substr(key, 1, place - 1), substr(key, place + 1))
        FROM (SELECT id, lang, key, unnest(range(1, length(key) + 1)) AS place FROM keys)
        WHERE place = 1 OR substr(key, place, 1) <> substr(key, place - 1, 1)
    )
    SELECT deletion_hash(lang, part), id FROM parts ORDER BY ALL;
