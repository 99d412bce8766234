-- Topics of each item, in both snapshots (attached as a and b): by class, by direct evidence, or,
-- for the rest (creators, countries), `other`.
CREATE VIEW topic_a AS
SELECT DISTINCT s.qid, c.topic
FROM a.statements s JOIN a.closure c ON c.class = s.value
WHERE s.property = 'P31' AND s.rank <> 'deprecated'
UNION SELECT class, topic FROM a.closure
UNION SELECT qid, topic FROM a.topics;
CREATE VIEW topic_b AS
SELECT DISTINCT s.qid, c.topic
FROM b.statements s JOIN b.closure c ON c.class = s.value
WHERE s.property = 'P31' AND s.rank <> 'deprecated'
UNION SELECT class, topic FROM b.closure
UNION SELECT qid, topic FROM b.topics;

-- An item that either snapshot holds, with its topics in both.
CREATE TABLE topical AS
WITH held AS (SELECT qid FROM a.items UNION SELECT qid FROM b.items),
known AS (SELECT * FROM topic_a UNION SELECT * FROM topic_b)
SELECT h.qid, coalesce(k.topic, 'other') AS topic
FROM held h LEFT JOIN known k USING (qid);
