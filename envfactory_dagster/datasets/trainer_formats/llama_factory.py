"""For LLaMA-Factory: ShareGPT conversations with tools, and the `dataset_info.json` that names them.

Belongs here: human, gpt, function_call and observation in turns, as that format has it. Does not: any other format.

The format knows one thing per message. Several calls of a message are one list, several results one list; a text beside
a call has no place in it and is left out. Reasoning of the message that is trained stands before it in `<think>`.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import orjson

from envfactory_dagster.contracts.dataset import ChatMessage, SftRow, calls_of
from envfactory_dagster.datasets.trainer_formats import Files, text
from envfactory_dagster.datasets.trainer_formats.trl import whence

EPISODES, STEPS = "envfactory_episodes", "envfactory_steps"
"""The names under which a training configuration asks for the two. `STEPS` is to be trained with `mask_history`."""
_FOLDER = "llama_factory"


def sft(name: str, rows: Sequence[SftRow]) -> Files:
    parts = {
        EPISODES: [_row(row) for row in rows if row.step is None],
        STEPS: [_row(row) for row in rows if row.step is not None],
    }
    return {f"{_FOLDER}/{part}/{name}.json": orjson.dumps(given) for part, given in parts.items() if given}


def info(files: Iterable[str]) -> Files:
    """The `dataset_info.json` for whichever of the two datasets has any of these files."""
    there = [part for part in (EPISODES, STEPS) if any(file.startswith(f"{_FOLDER}/{part}/") for file in files)]
    entries = {part: _entry(part) for part in there}
    return {f"{_FOLDER}/dataset_info.json": orjson.dumps(entries, option=orjson.OPT_INDENT_2)}


def texts_left_out(rows: Sequence[SftRow]) -> int:
    """Messages whose text beside their calls has no place in the format."""
    return sum(1 for row in rows for message in row.messages if calls_of(message) and message["content"])


def _entry(folder: str) -> dict[str, Any]:
    return {
        "file_name": folder,
        "formatting": "sharegpt",
        "columns": {"messages": "conversations", "system": "system", "tools": "tools"},
        "tags": {
            "role_tag": "from",
            "content_tag": "value",
            "user_tag": "human",
            "assistant_tag": "gpt",
            "observation_tag": "observation",
            "function_tag": "function_call",
        },
    }


def _row(row: SftRow) -> dict[str, Any]:
    return {
        "conversations": list(_conversation(row.messages[1:])),
        "system": row.messages[0]["content"],
        "tools": text([tool["function"] for tool in row.tools]),
        **whence(row.id, row.trace),
    }


def _conversation(messages: Sequence[ChatMessage]) -> Iterator[dict[str, str]]:
    results: list[str] = []
    for message in messages:
        if message["role"] == "tool":
            results.append(str(message["content"]))
            continue
        if results:
            yield {"from": "observation", "value": _joined(results)}
            results = []
        yield _said(message)
    if results:
        yield {"from": "observation", "value": _joined(results)}


def _joined(results: Sequence[str]) -> str:
    return results[0] if len(results) == 1 else f"[{', '.join(results)}]"


def _said(message: ChatMessage) -> dict[str, str]:
    if message["role"] == "user":
        return {"from": "human", "value": str(message["content"])}
    reasoning = message.get("reasoning_content")
    thought = f"<think>\n{reasoning}\n</think>\n\n" if reasoning else ""
    functions = [call["function"] for call in calls_of(message)]
    if not functions:
        return {"from": "gpt", "value": f"{thought}{message['content']}"}
    asked = [{"name": one["name"], "arguments": orjson.loads(one["arguments"])} for one in functions]
    return {"from": "function_call", "value": thought + text(asked[0] if len(asked) == 1 else asked)}
