-- The metric tables of a made-up study, in the shape of the store's views.
CREATE TABLE cells AS
    SELECT DISTINCT study, model, topic, language, country, framing FROM responses;
CREATE TABLE cultural AS
    SELECT * FROM mentions WHERE grounding_status = 'grounded' AND granularity <> 'excluded';
CREATE TABLE coverage AS
WITH texts AS (
    SELECT study, model, topic, language, country, framing,
        count(*) AS asked,
        count(*) FILTER (status = 'ok') AS answered,
        count(*) FILTER (in_language) AS in_language,
        count(*) FILTER (in_language IS NOT NULL) AS language_known,
        count(*) FILTER (status = 'ok') AS parsed
    FROM responses GROUP BY ALL
), found AS (
    SELECT study, model, topic, language, country, framing,
        count(*) AS mentions,
        count(*) FILTER (grounding_status = 'grounded') AS grounded,
        count(*) FILTER (grounding_status = 'grounded' AND granularity <> 'excluded') AS cultural,
        count(qid) AS linked,
        count(origins) AS known_origin
    FROM mentions GROUP BY ALL
)
SELECT t.*, coalesce(mentions, 0) AS mentions, coalesce(grounded, 0) AS grounded,
    coalesce(cultural, 0) AS cultural, coalesce(linked, 0) AS linked,
    coalesce(known_origin, 0) AS known_origin
FROM texts t LEFT JOIN found f
    ON (t.study, t.model, t.topic, t.language, t.framing)
        = (f.study, f.model, f.topic, f.language, f.framing)
    AND t.country IS NOT DISTINCT FROM f.country;
CREATE TABLE granularity AS
SELECT c.*, avg(CASE m.granularity WHEN 'specific' THEN 1 WHEN 'category' THEN 0 END) AS value,
    count(m.surface) AS mentions, count(*) FILTER (m.granularity = 'specific') AS specific
FROM cells c LEFT JOIN cultural m
    ON (c.study, c.model, c.topic, c.language, c.framing)
        = (m.study, m.model, m.topic, m.language, m.framing)
    AND c.country IS NOT DISTINCT FROM m.country
GROUP BY ALL;
CREATE TABLE diversity AS
SELECT c.*, count(DISTINCT m.qid) AS value, count(m.qid) AS linked_mentions
FROM cells c LEFT JOIN cultural m
    ON (c.study, c.model, c.topic, c.language, c.framing)
        = (m.study, m.model, m.topic, m.language, m.framing)
    AND c.country IS NOT DISTINCT FROM m.country
GROUP BY ALL;
CREATE TABLE specificity AS
SELECT c.study, c.model, c.topic, c.language, t.country AS target, c.framing,
    avg(list_contains(m.origins, t.qid)::INT) AS value,
    count(*) FILTER (list_contains(m.origins, t.qid)) AS matching,
    count(m.origins) AS known_origin, count(m.qid) AS linked
FROM cells c JOIN targets t ON c.country IS NULL OR c.country = t.country
LEFT JOIN cultural m
    ON (c.study, c.model, c.topic, c.language, c.framing)
        = (m.study, m.model, m.topic, m.language, m.framing)
    AND c.country IS NOT DISTINCT FROM m.country
WHERE EXISTS (SELECT 1 FROM cells k WHERE k.study = c.study AND k.country = t.country)
GROUP BY ALL;
CREATE TABLE specificity_gain AS
SELECT e.study, e.model, e.topic, e.language, e.target,
    n.value AS neutral, e.value AS explicit, e.value - n.value AS gain
FROM specificity e JOIN specificity n USING (study, model, topic, language, target)
WHERE e.framing = 'explicit' AND n.framing = 'neutral';
CREATE TABLE consensus AS
WITH sets AS (
    SELECT c.*, coalesce(list(DISTINCT m.qid) FILTER (m.qid IS NOT NULL), []) AS qids
    FROM cells c LEFT JOIN cultural m
        ON (c.study, c.model, c.topic, c.language, c.framing)
            = (m.study, m.model, m.topic, m.language, m.framing)
        AND c.country IS NOT DISTINCT FROM m.country
    GROUP BY ALL
), pairs AS (
    SELECT a.study, a.model, a.topic, a.country, a.framing,
        a.language AS language_a, b.language AS language_b,
        len(list_intersect(a.qids, b.qids)) AS shared,
        len(list_distinct(list_concat(a.qids, b.qids))) AS total
    FROM sets a JOIN sets b
        ON (a.study, a.model, a.topic, a.framing) = (b.study, b.model, b.topic, b.framing)
        AND a.country IS NOT DISTINCT FROM b.country AND a.language < b.language
)
SELECT study, model, topic, country, framing, language_a, language_b,
    CASE WHEN total > 0 THEN shared / total END AS value, shared, total
FROM pairs;

CREATE TABLE study_models AS
    SELECT DISTINCT study, model, 0 AS position, model = 'local' AS embedded FROM responses;
CREATE TABLE completeness AS
    SELECT study, count(*) AS asked, count(*) FILTER (status = 'timeout') AS failed, 0.05::DOUBLE AS allowed
    FROM responses GROUP BY study;
