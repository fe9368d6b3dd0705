-- The catalogue: views over the files of a home. Every query reads the files as they are at that moment.
--
-- `envfactory catalog` opens it. It also works in DuckDB (2.0 or newer) alone; the places are patterns, without a `/`
-- at the end:
--     SET VARIABLE home = '.envfactory';               -- records/, bundles/, trajectories/, datasets/
--     SET VARIABLE language = '.envfactory/language';  -- the ledger of model calls
--     .read catalog.sql
--
-- Files are read as text where they are JSON: a file that cannot be parsed counts as not there, as everywhere in this
-- project. Nothing fails on a home in which little or nothing has been made.

-- == records =======================================================================================================

-- A stage's records, of every environment, by inputs; and which of them is the latest.
CREATE MACRO record_files(stage_name, pattern) AS TABLE
SELECT
    split_part(filename, '/', -3) AS stage,
    split_part(filename, '/', -2) AS environment,
    replace(split_part(filename, '/', -1), '.json', '') AS inputs,
    try_cast(content AS JSON) AS record
FROM read_text(getvariable('home') || '/records/' || stage_name || '/*/' || pattern);

CREATE MACRO latest_records(stage_name) AS TABLE
SELECT files.stage, files.environment, files.record
FROM record_files(stage_name, '*.json') AS files
JOIN (SELECT stage, environment, record ->> '$.inputs' AS inputs FROM record_files(stage_name, 'head.json')) AS heads
    USING (stage, environment, inputs)
WHERE json_type(files.record) = 'OBJECT';

-- The records of single environments: not those that are of all together, or of a round of the arena.
CREATE MACRO records_of_environments() AS TABLE
FROM latest_records('*')
WHERE stage NOT IN (
    'taxonomy', 'arena_draw', 'arena_tasks', 'arena_results', 'diagnosis', 'richer_worlds', 'target_tasks',
    'round_practice', 'round_policy', 'control_untargeted', 'control_base', 'round_evaluation'
);

-- What a stage made, where it was accepted.
CREATE MACRO artifacts(stage_name) AS TABLE
SELECT environment, record -> '$.artifact' AS artifact, record -> '$.metadata' AS metadata
FROM latest_records(stage_name)
WHERE record ->> '$.status' = 'ok';

CREATE VIEW stages AS
SELECT
    environment,
    stage,
    list_position([
        'proposal', 'theme', 'mined_data', 'task_set', 'database_schema', 'seed_rows', 'tool_spec', 'server_code',
        'environment', 'reference_solutions', 'verifiers', 'inspection', 'tool_graph', 'graph_tasks', 'program_tasks',
        'task_families', 'conversations', 'release'
    ], stage)::BIGINT AS position,
    record ->> '$.status' AS status, record ->> '$.reason' AS reason, record ->> '$.version' AS version,
    json_array_length(record, '$.attempts')::BIGINT AS attempts
FROM records_of_environments();
COMMENT ON VIEW stages IS 'The latest record of every stage and environment: ok, rejected or skipped, and why.';

CREATE VIEW attempts AS
SELECT
    environment, stage, place::BIGINT AS place, attempt.number AS number, len(attempt.problems) = 0 AS accepted,
    attempt.problems AS problems, attempt.tokens_in AS tokens_in, attempt.tokens_out AS tokens_out,
    attempt.cached AS cached
FROM
    records_of_environments(),
    unnest(from_json(record -> '$.attempts', '[{
        "number": "BIGINT", "tokens_in": "BIGINT", "tokens_out": "BIGINT", "cached": "BOOLEAN",
        "problems": [{"fault": "VARCHAR", "message": "VARCHAR", "snippet": "VARCHAR"}]
    }]')) WITH ORDINALITY AS listed (attempt, place);
COMMENT ON VIEW attempts IS
    'Answers of models for the latest records, with what their gate found. Where a stage asks for several things (one '
    'program for each task), the first answer for each has number 1.';

-- == what environments are made of ===================================================================================

CREATE VIEW tables AS
WITH columns AS (
    SELECT environment, unnest(from_json(metadata -> '$.tables', '[{
        "table": "VARCHAR", "purpose": "VARCHAR", "columns": "VARCHAR", "references": "VARCHAR"
    }]'), recursive := true)
    FROM artifacts('database_schema')
),
seeds AS (
    SELECT environment, state.name AS state, unnest(state.tables, recursive := true)
    FROM artifacts('seed_rows'), unnest(from_json(artifact -> '$.states', '[{
        "name": "VARCHAR", "tables": [{"table": "VARCHAR", "rows": ["JSON"]}]
    }]')) AS listed (state)
),
counts AS (
    SELECT environment, "table", sum(len(rows)) FILTER (state = 'initial') AS rows, sum(len(rows)) AS rows_of_all_states
    FROM seeds
    GROUP BY ALL
)
SELECT
    environment, "table" AS name, purpose,
    len(string_split("columns", ', '))::BIGINT AS columns,
    if("references" = '', 0, len(string_split("references", '; ')))::BIGINT AS foreign_keys,
    coalesce(rows, 0)::BIGINT AS rows,
    coalesce(rows_of_all_states, 0)::BIGINT AS rows_of_all_states
FROM columns LEFT JOIN counts USING (environment, "table");
COMMENT ON VIEW tables IS 'The tables of every environment; `rows` are those of the initial state.';

CREATE VIEW tools AS
WITH listed AS (
    SELECT environment, unnest(from_json(artifact -> '$.tools', '[{
        "name": "VARCHAR", "description": "VARCHAR", "principal": "VARCHAR", "inputSchema": "JSON",
        "outputSchema": "JSON", "annotations": {"readOnlyHint": "BOOLEAN"}
    }]'), max_depth := 2)
    FROM artifacts('tool_spec')
),
graphs AS (
    SELECT environment, unnest(from_json(
        artifact -> '$.tools', '[{"name": "VARCHAR", "parameters": [{"internal": "BOOLEAN"}]}]'), max_depth := 2)
    FROM artifacts('tool_graph')
)
SELECT
    environment, name, description, principal, annotations.readOnlyHint AS read_only,
    coalesce(len(json_keys(inputSchema, '$.properties')), 0)::BIGINT AS parameters,
    coalesce(json_array_length(inputSchema, '$.required'), 0)::BIGINT AS required,
    len(list_filter(graphs.parameters, lambda one: one.internal))::BIGINT AS internal,
    coalesce(len(json_keys(outputSchema, '$.properties')), 0)::BIGINT AS outputs
FROM listed LEFT JOIN graphs USING (environment, name);
COMMENT ON VIEW tools IS
    'The tools of every environment; `internal` parameters are those that another tool has to tell.';

CREATE VIEW tool_edges AS
SELECT
    environment, edge.source AS source, edge.target AS target, edge.weight AS weight,
    list_sort(list_distinct(list_transform(edge.links, lambda one: one.evidence))) AS evidence
FROM artifacts('tool_graph'), unnest(from_json(artifact -> '$.edges', '[{
    "source": "VARCHAR", "target": "VARCHAR", "weight": "BIGINT", "links": [{"evidence": "VARCHAR"}]
}]')) AS listed (edge);
COMMENT ON VIEW tool_edges IS 'The tool graphs: 3 is a strong dependency, 2 a weak one.';

CREATE VIEW files AS
WITH bundles AS (
    SELECT environment, artifact ->> '$.version' AS version, 2 AS choice FROM artifacts('release')
    UNION ALL
    SELECT environment, artifact ->> '$.version', 1 FROM artifacts('environment')
),
manifests AS (
    SELECT split_part(filename, '/', -3) AS environment, try_cast(content AS JSON) AS manifest
    FROM read_text(getvariable('home') || '/bundles/*/*/manifest.json')
)
SELECT
    environment, version, unnest(json_keys(manifest, '$.files')) AS path,
    regexp_extract(path, '[^.]*$') AS kind
FROM (SELECT environment, arg_max(version, choice) AS version FROM bundles GROUP BY environment)
JOIN manifests USING (environment)
WHERE manifest ->> '$.version' = version;
COMMENT ON VIEW files IS 'The files of every bundle: of the release, or else of the base environment.';

-- == tasks and their truth ===========================================================================================

-- Every task that was made after its environment: of the three stages that make them, and as they were released.
CREATE MACRO made_tasks(stage_name) AS TABLE
SELECT environment, stage_name AS stage, unnest(from_json(artifact -> '$.tasks', '[{
    "task": {"id": "VARCHAR", "text": "VARCHAR", "kind": "VARCHAR", "state": "VARCHAR", "rule": "VARCHAR",
        "withheld": ["VARCHAR"]},
    "source": "VARCHAR", "parent": "VARCHAR", "solution": "JSON", "verifier": "JSON",
    "difficulty": {"level": "BIGINT", "calls": "BIGINT", "tools": "BIGINT", "weak_edges": "BIGINT",
        "tables": "BIGINT", "obscured": "BOOLEAN", "pass_rate": "DOUBLE"},
    "conversation": {"scenario": "VARCHAR", "persona": "VARCHAR", "variant": "VARCHAR", "refinements": ["VARCHAR"],
        "turns": [{"goal": "VARCHAR", "request": "VARCHAR", "calls": "BIGINT"}]}
}]'), max_depth := 2)
FROM artifacts(stage_name);

CREATE MACRO all_made_tasks() AS TABLE
FROM made_tasks('graph_tasks')
UNION ALL FROM made_tasks('program_tasks')
UNION ALL FROM made_tasks('task_families')
UNION ALL FROM made_tasks('conversations');

CREATE MACRO all_solutions() AS TABLE
SELECT environment, 'task_set' AS source, unnest(from_json(artifact -> '$.solutions', '["JSON"]')) AS solution
FROM artifacts('reference_solutions')
UNION ALL
SELECT environment, source, solution FROM all_made_tasks();

CREATE VIEW reference_calls AS
SELECT
    environment, solution ->> '$.task' AS task, source, number::BIGINT AS number, call.tool AS tool,
    call.principal AS principal, call.outcome AS outcome
FROM
    all_solutions(),
    unnest(from_json(solution -> '$.calls', '[{"tool": "VARCHAR", "principal": "VARCHAR", "outcome": "VARCHAR"}]'))
    WITH ORDINALITY AS listed (call, number);
COMMENT ON VIEW reference_calls IS 'The calls that the reference solutions made, in order.';

CREATE VIEW trials AS
WITH gates AS (
    SELECT environment, 'task_set' AS source,
        unnest(from_json(artifact -> '$.verifiers', '["JSON"]')) -> '$.gate' AS gate
    FROM artifacts('verifiers')
    UNION ALL
    SELECT environment, source, verifier -> '$.gate' FROM all_made_tasks()
)
SELECT environment, gate ->> '$.task' AS task, source, unnest(from_json(gate -> '$.trials', '[{
    "kind": "VARCHAR", "operator": "VARCHAR", "what": "VARCHAR", "expected": "VARCHAR", "score": "DOUBLE",
    "right": "BOOLEAN", "reason": "VARCHAR"
}]'), max_depth := 2)
FROM gates;
COMMENT ON VIEW trials IS 'What every verifier was shown before it was trusted, and whether it judged rightly.';

CREATE VIEW gates AS
SELECT
    environment, task, source, count(*) AS trials,
    avg("right"::INTEGER) FILTER (kind = 'mutant') AS kill_rate,
    avg("right"::INTEGER) FILTER (kind IN ('gold', 'gold_again', 'variant', 'alternative')) AS acceptance_rate,
    avg("right"::INTEGER) FILTER (kind = 'noop') AS noop_rejected,
    avg("right"::INTEGER) FILTER (kind = 'minus_write') AS missing_writes_rejected
FROM trials
GROUP BY environment, task, source;
COMMENT ON VIEW gates IS 'The trials of every kept task in one line: shares that were judged rightly.';

CREATE VIEW dropped AS
WITH lists AS (
    SELECT environment, artifact -> '$.dropped' AS given_up FROM artifacts('reference_solutions')
    UNION ALL SELECT environment, artifact -> '$.dropped' FROM artifacts('verifiers')
    UNION ALL SELECT environment, artifact -> '$.dropped_tasks' FROM artifacts('inspection')
    UNION ALL SELECT environment, artifact -> '$.dropped' FROM artifacts('graph_tasks')
    UNION ALL SELECT environment, artifact -> '$.dropped' FROM artifacts('program_tasks')
    UNION ALL SELECT environment, artifact -> '$.dropped' FROM artifacts('task_families')
    UNION ALL SELECT environment, artifact -> '$.dropped' FROM artifacts('conversations')
    UNION ALL SELECT environment, artifact -> '$.dropped' FROM artifacts('release')
)
SELECT DISTINCT environment, one.task AS task, one.stage AS stage, one.reason AS reason
FROM lists, unnest(from_json(given_up, '[{"task": "VARCHAR", "stage": "VARCHAR", "reason": "VARCHAR"}]'))
    AS listed (one);
COMMENT ON VIEW dropped IS 'Tasks that were given up, by which stage and why.';

CREATE VIEW tasks AS
WITH authored AS (
    SELECT environment, 'task_set' AS source, NULL::VARCHAR AS parent, unnest(from_json(artifact -> '$.tasks', '[{
        "id": "VARCHAR", "text": "VARCHAR", "kind": "VARCHAR", "state": "VARCHAR", "rule": "VARCHAR",
        "withheld": ["VARCHAR"]
    }]'), max_depth := 2)
    FROM artifacts('task_set')
),
known AS (
    SELECT * RENAME (id AS task), NULL AS difficulty, NULL AS turns FROM authored
    UNION ALL BY NAME
    SELECT
        environment, source, parent, task.id AS task, task.text AS text, task.kind AS kind, task.state AS state,
        task.rule AS rule, task.withheld AS withheld, difficulty, len(conversation.turns)::BIGINT AS turns
    FROM all_made_tasks()
),
reached AS (
    SELECT environment, task, source, count(*) AS calls, count(DISTINCT tool) AS tools FROM reference_calls GROUP BY ALL
),
released AS (
    SELECT environment, task.id AS task, source, difficulty AS measured FROM made_tasks('release')
)
SELECT
    environment, task, source, parent, kind, state, text, rule, withheld,
    source <> 'task_set' OR gates.trials IS NOT NULL AS verified,
    measured IS NOT NULL AS released,
    coalesce(measured.level, difficulty.level) AS level,
    coalesce(difficulty.calls, reached.calls) AS calls, coalesce(difficulty.tools, reached.tools) AS tools,
    coalesce(measured.weak_edges, difficulty.weak_edges) AS weak_edges,
    coalesce(measured.tables, difficulty.tables) AS tables,
    coalesce(measured.obscured, difficulty.obscured) AS obscured,
    coalesce(measured.pass_rate, difficulty.pass_rate) AS pass_rate,
    turns
FROM known
LEFT JOIN gates USING (environment, task, source)
LEFT JOIN reached USING (environment, task, source)
LEFT JOIN released USING (environment, task, source);
COMMENT ON VIEW tasks IS
    'Every task: the author''s own (source task_set) and those made later; `calls` and `tools` are of its solution.';

CREATE VIEW conversations AS
SELECT
    environment, task.id AS task, conversation.variant AS variant, conversation.scenario AS scenario,
    conversation.persona AS persona, conversation.refinements AS refinements,
    len(conversation.turns)::BIGINT AS turns
FROM made_tasks('conversations')
WHERE conversation IS NOT NULL;
COMMENT ON VIEW conversations IS 'How people bring tasks to an assistant, turn by turn.';

CREATE VIEW turns AS
SELECT environment, task.id AS task, number::BIGINT AS number, turn.goal AS goal, turn.request AS request,
    turn.calls AS calls
FROM made_tasks('conversations'), unnest(conversation.turns) WITH ORDINALITY AS listed (turn, number);
COMMENT ON VIEW turns IS 'The turns of the conversations; `calls` of the reference solution belong to each.';

-- == environments ====================================================================================================

CREATE VIEW environments AS
WITH keys AS (
    SELECT
        environment,
        arg_min(stage, position) FILTER (status = 'rejected') AS rejected_by,
        arg_min(reason, position) FILTER (status = 'rejected') AS reason,
        count(*) FILTER (status = 'ok' AND stage IN ('environment', 'verifiers')) = 2 AS complete
    FROM stages
    GROUP BY environment
),
themes AS (SELECT environment, artifact, json_array_length(artifact, '$.rules') AS rules FROM artifacts('theme')),
proposals AS (SELECT environment, artifact FROM artifacts('proposal')),
schemas AS (
    SELECT environment, count(*) AS tables, sum(columns) AS columns, sum(rows) AS rows FROM tables GROUP BY environment
),
interfaces AS (
    SELECT environment, count(*) AS tools, count(*) FILTER (read_only) AS reading_tools,
        count(*) FILTER (principal = 'user') AS user_tools
    FROM tools
    GROUP BY environment
),
modules AS (
    SELECT environment, len(string_split(rtrim(artifact ->> '$.source', chr(10)), chr(10))) AS code_lines
    FROM artifacts('server_code')
),
asked AS (
    SELECT environment, count(*) AS tasks, count(*) FILTER (verified) AS verified_tasks,
        count(*) FILTER (released) AS released_tasks
    FROM tasks
    GROUP BY environment
),
inspections AS (SELECT environment, (artifact ->> '$.score')::DOUBLE AS score FROM artifacts('inspection')),
built AS (SELECT environment, artifact ->> '$.version' AS version FROM artifacts('environment')),
sealed AS (SELECT environment, artifact ->> '$.version' AS version FROM artifacts('release'))
SELECT
    environment,
    coalesce(themes.artifact ->> '$.name', proposals.artifact ->> '$.proposal.name') AS name,
    coalesce(themes.artifact ->> '$.category', proposals.artifact ->> '$.proposal.category') AS category,
    themes.artifact ->> '$.description' AS description, themes.artifact ->> '$.size' AS size,
    coalesce(themes.artifact ->> '$.source.kind', proposals.artifact ->> '$.source.kind') AS source,
    CASE WHEN rejected_by IS NOT NULL THEN 'rejected' WHEN complete THEN 'accepted' ELSE 'unfinished' END AS status,
    rejected_by, reason,
    rules::BIGINT AS rules, tables, columns::BIGINT AS columns, rows::BIGINT AS rows,
    tools, reading_tools, tools - reading_tools AS changing_tools, user_tools, code_lines::BIGINT AS code_lines,
    tasks, verified_tasks, released_tasks,
    inspections.score AS inspection_score,
    proposals.artifact ->> '$.nearest' AS nearest, (proposals.artifact ->> '$.similarity')::DOUBLE AS similarity,
    built.version AS version, sealed.version AS released_version
FROM keys
LEFT JOIN proposals USING (environment) LEFT JOIN themes USING (environment) LEFT JOIN schemas USING (environment)
LEFT JOIN interfaces USING (environment) LEFT JOIN modules USING (environment) LEFT JOIN asked USING (environment)
LEFT JOIN inspections USING (environment) LEFT JOIN built USING (environment) LEFT JOIN sealed USING (environment);
COMMENT ON VIEW environments IS
    'Every environment that was ever begun, in one line. Accepted: it is built and its tasks are verified; rejected: a '
    'stage gave it up.';

-- == taxonomy =======================================================================================================

CREATE VIEW taxonomy AS
WITH latest AS (SELECT artifact, record ->> '$.version' AS version FROM artifacts('taxonomy')
    JOIN latest_records('taxonomy') USING (environment)),
labels AS (
    SELECT label.id AS id, label.name AS name, label.category AS category, label.author AS author
    FROM latest, unnest(from_json(artifact -> '$.labels', '[{
        "id": "VARCHAR", "name": "VARCHAR", "category": "VARCHAR", "author": "VARCHAR"
    }]')) AS listed (label)
),
categories AS (
    SELECT category.id AS id, category.name AS name
    FROM latest, unnest(from_json(artifact -> '$.categories', '[{"id": "VARCHAR", "name": "VARCHAR"}]'))
        AS listed (category)
)
SELECT
    placed.environment AS environment, categories.name AS category, labels.name AS label,
    labels.author AS label_author, artifact ->> '$.agreement.author' AS category_author,
    placed.distance AS distance, placed.later AS later, placed.provisional AS provisional, version
FROM
    latest,
    unnest(from_json(artifact -> '$.placed', '[{
        "environment": "VARCHAR", "label": "VARCHAR", "distance": "DOUBLE", "later": "BOOLEAN",
        "provisional": "BOOLEAN"
    }]')) AS listed (placed)
JOIN labels ON labels.id = placed.label
JOIN categories ON categories.id = labels.category;
COMMENT ON VIEW taxonomy IS
    'Where every released environment is in the latest taxonomy: its category and its label, who named them (people, '
    'model, computed), and whether its place is provisional.';

-- == model calls and episodes ========================================================================================
-- The tables `columns_of_…` never hold a row: they give the views their columns while there is no Parquet file yet, and
-- to older files the columns that they do not have.

CREATE TABLE columns_of_costs (
    id VARCHAR, started_at TIMESTAMPTZ, asset VARCHAR, "partition" VARCHAR, role VARCHAR, kind VARCHAR,
    schema_name VARCHAR, endpoint VARCHAR, model VARCHAR, outcome VARCHAR, cached BOOLEAN, tokens_in BIGINT,
    tokens_out BIGINT, tokens_cached BIGINT, tokens_estimated BOOLEAN, cost_usd DOUBLE, retries BIGINT,
    seconds DOUBLE, seconds_lost DOUBLE, finish_reason VARCHAR, error VARCHAR
);

CREATE VIEW costs AS
SELECT
    id, timezone('UTC', started_at) AS started_at, asset, "partition" AS environment, role, kind, schema_name,
    endpoint, model, outcome, cached, tokens_in, tokens_out, tokens_cached, tokens_estimated, cost_usd, retries,
    seconds, seconds_lost, finish_reason, error
FROM (
    FROM columns_of_costs
    UNION ALL BY NAME
    FROM read_parquet(getvariable('language') || '/ledger/calls-*.parquet', union_by_name = true, allow_empty = true)
);
COMMENT ON VIEW costs IS
    'The ledger: one row for every call to a model. A cost is NULL where nobody knows it; times are UTC. Calls of a '
    'running process appear when it ends.';

CREATE TABLE columns_of_trajectories (
    environment VARCHAR, bundle_version VARCHAR, task VARCHAR, state VARCHAR, setting VARCHAR, protocol VARCHAR,
    model VARCHAR, seed BIGINT, ending VARCHAR, cause VARCHAR, detail VARCHAR, remarks VARCHAR[], outcome VARCHAR,
    score DOUBLE, reward DOUBLE, components VARCHAR, steps BIGINT, calls BIGINT, model_s DOUBLE, tools_s DOUBLE,
    state_hash VARCHAR, trajectory VARCHAR, filename VARCHAR, file_row_number BIGINT
);

CREATE VIEW trajectories AS
SELECT
    concat_ws('/', environment, bundle_version[:16], task, setting, protocol, model, seed) AS episode,
    environment, bundle_version, task, state, setting, protocol, model, seed, ending, cause, detail, remarks, outcome,
    score, reward, components::JSON AS components, steps, calls, model_s, tools_s, state_hash,
    trajectory::JSON AS trajectory
FROM (
    FROM columns_of_trajectories
    UNION ALL BY NAME
    FROM read_parquet(
        getvariable('home') || '/trajectories/*/*/*.parquet',
        union_by_name = true, allow_empty = true, filename = true, file_row_number = true
    )
)
QUALIFY row_number() OVER (
    PARTITION BY environment, bundle_version, task, setting, protocol, model, seed
    ORDER BY filename DESC, file_row_number DESC
) = 1;
COMMENT ON VIEW trajectories IS 'Every episode once; where it was played again, as it was played last.';

CREATE VIEW steps AS
SELECT
    episode,
    step.number AS number,
    len(step.calls)::BIGINT AS calls,
    len(list_filter(step.calls, lambda one: one.principal = 'user'))::BIGINT AS user_calls,
    len(list_filter(step.observations, lambda one: one.outcome <> 'ok'))::BIGINT AS failed_calls,
    list_transform(
        list_filter(step.calls, lambda one: one.principal = 'assistant' AND NOT (meta AND one.name = 'list_tools')),
        lambda one: if(meta AND one.name = 'call_tool', one.arguments ->> '$.tool_name', one.name)
    ) AS tools,
    step.text <> '' AS speaks,
    step.reply <> '' AS is_answered
FROM
    (SELECT episode, protocol = 'meta_tools' AS meta, trajectory FROM trajectories),
    unnest(from_json(trajectory -> '$.steps', '[{
        "number": "BIGINT", "text": "VARCHAR", "reply": "VARCHAR", "observations": [{"outcome": "VARCHAR"}],
        "calls": [{"name": "VARCHAR", "principal": "VARCHAR", "arguments": "JSON"}]
    }]')) AS listed (step);
COMMENT ON VIEW steps IS
    'The steps of the episodes: `tools` are what the assistant called, also where it went through call_tool; '
    '`is_answered` when a user said something to it.';

-- == datasets ========================================================================================================

CREATE VIEW splits AS
SELECT placed.environment AS environment, placed.split AS split
FROM read_text(getvariable('home') || '/datasets/splits/ledger.json'), unnest(from_json(
    try_cast(content AS JSON) -> '$.placed', '[{"environment": "VARCHAR", "split": "VARCHAR"}]')) AS listed (placed);
COMMENT ON VIEW splits IS 'Which environments are trained on, by what, and which are held out.';

CREATE TABLE columns_of_dataset_rows (
    id VARCHAR, trace VARCHAR, trajectory VARCHAR, step VARCHAR, turn VARCHAR, setting VARCHAR, protocol VARCHAR,
    messages VARCHAR, tools VARCHAR, outcome VARCHAR, filename VARCHAR
);

CREATE VIEW dataset_rows AS
WITH latest AS (
    SELECT split_part(filename, '/', -2) AS dataset, trim(content) AS version
    FROM read_text(getvariable('home') || '/datasets/*/LATEST')
),
found AS (
    SELECT
        split_part(filename, '/', -4) AS dataset, split_part(filename, '/', -3) AS version, id,
        trace::JSON AS trace, trajectory::JSON AS trajectory, step::JSON AS step, turn::JSON AS turn,
        setting::JSON AS setting, protocol::JSON AS protocol, messages::JSON AS messages, tools::JSON AS tools,
        outcome::JSON AS outcome
    FROM (
        FROM columns_of_dataset_rows
        UNION ALL BY NAME
        FROM read_parquet(
            getvariable('home') || '/datasets/*/*/rows/*.parquet',
            union_by_name = true, allow_empty = true, filename = true
        )
    )
)
SELECT
    dataset, version, id, trace ->> '$.environment' AS environment, trace ->> '$.task' AS task,
    trace ->> '$.kind' AS kind, trace ->> '$.source' AS source, trace ->> '$.split' AS split,
    coalesce(trajectory ->> '$.setting', setting ->> '$') AS setting,
    coalesce(trajectory ->> '$.protocol', protocol ->> '$') AS protocol,
    (step ->> '$')::BIGINT AS step, (turn ->> '$')::BIGINT AS turn, outcome ->> '$' AS outcome,
    json_array_length(messages)::BIGINT AS messages, json_array_length(tools)::BIGINT AS tools
FROM found JOIN latest USING (dataset, version);
COMMENT ON VIEW dataset_rows IS 'The rows of the latest version of every dataset, without what is said in them.';
