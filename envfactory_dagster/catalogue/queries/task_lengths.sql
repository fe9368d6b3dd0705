-- How long tasks are: in steps of the agents that played them, and in calls of their reference solutions.
-- Agent-World, figure 4 (e). `at_least_percent`: the share that is so long or longer; `mean`: of all.
-- What differs: a turn there is a step here (one message of the assistant, with its calls); episodes whose surroundings
-- failed are left out; the second measure needs no agent.
WITH measured AS (
    SELECT 'steps of an episode' AS measure, steps AS length
    FROM trajectories
    WHERE outcome IS DISTINCT FROM 'environment_error'
    UNION ALL
    SELECT 'calls of the reference solution', calls FROM tasks WHERE verified
),
counted AS (SELECT measure, length, count(*) AS tasks FROM measured GROUP BY measure, length)
SELECT
    measure,
    length,
    tasks,
    100.0 * tasks / sum(tasks) OVER every AS percent,
    100.0 * sum(tasks) OVER (PARTITION BY measure ORDER BY length DESC) / sum(tasks) OVER every AS at_least_percent,
    sum(length * tasks) OVER every / sum(tasks) OVER every AS mean
FROM counted
WINDOW every AS (PARTITION BY measure)
ORDER BY measure DESC, length
