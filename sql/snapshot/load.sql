-- From tables (read_*, as they stand) to a snapshot: redirects followed, duplicates gone, sorted.
INSERT INTO redirects SELECT "from", "to" FROM read_redirects ORDER BY ALL;

-- Numbers of sitelinks of a merged item: its target's own, else the highest known.
INSERT INTO items
    SELECT coalesce(r."to", i.qid) AS qid,
           coalesce(max(i.sitelinks) FILTER (r."to" IS NULL), max(i.sitelinks))
    FROM (SELECT qid, TRY_CAST(sitelinks AS INTEGER) AS sitelinks FROM read_items) i
    LEFT JOIN redirects r ON r."from" = i.qid
    GROUP BY 1
    ORDER BY 1;

INSERT INTO statements
    SELECT DISTINCT coalesce(r."to", s.qid), s.property, coalesce(v."to", s.value), s.rank
    FROM read_statements s
    LEFT JOIN redirects r ON r."from" = s.qid
    LEFT JOIN redirects v ON v."from" = s.value
    ORDER BY ALL;

-- A merged item may bring a second description: the first by code point stays.
INSERT INTO descriptions
    SELECT coalesce(r."to", d.qid), d.lang, min(d.text)
    FROM read_descriptions d LEFT JOIN redirects r ON r."from" = d.qid
    GROUP BY 1, 2
    ORDER BY 1, 2;

INSERT INTO topics
    SELECT coalesce(r."to", t.qid), t.topic, min(t.evidence)
    FROM read_topics t LEFT JOIN redirects r ON r."from" = t.qid
    GROUP BY 1, 2
    ORDER BY 1, 2;
