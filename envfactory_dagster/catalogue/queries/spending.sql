-- What the models cost: by asset, role and model, with what the cache saved.
-- No paper has this table; EnvFactory, table 4, has its sums.
SELECT
    asset,
    role,
    model,
    count(*) AS calls,
    count(*) FILTER (cached) AS from_cache,
    count(*) FILTER (outcome <> 'answered') AS not_answered,
    sum(tokens_in)::BIGINT AS tokens_in,
    sum(tokens_out)::BIGINT AS tokens_out,
    sum(cost_usd) AS usd,
    count(*) FILTER (cost_usd IS NULL) AS calls_without_price
FROM costs
GROUP BY asset, role, model
ORDER BY usd DESC NULLS LAST, calls DESC, asset, role, model
