"""Examples to learn from: rows of `sft_dataset` as tokens with labels.

Belongs here: reading rows, and which of their tokens are learned. Does not: choosing rows
(`envfactory_dagster.datasets`), or training on them (`sft`).

A row is a conversation with its tools: `messages`, `tools`. Only what the assistant wrote has a label.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from envfactory_dagster.datasets.assigned import lines_of

from .failures import RecipeError
from .rendering import Renderer

IGNORED = -100


@dataclass(frozen=True, slots=True)
class Example:
    ids: list[int]
    learned: list[bool]

    def labels(self) -> list[int]:
        return [token if learned else IGNORED for token, learned in zip(self.ids, self.learned, strict=True)]


def read_rows(path: Path) -> list[dict[str, Any]]:
    """The rows of a JSONL file, or of a folder of them, each with `messages` and `tools`, which may be none."""
    try:
        rows = [orjson.loads(line) for line in lines_of(path)]
    except (OSError, orjson.JSONDecodeError) as error:
        raise RecipeError(f"The examples in {path} cannot be read: {error}") from error
    if not rows:
        raise RecipeError(f"There is no example in {path}.")
    if not all(isinstance(row, dict) and row.get("messages") for row in rows):
        raise RecipeError(f"A row of {path} has no messages; rows are conversations with `messages` and `tools`.")
    if not all(map(_has_roles, rows)):
        raise RecipeError(f"A message in {path} has no role; messages are objects with a `role` and `content`.")
    return [{**row, "tools": row.get("tools") or []} for row in rows]


def _has_roles(row: Mapping[str, Any]) -> bool:
    messages = row["messages"]
    return isinstance(messages, list) and all(isinstance(one, dict) and "role" in one for one in messages)


def examples(renderer: Renderer, rows: Iterable[Mapping[str, Any]]) -> Iterator[Example]:
    """One for each message of the assistant, after exactly what was shown when it was the last one."""
    for row in rows:
        messages: Sequence[Mapping[str, Any]] = row["messages"]
        places = [place for place, message in enumerate(messages) if message["role"] == "assistant"]
        if row.get("step") is not None:  # a row of one step: the messages before are learned from rows of their own
            places = places[-1:]
        for place in places:
            sample = renderer.sample(messages[: place + 1], row["tools"])
            yield Example(sample.ids, sample.mask)


def joined(found: Iterable[Example]) -> list[Example]:
    """With each that goes on from the one before it put into that one. Nothing changes for any token but that its
    context is read once: with a template that only appends, an episode is one example."""
    made = list[Example]()
    for one in found:
        known = made[-1] if made else None
        if known is not None and len(known.ids) < len(one.ids) and one.ids[: len(known.ids)] == known.ids:
            made[-1] = Example(one.ids, [*known.learned, *one.learned[len(known.learned) :]])
        else:
            made.append(one)
    return made
