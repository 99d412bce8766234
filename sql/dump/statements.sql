-- Class statements between what is kept; of members and creators also where they come from and
-- who made them. Of one statement in several ranks the best counts.
WITH chosen AS (
    SELECT f.qid, f.property, f.value, f.rank
    FROM fact f
    JOIN kept k ON k.qid = f.qid
    WHERE f.value IN (SELECT qid FROM kept)
        AND (
            (
                f.property IN ('P31', 'P279')
                AND f.value IN (SELECT b.class FROM below b JOIN root r ON r.class = b.root)
            )
            OR (k.role = 1 AND f.property IN (SELECT property FROM own))
            OR (k.role = 2 AND f.property IN (SELECT property FROM of_creators))
        )
)
SELECT 'Q' || qid AS qid, property, 'Q' || value AS value, max(chosen.rank) AS rank
FROM chosen
GROUP BY chosen.qid, property, chosen.value
ORDER BY chosen.qid, CAST(substr(property, 2) AS BIGINT), chosen.value
