-- Diversity (MAKIEval, section 4.2): the number of distinct items (QIDs) that a cell's mentions
-- reach. It grows with the number of texts: compare cells of equal size. NULL where no text of the
-- cell was answered and parsed.
WITH cells AS (
    SELECT study, model, topic, language, country, framing, parsed FROM coverage
),
found AS (
    SELECT
        study, model, topic, language, country, framing,
        count(DISTINCT qid) AS value,
        count(*) AS linked_mentions
    FROM cultural_mentions
    WHERE link_status = 'linked'
    GROUP BY ALL
)
SELECT
    c.study, c.model, c.topic, c.language, c.country, c.framing,
    CASE WHEN c.parsed > 0 THEN coalesce(f.value, 0) END AS value,
    coalesce(f.linked_mentions, 0) AS linked_mentions
FROM cells c
LEFT JOIN found f
    ON f.study = c.study AND f.model = c.model AND f.topic = c.topic AND f.language = c.language
    AND f.country IS NOT DISTINCT FROM c.country AND f.framing = c.framing
ORDER BY c.study, c.model, c.topic, c.language, c.country NULLS FIRST, c.framing
