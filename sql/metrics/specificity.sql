-- Culture specificity, first definition (MAKIEval, section 4.3): of the linked mentions with a known
-- origin, the share whose origin is the target country. Prompts that name a country are held against
-- that one; neutral prompts against every country of the study in turn. NULL where no origin is known.
WITH cells AS (
    SELECT DISTINCT r.study, r.model, r.topic, r.language, r.framing, r.country, c.country AS target, c.qid AS target_qid
    FROM requests r
    JOIN study_countries c ON c.study = r.study AND (r.country IS NULL OR r.country = c.country)
),
found AS (
    SELECT
        c.study, c.model, c.topic, c.language, c.framing, c.country, c.target,
        count(*) AS linked,
        count(*) FILTER (m.origins IS NOT NULL) AS known_origin,
        count(*) FILTER (list_contains(m.origins, c.target_qid)) AS matching
    FROM cells c
    JOIN cultural_mentions m
        ON m.study = c.study AND m.model = c.model AND m.topic = c.topic AND m.language = c.language
        AND m.framing = c.framing AND m.country IS NOT DISTINCT FROM c.country
    WHERE m.link_status = 'linked'
    GROUP BY ALL
)
SELECT
    c.study, c.model, c.topic, c.language, c.target, c.framing,
    CASE WHEN f.known_origin > 0 THEN f.matching / f.known_origin END AS value,
    coalesce(f.matching, 0) AS matching,
    coalesce(f.known_origin, 0) AS known_origin,
    coalesce(f.linked, 0) AS linked
FROM cells c
LEFT JOIN found f
    ON f.study = c.study AND f.model = c.model AND f.topic = c.topic AND f.language = c.language
    AND f.framing = c.framing AND f.country IS NOT DISTINCT FROM c.country AND f.target = c.target
ORDER BY c.study, c.model, c.topic, c.language, c.target, c.framing
