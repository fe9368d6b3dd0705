-- How many tools there are, how different, and how rich in parameters.
-- Agent-World, figure 4 (c) and its text.
-- What differs: tools are different when their names or their parameters' number differ; the paper does not say how it
-- counts distinct ones. Accepted environments only.
WITH kept AS (SELECT tools.* FROM tools SEMI JOIN (FROM environments WHERE status = 'accepted') USING (environment))
SELECT
    count(DISTINCT environment) AS environments,
    count(*) AS tools,
    count(DISTINCT (name, parameters)) AS different_tools,
    count(*) / count(DISTINCT environment) AS tools_per_environment,
    avg(parameters) AS parameters_mean,
    median(parameters) AS parameters_median,
    max(parameters) AS parameters_most,
    avg(required) AS required_parameters_mean,
    100.0 * avg(read_only::INTEGER) AS query_percent,
    100.0 * avg((principal = 'user')::INTEGER) AS user_percent
FROM kept
HAVING count(*) > 0
