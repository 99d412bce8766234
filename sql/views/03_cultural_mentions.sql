-- The mentions that metrics speak about: grounded in the text, of a cultural type
-- (persons and places around the scene are excluded, as in the paper).
CREATE OR REPLACE VIEW cultural_mentions AS
SELECT * FROM mentions
WHERE grounding_status = 'grounded' AND granularity IN ('specific', 'category');
