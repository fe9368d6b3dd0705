"""The environment cards of Agent-World's appendix, with data of our own, and files by themselves.

Belongs here: from a folder of `cards/` to a bundle. Does not: tests.
"""

import ast
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import INITIAL_STATE, Rule, Task, Theme, ThemeSource
from envfactory_dagster.contracts.file_layout import FileHints
from envfactory_dagster.contracts.reports import AnswerForm
from envfactory_dagster.contracts.tools import ToolAnnotations, ToolDefinition
from envfactory_dagster.runtime.bundle_scripts import judge_source, server_source
from envfactory_dagster.runtime.databases import FileState, with_files
from envfactory_dagster.runtime.runtime import Runtime

CARDS = Path(__file__).parent / "cards"
NAMES = sorted(folder.name for folder in CARDS.iterdir() if (folder / "tools.py").exists())
CLOCK = "2026-03-02T09:00:00"
_TYPES = {"str": "string", "int": "integer", "float": "number", "bool": "boolean", "list[str]": "array"}


def files_of(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def empty(key: str, source: str, writing: set[str], tasks: list[Task] | None = None) -> Bundle:
    """A bundle with these tools and nothing to use them on yet."""
    return Bundle(
        theme=Theme(
            key=key, name=key, category="files", description=f"The {key} card.", entities=["record"],
            rules=[Rule(id="as_filed", text="What is not on file does not exist.")], source=ThemeSource(kind="hand"),
        ),
        tasks=tasks or [], schema_sql="", seed_sql="", states={}, tools=definitions(source, writing),
        tools_source=source, server_source=server_source(),
    )  # fmt: skip


async def with_state(runtime: Runtime, bundle: Bundle, files: dict[str, bytes], hints: dict[str, Any]) -> Bundle:
    state = FileState(CLOCK, files)
    return await with_files(runtime, bundle, {INITIAL_STATE: state}, FileHints.model_validate(hints))


async def card(runtime: Runtime, name: str) -> Bundle:
    folder = CARDS / name
    described = json.loads((folder / "card.json").read_text())
    tasks = [Task.model_validate({key: task[key] for key in ("id", "text", "kind")}) for task in described["tasks"]]
    bundle = empty(name.replace("_", "-"), (folder / "tools.py").read_text(), set(described["writing"]), tasks)
    bundle = await with_state(runtime, bundle, files_of(folder / "files"), described["hints"])
    return replace(
        bundle,
        solutions={task.id: (folder / f"{task.id}.py").read_text() for task in tasks},
        answer_forms={t["id"]: AnswerForm.model_validate({"fields": t["answers"]}) for t in described["tasks"]},
        judge_source=judge_source(),
    )


def definitions(source: str, writing: set[str]) -> list[ToolDefinition]:
    """The tools as their signatures describe them."""
    functions = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    return [_definition(node, node.name in writing) for node in functions if not node.name.startswith("_")]


def _definition(node: ast.FunctionDef, writes: bool) -> ToolDefinition:
    parameters = list(zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True))
    return ToolDefinition(
        name=node.name,
        description=ast.get_docstring(node) or node.name,
        inputSchema={
            "type": "object",
            "properties": {given.arg: _schema(given) for given, _ in parameters},
            "required": [given.arg for given, default in parameters if default is None],
            "additionalProperties": False,
        },
        outputSchema={"type": "object"},
        annotations=ToolAnnotations(readOnlyHint=not writes),
    )


def _schema(given: ast.arg) -> dict[str, object]:
    assert given.annotation is not None
    written = ast.unparse(given.annotation)
    kind = _TYPES[written.removesuffix(" | None")]
    schema: dict[str, object] = {"type": [kind, "null"] if written.endswith("None") else kind}
    return schema | {"items": {"type": "string"}} if kind == "array" else schema
