-- What neither the snapshot nor its changes tell: items that a statement now names and that were in
-- neither, and classes that now lie under a root and did not, whose instances were never kept.
SELECT
    (
        SELECT count(*) FROM kept k
        WHERE 'Q' || k.qid NOT IN (SELECT qid FROM before.items)
            AND 'Q' || k.qid NOT IN (SELECT qid FROM changed)
    ) AS items,
    (
        SELECT count(DISTINCT b.class)
        FROM below b
        WHERE 'Q' || b.class NOT IN (SELECT class FROM before.closure)
    ) AS classes
