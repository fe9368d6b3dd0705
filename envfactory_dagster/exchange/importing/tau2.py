"""Domains of tau2-bench: a database, toolkits for the assistant and the person, tasks with the actions that solve them.

Belongs here: domains whose databases are JSON and whose sides do not write into each other's. Does not: the people that
a model plays there, and what is judged by a model there; a task is done when the databases are as its actions leave
them, which is their DB check.
"""

import ast
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, Field, TypeAdapter

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.domain import INITIAL_STATE, Rule
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.tools import Principal, ToolDefinition
from envfactory_dagster.exchange.importing.building import (
    ImportedEnvironment,
    ImportedState,
    PublishedTask,
    template,
    tool_definition,
    usable_tools,
)
from envfactory_dagster.exchange.importing.effects import Function
from envfactory_dagster.exchange.importing.reading import Folder, parsed
from envfactory_dagster.exchange.importing.signatures import arguments_schema, summary

CLOCK = "2024-05-15T15:00:00"
_STAND_INS = {
    "tau2.environment.toolkit": "tau2/toolkit.py",
    "tau2.environment.db": "tau2/db.py",
    "tau2.utils.pydantic_utils": "tau2/pydantic_utils.py",
    "tau2.utils.utils": "tau2/utils.py",
}
_UTILS = "tau2.utils"
_SIDES: tuple[tuple[Principal, str, str, str], ...] = (
    ("assistant", "data_model", "tools", "db.json"),
    ("user", "user_data_model", "user_tools", "user_db.json"),
)

Side = Literal["assistant", "user"]


class Action(BaseModel):
    name: str
    arguments: dict[str, Any] = Field(default_factory=dict)
    requestor: Side = "assistant"


class Deed(BaseModel):
    env_type: Side
    func_name: str
    arguments: dict[str, Any] = Field(default_factory=dict)


class Data(BaseModel):
    agent_data: dict[str, Any] | None = None
    user_data: dict[str, Any] | None = None


class Beginning(BaseModel):
    initialization_data: Data | None = None
    initialization_actions: list[Deed] | None = None
    message_history: list[Any] | None = None


class Criteria(BaseModel):
    actions: list[Action] | None = None


class Tau2Scenario(BaseModel):
    instructions: str | dict[str, str | None]


class Published(BaseModel):
    id: str
    user_scenario: Tau2Scenario
    initial_state: Beginning | None = None
    evaluation_criteria: Criteria | None = None


def read(path: Path) -> dict[str, Callable[[], ImportedEnvironment]]:
    folder = Folder(path)
    code, data = "src/tau2/domains", "data/tau2/domains"
    if not folder.has(code) or not folder.has(data):
        raise UsageError(f"{folder.root} has no {code} and {data}: name the root of tau2-bench, version 1.")
    domains = [name for name in folder.files(code, "") if folder.has(f"{code}/{name}/tools.py")]
    return {f"tau2-{name.replace('_', '-')}": partial(_domain, folder, name) for name in domains}


def _domain(folder: Folder, name: str) -> ImportedEnvironment:
    code, data = f"src/tau2/domains/{name}", f"data/tau2/domains/{name}"
    if folder.has(f"{code}/environment.py") and "def sync_tools" in folder.source(f"{code}/environment.py"):
        raise UsageError(f"In the domain {name} the two sides write into each other's databases, which is not read.")
    modules = {file: folder.source(f"{code}/{file}.py") for file in _modules(folder, code)}
    left_out: dict[str, str] = {}
    tools: list[ToolDefinition] = []
    sides: dict[str, Json] = {}
    for principal, models, kit, database in _SIDES:
        if kit in modules and models in modules:
            tools += _tools(modules[kit], principal, left_out)
            rows = folder.json(f"{data}/{database}", TypeAdapter(dict[str, Any]))
            sides[principal] = [f"tau2.domains.{name}.{models}", f"tau2.domains.{name}.{kit}", rows]
    published = folder.json(f"{data}/tasks.json", TypeAdapter(list[Published]))
    policy = folder.text(f"{data}/policy.md", 1 << 20) if folder.has(f"{data}/policy.md") else ""
    starts = {INITIAL_STATE: ImportedState({"sides": sides}, CLOCK)}
    tasks = [_task(task, number, sides, starts, left_out) for number, task in enumerate(published)]
    return ImportedEnvironment(
        origin=f"tau2: the domain {name}",
        key=f"tau2-{name.replace('_', '-')}",
        name=f"tau2-bench {name}",
        description=f"The domain {name} of tau2-bench.",
        entities=sorted(rows) or [name],
        tools=tools,
        bridge=template("tau2/bridge.py"),
        published={f"tau2.domains.{name}.{file}": source for file, source in modules.items()}
        | {module: template(file) for module, file in _STAND_INS.items()}
        | {_UTILS: template("tau2/utils.py")},
        starts=starts,
        tasks=[task for task in tasks if task is not None],
        rules=[Rule(id="policy", text=policy)] if policy.strip() else [],
        left_out=left_out,
    )


def _modules(folder: Folder, code: str) -> Iterator[str]:
    yield from (name for name in folder.files(code, ".py") if name not in ("__init__", "environment"))


def _tools(source: str, principal: Principal, left_out: dict[str, str]) -> list[ToolDefinition]:
    found: dict[str, Callable[[], ToolDefinition]] = {}
    for node in ast.walk(parsed(source, "tools.py")):
        if isinstance(node, Function) and (writes := _writes(node)) is not None:
            found[node.name] = partial(
                tool_definition,
                node.name,
                summary(node),
                arguments_schema(node),
                reads_only=not writes,
                principal=principal,
            )
    return usable_tools(found, left_out)


def _writes(function: Function) -> bool | None:
    """What its mark says: `@is_tool(ToolType.WRITE)`. None for a function that is no tool."""
    for mark in function.decorator_list:
        name = mark.func if isinstance(mark, ast.Call) else mark
        if isinstance(name, ast.Name) and name.id == "is_tool":
            given = [*mark.args, *(one.value for one in mark.keywords)] if isinstance(mark, ast.Call) else []
            return any(_is_write(one) for one in given)
    return None


def _is_write(mark: ast.expr) -> bool:
    return (isinstance(mark, ast.Attribute) and mark.attr == "WRITE") or (
        isinstance(mark, ast.Constant) and mark.value is True
    )


def _task(
    task: Published, number: int, sides: dict[str, Json], starts: dict[str, ImportedState], left_out: dict[str, str]
) -> PublishedTask | None:
    name = f"task_{task.id}" if re.fullmatch(r"[a-z0-9_]{1,50}", task.id) else f"task_number_{number}"
    beginning = task.initial_state or Beginning()
    if beginning.message_history:
        left_out[name] = "it begins in the middle of a conversation"
        return None
    given: dict[str, Json] = {"sides": sides}
    if beginning.initialization_data is not None:
        data = beginning.initialization_data
        given["updates"] = {"assistant": data.agent_data, "user": data.user_data}
    if beginning.initialization_actions:
        given["deeds"] = [[one.env_type, one.func_name, one.arguments] for one in beginning.initialization_actions]
    if len(given) > 1:
        starts[name] = ImportedState(given, CLOCK)
    actions = (task.evaluation_criteria or Criteria()).actions
    return PublishedTask(
        id=name,
        text=_text(task.user_scenario.instructions),
        state=name if len(given) > 1 else INITIAL_STATE,
        gold=None if actions is None else [(one.name, one.arguments) for one in actions],
    )


def _text(instructions: str | dict[str, str | None]) -> str:
    """What the person was told, who would tell it piece by piece."""
    if isinstance(instructions, str):
        return instructions
    wanted = ("reason_for_call", "known_info", "unknown_info", "task_instructions")
    return "\n\n".join(told for part in wanted if (told := instructions.get(part)))
