-- How often each stage succeeds, how many answers that takes, and what it costs.
-- Agent World Model, table 1 (and the token counts of EnvFactory, table 4).
-- What differs: skipped environments are not counted as tries, because their stage never ran. `answers` is the mean
-- number of answers for each thing asked for, so it is 1 without repairs; stages that ask no model have none. Costs
-- hold every call in the ledger, also of tries that were superseded; theme_pool is put to the account of `proposal`.
-- Costs nobody knows are left out and counted in `calls_without_price`.
WITH tried AS (
    SELECT
        stage,
        any_value(position) AS position,
        count(*) AS environments,
        count(*) FILTER (status = 'ok') AS accepted
    FROM stages
    WHERE status <> 'skipped'
    GROUP BY stage
),
answered AS (
    SELECT stage, count(*) / count(*) FILTER (number = 1) AS answers FROM attempts GROUP BY stage
),
spent AS (
    SELECT
        if(asset = 'theme_pool', 'proposal', asset) AS stage,
        sum(tokens_in) AS tokens_in,
        sum(tokens_out) AS tokens_out,
        sum(cost_usd) AS cost_usd,
        count(*) FILTER (cost_usd IS NULL) AS calls_without_price
    FROM costs
    GROUP BY 1
),
lines AS (
    SELECT
        stage,
        coalesce(position, 99) AS position,
        environments,
        100.0 * accepted / environments AS success_percent,
        answers,
        coalesce(tokens_in, 0) / environments AS tokens_in,
        coalesce(tokens_out, 0) / environments AS tokens_out,
        100.0 * coalesce(cost_usd, 0) / environments AS usd_per_100,
        coalesce(calls_without_price, 0) AS calls_without_price
    FROM tried LEFT JOIN answered USING (stage) LEFT JOIN spent USING (stage)
)
SELECT * EXCLUDE (position)
FROM (
    FROM lines
    UNION ALL BY NAME
    SELECT
        'total' AS stage,
        100 AS position,
        sum(tokens_in) AS tokens_in,
        sum(tokens_out) AS tokens_out,
        sum(usd_per_100) AS usd_per_100,
        sum(calls_without_price) AS calls_without_price
    FROM lines
    HAVING count(*) > 0
)
ORDER BY position, stage
