-- Culture specificity, second definition (MAKIEval, appendix F): what naming the country adds, the
-- specificity of explicit prompts less that of neutral ones. NULL where either is undefined.
SELECT
    e.study, e.model, e.topic, e.language, e.target,
    n.value AS neutral,
    e.value AS explicit,
    e.value - n.value AS gain
FROM specificity e
JOIN specificity n
    ON n.study = e.study AND n.model = e.model AND n.topic = e.topic AND n.language = e.language
    AND n.target = e.target
WHERE e.framing = 'explicit' AND n.framing = 'neutral'
ORDER BY e.study, e.model, e.topic, e.language, e.target
