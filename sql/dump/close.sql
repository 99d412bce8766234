-- Class closures, members per topic, and what members refer to.

-- Statements with merged items followed. (Parts hold no statement without a value.)
CREATE VIEW fact AS
SELECT coalesce(f.target, s.qid) AS qid, s.property, coalesce(t.target, s.value) AS value, s.rank
FROM read_statement s
LEFT JOIN redirected f ON f.source = s.qid
LEFT JOIN redirected t ON t.source = s.value;

CREATE TABLE edge AS
SELECT DISTINCT qid AS child, value AS parent
FROM fact
WHERE property = 'P279' AND rank <> 'deprecated';

-- Pages and bare names, and the instances of classes that the choice leaves out.
CREATE TABLE dropped AS
WITH RECURSIVE
starts AS (SELECT class, true AS itself FROM page UNION SELECT class, false FROM left_out),
walk(class, itself) AS (
    SELECT class, itself FROM starts
    UNION
    SELECT e.child, w.itself FROM walk w JOIN edge e ON e.parent = w.class
)
SELECT class AS qid FROM walk WHERE itself
UNION
SELECT qid FROM fact WHERE property = 'P31' AND rank <> 'deprecated'
    AND value IN (SELECT class FROM walk);

-- P279* under every root. It does not lead through what is dropped.
DELETE FROM edge
WHERE child IN (SELECT qid FROM dropped) OR parent IN (SELECT qid FROM dropped);
CREATE TABLE below AS
WITH RECURSIVE walk(root, class) AS (
    SELECT DISTINCT class, class FROM root
    UNION
    SELECT w.root, e.child FROM walk w JOIN edge e ON e.parent = w.class
)
SELECT root, class FROM walk;

-- Everything that lies under a root, once per topic and root: by P31 and P279, or P279 alone. Of
-- people and bands the classes alone: there are millions, and a member names those that matter.
CREATE TABLE under_root AS
SELECT r.topic, b.root, f.qid, r.creator
FROM fact f
JOIN below b ON b.class = f.value
JOIN root r ON r.class = b.root
WHERE f.property = 'P31' AND f.rank <> 'deprecated' AND NOT r.creator
UNION
SELECT r.topic, b.root, b.class, r.creator
FROM below b JOIN root r ON r.class = b.root;
DELETE FROM under_root WHERE qid IN (SELECT qid FROM dropped);
