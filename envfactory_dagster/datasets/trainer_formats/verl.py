"""For verl: Parquet with a prompt, and what its reward function and its tools are told.

Belongs here: verl's columns. Does not: the reward function and the tools themselves (they play the bundle).

Two files, because all messages of a column have the same fields: whole tasks, whose prompts have `role` and `content`
and nothing else, and turns of conversations, whose prompts have calls in them.
"""

from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from typing import Any

from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.contracts.dataset import ChatMessage, RlRow, calls_of
from envfactory_dagster.datasets.trainer_formats import Files, text

DATA_SOURCE = "envfactory"

Form = Callable[[ChatMessage], dict[str, Any]]


def rl(name: str, rows: Sequence[RlRow]) -> Files:
    whole = [_row(row, _plain) for row in rows if row.turn is None]
    turns = [_row(row, _with_calls) for row in rows if row.turn is not None]
    split = rows[0].trace.split if rows else ""
    files = {}
    if whole:
        files[f"verl/{split}/{name}.parquet"] = _parquet(whole, _plain_message())
    if turns:
        files[f"verl/{split}_turns/{name}.parquet"] = _parquet(turns, _message_with_calls())
    return files


def _row(row: RlRow, form: Form) -> dict[str, Any]:
    trace = row.trace
    truth = {
        "verifier": row.verifier.model_dump() if row.verifier is not None else None,
        "target_calls": [call.model_dump(mode="json") for call in row.target_calls],
        "target_changes": row.model_dump(mode="json", include={"target_changes"})["target_changes"],
        "answer_form": row.answer_form.model_dump(mode="json") if row.answer_form is not None else None,
        "masked": row.masked,
        "volatile": row.volatile,
        "relative": row.relative,
        "dictated": row.dictated,
        "reward": row.reward,
    }
    return {
        "data_source": DATA_SOURCE,
        "prompt": [form(message) for message in row.messages],
        "ability": "tool_use",
        "reward_model": {"style": "rule", "ground_truth": text(truth)},
        "extra_info": {
            "index": int(content_hash(row.id)[:12], 16),
            "split": trace.split,
            "id": row.id,
            "environment": trace.environment,
            "bundle_version": trace.bundle_version,
            "task": trace.task,
            "state": trace.state,
            "setting": row.setting,
            "protocol": row.protocol,
            "tools": text(row.tools),
            "withheld": row.withheld,
            "tokens": row.tokens,
            "prefix_calls": text([call.model_dump(mode="json") for call in row.prefix_calls]),
        },
    }


def _plain(message: ChatMessage) -> dict[str, Any]:
    return {"role": message["role"], "content": message["content"]}


def _with_calls(message: ChatMessage) -> dict[str, Any]:
    return {
        **_plain(message),
        "name": message.get("name"),
        "tool_call_id": message.get("tool_call_id"),
        "tool_calls": calls_of(message) or None,
    }


def _plain_message() -> dict[str, Any]:
    import polars as pl

    return {"role": pl.String, "content": pl.String}


def _message_with_calls() -> dict[str, Any]:
    import polars as pl

    function = pl.Struct({"name": pl.String, "arguments": pl.String})
    call = pl.Struct({"id": pl.String, "type": pl.String, "function": function})
    return _plain_message() | {"name": pl.String, "tool_call_id": pl.String, "tool_calls": pl.List(call)}


def _parquet(rows: Sequence[Mapping[str, Any]], message: Mapping[str, Any]) -> bytes:
    import polars as pl

    names = ("id", "environment", "bundle_version", "task", "state", "setting", "protocol", "tools", "prefix_calls")
    extra: dict[str, Any] = {
        "index": pl.Int64,
        "split": pl.String,
        **dict.fromkeys(names, pl.String),
        "withheld": pl.List(pl.String),
        "tokens": pl.Int64,
    }
    schema: dict[str, Any] = {
        "data_source": pl.String,
        "prompt": pl.List(pl.Struct(dict(message))),
        "ability": pl.String,
        "reward_model": pl.Struct({"style": pl.String, "ground_truth": pl.String}),
        "extra_info": pl.Struct(extra),
    }
    sealed = BytesIO()
    pl.DataFrame(list(rows), schema=schema).write_parquet(sealed)
    return sealed.getvalue()
