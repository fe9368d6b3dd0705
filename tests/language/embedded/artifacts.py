"""Asks the embedded model's app, in process, for every artifact of an environment, each from its own context alone."""

from dataclasses import dataclass
from typing import Any

import httpx2
import orjson
from pydantic import BaseModel

from envfactory_dagster.contracts import requests
from envfactory_dagster.contracts.database import Table, TableRows
from envfactory_dagster.contracts.domain import Task, Theme, ThemeSource
from envfactory_dagster.contracts.requests import SeedRowsAnswer, ThemeProposal, ToolFunction, ToolOutside
from envfactory_dagster.contracts.tools import ToolDefinition
from envfactory_dagster.language.embedded.app import create_app
from envfactory_dagster.language.embedded.text import identifier

STATES = ["initial", "busy"]
RULES = {"small": 3, "full": 5}


@dataclass(frozen=True)
class Environment:
    theme: Theme
    tasks: list[Task]
    tables: list[Table]
    states: dict[str, SeedRowsAnswer]
    tools: list[ToolDefinition]
    functions: list[ToolFunction]


async def ask(client: httpx2.AsyncClient, schema: str, context: dict[str, Any]) -> dict[str, Any]:
    block = orjson.dumps({"schema": schema, "context": context}).decode()
    content = f"Do your work.\n```json\n{block}\n```"
    body = {"model": "embedded", "messages": [{"role": "user", "content": content}]}
    response = await client.post("/v1/chat/completions", json=body)
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = orjson.loads(response.json()["choices"][0]["message"]["content"])
    return answer


def client() -> httpx2.AsyncClient:
    return httpx2.AsyncClient(transport=httpx2.ASGITransport(app=create_app()), base_url="http://embedded")


def all_wanted(tools: list[dict[str, Any]]) -> dict[str, Any]:
    """The part of a question about code in which every tool is wanted."""
    outside = [ToolOutside.of(ToolDefinition.model_validate(tool)) for tool in tools]
    return {
        "tools": [dump(tool) for tool in outside],
        "clock": "",
        "wanted": [tool.name for tool in outside],
        "specifications": tools,
    }


async def author_environment(name: str, category: str, description: str, size: str) -> Environment:
    proposal = ThemeProposal(name=name, category=category, description=description)
    key = identifier(name).replace("_", "-")[:60].strip("-")
    async with client() as model:
        theme_context = {"key": key, "proposal": dump(proposal), "size": size, "rules": RULES[size]}
        answer = await ask(model, "theme", theme_context)
        theme = Theme(key=key, size=size, source=ThemeSource(kind="user"), **answer)
        context: dict[str, Any] = {"theme": dump(theme)}
        tasks = await ask(model, "task_set", context | {"count": 10, "states": STATES})
        context |= tasks
        schema = await ask(model, "database_schema", context | {"least_tables": 15})
        states = {}
        for state in STATES:
            shown = [task for task in tasks["tasks"] if task["state"] == state]
            rows_context = {"theme": dump(theme), "tasks": shown, **schema}
            rows_context |= {"state": state, "states": STATES, "least_rows": 110}
            states[state] = SeedRowsAnswer.model_validate(await ask(model, "seed_rows", rows_context))
        sample = [dump(sample_of(table)) for table in states["initial"].tables]
        spec = await ask(model, "tool_spec", context | schema | {"sample_rows": sample, "least_tools": 25})
        code_context = {"theme": dump(theme), **schema, "row_counts": {}, "sample_rows": sample}
        code = await ask(model, "server_code", code_context | all_wanted(spec["tools"]))
    return Environment(
        theme=theme,
        tasks=requests.TaskSetAnswer.model_validate(tasks).tasks,
        tables=requests.DatabaseSchemaAnswer.model_validate(schema).tables,
        states=states,
        tools=requests.ToolSpecAnswer.model_validate(spec).tools,
        functions=requests.ServerCodeAnswer.model_validate(code).functions,
    )


def sample_of(table: TableRows) -> TableRows:
    return table.model_copy(update={"rows": table.rows[:3]})


def dump(model: BaseModel) -> dict[str, Any]:
    return model.model_dump(mode="json")
