-- Which kinds of world there are, and how many of each.
-- Agent-World, figure 4 (a); the domains of EnvFactory's data statistics.
-- What differs: one level of categories, as the theme pool caps them. Accepted environments only.
SELECT
    category,
    count(*) AS environments,
    100.0 * count(*) / sum(count(*)) OVER () AS percent,
    sum(tools)::BIGINT AS tools,
    sum(verified_tasks)::BIGINT AS verified_tasks
FROM environments
WHERE status = 'accepted'
GROUP BY category
ORDER BY environments DESC, category
