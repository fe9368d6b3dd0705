-- How many environments have how many tools, state categories and tasks.
-- EnvScaler, figure 8 (b)-(e); Agent-World, figure 4 (b).
-- What differs: "scenarios after removing unqualified ones" are tasks whose verifier passed its trials. Accepted
-- environments only.
WITH kept AS (FROM environments WHERE status = 'accepted'),
measured AS (
    SELECT 1 AS place, 'tools' AS measure, tools AS value FROM kept
    UNION ALL SELECT 2, 'tools that query', reading_tools FROM kept
    UNION ALL SELECT 3, 'tools that change the state', changing_tools FROM kept
    UNION ALL SELECT 4, 'tables', tables FROM kept
    UNION ALL SELECT 5, 'columns', columns FROM kept
    UNION ALL SELECT 6, 'verified tasks', verified_tasks FROM kept
)
SELECT measure, value, count(*) AS environments
FROM measured
WHERE value IS NOT NULL
GROUP BY place, measure, value
ORDER BY place, value
