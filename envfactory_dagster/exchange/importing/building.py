"""From what a published environment consists of to a bundle that the runtime serves.

Belongs here: initial states, gold runs, solutions and verifiers in our form, the bundle. Does not: where the parts come
from, which each form's module says.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from pydantic import ValidationError

from envfactory_dagster.authoring.discovery.tool_schemas import Unusable, check_name, object_schema
from envfactory_dagster.contracts.base import Json, content_hash
from envfactory_dagster.contracts.bundle import Bundle, Provenance, State
from envfactory_dagster.contracts.calls import CallResult, Change
from envfactory_dagster.contracts.domain import INITIAL_STATE, Rule, Task, TaskKind, Theme, ThemeSource
from envfactory_dagster.contracts.errors import EnvironmentFault, UsageError
from envfactory_dagster.contracts.reports import AnswerForm
from envfactory_dagster.contracts.sources import LeftOutTool
from envfactory_dagster.contracts.tools import Principal, ToolAnnotations, ToolDefinition
from envfactory_dagster.exchange.exporting import TEMPLATES
from envfactory_dagster.runtime import databases, object_state
from envfactory_dagster.runtime.bundle_scripts import judge_source, object_server_source
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.object_changes import public_values
from envfactory_dagster.truth.programs import program_of

IMPORTED = TEMPLATES / "imported"
NO_RULES = Rule(id="as_published", text="What the tools refuse is not allowed. Nothing else is laid down.")
_AT_ONCE = 4
_ANY_RESULT = {"type": "object"}

Calls = list[tuple[str, dict[str, Json]]]


@dataclass(frozen=True, slots=True)
class ImportedState:
    """What an initial state is made from, and its clock."""

    given: Json
    clock: str


@dataclass(frozen=True, slots=True)
class PublishedTask:
    id: str
    text: str
    state: str = INITIAL_STATE
    gold: Calls | None = None
    """The calls of the published solution, where there is one."""
    withheld: list[str] = field(default_factory=list)
    verifier: str = ""
    """A verifier of its own, where it does not compare with the end of gold."""


@dataclass(frozen=True, slots=True)
class ImportedEnvironment:
    """An environment as its form's module read it."""

    origin: str
    """The form and what it was read from, such as `tau2: the domain retail`. An environment that has the same key and
    another origin is not replaced."""
    key: str
    name: str
    description: str
    entities: list[str]
    tools: list[ToolDefinition]
    bridge: str
    published: dict[str, str]
    starts: dict[str, ImportedState]
    tasks: list[PublishedTask] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=lambda: [NO_RULES])
    compares_results: bool = False
    """Whether the published judgement also asks for what gold's calls showed."""
    left_out: dict[str, str] = field(default_factory=dict)
    """Task or tool → why."""


@dataclass(frozen=True, slots=True)
class Imported:
    bundle: Bundle
    left_out: dict[str, str]
    calls: int
    """Calls of published solutions that were made."""
    unclean: dict[str, str]
    """Task → the first call of its published solution that did not succeed, and what it said."""


@dataclass(frozen=True, slots=True)
class _Gold:
    results: list[CallResult]
    changes: list[Change]


def template(path: str) -> str:
    return (IMPORTED / path).read_text()


def tool_definition(
    name: str,
    description: str,
    schema: Any,
    *,
    reads_only: bool,
    principal: Principal = "assistant",
) -> ToolDefinition:
    """Raises `Unusable` where calls of it could not be checked."""
    check_name(name)
    return ToolDefinition(
        name=name,
        description=description.strip() or name,
        inputSchema=object_schema(schema, schema, "arguments", []),
        outputSchema=_ANY_RESULT,
        annotations=ToolAnnotations(readOnlyHint=reads_only),
        principal=principal,
    )


def usable_tools(made: Mapping[str, Any], left_out: dict[str, str]) -> list[ToolDefinition]:
    """The definitions of those tools that can be offered; the others are named with their reason."""
    tools = []
    for name, make in made.items():
        try:
            tools.append(make())
        except (Unusable, ValidationError) as problem:
            left_out[name[:80]] = str(problem)[:300]
    if not tools:
        raise UsageError(f"None of its tools can be offered: {next(iter(left_out.values()), 'it has none')}.")
    return tools


async def build(runtime: Runtime, draft: ImportedEnvironment) -> Imported:
    """Start every initial state, run every published solution, and write what came of it as a bundle."""
    states, faults = await _states(runtime, draft)
    bundle = replace(_without_tasks(draft), states=states)
    tasks = [task for task in draft.tasks if task.state not in faults]
    left_out = draft.left_out | faults
    left_out |= {task.id: faults[task.state] for task in draft.tasks if task.state in faults}
    golds: dict[str, _Gold] = {}
    try:
        for task in tasks:
            if task.gold is not None:
                golds[task.id] = await _run(runtime, bundle, task)
    finally:
        runtime.retire(bundle)
    unclean = {task.id: why for task in tasks if task.id in golds and (why := _first_failure(task, golds[task.id]))}
    with_gold = [task for task in tasks if task.id in golds]
    verifiers = {task.id: _verifier(golds[task.id], draft.compares_results) for task in with_gold}
    verifiers |= {task.id: task.verifier for task in tasks if task.verifier}
    return Imported(
        bundle=replace(
            bundle,
            tasks=[_task(task, golds.get(task.id)) for task in tasks],
            solutions={task.id: program_of(task.gold or []) for task in with_gold},
            verifiers=verifiers,
            judge_source=judge_source() if verifiers else "",
            answer_forms={task: AnswerForm() for task in verifiers},
        ),
        left_out=left_out,
        calls=sum(len(gold.results) for gold in golds.values()),
        unclean=unclean,
    )


def _without_tasks(draft: ImportedEnvironment) -> Bundle:
    try:
        return Bundle(
            theme=Theme(
                key=draft.key,
                name=draft.name,
                category="imported",
                description=draft.description,
                entities=draft.entities,
                rules=draft.rules,
                source=ThemeSource(kind="import", reference=draft.origin),
            ),
            tasks=[],
            schema_sql=object_state.SCHEMA,
            seed_sql="",
            states={},
            tools=draft.tools,
            tools_source=draft.bridge,
            server_source=object_server_source(),
            storage="object",
            published=draft.published,
            provenance=Provenance(
                parents={"published": content_hash([draft.published, [asdict(one) for one in draft.starts.values()]])},
                left_out=[
                    LeftOutTool(name=name, reason="schema", detail=why)
                    for name, why in draft.left_out.items()
                    if name not in {task.id for task in draft.tasks}
                ],
            ),
        )
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "it"
        raise UsageError(f"It cannot be imported as {draft.key!r}: {where}: {first['msg']}.") from error


async def _states(runtime: Runtime, draft: ImportedEnvironment) -> tuple[dict[str, State], dict[str, str]]:
    """The states that start, and why the others do not; the tasks of these are left out. If the initial one does not
    start, another takes its place. Raises EnvironmentFault if none starts."""
    slots = asyncio.Semaphore(_AT_ONCE)

    async def one(start: ImportedState) -> State | EnvironmentFault:
        async with slots:
            try:
                return await databases.build_object_state(
                    runtime, draft.bridge, draft.published, start.given, start.clock
                )
            except EnvironmentFault as fault:
                return fault

    made = await asyncio.gather(*(one(start) for start in draft.starts.values()))
    by_name = dict(zip(draft.starts, made, strict=True))
    found = {name: state for name, state in by_name.items() if isinstance(state, State)}
    faults = {name: fault for name, fault in by_name.items() if isinstance(fault, EnvironmentFault)}
    told = {name: str(fault) for name, fault in faults.items()}
    if INITIAL_STATE not in found:
        if not found:
            raise faults[INITIAL_STATE]
        instead = next(iter(found))
        told[INITIAL_STATE] += f" The state {instead} stands in its place; no task begins there."
        found[INITIAL_STATE] = found[instead]
    return found, told


async def _run(runtime: Runtime, bundle: Bundle, task: PublishedTask) -> _Gold:
    """Call by call, and on after one that fails, as the published judges do."""
    principals = {tool.name: tool.principal for tool in bundle.tools}
    async with await runtime.open(bundle, state=task.state) as session:
        results = [
            await session.call(tool, arguments, principal=principals.get(tool, "assistant"))
            for tool, arguments in task.gold or []
        ]
        return _Gold(results, await session.changes())


def _first_failure(task: PublishedTask, gold: _Gold) -> str:
    for (tool, arguments), result in zip(task.gold or [], gold.results, strict=True):
        if not result.ok:
            return f"{tool} {arguments}: {result.error}"[:500]
    return ""


def _task(task: PublishedTask, gold: _Gold | None) -> Task:
    kind: TaskKind = "action" if gold is None or gold.changes else "information"
    return Task(id=task.id, text=task.text, kind=kind, state=task.state, withheld=task.withheld)


def _verifier(gold: _Gold, compares_results: bool) -> str:
    results: Sequence[Json] = [result.value for result in gold.results if result.ok]
    text = template("verifier_of_end_and_results.py" if compares_results else "verifier_of_end.py")
    text = text.replace("CHANGED = {}", f"CHANGED = {public_values(gold.changes)!r}", 1)
    return text.replace("RESULTS = []", f"RESULTS = {results!r}", 1)
