"""The reference solutions: for every task a program over the tools, run in the sandbox until it does what is asked.

Belongs here: the prompt for it, its gate, and what is kept of a program that passed. Does not: running programs
(`execution`), which columns count (`masks`), and whether the goal was reached (`verifiers`).
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import orjson
from pydantic import ValidationError

from envfactory_dagster.authoring.loop import Authored, Question
from envfactory_dagster.authoring.parts import Parts
from envfactory_dagster.authoring.samples import sample_rows
from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.base import Json, content_hash
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.database import SeedRows
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.contracts.records import Attempt, Fault, Problem
from envfactory_dagster.contracts.reports import AnswerForm, form_with_its_order
from envfactory_dagster.contracts.requests import (
    ReferenceSolutionAnswer,
    ReferenceSolutionsAnswer,
    ReferenceSolutionsContext,
    SolutionOfTask,
)
from envfactory_dagster.contracts.stages import StageInput, StageOutcome
from envfactory_dagster.contracts.tool_signatures import HOW_TO_READ, ToolSignature
from envfactory_dagster.contracts.tools import ToolDefinition
from envfactory_dagster.contracts.truth import ReferenceSolution, SolutionSet, TracedStep
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.runtime.facts import load_schema
from envfactory_dagster.runtime.json_schema import compile_schema
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.truth.changesets import by_table, columns_of, normalize
from envfactory_dagster.truth.dictation import dictated_columns
from envfactory_dagster.truth.execution import Run, run_solution
from envfactory_dagster.truth.masks import ID_OFFSET, learn_mask
from envfactory_dagster.truth.messages import contradictions
from envfactory_dagster.truth.programs import shown_call
from envfactory_dagster.truth.reports import OUTCOME_OF
from envfactory_dagster.truth.review import INSTRUCTIONS as REVIEW
from envfactory_dagster.truth.review import Reviewed, review
from envfactory_dagster.truth.sense import problems_of_sense
from envfactory_dagster.truth.task_by_task import Worked, listing, tasks_by_state, too_few, tries, work

INSTRUCTIONS = (
    """\
You write the reference solution of each of `tasks`: a Python program that does, with the tools of the service that
`theme` describes, what a perfect assistant would do for the person who asks, user 1. The tasks have nothing to do with
each other: each program is run by itself, in the state that all of them start in, at the time `clock`; `sample_rows`
are the first rows of every table then, to see what values look like. Give as much care to the last as to the first.

`solutions` has one entry for each of `tasks`, with its id as `task`. Its `source` is a module with a function `solve`:

    def solve(tools):
        mine = tools.list_reservations(status="confirmed")["reservations"]
        dinner = next(r for r in mine if r["at"].startswith("2026-03-06"))
        free = tools.search_tables(party_size=6, on_day="2026-03-07")["tables"]
        cheapest = min(free, key=lambda table: (table["price_cents"], table["table_id"]))
        tools.move_reservation(reservation_id=dinner["reservation_id"], table_id=cheapest["table_id"])
        return {
            "outcome": "done",
            "answers": {"new_time": cheapest["at"][11:16], "price": cheapest["price_cents"]},
            "reason": None,
            "message": f"Your table is moved to {cheapest['at']}; it costs {cheapest['price_cents'] / 100:.2f} euros.",
        }

- A tool is called with keyword arguments and returns what it `gives`. When it refuses, it raises `tools.Error`,
  whose text is what it said. Tools whose `principal` is `user` are called in the same way, where the person has to do a
  part: confirm, check in, pay.
- Loops, branches, helper functions, sorting, sums are welcome. Allowed imports: datetime, math, json, re, collections,
  itertools, functools, statistics, decimal, string. No clock, no random numbers, no files.
- The program knows what the task says, word for word, and nothing else: it looks up what the person means by its name,
  its date, its place in a list, as somebody would who sees the tools alone. Write no id that a tool can tell, and
  nothing that you only know from `sample_rows`. Where a list comes in pages, read on.
- It does what is asked and no more: no further changes, none that is taken back later. What is to be stored is stored
  as the task words it.
- It returns the report that ends the work, a dict with these four keys: `outcome`; `answers`, with a key for every
  field of the answer form and None where nothing is due (an empty list is an answer: there are none); `reason`, the id
  of the rule where one forbids it, else None; `message`, what the person is told in one or two sentences, with
  everything they asked to know. Nothing is reported that the program did not find out or do. Amounts of money are as
  the tools give them: in cents, or whole where the currency has none.

`answer_form` lists what the task asks to be told, one field for each thing, and nothing else: what is told without
being asked for stands in the message alone. It is empty where the task only asks for something to be done.
- A field has a `name` in snake_case, a `description` in plain words for somebody who has read the task, and a `type`:
  `integer`, `number`, `money` (with the currency as `unit`, `EUR` where nobody names one), `date`, `time`, `duration`
  (with `minutes`, `hours` or `days` as `unit`), `text`, `yes_no`, `choice` (with all `choices` by the names people
  know); `many` where several are listed, `ordered` where their order counts. `unit` of a number says what is counted.
- For a thing of which the service has few, take a `choice` of all; these names you may take from `sample_rows`. Where
  values belong to several things, take a field for each thing that the task names, or lists that belong together, each
  with `ordered` and the order said in its description. What is asked on a condition has a field as well, None where the
  condition does not hold.
- It is the form of the task as if it could be done: that of a task that has to be refused looks like that of its twin
  that need not be. A form never tells what the outcome is, nor any answer.

By `kind` of the task
- `action`: rows must change; the outcome is `done`.
- `information`: nothing changes, the outcome is `done`, and the answers say what was asked.
- `refusal`: the `rule` of the task forbids it. Look up what it takes and, unless that settles it, try it and catch the
  `tools.Error`. The outcome is `refused`, the reason is that rule, and the message says that it cannot be done and
  why, in the rule's words. What the person can be told all the same is answered; every other answer is None. Nothing
  changes: no way around the rule.
- `unable`: no tool can do it. The outcome is `impossible`, every answer is None.
- `no_tool`: the answer is known from the rules and from what was said, without any call; the outcome is `done`.

`alternatives`: where the task leaves a choice ("any free day", "whichever you like"), up to three further whole
programs of the same form that choose otherwise, each coming to another end that fits the task as well. Otherwise an
empty list.

"""
    + HOW_TO_READ
)

GATE = 3


class ReferenceSolutionsStage:
    name = "reference_solutions"
    upstream = ("seed_rows", "environment")
    code_version = content_hash([INSTRUCTIONS, REVIEW, GATE])[:12]

    def __init__(self, gateway: Gateway, runtime: Runtime, settings: AuthoringSettings, bundles: BundleStore) -> None:
        self._gateway = gateway
        self._runtime = runtime
        self._settings = settings
        self._bundles = bundles

    def settings_hash(self) -> str:
        return self._settings.hash_for(self.name, drops_tasks=True)

    async def make(self, stage_input: StageInput) -> StageOutcome:
        version = stage_input.artifact("environment")["version"]
        bundle = await asyncio.to_thread(self._bundles.load, stage_input.partition, version)
        seed = SeedRows.model_validate(stage_input.artifact("seed_rows"))
        checks = {task.id: SolutionCheck(self._runtime, bundle, task) for task in bundle.tasks}
        asked = [parts_of(bundle, seed, tasks, checks) for tasks in tasks_by_state(bundle.tasks).values()]
        caller = Caller(self.name, bundle.key, Role.AUTHOR)
        try:
            authored, attempts = await work(self._gateway, caller, asked, self._settings.attempts)
            worked = [_worked(task, authored[task.id], checks[task.id]) for task in bundle.tasks]
            solved = [(one.task, one.value) for one in worked if one.value is not None]
            reviewed = await review(
                self._gateway, self._runtime, bundle, self.name, solved, attempts=self._settings.attempts
            )
        finally:
            self._runtime.retire(bundle)
        return outcome_of(worked, attempts, reviewed, self._settings.least_tasks)


def _worked(task: Task, authored: Authored[SolutionOfTask], checking: "SolutionCheck") -> Worked[ReferenceSolution]:
    return Worked(task, Authored(checking.solution if authored.value is not None else None, authored.attempts))


def parts_of(
    bundle: Bundle, seed: SeedRows, tasks: Sequence[Task], checks: Mapping[str, "SolutionCheck"]
) -> Parts[ReferenceSolutionsAnswer, SolutionOfTask]:
    """The question for tasks that start in the same state."""

    def ask(names: Sequence[str]) -> Question[ReferenceSolutionsAnswer]:
        context = context_of(bundle, seed, [task for task in tasks if task.id in names])
        return Question("reference_solutions", ReferenceSolutionsAnswer, INSTRUCTIONS, context)

    return Parts(
        part=SolutionOfTask,
        ask=ask,
        given=lambda answer: answer.solutions,
        answer=lambda given: ReferenceSolutionsAnswer(solutions=given),
        gates={task.id: checks[task.id].problems for task in tasks},
    )


def context_of(bundle: Bundle, seed: SeedRows, tasks: Sequence[Task]) -> ReferenceSolutionsContext:
    state = tasks[0].state
    return ReferenceSolutionsContext(
        theme=bundle.theme,
        tools=[ToolSignature.of(tool) for tool in bundle.tools],
        states=[state.name for state in seed.states],
        task_count=len(bundle.tasks),
        sample_rows=sample_rows(seed, state),
        clock=bundle.states[state].clock,
        tasks=list(tasks),
    )


# -- the gate ----------------------------------------------------------------------------------------------------------


class SolutionCheck:
    """One task while its solution is written. `solution` is what came of the last program that passed."""

    def __init__(self, runtime: Runtime, bundle: Bundle, task: Task) -> None:
        self.solution: ReferenceSolution | None = None
        self._run = partial(run_solution, runtime, bundle, task)
        self._schema = load_schema(bundle.schema_sql)
        self._learn = partial(learn_mask, runtime, bundle, task, self._schema)
        self._problems_of_sense = partial(problems_of_sense, runtime, bundle, task)
        self._task = task
        self._tools = {tool.name: tool for tool in bundle.tools}

    async def problems(self, answer: ReferenceSolutionAnswer) -> list[Problem]:
        try:
            return await self._try(answer)
        except EnvironmentFault as fault:
            return [Problem(fault="code", message=f"The environment broke under it: {fault}")]

    def _problems_of(self, run: Run, form: AnswerForm) -> list[Problem]:
        return problems_of(self._task, run, form, self._tools)

    async def _try(self, answer: ReferenceSolutionAnswer) -> list[Problem]:
        try:
            form = form_with_its_order(answer.answer_form)
        except ValidationError as error:
            return [_problem(f"The answer form is none: {error.errors()[0]['msg']}.")]
        run = await self._run(answer.source, form)
        problems = self._problems_of(run, form) or await self._problems_of_repeating(answer.source, form, run)
        problems = problems or await self._problems_of_sense(answer.source, form, run)
        if problems:
            return problems
        others = [await self._run(source, form) for source in answer.alternatives]
        for number, other in enumerate(others, 1):
            found = self._problems_of(other, form)
            problems += [p.model_copy(update={"message": f"Alternative {number}: {p.message}"}) for p in found]
        if not problems:
            self.solution = await self._kept(answer, form, run, others)
        return problems

    async def _problems_of_repeating(self, source: str, form: AnswerForm, run: Run) -> list[Problem]:
        again = await self._run(source, form)
        if (run.state_hash, run.report) != (again.state_hash, again.report):
            return [_problem("Run twice, it comes to two different ends: it depends on something that varies.")]
        elsewhere = await self._run(source, form, id_offset=ID_OFFSET)
        return [
            p.model_copy(update={"message": f"Where new rows get other ids: {p.message}"})
            for p in self._problems_of(elsewhere, form)
        ]

    async def _kept(
        self, answer: ReferenceSolutionAnswer, form: AnswerForm, run: Run, others: Sequence[Run]
    ) -> ReferenceSolution:
        assert run.report is not None
        learned = (await self._learn(answer.source, form, run)).mask
        dictated = dictated_columns(self._task, run.calls, run.changes, self._tools)
        mask = replace(learned, dictated=columns_of(dictated))
        ends = [normalize(each.changes, self._schema, each.clock, mask) for each in (run, *others)]
        return ReferenceSolution(
            task=self._task.id,
            source=answer.source,
            # One that chose as another did says nothing new.
            alternatives=[source for n, source in enumerate(answer.alternatives, 1) if ends[n] not in ends[:n]],
            form=form,
            report=run.report,
            calls=run.calls,
            changes=run.row_changes,
            state_hash=run.state_hash,
            volatile=by_table(mask.volatile),
            relative=by_table(mask.relative),
            dictated=dictated,
        )


def problems_of(task: Task, run: Run, form: AnswerForm, tools: Mapping[str, ToolDefinition]) -> list[Problem]:
    """What is wrong with one run of a program, judged by the kind of its task."""
    broken = [call for call in run.calls if call.outcome == "environment"]
    if broken:
        return [_problem(f"The tool {broken[0].tool} is broken: {broken[0].error}", shown(broken[-1:]), "code")]
    withheld = [call for call in run.calls if call.tool in task.withheld]
    if withheld:
        return [
            _problem(f"The program calls {withheld[0].tool}, which is not there for this task.", shown(withheld[:1]))
        ]
    if run.error is not None:
        return [_problem(f"The program stopped: {run.error}", shown(run.calls[-1:]))]
    if not run.calls and task.kind not in ("unable", "no_tool", "underspecified"):
        return [_problem("The program calls no tool.")]
    for call in run.calls:
        if misfit := _misfit(call, tools):
            return [_problem(f"The call of {call.tool} does not fit: {misfit}", shown([call]))]
    problems = [_problem(message) for message in _problems_of_report(task, run, form)]
    if task.kind == "action" and not run.changes:
        problems.append(_problem("The program changes nothing, and the task asks for a change.", shown(run.calls)))
    if task.kind != "action" and run.changes:
        changed = ", ".join(sorted({change.table for change in run.changes}))
        problems.append(_problem(f"The program changes {changed}; a task of kind {task.kind} must change nothing."))
    return problems


def _problems_of_report(task: Task, run: Run, form: AnswerForm) -> Iterator[str]:
    report = run.report
    if report is None:
        yield "The program reports nothing."
        return
    outcome = OUTCOME_OF[task.kind]
    if report.outcome != outcome:
        yield f"The program reports the outcome {report.outcome}; that of a task of kind {task.kind} is {outcome}."
    if report.reason != task.rule:
        yield f"The program gives {report.reason} as reason; the task rests on {task.rule}."
    given = [field.name for field in form.fields if report.answers.get(field.name) is not None]
    if outcome == "done" and task.kind != "action" and not given:
        yield "The program answers nothing, and the task asks to be told something."
    if outcome == "impossible" and given:
        yield f"The program answers {', '.join(given)} although the task cannot be done; give None."
    yield from contradictions(report, form, task.text, run.calls)


def _misfit(call: TracedStep, tools: Mapping[str, ToolDefinition]) -> str | None:
    """Why the interface would not take a call. Such a failure must not pass for a refusal of the domain."""
    if call.outcome != "agent":
        return None
    tool = tools.get(call.tool)
    return "there is no such tool" if tool is None else compile_schema(tool.inputSchema)(call.arguments)


def shown(calls: Sequence[TracedStep]) -> str:
    """Calls as a program would make them, with what came back."""
    return "\n".join(
        f"{shown_call(call.tool, call.arguments)} → {call.error or orjson.dumps(call.value).decode()[:200]}"
        for call in calls
    )


def _problem(message: str, snippet: str = "", fault: Fault = "solution") -> Problem:
    return Problem(fault=fault, message=message, snippet=snippet)


# -- the stage's outcome -----------------------------------------------------------------------------------------------


def outcome_of(
    worked: Sequence[Worked[ReferenceSolution]], attempts: list[Attempt], reviewed: Reviewed, least: int
) -> StageOutcome:
    dropped = [one.dropped(ReferenceSolutionsStage.name) for one in worked if one.value is None]
    dropped += reviewed.dropped
    solutions = [one.value for one in worked if one.value is not None and one.task.id not in reviewed.tasks]
    kinds = {one.task.id: one.task.kind for one in worked}
    metadata: dict[str, Json] = {
        "solved": len(solutions),
        "answers_of_a_task": tries(worked),
        "with_a_choice": sum(bool(solution.alternatives) for solution in solutions),
        "solutions": [_row(solution, kinds[solution.task]) for solution in solutions],
        "dropped": [one.model_dump(mode="json") for one in dropped],
        "solutions.py": listing((solution.task, solution.source) for solution in solutions),
    }
    reason = too_few(len(solutions), len(worked), least, dropped)
    artifact = None if reason else SolutionSet(solutions=solutions, dropped=dropped).model_dump(mode="json")
    return StageOutcome(artifact, [*attempts, *reviewed.attempts], reason, metadata)


def _row(solution: ReferenceSolution, kind: str) -> Json:
    return {
        "task": solution.task,
        "kind": kind,
        "calls": " → ".join(call.tool for call in solution.calls),
        "rows_changed": len(solution.changes),
        "outcome": solution.report.outcome,
        "answers": dict(solution.report.answers),
        "message": solution.report.message,
        "other_ends": len(solution.alternatives),
    }
