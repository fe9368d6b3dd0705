-- How long conversations and their turns are.
-- EnvFactory, figure 5 (a)-(c). `mean` is that of all conversations or turns.
-- What differs: turns are those a conversation was written with, and so are the calls that belong to each. Where people
-- spoke more often than there are turns, they answered questions. What an agent does in one turn cannot be told from
-- the episode, so that steps, calls and messages per turn are those of the episode, divided by its turns and rounded
-- to halves; a step is a tool call or a message of the user, as in the paper.
WITH acted AS (
    SELECT
        episode,
        sum(calls) AS calls,
        count(*) FILTER (is_answered) + 1 AS messages
    FROM steps
    GROUP BY episode
),
played AS (
    SELECT acted.calls AS calls, messages, conversations.turns AS turns
    FROM trajectories
    JOIN acted USING (episode)
    JOIN conversations USING (environment, task)
    WHERE setting = 'conversation' AND outcome IS DISTINCT FROM 'environment_error'
),
measured AS (
    SELECT 1 AS place, 'turns per conversation' AS measure, turns::DOUBLE AS value, turns::DOUBLE AS binned
    FROM conversations
    UNION ALL SELECT 2, 'reference calls per turn', calls, calls FROM turns
    UNION ALL SELECT 3, 'steps per turn', (calls + messages) / turns AS value, round(2 * value) / 2 FROM played
    UNION ALL SELECT 4, 'tool calls per turn', calls / turns AS value, round(2 * value) / 2 FROM played
    UNION ALL SELECT 5, 'user messages per turn', messages / turns AS value, round(2 * value) / 2 FROM played
)
SELECT
    measure,
    binned AS value,
    count(*) AS counted,
    100.0 * count(*) / sum(count(*)) OVER every AS percent,
    sum(sum(measured.value)) OVER every / sum(count(*)) OVER every AS mean
FROM measured
GROUP BY place, measure, binned
WINDOW every AS (PARTITION BY measure)
ORDER BY place, binned
