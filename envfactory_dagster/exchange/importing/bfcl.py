"""BFCL's multi-turn environments: classes, a start and calls for each task.

Belongs here: the category `multi_turn_base` of version 3 or 4. Does not: the other three, which have the same worlds
and calls with turns that lack something.
"""

import ast
import contextlib
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field, TypeAdapter

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.domain import INITIAL_STATE
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.text_bounds import TextRefused, python_expression
from envfactory_dagster.contracts.tools import ToolDefinition
from envfactory_dagster.exchange.importing.building import (
    ImportedEnvironment,
    ImportedState,
    PublishedTask,
    template,
    tool_definition,
    usable_tools,
)
from envfactory_dagster.exchange.importing.effects import readers
from envfactory_dagster.exchange.importing.reading import Folder, parsed
from envfactory_dagster.runtime.json_schema import compile_schema

KEY = "bfcl-multi-turn"
CLOCK = "2025-01-06T09:00:00"
PACKAGE = "bfcl_eval.eval_checker.multi_turn_eval.func_source_code"
MODULES = {
    "GorillaFileSystem": "gorilla_file_system",
    "MathAPI": "math_api",
    "MessageAPI": "message_api",
    "TwitterAPI": "posting_api",
    "TicketAPI": "ticket_api",
    "TradingBot": "trading_bot",
    "TravelAPI": "travel_booking",
    "VehicleControlAPI": "vehicle_control",
}
_VERSIONS = ("BFCL_v4", "BFCL_v3")
_CODE = "eval_checker/multi_turn_eval/func_source_code"
_DOCS = "data/multi_turn_func_doc"
_TYPES = {"dict": "object", "float": "number", "tuple": "array", "any": None}


class BfclMessage(BaseModel):
    role: str
    content: str


class BfclQuestion(BaseModel):
    id: str = Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=64)
    question: list[list[BfclMessage]]
    initial_config: dict[str, dict[str, Any]]
    involved_classes: list[str]
    excluded_function: list[str] = Field(default_factory=list)


class BfclAnswer(BaseModel):
    id: str
    ground_truth: list[list[str]]


class Documented(BaseModel):
    name: str
    description: str
    parameters: dict[str, Any]


def read(path: Path) -> dict[str, Callable[[], ImportedEnvironment]]:
    return {KEY: partial(_environment, path)}


def _environment(path: Path) -> ImportedEnvironment:
    folder = Folder(path if not (path / "bfcl_eval").is_dir() else path / "bfcl_eval")
    version = next((one for one in _VERSIONS if folder.has(f"data/{one}_multi_turn_base.json")), None)
    if version is None:
        raise UsageError(
            f"{folder.root} has no data/BFCL_v4_multi_turn_base.json: name the folder `bfcl_eval` of version 3 or 4."
        )
    questions = folder.json_lines(f"data/{version}_multi_turn_base.json", TypeAdapter(BfclQuestion))
    answers = folder.json_lines(f"data/possible_answer/{version}_multi_turn_base.json", TypeAdapter(BfclAnswer))
    truth = {answer.id: answer.ground_truth for answer in answers}
    classes = sorted({name for question in questions for name in question.involved_classes})
    if unknown := [name for name in classes if name not in MODULES]:
        raise UsageError(
            f"{folder.root} uses the class {unknown[0][:80]!r}, which is none of BFCL's multi-turn classes."
        )
    sources = {module: folder.source(f"{_CODE}/{module}.py") for module in _modules(folder, classes)}
    documented = {name: _documents(folder, MODULES[name]) for name in classes}
    left_out: dict[str, str] = {}
    reading = readers([parsed(source, module) for module, source in sources.items()])
    tools = usable_tools(
        {
            one.name: partial(
                tool_definition, one.name, one.description, _schema(one.parameters), reads_only=one.name in reading
            )
            for documents in documented.values()
            for one in documents
        },
        left_out,
    )
    tools = [_loosened(tool, truth.values(), left_out) for tool in tools]
    offered = {tool.name: list(tool.inputSchema.get("properties", {})) for tool in tools}
    owned = {name: {one.name for one in documents} for name, documents in documented.items()}
    tasks = [_task(question, truth.get(question.id), offered, owned, left_out) for question in questions]
    return ImportedEnvironment(
        origin="bfcl: multi_turn_base",
        key=KEY,
        name="BFCL multi-turn",
        description="Eight services of the Berkeley Function-Calling Leaderboard; a task involves some of them: "
        + ", ".join(classes),
        entities=classes,
        tools=tools,
        bridge=template("bfcl/bridge.py"),
        published={f"{PACKAGE}.{module}": source for module, source in sources.items()}
        | {"mpmath": template("bfcl/mpmath.py")},
        starts={INITIAL_STATE: _start(classes, {})}
        | {question.id: _start(question.involved_classes, question.initial_config) for question in questions},
        tasks=[task for task in tasks if task is not None],
        compares_results=True,
        left_out=left_out,
    )


def _modules(folder: Folder, classes: list[str]) -> Iterator[str]:
    yield from (MODULES[name] for name in classes)
    if folder.has(f"{_CODE}/long_context.py"):
        yield "long_context"


def _documents(folder: Folder, module: str) -> list[Documented]:
    return folder.json_lines(f"{_DOCS}/{module}.json", TypeAdapter(Documented))


def _schema(schema: Any) -> Any:
    """With the names of types as JSON Schema has them."""
    if isinstance(schema, list):
        return [_schema(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    found = {word: _schema(part) for word, part in schema.items()}
    if isinstance(kind := found.get("type"), str) and kind in _TYPES:
        found["type"] = _TYPES[kind]
        if found["type"] is None:
            del found["type"]
    return found


def _start(classes: list[str], config: dict[str, dict[str, Any]]) -> ImportedState:
    return ImportedState({"classes": [[name, MODULES[name], config.get(name, {})] for name in classes]}, CLOCK)


def _task(
    question: BfclQuestion,
    truth: list[list[str]] | None,
    offered: dict[str, list[str]],
    owned: dict[str, set[str]],
    left_out: dict[str, str],
) -> PublishedTask | None:
    mine = set().union(*(owned[name] for name in question.involved_classes)) - set(question.excluded_function)
    try:
        gold = None if truth is None else [_call(text, offered) for turn in truth for text in turn]
    except ValueError as error:
        left_out[question.id] = str(error)
        return None
    return PublishedTask(
        id=question.id,
        text="\n\n".join(message.content for turn in question.question for message in turn if message.role == "user"),
        state=question.id,
        gold=gold,
        withheld=[name for name in offered if name not in mine],
    )


def _loosened(tool: ToolDefinition, truth: Iterable[list[list[str]]], left_out: dict[str, str]) -> ToolDefinition:
    """With any value for parameters that published calls give a value which the published document does not allow:
    their code takes it."""
    schema = tool.inputSchema
    properties = dict(schema.get("properties", {}))
    for text in (text for turns in truth for turn in turns for text in turn if text.startswith(f"{tool.name}(")):
        with contextlib.suppress(ValueError):
            _, arguments = _call(text, {tool.name: list(properties)})
            for name in arguments.keys() & properties.keys():
                if compile_schema({"type": "object", "properties": {name: properties[name]}})({name: arguments[name]}):
                    properties[name] = {"description": properties[name].get("description", "")}
                    left_out[f"{tool.name}.{name}"] = f"its type: {text[:200]} is a published call"
    return tool.model_copy(update={"inputSchema": schema | {"properties": properties}})


def _call(text: str, offered: dict[str, list[str]]) -> tuple[str, dict[str, Json]]:
    """`cd(folder='x')` as a tool and its arguments; `sort('x')` gives its argument by place."""
    problem = f"the published call {text[:200]!r} is none"
    try:
        node = python_expression(text)
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            raise ValueError(problem)
        by_name = {one.arg: ast.literal_eval(one.value) for one in node.keywords if one.arg is not None}
        by_place = [ast.literal_eval(one) for one in node.args]
    except (TextRefused, TypeError) as error:
        raise ValueError(problem) from error
    if node.func.id not in offered:
        raise ValueError(f"{problem}: there is no tool {node.func.id!r}")
    placed = dict(zip(offered[node.func.id], by_place, strict=False))
    return node.func.id, {name: _json(value) for name, value in (placed | by_name).items()}


def _json(value: Any) -> Json:
    if isinstance(value, tuple | list):
        return [_json(one) for one in value]
    if isinstance(value, dict):
        return {str(name): _json(one) for name, one in value.items()}
    return value if isinstance(value, str | int | float | None) else str(value)
