-- Rules, state and tools of an environment.
-- EnvScaler, table 2.
-- What differs: state is a database here. A category of level 1 (user, message, item) is a table, one of level 2 (u_id,
-- u_phone) a column; tools that query and tools that change are told apart by the promise `readOnlyHint`, which is
-- enforced on every call. Accepted environments only.
WITH kept AS (FROM environments WHERE status = 'accepted'),
measured AS (
    SELECT 1 AS place, 'constraint rules' AS item, rules AS value FROM kept
    UNION ALL SELECT 2, 'state categories, level 1', tables FROM kept
    UNION ALL
    SELECT 3, 'state categories, level 2 per level 1', tables.columns
    FROM tables SEMI JOIN kept USING (environment)
    UNION ALL SELECT 4, 'state categories, total', columns FROM kept
    UNION ALL SELECT 5, 'tools that query', reading_tools FROM kept
    UNION ALL SELECT 6, 'tools that change the state', changing_tools FROM kept
    UNION ALL SELECT 7, 'tools, total', tools FROM kept
)
SELECT item, avg(value) AS mean, median(value) AS median
FROM measured
GROUP BY place, item
ORDER BY place
