-- Coverage of each cell: how much of what was asked for stands behind its figures.
-- Counts of texts: asked ⊇ answered ⊇ in_language, parsed; counts of mentions: mentions ⊇ grounded
-- ⊇ cultural ⊇ linked ⊇ known_origin.
CREATE OR REPLACE VIEW coverage AS
WITH texts AS (
    SELECT
        r.study, r.model, r.topic, r.language, r.country, r.framing,
        count(*) AS asked,
        count(*) FILTER (r.status IN ('ok', 'truncated')) AS answered,
        count(*) FILTER (r.in_language) AS in_language,
        count(*) FILTER (r.in_language IS NOT NULL) AS language_known,
        count(*) FILTER (x.status = 'ok') AS parsed
    FROM responses r
    JOIN studies s USING (study)
    LEFT JOIN response_extractions e
        ON e.response_id = r.response_id AND e.topic = r.topic
        AND e.language = r.language AND e.extractor = s.extractor
    LEFT JOIN extractions x USING (extraction_id)
    GROUP BY ALL
),
found AS (
    SELECT
        study, model, topic, language, country, framing,
        count(*) AS mentions,
        count(*) FILTER (grounding_status = 'grounded') AS grounded,
        count(*) FILTER (grounding_status = 'grounded' AND granularity != 'excluded') AS cultural,
        count(*) FILTER (link_status = 'linked' AND granularity != 'excluded') AS linked,
        count(*) FILTER (link_status = 'linked' AND granularity != 'excluded' AND origins IS NOT NULL) AS known_origin
    FROM mentions
    GROUP BY ALL
)
SELECT
    t.*,
    coalesce(f.mentions, 0) AS mentions,
    coalesce(f.grounded, 0) AS grounded,
    coalesce(f.cultural, 0) AS cultural,
    coalesce(f.linked, 0) AS linked,
    coalesce(f.known_origin, 0) AS known_origin
FROM texts t
LEFT JOIN found f
    ON f.study = t.study AND f.model = t.model AND f.topic = t.topic AND f.language = t.language
    AND f.country IS NOT DISTINCT FROM t.country AND f.framing = t.framing
ORDER BY t.study, t.model, t.topic, t.language, t.country NULLS FIRST, t.framing;
