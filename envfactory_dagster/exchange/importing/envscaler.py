"""EnvScaler's environments: a class as text, and scenarios with an initial configuration and checks of the final state.

Belongs here: `…env_metadata.json` and `…scenario_metadata.json` of one folder. Does not: reference solutions, of which
none are published.
"""

import ast
import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field, TypeAdapter

from envfactory_dagster.contracts.domain import INITIAL_STATE, Rule
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.tools import ToolDefinition
from envfactory_dagster.exchange.importing.building import (
    NO_RULES,
    ImportedEnvironment,
    ImportedState,
    PublishedTask,
    template,
    tool_definition,
    usable_tools,
)
from envfactory_dagster.exchange.importing.effects import readers
from envfactory_dagster.exchange.importing.reading import Folder, parsed

CLOCK = "2026-01-05T09:00:00"
MODULE = "environment"
_MOST_RULES = 12


class EnvScalerFunction(BaseModel):
    name: str
    description: str = ""
    parameters: dict[str, Any] = Field(default_factory=lambda: {"type": "object", "properties": {}})


class Offered(BaseModel):
    function: EnvScalerFunction


class EnvScalerEnvironment(BaseModel):
    env_class_name: str = Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")
    env_class_code: str = Field(max_length=1 << 20)
    environment_introduction: str = ""
    constraints_rules: list[str] = Field(default_factory=list)
    tools: list[EnvScalerFunction | Offered]


class Check(BaseModel):
    check_func: str = Field(max_length=1 << 16)


class EnvScalerScenario(BaseModel):
    task_id: str
    env_id: str
    init_config: dict[str, Any] = Field(default_factory=dict)
    task: str
    checklist_with_func: list[Check] = Field(default_factory=list, max_length=49)


def read(path: Path) -> dict[str, Callable[[], ImportedEnvironment]]:
    folder = Folder(path)
    names = list(folder.files(".", ".json"))
    environments = _all(folder, names, "env_metadata", TypeAdapter(dict[str, EnvScalerEnvironment]))
    scenarios = _all(folder, names, "scenario_metadata", TypeAdapter(list[EnvScalerScenario]))
    by_environment: dict[str, list[EnvScalerScenario]] = {}
    for one in (scenario for file in scenarios for scenario in file):
        by_environment.setdefault(one.env_id, []).append(one)
    return {
        _key(name): partial(_environment, name, environment, by_environment.get(name, []))
        for file in environments
        for name, environment in file.items()
    }


def _all(folder: Folder, names: Sequence[str], ending: str, form: TypeAdapter[Any]) -> list[Any]:
    """The files whose names end so; the scenarios' names do not end as the environments' do."""
    chosen = [name for name in names if name.endswith(ending)]
    if not chosen:
        raise UsageError(f"{folder.root} has no …{ending}.json: name the folder of EnvScaler's metadata files.")
    return [folder.json(f"{name}.json", form) for name in chosen]


def _key(name: str) -> str:
    return f"envscaler-{re.sub(r'[^a-z0-9]+', '-', name.lower()).strip('-')}"[:64].strip("-")


def _environment(
    name: str, environment: EnvScalerEnvironment, scenarios: list[EnvScalerScenario]
) -> ImportedEnvironment:
    tree = parsed(environment.env_class_code, name)
    reading = readers([tree])
    left_out: dict[str, str] = {}
    offered = [one.function if isinstance(one, Offered) else one for one in environment.tools]
    made: dict[str, Callable[[], ToolDefinition]] = {
        one.name: partial(tool_definition, one.name, one.description, one.parameters, reads_only=one.name in reading)
        for one in offered
    }
    starts = {INITIAL_STATE: _start(environment, {})}
    tasks = []
    for number, scenario in enumerate(scenarios, 1):
        task = f"scenario_{number}"
        starts[task] = _start(environment, scenario.init_config)
        try:
            verifier = _verifier([check.check_func for check in scenario.checklist_with_func])
        except UsageError as problem:
            left_out[task], verifier = str(problem), ""
        tasks.append(PublishedTask(id=task, text=scenario.task, state=task, verifier=verifier))
    rules = [Rule(id=f"rule_{number}", text=text) for number, text in enumerate(environment.constraints_rules, 1)]
    return ImportedEnvironment(
        origin=f"envscaler: {name}",
        key=_key(name),
        name=environment.env_class_name,
        description=environment.environment_introduction or environment.env_class_name,
        entities=[environment.env_class_name],
        tools=usable_tools(made, left_out),
        bridge=template("envscaler/bridge.py"),
        published={MODULE: environment.env_class_code},
        starts=starts,
        tasks=tasks,
        rules=rules[:_MOST_RULES] or [NO_RULES],
        left_out=left_out,
    )


def _start(environment: EnvScalerEnvironment, config: dict[str, Any]) -> ImportedState:
    return ImportedState({"class": environment.env_class_name, "config": config}, CLOCK)


def _verifier(checks: list[str]) -> str:
    """A goal for each published check, which sees the attributes of the instance before and after."""
    if not checks:
        return ""
    goals = [_goal(source, number) for number, source in enumerate(checks, 1)]
    return "\n\n\n".join([template("envscaler/verifier.py").rstrip(), *goals]) + "\n"


def _goal(source: str, number: int) -> str:
    published = parsed(source, f"Its check {number}")
    if not any(isinstance(node, ast.FunctionDef) and node.name == "check_func" for node in published.body):
        raise UsageError(f"Its check {number} defines no function check_func.")
    frame = parsed(template("envscaler/goal.py"), "goal.py").body[-1]
    assert isinstance(frame, ast.FunctionDef)
    before, *rest = frame.body
    goal = ast.FunctionDef(
        name=f"goal_of_check_{number}",
        args=frame.args,
        body=[before, *published.body, *rest],
        decorator_list=[],
        lineno=0,
    )
    return ast.unparse(goal)
