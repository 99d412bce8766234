-- Every property that some item has a statement of, the most frequent first.
SELECT property
FROM statements
GROUP BY property
ORDER BY count(*) DESC, CAST(substr(property, 2) AS BIGINT)
