"""For users who want TRL as it is: a class for `environment_factory`, made from a bundle.

Belongs here: the class with its tools as methods, and the reward function that goes with it. Does not: our own way of
training over environments (`grpo`).

    factories = {bundle.key: environment_class(bundle) for bundle in bundles}
    GRPOTrainer(environment_factory=factories, reward_funcs=verified, train_dataset=rows, ...)

A row has `prompt` (messages), `environment` (the bundle's key) and `task`. What TRL does with it: the whole rollout is
one sequence, what a tool raises becomes a message, and an episode cannot end early.
"""

import asyncio
import inspect
import threading
from collections.abc import Callable, Coroutine, Sequence
from functools import cache
from typing import Any, ClassVar, Optional

import orjson

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.tools import ToolDefinition
from envfactory_dagster.contracts.trajectory import Observation, ToolRequest
from envfactory_dagster.contracts.truth import TracedStep
from envfactory_dagster.rollouts.tools import tool_message
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.session import Session
from envfactory_dagster.truth.execution import Run
from envfactory_dagster.truth.verdicts import judge

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
    """One rollout's copy of an environment. The tools are methods of the class that `environment_class` makes."""

    _bundle: ClassVar[Bundle]
    _tasks: ClassVar[dict[str, Task]]

    def __init__(self) -> None:
        self._session: Session | None = None
        self._task: Task | None = None
        self._calls: list[TracedStep] = []

    def reset(self, **row: Any) -> None:
        """Begin the row's task in a new copy."""
        if row.get("task") not in self._tasks:
            raise UsageError(f"{self._bundle.key} has no verified task {row.get('task')!r}; a row names one in `task`.")
        self._task = self._tasks[row["task"]]
        self._calls = []
        _background().run(self._begin())

    async def _begin(self) -> None:
        assert self._task is not None
        if self._session is not None:
            await self._session.close()
        self._session = await _background().runtime.open(self._bundle, state=self._task.state)

    def _call(self, tool: str, arguments: dict[str, Any]) -> str:
        """What the tool answers, as the JSON text that rollouts show."""
        assert self._session is not None, "reset comes before the first call"
        given = {name: value for name, value in arguments.items() if value is not None}
        result = _background().run(self._session.call(tool, given))
        self._calls.append(
            TracedStep(tool=tool, arguments=given, outcome=result.outcome, value=result.value, error=result.error)
        )
        request = ToolRequest(id="", name=tool, arguments=given)
        seen = Observation(call="", outcome=result.outcome, value=result.value, error=result.error, note=result.note)
        return str(tool_message(request, seen)["content"])

    async def _verdict(self, answer: str) -> float:
        assert self._session is not None and self._task is not None, "reset comes before the verdict"
        start = self._bundle.states[self._task.state]
        run = Run(
            calls=self._calls,
            changes=await self._session.changes(),
            answer=answer,
            error=None,
            state_hash=await self._session.state_hash(),
            initial=start.image,
            final=await self._session.snapshot(),
            state=self._task.state,
            clock=start.clock,
        )
        return (await judge(_background().runtime, self._bundle.verifiers[self._task.id], run)).score


def verified(completions: Sequence[Any], environments: Sequence[BundleEnvironment], **more: Any) -> list[float]:
    """A reward function of TRL: the verdict of each rollout. The answer is its last message."""
    answers = [str(messages[-1].get("content") or "") if messages else "" for messages in completions]
    return [_background().run(one._verdict(answer)) for one, answer in zip(environments, answers, strict=True)]


def environment_class(bundle: Bundle) -> type[BundleEnvironment]:
    """The class of a bundle, with a method for each tool of the assistant. Needs no argument to be made."""
    methods = {tool.name: _method(tool) for tool in bundle.tools_of("assistant")}
    name = "".join(part.capitalize() for part in bundle.key.split("-"))
    tasks = {task.id: task for task in bundle.tasks if task.id in bundle.verifiers}
    return type(name, (BundleEnvironment,), {**methods, "_bundle": bundle, "_tasks": tasks})


def _method(tool: ToolDefinition) -> Callable[..., str]:
    """TRL reads name, annotations and docstring, and shows the model what it finds there."""
    properties: dict[str, Any] = tool.inputSchema.get("properties", {})
    required = set(tool.inputSchema.get("required", []))
    ordered = sorted(properties, key=lambda name: name not in required)

    def method(self: BundleEnvironment, **arguments: Any) -> str:
        return self._call(tool.name, arguments)

    annotations: dict[str, Any] = {name: _annotation(properties[name], name in required) for name in ordered}
    parameters = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if name in required else None,
            annotation=annotations[name],
        )
        for name in ordered
    ]
    first = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    method.__name__ = method.__qualname__ = tool.name
    method.__annotations__ = annotations | {"return": str}
    method.__signature__ = inspect.Signature([first, *parameters], return_annotation=str)  # type: ignore[attr-defined]
    method.__doc__ = _docstring(tool, {name: properties[name] for name in ordered})
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
