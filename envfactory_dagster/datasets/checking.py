"""Whether a dataset can be read as what it is, and whether its splits are apart.

Belongs here: reading written rows back, trainers' rules for a row as we understand them, and leaks between splits. Does
not: trainers' own parsers, which need their packages (`benchmarks.consumers`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

import orjson
from pydantic import ValidationError

from envfactory_dagster.contracts.dataset import RlRow, SftRow
from envfactory_dagster.datasets.splits import TRAINING
from envfactory_dagster.datasets.trainer_formats import Files
from envfactory_dagster.datasets.trainer_formats.canonical import FOLDER

_ASKS, _ANSWERS = ("human", "observation"), ("gpt", "function_call")


@dataclass(slots=True)
class DatasetChecks:
    """Grows environment by environment."""

    rows: int = 0
    broken: list[str] = field(default_factory=list)
    _offered: dict[str, set[str]] = field(default_factory=dict)
    """Held-out environment → every tool that one of its rows offers."""
    _splits: dict[str, set[str]] = field(default_factory=dict)

    def add(self, rows: Sequence[SftRow] | Sequence[RlRow], files: Files, tools: Iterable[str]) -> None:
        """`files`: what was written of these rows; `tools`: those the agent has in their environment."""
        self.rows += len(rows)
        self.broken += unreadable(rows, files)
        for row in rows:
            key = row.trace.environment
            self._splits.setdefault(key, set()).add(row.trace.split)
            if row.trace.split == "held_out_modules":
                withheld = row.withheld if isinstance(row, RlRow) else []
                self._offered.setdefault(key, set()).update(set(tools) - set(withheld))

    def leaks(self, bodies: Mapping[str, Mapping[str, str]], trained: Iterable[str]) -> list[str]:
        """`trained`: the environments of the training splits."""
        known = set(trained)
        seen = {body for key in known for body in bodies[key].values()}
        found = [f"{key} is in {', '.join(sorted(splits))}" for key, splits in self._splits.items() if len(splits) > 1]
        found += [f"{key} is held out and trained on" for key in sorted(self._held() & known)]
        for key, tools in self._offered.items():
            found += [f"{key} offers {tool}, as training does" for tool in sorted(tools) if bodies[key][tool] in seen]
        return found

    def _held(self) -> set[str]:
        return {key for key, splits in self._splits.items() if not splits & set(TRAINING)}


def unreadable(rows: Sequence[SftRow] | Sequence[RlRow], files: Files) -> list[str]:
    """List the problems of files that were written from these rows."""
    return [f"{name}: {problem}" for name, data in files.items() for problem in _problems(name, data, rows)]


def _problems(name: str, data: bytes, rows: Sequence[SftRow] | Sequence[RlRow]) -> Iterator[str]:
    if name.endswith(".parquet"):
        yield from _problems_of_columns(data)
    elif name.startswith(f"{FOLDER}/"):
        lines = data.splitlines()
        if len(lines) != len(rows):
            yield f"{len(lines)} lines for {len(rows)} rows"
        for place in range(min(len(lines), len(rows))):
            yield from _read_back(lines[place], rows[place])
    elif name.startswith("llama_factory/"):
        for one in orjson.loads(data):
            yield from (f"{one['id']}: {problem}" for problem in sharegpt_problems(one))


def _problems_of_columns(data: bytes) -> Iterator[str]:
    import polars as pl

    try:
        frame = pl.read_parquet(BytesIO(data))
    except pl.exceptions.PolarsError as error:
        yield f"no Parquet: {error}"
        return
    if "reward_model" in frame.columns:
        for row in frame.iter_rows(named=True):
            yield from verl_problems(row)


def _read_back(line: bytes, row: SftRow | RlRow) -> Iterator[str]:
    try:
        if type(row).model_validate_json(line) != row:
            yield f"{row.id} is not the same when it is read back"
    except ValidationError as error:
        yield f"{row.id}: {error}"


def sharegpt_problems(row: Mapping[str, Any]) -> Iterator[str]:
    """LLaMA-Factory's rules, as we read its converter and formatters: it leaves out a conversation that does not take
    turns, and stops at a call or at tools that are no JSON."""
    said = row["conversations"]
    if not said or len(said) % 2:
        yield "a conversation has as many questions as answers"
    for place, message in enumerate(said):
        allowed = _ANSWERS if place % 2 else _ASKS
        if message["from"] not in allowed:
            yield f"message {place} is of {message['from']}, not of {' or '.join(allowed)}"
        if message["from"] == "function_call":
            yield from _call_problems(message["value"])
    tools = orjson.loads(row["tools"])
    for tool in tools:
        if not isinstance(tool.get("name"), str) or "properties" not in tool.get("parameters", {}):
            yield "a tool has a name, and parameters with properties"


def _call_problems(value: str) -> Iterator[str]:
    thought, found, rest = value.partition("\n</think>\n\n")
    text = rest if found and thought.startswith("<think>\n") else value
    try:
        calls = orjson.loads(text)
    except orjson.JSONDecodeError:
        yield "a call is no JSON"
        return
    for call in calls if isinstance(calls, list) else [calls]:
        if call.keys() != {"name", "arguments"} or not isinstance(call["arguments"], dict):
            yield "a call is a name and its arguments"


def verl_problems(row: Mapping[str, Any]) -> Iterator[str]:
    """verl's columns, as its documentation and its dataset class name them."""
    if not row["prompt"] or any(message["role"] is None or message["content"] is None for message in row["prompt"]):
        yield "a prompt is made of messages with a role and content"
    if not isinstance(row["data_source"], str) or not isinstance(row["reward_model"]["ground_truth"], str):
        yield "the source and the ground truth are texts"
    if not isinstance(row["extra_info"]["index"], int):
        yield "a row has a number"
