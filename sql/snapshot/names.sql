-- wanted(qid), languages(lang)
SELECT n.qid, n.lang, n.kind, n.name
FROM names n SEMI JOIN wanted USING (qid) SEMI JOIN languages USING (lang)
ORDER BY ALL
