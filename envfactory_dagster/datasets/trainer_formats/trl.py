"""For TRL: conversations with tools, arguments as objects.

Belongs here: `messages` and `tools` for whole episodes, `prompt`, `completion` and `tools` for single steps (TRL trains
the completion only), `prompt` for RL. Does not: training (`trainer`).
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import orjson

from envfactory_dagster.contracts.dataset import ChatMessage, RlRow, SftRow, Trace, calls_of
from envfactory_dagster.datasets.trainer_formats import Files, jsonl
from envfactory_dagster.datasets.trainer_formats.parquet import parquet

WHENCE = ("id", "environment", "bundle_version", "task", "split")
"""Columns of text that every row has."""


def sft(name: str, rows: Sequence[SftRow]) -> Files:
    """`episodes`: everything the assistant says is to be trained; `steps`: only the completion."""
    episodes = [
        {"messages": conversation(row.messages), "tools": row.tools, **whence(row.id, row.trace)}
        for row in rows
        if row.step is None
    ]
    steps = [
        {
            "prompt": conversation(row.messages[:-1]),
            "completion": conversation(row.messages[-1:]),
            "tools": row.tools,
            **whence(row.id, row.trace),
        }
        for row in rows
        if row.step is not None
    ]
    return _both(f"episodes/{name}", episodes, ("messages", "tools")) | _both(
        f"steps/{name}", steps, ("prompt", "completion", "tools")
    )


def rl(name: str, rows: Sequence[RlRow]) -> Files:
    """Prompts, with what an environment needs to stand where the row begins."""
    given = [
        {"prompt": conversation(row.messages), "tools": row.tools, "start": start(row), **whence(row.id, row.trace)}
        for row in rows
    ]
    return _both(f"{rows[0].trace.split}/{name}", given, ("prompt", "tools", "start")) if rows else {}


def start(row: RlRow) -> dict[str, Any]:
    """Everything of a row but its prompt and its tools."""
    return {"state": row.trace.state} | row.model_dump(mode="json", exclude={"id", "trace", "messages", "tools"})


def whence(name: str, trace: Trace) -> dict[str, str]:
    values = (name, trace.environment, trace.bundle_version, trace.task, trace.split)
    return dict(zip(WHENCE, values, strict=True))


def conversation(messages: Iterable[ChatMessage]) -> list[ChatMessage]:
    """Arguments as objects, as chat templates expect them."""
    return [_message(message) for message in messages]


def _message(message: ChatMessage) -> ChatMessage:
    calls = calls_of(message)
    return message | {"tool_calls": [_call(call) for call in calls]} if calls else message


def _call(call: Mapping[str, Any]) -> dict[str, Any]:
    function = call["function"]
    return {**call, "function": {**function, "arguments": orjson.loads(function["arguments"])}}


def _both(name: str, rows: Sequence[Mapping[str, Any]], json_columns: Sequence[str]) -> Files:
    if not rows:
        return {}
    import polars as pl

    schema = dict.fromkeys(WHENCE, pl.String)
    return {f"trl/{name}.jsonl": jsonl(rows), f"trl/{name}.parquet": parquet(rows, schema, json_columns)}
