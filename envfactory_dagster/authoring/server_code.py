"""The server code: the function behind every tool, written in batches and tried in the sandbox before it is kept.

Belongs here: the prompt for it, the batches, and asking again for exactly the functions that failed; what is left when
some can never be accepted. Does not: the gate (`trials`), how functions become one module (`tool_module`), or whose
fault it is that they are not accepted (`impasse`).
"""

import asyncio
from collections.abc import Sequence

import orjson

from envfactory_dagster.authoring import file_words, impasse, tool_spec
from envfactory_dagster.authoring.loop import (
    Authored,
    PastAnswer,
    Question,
    ask_once,
    has_no_other_answer,
    outcome,
    with_attempt,
)
from envfactory_dagster.authoring.parts import batched
from envfactory_dagster.authoring.samples import sample_rows
from envfactory_dagster.authoring.seed_rows import StateAuthor
from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.authoring.touched import tables_of
from envfactory_dagster.authoring.trials import whole
from envfactory_dagster.authoring.trials.gate import CodeBasis, TriedModule, try_functions
from envfactory_dagster.contracts.base import Json, content_hash
from envfactory_dagster.contracts.database import InitialState, SeedRows
from envfactory_dagster.contracts.domain import INITIAL_STATE
from envfactory_dagster.contracts.records import Attempt, Problem
from envfactory_dagster.contracts.requests import (
    ServerCodeAnswer,
    ServerCodeContext,
    ServerCodeImpasseContext,
    StuckTool,
    ToolFunction,
    ToolOutside,
)
from envfactory_dagster.contracts.stages import MINED_DATA, SOURCE_DOCUMENT, Amending, StageInput, StageOutcome
from envfactory_dagster.contracts.tools import ServerCode, ToolDefinition, ToolSpec, ToolTest
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.runtime.facts import Schema, load_schema
from envfactory_dagster.runtime.runtime import Runtime

_ANSWER = """\
You write the functions behind the tools of the service that `theme` describes. `tables` is its database, `tools` are
all its tools with what they take. Write those functions that `wanted` names, no others; `specifications` says of these
what they give back too. `sample_rows` are the rows, at the time `clock`, of the tables that they may have to do with,
of a long table the first 150; `row_counts` says how many rows every table has.

Each of `functions` has
- `name`: the tool;
- `source`: the function as Python source, with its imports on top and its helpers before it;
- `good_call`: arguments that succeed on the rows shown, and change or find something;
- `good_result`: those fields of its result that follow from the rows and the arguments: amounts, counts, dates,
  statuses; no ids of new rows. Leave out what you cannot be sure of, in an object inside the result too;
- `good_changes`: the tables in which the good call adds, changes or deletes rows, all of them: what follows from it
  (stock, totals, logs) included; empty for a tool that only reads;
- `before`: calls of other tools, `{"tool", "arguments"}`, to be made first when the rows alone do not let the good
  call succeed; as a rule empty. Where no calls could, because the tool works at another time or on other rows only,
  `clock` is the time of the good call and the bad one, and `given` what is different in the rows, both as in `edges`;
  else left out. Codes made by `env.new_id` start at `ORD-50001`, ids after the highest row;
- `bad_call`: arguments of the right types that the tool must refuse, after the same calls before: where it enforces a
  limit, the first value that is beyond it; otherwise a rule broken, or an id that does not exist. For a tool that
  nothing can make fail, the same as `good_call`. Where the rows allow, `good_call` is just within the limit. A tool
  with `confirmed_by` has those calls of the person in `before`, on what its good call is about, and refuses without
  them;
- `edges`: for every limit, count or deadline that the function checks, the calls on either side of it; for every other
  refusal in it, a call that runs into it; twelve at most, of those that can be made possible:
  `{"given": […], "clock": "…", "before": […], "arguments": {…}, "refused": true, "result": {}}`, each on the rows shown
  and without what it does not need. `given`, where a limit is met on other rows only, says what is different in them:
  a course in which two are enrolled is full on `[{"table": "courses", "id": 4, "values": {"places": 2}}]`. `clock` is
  the time of all of it, where a limit is met at another one only. `before` are calls of its own, not those above, of
  this tool too: for "at most two pauses" make two first. `result` holds, where the call is not refused, what you are
  sure of, as in `good_result`.

The function
    def reserve_table(env, *, restaurant_id: int, party_size: int = 2, at: str) -> dict:
        \"\"\"What it does, in a sentence.\"\"\"
- `env` first, then `*`, then exactly the parameters of the specification, typed; required ones without a default, the
  others with the `default` of the specification, or None where it has none. One whose name is a word of Python,
  or `env` or `self`, is declared with an underscore at its end, `from_` for `from`; calls say `from`. It returns a dict
  that fits `outputSchema`.
"""

_METHODS = """\
- `env.query(sql, params)` gives a list of dicts, `env.one(sql, params)` a dict or None, `env.execute(sql, params)` the
  number of rows changed, `env.insert(sql, params)` the new id, `env.new_id("ORD")` a new code; `env.now` is the time,
  `2026-03-02T09:00:00`, `env.user_id` the user, and `raise env.Error("…")` refuses.
"""

_MODULE = """\
- Allowed imports: datetime, math, json, re, collections, itertools, functools, statistics, decimal, string. No classes,
  no global state. Module constants, in UPPER_CASE, are text, numbers, None, or tuples of these; a helper is a function
  whose name begins with `_`, and takes `env` first if it needs it. All functions of all answers become one module: a
  constant or helper bears the name of its tool (`RESERVE_TABLE_MOST_GUESTS`, `_reserve_table_price`), and one that
  several bring is the same in each.

"""

_THE_SQL = """\
The SQL
- A literal, with every value bound: `?` and a list, or `:name` and a dict. Never built with f-strings or `+`.
- An optional filter is `(:x IS NULL OR c = :x)`; a list is `c IN (SELECT value FROM json_each(:xs))` with `json.dumps`;
  a choice of order is a CASE. Lists have an ORDER BY that leaves nothing to chance.
- No clock and no random function: use `env.now`. Days are compared with days, moments with moments: `substr(at, 1, 10)`
  is the day of a moment.
- Every UPDATE and DELETE says by a bound key which rows it means. One that changes other rows of the table that the
  call names a row of says so with that key too.
"""

_DUTIES = """\

What it must do
- Look up every row that an argument names, and refuse with a sentence the user understands when it is not there:
  "there is no room 7". What belongs to people is looked up together with `env.user_id`, as if it were the user's or
  did not exist: "you have no booking BK-00007". What it creates for the user carries `env.user_id`. Only where the user
  is at work for others, as a clerk is, the call names whose row it is, and that is looked up in place of the user.
- Check every rule of the theme that concerns it, and every state it depends on, before it writes anything. Whatever
  the tables would refuse, it refuses first, with a sentence; a broken constraint is an error of yours.
- Include bounds: `min_price` keeps the row that costs just that, a last day counts to its end.
- Show each column under its own name, and NULL as None where `outputSchema` allows it; flags are `bool(…)` when it asks
  for a boolean.
- A command changes what it was asked to, and all that follows from it: stock, balances, totals, statuses.
"""

INSTRUCTIONS = _ANSWER + _METHODS + _MODULE + _THE_SQL + _DUTIES
FOR_FILES = _ANSWER + file_words.METHODS + _MODULE + file_words.THE_FILES + _DUTIES

GATE = 4
BATCH = 12


class TriedCode(ServerCode, Amending):
    """The artifact of this stage: the module, and how each tool of it was tried. It amends `tool_spec` or `seed_rows`
    where no code could be right on them."""

    tests: dict[str, ToolTest]


class ServerCodeStage:
    name = "server_code"
    upstream = ("theme", "task_set", "database_schema", "seed_rows", "tool_spec", MINED_DATA, SOURCE_DOCUMENT)
    code_version = content_hash([INSTRUCTIONS, impasse.INSTRUCTIONS, GATE])[:12]

    def __init__(self, gateway: Gateway, runtime: Runtime, settings: AuthoringSettings) -> None:
        self._gateway = gateway
        self._runtime = runtime
        self._settings = settings

    def settings_hash(self) -> str:
        return self._settings.hash_for(self.name)

    async def make(self, stage_input: StageInput) -> StageOutcome:
        seed = SeedRows.model_validate(stage_input.artifact("seed_rows"))
        spec = ToolSpec.model_validate(stage_input.artifact("tool_spec"))
        tools = spec.tools
        rows_of = StateAuthor.of(self._gateway, self._runtime, self._settings, stage_input, self.name)
        maker = await CodeMaker.of(rows_of, tools, seed)
        authored = await maker.author(self._settings.attempts)
        changes: list[dict[str, Json]] = []
        if authored.value is None and maker.may_rest_on_something_wrong:
            authored, changes = await self._with_changes(maker, authored)
        if authored.value is None:
            return outcome(authored, None, changes=list[Json](changes))
        left = maker.tools
        tests = {tool.name: _test(maker.functions[tool.name]) for tool in left}  # whichever answer came first
        amended = {}
        if left != tools:
            amended["tool_spec"] = spec.model_copy(update={"tools": left}).model_dump(mode="json")
        if maker.seed != seed:
            amended["seed_rows"] = maker.seed.model_dump(mode="json")
        return outcome(
            authored,
            TriedCode(source=authored.value.source, tests=tests, amended=amended),
            function_count=len(tests),
            lines=authored.value.source.count("\n"),
            changes=list[Json](changes),
            calls=[_shown(name, test) for name, test in tests.items()],
            columns_never_read=list[Json](whole.unread_columns(maker.schema, authored.value.facts)),
            **{"tools.py": authored.value.source},
        )

    async def _with_changes(
        self, maker: "CodeMaker", refused: Authored[TriedModule]
    ) -> tuple[Authored[TriedModule], list[dict[str, Json]]]:
        """Once for an environment: change what the functions rest on where that is at fault, and write them again; do
        without those that still fail where no task needs them."""
        reopened = await impasse.reopen(maker.rows_of, maker.stuck(), maker.tools, maker.seed)
        changes, authored, before = [*reopened.changes], refused, [*reopened.attempts]
        if changes:
            await maker.rest_on(reopened.tools, reopened.seed)
            before = [*refused.attempts, *reopened.attempts]
            authored = await maker.author(self._settings.attempts)
        failing = set(maker.failing)
        if authored.value is None and failing <= reopened.unneeded:
            left = [tool for tool in maker.tools if tool.name not in failing]
            inputs = maker.rows_of
            least, rows = self._settings.least_tools, sample_rows(maker.seed)
            if not tool_spec.problems_of(left, inputs.tasks, inputs.tables.tables, rows, least):
                changes += [{"changed": f"{name} is left out", "why": "no task needs it"} for name in sorted(failing)]
                before += authored.attempts
                await maker.rest_on(left, maker.seed)
                authored = await maker.author(self._settings.attempts)
        # What was refused last gives the reason.
        return Authored(authored.value, [*before, *authored.attempts]), changes


class CodeMaker:
    """The functions of one environment while they are written: what there is of each, and what is wrong with it."""

    def __init__(
        self,
        rows_of: StateAuthor,
        tools: Sequence[ToolDefinition],
        seed: SeedRows,
        schema: Schema,
        basis: CodeBasis,
    ) -> None:
        self.rows_of = rows_of
        self.tools = list(tools)
        self.seed = seed
        self.schema = schema
        self.functions: dict[str, ToolFunction] = {}
        self._basis = basis
        self._problems: dict[str, list[Problem]] = {}
        """By tool, of the last round."""
        self._rounds = 0

    @classmethod
    async def of(cls, rows_of: StateAuthor, tools: Sequence[ToolDefinition], seed: SeedRows) -> "CodeMaker":
        schema = load_schema(rows_of.tables.sql())
        return cls(
            rows_of, tools, seed, schema, await CodeBasis.of(rows_of.runtime, rows_of.theme, schema, seed, tools)
        )

    async def rest_on(self, tools: Sequence[ToolDefinition], seed: SeedRows) -> None:
        """Go on with other tools or rows; the functions there are stay."""
        runtime, theme = self.rows_of.runtime, self.rows_of.theme
        self._basis = await CodeBasis.of(runtime, theme, self.schema, seed, tools)
        self.tools, self.seed = list(tools), seed
        names = {tool.name for tool in tools}
        self.functions = {name: function for name, function in self.functions.items() if name in names}

    @property
    def failing(self) -> list[str]:
        return [tool.name for tool in self.tools if tool.name in self._problems]

    @property
    def may_rest_on_something_wrong(self) -> bool:
        """Whether there was an answer that could be read, and was refused all the same."""
        return any(problem.fault != "answer" for found in self._problems.values() for problem in found)

    def stuck(self) -> ServerCodeImpasseContext:
        functions = self.functions
        return ServerCodeImpasseContext(
            theme=self.rows_of.theme,
            tables=self.rows_of.tables.tables,
            tasks=list(self.rows_of.tasks),
            sample_rows=sample_rows(self.seed),
            clock=self._clock,
            stuck=[
                StuckTool(
                    tool=tool,
                    source=functions[tool.name].source if tool.name in functions else "",
                    good_call=functions[tool.name].good_call if tool.name in functions else {},
                    problems=[problem.message for problem in self._problems[tool.name]],
                )
                for tool in self.tools
                if tool.name in self._problems
            ],
        )

    @property
    def _state(self) -> InitialState:
        return next(state for state in self.seed.states if state.name == INITIAL_STATE)

    @property
    def _clock(self) -> str:
        return self._state.clock

    async def author(self, attempts: int) -> Authored[TriedModule]:
        """In rounds: ask for what is missing or failed, all batches at once, then try everything there is."""
        made: list[Attempt] = []
        wanted = [tool.name for tool in self.tools]
        if self.functions:  # written for other tools or rows: those that still do are not asked for
            tried = await try_functions(self.rows_of.runtime, self._basis, self.functions)
            missing = {name: self._problems[name] for name in wanted if name not in self.functions}
            self._problems = missing | tried.problems
            wanted = self.failing
            if not wanted:
                return Authored(tried, made)
        for number in range(self._rounds + 1, self._rounds + attempts + 1):
            batches = batched(wanted, BATCH)
            asked = await asyncio.gather(*(self._ask(batch, number) for batch in batches))
            tried = await try_functions(self.rows_of.runtime, self._basis, self.functions)
            self._problems = self._unanswered(batches, asked) | tried.problems
            for batch, attempt in zip(batches, asked, strict=True):
                made = with_attempt(made, self._judged(batch, attempt))
            wanted = self.failing
            if not wanted:
                return Authored(tried, made)
            if any(not problem.mendable for attempt in asked for problem in attempt.problems):
                break
        self._rounds += attempts
        return Authored(None, sorted(made, key=lambda attempt: (attempt.number, bool(attempt.problems))))

    async def _ask(self, wanted: Sequence[str], number: int) -> Attempt:
        """Ask for some functions and keep what comes of them."""
        refused = self._refused(wanted)
        specifications = [tool for tool in self.tools if tool.name in wanted]
        rows = sample_rows(self.seed)
        # After a refusal the author is shown all rows: those it needed may have been left out.
        touched = tables_of(specifications, self.schema) if refused is None else {table.table for table in rows}
        context = ServerCodeContext(
            theme=self.rows_of.theme,
            tables=self.rows_of.tables.tables,
            tools=[ToolOutside.of(tool) for tool in self.tools],
            clock=self._clock,
            wanted=list(wanted),
            specifications=specifications,
            row_counts={table.table: len(table.rows) for table in self._state.tables},
            sample_rows=[table for table in rows if table.table in touched],
        )
        instructions = FOR_FILES if context.theme.storage == "files" else INSTRUCTIONS
        question = Question("server_code", ServerCodeAnswer, instructions, context)
        answer, attempt = await ask_once(self.rows_of.gateway, self.rows_of.caller, question, refused, number)
        given = answer.value.functions if answer is not None else []
        brought = {function.name: function for function in given if function.name in wanted}
        self.functions |= brought
        return attempt

    def _refused(self, wanted: Sequence[str]) -> PastAnswer | None:
        """The functions that are asked for once more, and what was wrong with them; nothing of those that were not."""
        problems = [problem for name in wanted for problem in self._problems.get(name, [])]
        if not problems:
            return None
        shown = ServerCodeAnswer(functions=[self.functions[name] for name in wanted if name in self.functions])
        return PastAnswer(shown.model_dump_json(), list(dict.fromkeys(problems)))

    def _unanswered(self, batches: Sequence[Sequence[str]], asked: Sequence[Attempt]) -> dict[str, list[Problem]]:
        """The tools of which there is no function yet, because an answer could not be read or left them out."""
        return {
            name: attempt.problems or [Problem(fault="answer", message=f"The function of {name} is missing.")]
            for batch, attempt in zip(batches, asked, strict=True)
            for name in batch
            if name not in self.functions
        }

    def _judged(self, batch: Sequence[str], attempt: Attempt) -> Attempt:
        if has_no_other_answer(attempt):
            return attempt
        found = (problem for name in batch for problem in self._problems.get(name, []))
        return attempt.model_copy(update={"problems": list(dict.fromkeys([*attempt.problems, *found]))})


def _test(function: ToolFunction) -> ToolTest:
    return ToolTest(
        clock=function.clock,
        given=function.given,
        before=function.before,
        good_call=function.good_call,
        good_result=function.good_result,
        good_changes=function.good_changes,
        bad_call=function.bad_call,
        edges=function.edges,
    )


def _shown(name: str, test: ToolTest) -> Json:
    before = ", ".join(call.tool for call in test.before)
    calls = {"good_call": orjson.dumps(test.good_call).decode(), "bad_call": orjson.dumps(test.bad_call).decode()}
    return {"tool": name, "before": before, **calls}
