-- One row per text that a study wants, answered or not.
CREATE OR REPLACE VIEW responses AS
SELECT
    r.study,
    r.model,
    r.topic,
    r.language,
    r.country,
    r.framing,
    r.sample,
    r.response_id,
    r.prompt_id,
    p.text AS prompt,
    coalesce(a.status, f.status, 'missing') AS status,
    a.text,
    coalesce(a.error, f.error) AS error,
    c.in_language,
    c.detected AS detected_language,
    a.prompt_tokens,
    a.completion_tokens
FROM requests r
JOIN studies s USING (study)
JOIN prompts p USING (prompt_id)
LEFT JOIN answers a ON a.answer_id = r.response_id
LEFT JOIN (
    SELECT answer_id, arg_max(status, received_at) AS status, arg_max(error, received_at) AS error
    FROM attempts GROUP BY answer_id
) f ON f.answer_id = r.response_id
LEFT JOIN response_checks c ON c.response_id = r.response_id AND c.asked = r.language AND c.checker = s.checker;
