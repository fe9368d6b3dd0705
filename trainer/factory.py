"""For users who want TRL as it is: classes for `environment_factory`, made from a bundle.

Belongs here: the classes with their tools as methods, and the reward function that goes with them. Does not: our own
way of training over environments (`grpo`), and classes that need nothing of this package (`envfactory export`).

    factories = {name: one for bundle in bundles for name, one in environment_classes(bundle).items()}
    GRPOTrainer(environment_factory=factories, reward_funcs=verified, train_dataset=rows, ...)

A row has `prompt` (messages), `task`, and as `environment` what `environment_name` says: the bundle's key and the tools
that the task withholds, since a class has one set of tools. What TRL does with it: the whole rollout is one sequence,
what a tool raises becomes a message, and an episode cannot end early. `finish`, which takes the report, has the same
schema for all tasks, so `reset` says which answers this task asks for. Nobody asks again for a report that does not
come: such a rollout earns 0.
"""

import asyncio
import inspect
import json
import keyword
import threading
from collections import defaultdict
from collections.abc import Callable, Coroutine, Sequence
from functools import cache
from typing import Any, ClassVar, Optional

import orjson

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.finish_tool import FINISH_DESCRIPTION, finish_name
from envfactory_dagster.contracts.reports import AnswerForm, Report, finish_schema
from envfactory_dagster.contracts.tools import ToolDefinition
from envfactory_dagster.contracts.trajectory import Observation, ToolRequest
from envfactory_dagster.contracts.truth import TracedStep
from envfactory_dagster.exchange.forms import METHODS_OF_TRL
from envfactory_dagster.rollouts.tools import tool_message
from envfactory_dagster.runtime.reports import TAKEN, UnreadableReport, read_report
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.session import Session
from envfactory_dagster.truth.execution import Run
from envfactory_dagster.truth.verdicts import TaskChecks, judge
from envfactory_dagster.truth.withholding import tools_left

_TYPES = {"string": str, "integer": int, "number": float, "boolean": bool, "array": list, "object": dict}


class _Background:
    """An event loop with one runtime for all environments of the process; TRL calls tools from plain functions."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, name="environments", daemon=True).start()
        self.runtime: Runtime = self.run(self._open())

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    async def _open(self) -> Runtime:
        return await Runtime().__aenter__()


@cache
def _background() -> _Background:
    return _Background()


class BundleEnvironment:
    """One rollout's copy of an environment. `environment_classes` makes classes that have the tools as methods."""

    _bundle: ClassVar[Bundle]
    _tasks: ClassVar[dict[str, Task]]

    def __init__(self) -> None:
        self._session: Session | None = None
        self._task: Task | None = None
        self._calls: list[TracedStep] = []
        self._report: Report | None = None

    def reset(self, **row: Any) -> str:
        """Begin the row's task in a new copy; what the answers of its report are is added to the prompt."""
        if row.get("task") not in self._tasks:
            raise UsageError(
                f"{self._bundle.key} has no verified task {row.get('task')!r} with these tools; a row names one in "
                "`task`, and what `environment_name` says of it in `environment`."
            )
        self._task = self._tasks[row["task"]]
        self._calls, self._report = [], None
        _background().run(self._begin())
        return _asked_for(self._bundle, self._bundle.answer_form(self._task.id))

    async def _begin(self) -> None:
        assert self._task is not None
        if self._session is not None:
            await self._session.close()
        self._session = await _background().runtime.open(self._bundle, state=self._task.state)

    def _call(self, tool: str, arguments: dict[str, Any]) -> str:
        """What the tool answers, as the JSON text that rollouts show."""
        assert self._session is not None, "reset comes before the first call"
        if self._report is not None:
            return json.dumps({"error": "the report is handed in, and the work is over"})
        given = {name: value for name, value in arguments.items() if value is not None}
        result = _background().run(self._session.call(tool, given))
        self._calls.append(
            TracedStep(tool=tool, arguments=given, outcome=result.outcome, value=result.value, error=result.error)
        )
        request = ToolRequest(id="", name=tool, arguments=given)
        seen = Observation(call="", outcome=result.outcome, value=result.value, error=result.error, note=result.note)
        return str(tool_message(request, seen)["content"])

    def _finish(self, outcome: str, answers: dict[str, Any], message: str, reason: str | None = None) -> str:
        assert self._task is not None, "reset comes before the report"
        if self._report is not None:
            return json.dumps({"error": "the report is handed in, and the work is over"})
        given: dict[str, Json] = {"outcome": outcome, "answers": answers, "reason": reason, "message": message}
        rules = [rule.id for rule in self._bundle.theme.rules]
        read = read_report(given, self._bundle.answer_form(self._task.id), rules)
        if isinstance(read, UnreadableReport):
            return json.dumps({"error": f"{read.problem}; the report was not taken"})
        self._report = read
        return json.dumps(TAKEN)

    async def _verdict(self) -> float:
        assert self._session is not None and self._task is not None, "reset comes before the verdict"
        start, end = self._bundle.states[self._task.state], await self._session.end()
        run = Run(
            calls=self._calls,
            changes=end.changes,
            report=self._report,
            error=None,
            state_hash=end.state_hash,
            initial=start.image,
            final=end.final,
            state=self._task.state,
            clock=start.clock,
        )
        checks = TaskChecks(self._task, self._bundle.verifiers[self._task.id], self._bundle.answer_form(self._task.id))
        return (await judge(_background().runtime, checks, run)).score


def verified(completions: Sequence[Any], environments: Sequence[BundleEnvironment], **more: Any) -> list[float]:
    """A reward function of TRL: the verdict of each rollout, by what it did and reported."""
    return [_background().run(one._verdict()) for one in environments]


def environment_classes(bundle: Bundle) -> dict[str, type[BundleEnvironment]]:
    """A class for each set of tools that verified tasks leave, with a method for each of these tools, by what rows of
    the tasks have in `environment`. None of them needs an argument to be made."""
    if bundle.made_before_reports:
        raise UsageError(f"{bundle.key} was made before reports: rebuild it (`envfactory build {bundle.key}`).")
    tools = bundle.tools_of("assistant")
    if taken := METHODS_OF_TRL & {tool.name for tool in tools}:
        raise UsageError(
            f"{bundle.key} has a tool called {min(taken)}, which TRL calls itself as a method of an environment. "
            "Train in it with `python -m trainer grpo`."
        )
    tasks: defaultdict[str, dict[str, Task]] = defaultdict(dict)
    for task in bundle.tasks:
        if task.id in bundle.verifiers:
            tasks[environment_name(bundle, task)][task.id] = task
    finish = finish_name({tool.name for tool in bundle.tools})
    reports = {finish: _finish_method(finish, [rule.id for rule in bundle.theme.rules])}
    title = "".join(part.capitalize() for part in bundle.key.split("-"))
    classes = {}
    for name, those in tasks.items():
        methods = {tool.name: _method(tool) for tool in tools_left(tools, next(iter(those.values())))} | reports
        classes[name] = type(title, (BundleEnvironment,), {**methods, "_bundle": bundle, "_tasks": those})
    return classes


def environment_name(bundle: Bundle, task: Task) -> str:
    """What a row of the task has in `environment`: the bundle's key, and which tools are not there for the task."""
    return f"{bundle.key} without {', '.join(sorted(task.withheld))}" if task.withheld else bundle.key


def _asked_for(bundle: Bundle, form: AnswerForm) -> str:
    """What the answers of the report are, as text for a prompt."""
    finish = finish_name({tool.name for tool in bundle.tools})
    if not form.fields:
        return f"End with `{finish}`. Nothing is to be answered: `answers` is {{}}."
    schema: Any = finish_schema(form, [])["properties"]
    lines = [f"- {name}: {one['description']}" for name, one in schema["answers"]["properties"].items()]
    return f"End with `{finish}`. Its `answers`, null where one is not due:\n" + "\n".join(lines)


def _finish_method(name: str, rules: Sequence[str]) -> Callable[..., str]:
    def finish(
        self: BundleEnvironment, outcome: str, answers: dict[str, Any], message: str, reason: str | None = None
    ) -> str:
        return self._finish(outcome, answers, message, reason)

    finish.__name__ = finish.__qualname__ = name
    del finish.__annotations__["self"]  # TRL's reader takes every annotation for that of a parameter
    finish.__annotations__["reason"] = Optional[str]  # noqa: UP045 - the way TRL's reader understands it
    finish.__doc__ = f"""{FINISH_DESCRIPTION}

    Args:
        outcome: One of done, refused, impossible, needs_information.
        answers: What the person asked to be told, by field.
        message: What the person reads.
        reason: The id of the rule that forbids it, where the outcome is refused: {", ".join(rules)}.
    """
    return finish


def _method(tool: ToolDefinition) -> Callable[..., str]:
    """TRL reads name, annotations and docstring, and shows the model what it finds there."""
    properties: dict[str, Any] = tool.inputSchema.get("properties", {})
    required = set(tool.inputSchema.get("required", []))
    ordered = sorted(properties, key=lambda name: name not in required)
    # A word of Python is no name of a parameter: `from` is called `from_` here.
    declared = {name: f"{name}_" if keyword.iskeyword(name) or name == "self" else name for name in ordered}
    names = {parameter: name for name, parameter in declared.items()}

    def method(self: BundleEnvironment, **arguments: Any) -> str:
        return self._call(tool.name, {names.get(name, name): value for name, value in arguments.items()})

    annotations = {declared[name]: _annotation(properties[name], name in required) for name in ordered}
    parameters = [
        inspect.Parameter(
            declared[name],
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if name in required else None,
            annotation=annotations[declared[name]],
        )
        for name in ordered
    ]
    first = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    method.__name__ = method.__qualname__ = tool.name
    method.__annotations__ = annotations | {"return": str}
    method.__signature__ = inspect.Signature([first, *parameters], return_annotation=str)  # type: ignore[attr-defined]
    method.__doc__ = _docstring(tool, {declared[name]: properties[name] for name in ordered})
    return method


def _annotation(schema: dict[str, Any], required: bool) -> Any:
    kinds = schema.get("type", "object")
    kind = next((one for one in ([kinds] if isinstance(kinds, str) else kinds) if one != "null"), "object")
    found = _TYPES[kind]
    return found if required else Optional[found]  # noqa: UP045 - the way TRL's reader understands it


def _docstring(tool: ToolDefinition, properties: dict[str, Any]) -> str:
    lines = [
        f"{tool.description} Returns JSON: {orjson.dumps(list(tool.outputSchema.get('properties', {}))).decode()}."
    ]
    if properties:
        lines += ["", "Args:"]
        for name, schema in properties.items():
            told = str(schema.get("description", name)).replace("\n", " ")
            choices = f" (choices: {orjson.dumps(schema['enum']).decode()})" if "enum" in schema else ""
            lines.append(f"    {name}: {told}{choices}")
    return "\n".join(lines)
