-- How complete each study is: texts that are wanted, and those without an answer or without its
-- extraction after errors that pass. Figures rest on the others; above the study's
-- max_error_share there should be none.
CREATE OR REPLACE VIEW completeness AS
SELECT
    r.study,
    count(*) AS asked,
    count(*) FILTER (
        r.text IS NULL AND r.status NOT IN ('empty', 'refused', 'filtered')
        OR r.text IS NOT NULL AND x.extraction_id IS NULL
    ) AS failed,
    coalesce(CAST(json_extract(any_value(s.definition), '$.max_error_share') AS DOUBLE), 0) AS allowed
FROM responses r
JOIN studies s USING (study)
LEFT JOIN response_extractions e
    ON e.response_id = r.response_id AND e.topic = r.topic
    AND e.language = r.language AND e.extractor = s.extractor
LEFT JOIN extractions x USING (extraction_id)
GROUP BY r.study;
