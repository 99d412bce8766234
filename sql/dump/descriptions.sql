-- One per item and language; of a merged item its own, else the first by code point.
WITH given AS (
    SELECT
        coalesce(r.target, d.qid) AS qid,
        r.target IS NOT NULL AS merged,
        d.lang,
        nfc_normalize(trim(regexp_replace(d.text, '[\s\pZ\x0b\x1c-\x1f\x85]+', ' ', 'g'))) AS text
    FROM read_description d
    LEFT JOIN redirected r ON r.source = d.qid
    WHERE coalesce(r.target, d.qid) IN (SELECT qid FROM kept)
)
SELECT 'Q' || qid AS qid, lang, coalesce(min(given.text) FILTER (NOT merged), min(given.text)) AS text
FROM given
WHERE text <> ''
GROUP BY given.qid, lang
ORDER BY given.qid, lang
