-- How many environments, tasks and rows the datasets have.
-- EnvFactory, table 5.
-- What differs: a row is one sample for a trainer, so that one task can have several (one for each step, or for each
-- turn of a conversation). Held-out environments have rows in the RL dataset, under their own split.
SELECT
    dataset,
    split,
    count(DISTINCT environment) AS environments,
    count(DISTINCT (environment, task)) AS tasks,
    count(*) AS rows,
    avg(messages) AS messages_mean
FROM dataset_rows
GROUP BY dataset, split
ORDER BY dataset, split
