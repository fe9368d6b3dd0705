-- What the verifier of every task was shown, by kind and operator, and how much of it was judged rightly.
-- No paper has this table: none of them tests its verifiers.
SELECT
    environment,
    task,
    source,
    kind,
    operator,
    any_value(expected) AS expected,
    count(*) AS trials,
    count(*) FILTER ("right") AS judged_rightly
FROM trials
GROUP BY environment, task, source, kind, operator
ORDER BY environment, task, source, kind, operator
