-- How agents did: by model, setting and protocol.
-- Agent World Model, the agent's part of table 2, one line for each agent; `limit_percent` is the share of episodes
-- that ran out of steps or tokens.
SELECT
    model,
    setting,
    protocol,
    count(*) AS episodes,
    count(DISTINCT (environment, task)) AS tasks,
    100.0 * avg((score = 1)::INTEGER) AS solved_percent,
    avg(reward) AS reward,
    avg(steps) AS steps_mean,
    median(steps) AS steps_median,
    quantile_cont(steps, 0.9) AS steps_top_90,
    100.0 * avg((ending = 'limit')::INTEGER) AS limit_percent,
    count(*) FILTER (outcome = 'environment_error') AS surroundings_failed
FROM trajectories
GROUP BY model, setting, protocol
ORDER BY model, setting, protocol
