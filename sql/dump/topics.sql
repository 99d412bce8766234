-- A dump has class statements: nothing needs evidence of another kind.
SELECT '' AS qid, '' AS topic, '' AS evidence WHERE false
