-- wanted(qid), languages(lang)
SELECT d.qid, d.lang, d.text
FROM descriptions d SEMI JOIN wanted USING (qid) SEMI JOIN languages USING (lang)
ORDER BY ALL
