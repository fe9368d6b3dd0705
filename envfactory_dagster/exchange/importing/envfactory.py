"""EnvFactory's environments: an MCP server in one file, with its scenarios beside it.

Belongs here: `envs/tools/NAME.py`, `envs/metadata`, `envs/intermediate`. Does not: tasks, which are not published with
them.
"""

import ast
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, Field, TypeAdapter

from envfactory_dagster.contracts.domain import INITIAL_STATE
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.tools import ToolDefinition
from envfactory_dagster.exchange.importing.building import (
    ImportedEnvironment,
    ImportedState,
    template,
    tool_definition,
    usable_tools,
)
from envfactory_dagster.exchange.importing.effects import Function, readers
from envfactory_dagster.exchange.importing.reading import Folder, parsed
from envfactory_dagster.exchange.importing.signatures import arguments_schema, summary

CLOCK = "2026-01-05T09:00:00"
_OF_THE_STATE = ("load_scenario", "save_scenario")
"""Tools that read and write the whole state, which are not the agent's."""


class Described(BaseModel):
    name: str
    description: str = ""
    input_schema: dict[str, Any]


class Metadata(BaseModel):
    class_name: str
    description: str = ""
    tools: list[Described] = Field(default_factory=list)


class EnvFactoryScenario(BaseModel):
    scenario_data: dict[str, Any] = Field(default_factory=dict)
    expected_behavior: Literal["pass"] | str = "pass"


class Checkpoint(BaseModel):
    scenarios: list[EnvFactoryScenario] | None = None


def read(path: Path) -> dict[str, Callable[[], ImportedEnvironment]]:
    """All servers of the folder `envs`, or the one that is named."""
    if path.suffix == ".py" and path.parent.name == "tools":
        return {_key(path.stem): partial(_server, Folder(path.parent.parent), path.stem)}
    folder = Folder(path / "envs" if (path / "envs").is_dir() else path)
    if not folder.has("tools"):
        raise UsageError(
            f"{folder.root} has no folder `tools`: name EnvFactory's folder `envs`, or one file in its `tools`."
        )
    return {_key(name): partial(_server, folder, name) for name in folder.files("tools", ".py") if name != "__init__"}


def _key(name: str) -> str:
    """`AirtableMcpServer` → `envfactory-airtable-mcp-server`"""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[^A-Za-z0-9]+", "-", name)
    return f"envfactory-{words.strip('-').lower()}"[:64]


def _server(folder: Folder, name: str) -> ImportedEnvironment:
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{0,63}", name):
        raise UsageError(f"{name[:80]!r} cannot be the name of a module.")
    source = folder.source(f"tools/{name}.py")
    tree = parsed(source, f"{name}.py")
    functions = {node.name: node for node in tree.body if isinstance(node, Function) and _is_tool(node)}
    if "load_scenario" not in functions:
        raise UsageError(f"{name}.py has no tool `load_scenario`, by which its state would be set.")
    metadata = _metadata(folder, name)
    left_out: dict[str, str] = {}
    return ImportedEnvironment(
        origin=f"envfactory: tools/{name}.py",
        key=_key(name),
        name=name,
        description=metadata.description or name,
        entities=[name],
        tools=_tools(functions, metadata, readers([tree]), left_out),
        bridge=template("envfactory/bridge.py"),
        published={name: source},
        starts=_starts(folder, name),
        left_out=left_out,
    )


def _is_tool(function: Function) -> bool:
    marks = [mark.func if isinstance(mark, ast.Call) else mark for mark in function.decorator_list]
    return any(isinstance(mark, ast.Attribute) and mark.attr == "tool" for mark in marks)


def _metadata(folder: Folder, name: str) -> Metadata:
    path = f"metadata/{name}_metadata.json"
    return folder.json(path, TypeAdapter(Metadata)) if folder.has(path) else Metadata(class_name=name)


def _tools(
    functions: dict[str, Function], metadata: Metadata, reading: set[str], left_out: dict[str, str]
) -> list[ToolDefinition]:
    """With the published schema where it names the function's own parameters, else with that of its signature."""
    described = {one.name: one for one in metadata.tools}
    made: dict[str, Callable[[], ToolDefinition]] = {}
    for name, function in functions.items():
        if name not in _OF_THE_STATE:
            own, told = arguments_schema(function), described.get(name)
            schema = told.input_schema if told is not None and _names_the_same(told.input_schema, own) else own
            words = told.description if told is not None and told.description else summary(function)
            made[name] = partial(tool_definition, name, words, schema, reads_only=name in reading)
    return usable_tools(made, left_out)


def _names_the_same(told: dict[str, Any], own: dict[str, Any]) -> bool:
    properties = told.get("properties", {})
    return isinstance(properties, dict) and properties.keys() == own["properties"].keys()


def _starts(folder: Folder, name: str) -> dict[str, ImportedState]:
    """Its scenarios, the first as the initial state; without any, an empty one."""
    path = f"intermediate/{name}_checkpoint.json"
    checkpoint = folder.json(path, TypeAdapter(Checkpoint)) if folder.has(path) else Checkpoint()
    given = [one.scenario_data for one in checkpoint.scenarios or [] if one.expected_behavior == "pass"] or [{}]
    names = [INITIAL_STATE, *(f"scenario_{number}" for number in range(2, len(given) + 1))]
    return {
        state: ImportedState({"module": name, "scenario": scenario}, CLOCK)
        for state, scenario in zip(names, given, strict=True)
    }
