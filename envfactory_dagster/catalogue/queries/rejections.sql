-- What gates found wrong with the answers of models, most frequent first: whose fault, in which stage, for example.
-- No paper has this table.
SELECT
    stage,
    problem.fault AS fault,
    count(*) AS problems,
    count(DISTINCT environment) AS environments,
    min(problem.message) AS example
FROM attempts, unnest(problems) AS listed (problem)
GROUP BY stage, fault
ORDER BY problems DESC, stage, fault
