-- Which items stay, and why: `member` of a topic, `creator` of a member, or `other` (a country).
-- People and bands are no members: only those stay that a member names.
CREATE TABLE member AS SELECT DISTINCT qid FROM under_root WHERE NOT creator;

CREATE TABLE creator AS
SELECT DISTINCT f.value AS qid
FROM fact f
SEMI JOIN member USING (qid)
SEMI JOIN own USING (property)
WHERE f.rank <> 'deprecated' AND f.value NOT IN (SELECT qid FROM dropped);

CREATE TABLE kept AS
WITH other AS (
    SELECT f.value AS qid
    FROM fact f
    SEMI JOIN creator USING (qid)
    SEMI JOIN of_creators USING (property)
    WHERE f.rank <> 'deprecated' AND f.value NOT IN (SELECT qid FROM dropped)
    UNION
    SELECT qid FROM country
    UNION
    SELECT class FROM root
    UNION
    SELECT qid FROM under_root WHERE creator
)
SELECT qid, min(role) AS role  -- 1 before 2 before 3
FROM (
    SELECT qid, 1 AS role FROM member
    UNION ALL
    SELECT qid, 2 FROM creator
    UNION ALL
    SELECT qid, 3 FROM other
)
GROUP BY qid;
