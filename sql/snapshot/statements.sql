-- wanted(qid), properties(property)
SELECT s.qid, s.property, s.value, s.rank
FROM statements s SEMI JOIN wanted USING (qid) SEMI JOIN properties USING (property)
ORDER BY ALL
