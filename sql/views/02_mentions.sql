-- One row per mention: from the response it stands in to the item it was linked to.
CREATE OR REPLACE VIEW mentions AS
WITH origins AS (
    SELECT
        facts, qid, topic, entity_type,
        list(DISTINCT country ORDER BY country) AS origins,
        any_value(path ORDER BY path) AS origin_path
    FROM entity_origins
    GROUP BY ALL
)
SELECT
    r.study,
    r.model,
    r.topic,
    r.language,
    r.country,
    r.framing,
    r.response_id,
    r.sample,
    m.ordinal,
    m.surface,
    m.entity_type,
    t.granularity,
    m.status AS grounding_status,
    m.start,
    m."end",
    l.link_id,
    l.status AS link_status,
    l.qid,
    l.name_language,
    e.label,
    o.origins,
    o.origin_path
FROM requests r
JOIN studies s USING (study)
JOIN response_extractions x
    ON x.response_id = r.response_id
    AND x.topic = r.topic
    AND x.language = r.language
    AND x.extractor = s.extractor
JOIN extracted_mentions m USING (extraction_id)
LEFT JOIN entity_types t
    ON t.study = r.study AND t.topic = r.topic AND t.entity_type = m.entity_type
LEFT JOIN links l
    ON l.linker = s.linker
    AND l.surface = m.surface
    AND l.language = r.language
    AND l.topic = r.topic
    AND l.entity_type = m.entity_type
    AND m.status = 'grounded'
LEFT JOIN entities e
    ON e.facts = s.facts AND e.qid = l.qid AND e.topic = r.topic AND e.entity_type = m.entity_type
LEFT JOIN origins o
    ON o.facts = s.facts AND o.qid = l.qid AND o.topic = r.topic AND o.entity_type = m.entity_type;
