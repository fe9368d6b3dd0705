-- How many environments each category and each label of the taxonomy has.
-- Agent-World, figure 3.
-- What differs: all labels, the largest first, not the ten largest alone. `provisional` ones may move.
SELECT
    category,
    sum(count(*)) OVER (PARTITION BY category)::BIGINT AS in_category,
    label,
    count(*) AS environments,
    count(*) FILTER (provisional) AS provisional
FROM taxonomy
GROUP BY category, label
ORDER BY in_category DESC, category, environments DESC, label
