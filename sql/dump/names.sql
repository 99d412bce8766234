-- Names with single spaces, in NFC; what is both label and alias is a label. The label of an item
-- that was merged into another is one more alias of that.
WITH given AS (
    SELECT
        coalesce(r.target, n.qid) AS qid,
        n.lang,
        CASE WHEN r.target IS NULL THEN n.kind ELSE 'alias' END AS kind,
        nfc_normalize(trim(regexp_replace(n.name, '[\s\pZ\x0b\x1c-\x1f\x85]+', ' ', 'g'))) AS name
    FROM read_name n
    LEFT JOIN redirected r ON r.source = n.qid
    WHERE coalesce(r.target, n.qid) IN (SELECT qid FROM kept)
)
SELECT 'Q' || qid AS qid, lang, max(given.kind) AS kind, name  -- label comes after alias
FROM given
WHERE name <> ''
GROUP BY given.qid, lang, name
ORDER BY given.qid, lang, max(given.kind) DESC, name
