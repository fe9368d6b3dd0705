-- In how many of its attempts a task was solved: how many tasks were solved 0, 1, … times out of k.
-- Agent-World, figure 4 (f), where k is 10.
-- What differs: k is however often a task was played by one model in one setting, under one version of its environment.
-- Solved means a verdict of 1. Episodes whose surroundings failed say nothing about the agent and are no attempts.
WITH played AS (
    SELECT
        model, setting, protocol, environment, bundle_version, task,
        count(*) AS attempts,
        count(*) FILTER (score = 1) AS solved
    FROM trajectories
    WHERE outcome IS DISTINCT FROM 'environment_error'
    GROUP BY ALL
)
SELECT
    model,
    setting,
    protocol,
    attempts,
    solved,
    count(*) AS tasks,
    100.0 * count(*) / sum(count(*)) OVER (PARTITION BY model, setting, protocol, attempts) AS percent
FROM played
GROUP BY model, setting, protocol, attempts, solved
ORDER BY model, setting, protocol, attempts, solved
