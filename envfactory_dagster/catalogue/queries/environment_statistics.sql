-- How large environments are, and how much work their tasks are to an agent.
-- Agent World Model, table 2. `top_90` is the value that 90 % do not exceed.
-- What differs: accepted environments only; records are those of one initial state; code lines are those of the tool
-- module alone, because servers are generated and models are not written; steps and unique tools are those of all
-- episodes in the store, whoever played them (`agent_results` tells them apart), without those whose surroundings
-- failed.
WITH kept AS (FROM environments WHERE status = 'accepted'),
played AS (FROM trajectories WHERE outcome IS DISTINCT FROM 'environment_error'),
used AS (
    SELECT episode, count(DISTINCT tool) AS tools
    FROM played LEFT JOIN (SELECT episode, unnest(tools) AS tool FROM steps) USING (episode)
    GROUP BY episode
),
measured AS (
    SELECT 1 AS place, 'database tables' AS metric, tables AS value FROM kept
    UNION ALL SELECT 2, 'sample data records', rows FROM kept
    UNION ALL SELECT 3, 'exposed tools', tools FROM kept
    UNION ALL SELECT 4, 'tool code lines', code_lines FROM kept
    UNION ALL SELECT 5, 'agent steps per episode', steps FROM played
    UNION ALL SELECT 6, 'unique tools per episode', tools FROM used
)
SELECT
    metric,
    count(value) AS counted,
    avg(value) AS mean,
    median(value) AS median,
    quantile_cont(value, 0.9) AS top_90
FROM measured
GROUP BY place, metric
ORDER BY place
