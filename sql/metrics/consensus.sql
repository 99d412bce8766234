-- Culture consensus (MAKIEval, section 4.4, equation 2): for two languages, the Jaccard overlap of
-- the sets of items that the same model names for the same topic, framing and country.
-- Every pair of languages of the study is listed; NULL where both sets are empty, or where one of
-- the two languages has no text that was answered and parsed.
WITH sets AS (
    SELECT
        c.study, c.model, c.topic, c.framing, c.country, c.language,
        c.parsed > 0 AS known,
        coalesce(m.qids, []) AS qids
    FROM coverage c
    LEFT JOIN (
        SELECT study, model, topic, framing, country, language, list(DISTINCT qid) AS qids
        FROM cultural_mentions
        WHERE link_status = 'linked'
        GROUP BY ALL
    ) m
        ON m.study = c.study AND m.model = c.model AND m.topic = c.topic AND m.framing = c.framing
        AND m.country IS NOT DISTINCT FROM c.country AND m.language = c.language
),
pairs AS (
    SELECT
        a.study, a.model, a.topic, a.country, a.framing,
        a.language AS language_a,
        b.language AS language_b,
        a.known AND b.known AS known,
        len(list_intersect(a.qids, b.qids)) AS shared,
        len(list_distinct(list_concat(a.qids, b.qids))) AS total
    FROM sets a
    JOIN sets b
        ON b.study = a.study AND b.model = a.model AND b.topic = a.topic AND b.framing = a.framing
        AND b.country IS NOT DISTINCT FROM a.country AND a.language < b.language
)
SELECT
    study, model, topic, country, framing, language_a, language_b,
    CASE WHEN known AND total > 0 THEN shared / total END AS value,
    shared, total
FROM pairs
ORDER BY study, model, topic, country NULLS FIRST, framing, language_a, language_b
