"""Two evaluations held against each other, task by task.

Belongs here: reading back what evaluations kept, and `python -m trainer compare`. Does not: evaluating (`evaluate`),
and the figures (`envfactory_dagster.rollouts.results`).
"""

from pathlib import Path

import orjson

from envfactory_dagster.rollouts.results import Comparison, TaskResult, compared

from .failures import RecipeError

TASKS = "tasks.jsonl"


def compare(before: Path, after: Path, way: str = "greedy") -> dict[str, Comparison]:
    """How much the second evaluation is better than the first, by split, on the tasks of both."""
    first, second = read_results(before, way), read_results(after, way)
    found = {split: compared(first.get(split, []), of_split) for split, of_split in second.items()}
    comparisons = {split: one for split, one in found.items() if one is not None}
    if not comparisons:
        raise RecipeError(f"{before} and {after} have no task in common that was played {way} in both.")
    return comparisons


def read_results(folder: Path, way: str) -> dict[str, list[TaskResult]]:
    """The tasks of an evaluation, by split."""
    found: dict[str, list[TaskResult]] = {}
    try:
        for line in map(orjson.loads, (folder / TASKS).read_bytes().splitlines()):
            if line.pop("way") == way:
                line.pop("user", None)
                one = TaskResult(**line)
                found.setdefault(one.split, []).append(one)
    except (OSError, orjson.JSONDecodeError, TypeError, KeyError) as error:
        raise RecipeError(f"There is no evaluation in {folder} that can be read: {error}") from error
    return found
