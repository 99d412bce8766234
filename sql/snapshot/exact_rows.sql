-- What exact.sql found, each with its explanation (see `Candidate.path`).
SELECT f.id, f.position, f.equal, f.qid, f.name, f.lang AS language, f.kind, f.sitelinks, f.rank,
       f.root,
       CASE WHEN f.root = '' THEN ['direct', f.evidence]
            WHEN f.class = f.qid THEN c.path
            ELSE list_prepend(f.qid, c.path) END AS path
FROM found f
LEFT JOIN closure c ON c.topic = f.topic AND c.class = f.class AND c.root = f.root
ORDER BY id, position
