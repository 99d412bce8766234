-- Granularity (MAKIEval, section 4.1, equation 1): the mean over mentions of 1 for a specific
-- entity type and 0 for a category. NULL where a cell has no cultural mention.
WITH cells AS (
    SELECT DISTINCT study, model, topic, language, country, framing FROM requests
),
found AS (
    SELECT
        study, model, topic, language, country, framing,
        count(*) AS mentions,
        count(*) FILTER (granularity = 'specific') AS specific
    FROM cultural_mentions
    GROUP BY ALL
)
SELECT
    c.study, c.model, c.topic, c.language, c.country, c.framing,
    f.specific / f.mentions AS value,
    coalesce(f.mentions, 0) AS mentions,
    coalesce(f.specific, 0) AS specific
FROM cells c
LEFT JOIN found f
    ON f.study = c.study AND f.model = c.model AND f.topic = c.topic AND f.language = c.language
    AND f.country IS NOT DISTINCT FROM c.country AND f.framing = c.framing
ORDER BY c.study, c.model, c.topic, c.language, c.country NULLS FIRST, c.framing
