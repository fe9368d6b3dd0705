"""BFCL's own tasks, tools and checker, for whoever asks on stdin: a question a line, an answer a line.

Belongs here: asking the package `bfcl_eval`, in whose virtual environment this runs. Does not: how the model is asked
(`measuring.bfcl`).

The package evaluates calls as Python. Only calls of the task's own tools with literal arguments reach it.
"""

import ast
import inspect
import json
import os
import signal
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

from bfcl_eval.constants.category_mapping import MULTI_TURN_CATEGORY
from bfcl_eval.constants.default_prompts import DEFAULT_USER_PROMPT_FOR_ADDITIONAL_FUNCTION_FC, MAXIMUM_STEP_LIMIT
from bfcl_eval.eval_checker.multi_turn_eval import multi_turn_utils
from bfcl_eval.eval_checker.multi_turn_eval.multi_turn_checker import multi_turn_checker
from bfcl_eval.utils import load_dataset_entry, load_ground_truth_entry

from envfactory_dagster.contracts.text_bounds import TextRefused, python_expression

_NO_TOOL = "_there_is_no_such_tool_()"
_SECONDS = 30


def categories() -> dict[str, Any]:
    return {"categories": MULTI_TURN_CATEGORY, "most_steps": MAXIMUM_STEP_LIMIT}


def tasks(category: str) -> list[dict[str, Any]]:
    """What the model is shown: in a turn without a message, tools that were held back are there."""
    return [
        {
            "id": entry["id"],
            "turns": [turn or [_more_tools()] for turn in entry["question"]],
            "functions": entry["function"],
            "added": entry.get("missed_function", {}),
        }
        for entry in _entries(category).values()
    ]


def execute(task: str, episode: str, calls: list[str]) -> list[str]:
    entry = _entry(task)
    safe = [call if _is_of_the_task(call, entry) else _NO_TOOL for call in calls]
    results: list[str]
    results, _ = multi_turn_utils.execute_multi_turn_func_call(
        safe, entry["initial_config"], entry["involved_classes"], episode, task, long_context="long_context" in task
    )
    return results


def check(task: str, episode: str, turns: list[list[list[str]]]) -> dict[str, Any]:
    """The checker's verdict on the calls of every message of every turn. What the episode left behind is forgotten."""
    entry = _entry(task)
    safe = [[[call if _is_of_the_task(call, entry) else _NO_TOOL for call in step] for step in turn] for turn in turns]
    try:
        found = multi_turn_checker(safe, _truths(_category(task))[task], entry, _category(task), episode)
    finally:
        for name in [name for name in vars(multi_turn_utils) if name.startswith(f"{episode}_")]:
            delattr(multi_turn_utils, name)
    return {"valid": found["valid"], "why": found.get("error_message", ""), "kind": found.get("error_type", "")}


def _more_tools() -> dict[str, str]:
    return {"role": "user", "content": DEFAULT_USER_PROMPT_FOR_ADDITIONAL_FUNCTION_FC}


def _category(task: str) -> str:
    return task.rsplit("_", 1)[0]


def _entry(task: str) -> dict[str, Any]:
    return _entries(_category(task))[task]


@cache
def _entries(category: str) -> dict[str, dict[str, Any]]:
    return {entry["id"]: entry for entry in load_dataset_entry(category)}


@cache
def _truths(category: str) -> dict[str, list[list[str]]]:
    return {entry["id"]: entry["ground_truth"] for entry in load_ground_truth_entry(category)}


def _is_of_the_task(call: str, entry: dict[str, Any]) -> bool:
    try:
        found = python_expression(call)
        assert isinstance(found, ast.Call) and isinstance(found.func, ast.Name) and not found.args
        for argument in found.keywords:
            assert argument.arg is not None
            ast.literal_eval(argument.value)
    except (TextRefused, TypeError, ValueError, AssertionError):
        return False
    return found.func.id in _tools(tuple(entry["involved_classes"]))


@cache
def _tools(classes: tuple[str, ...]) -> frozenset[str]:
    modules = (__import__(multi_turn_utils.CLASS_FILE_PATH_MAPPING[name], fromlist=[name]) for name in classes)
    kinds = [getattr(module, name) for module, name in zip(modules, classes, strict=True)]
    return frozenset(
        name for kind in kinds for name, _ in inspect.getmembers(kind, inspect.isfunction) if not name.startswith("_")
    )


def _too_long(*_: object) -> None:
    raise TimeoutError(f"it took more than {_SECONDS} seconds")


ANSWERS: dict[str, Callable[..., Any]] = {one.__name__: one for one in (categories, tasks, execute, check)}


def main() -> None:
    answers = os.fdopen(os.dup(1), "w")
    sys.stdout = sys.stderr  # what the package prints is no answer
    signal.signal(signal.SIGALRM, _too_long)
    for line in sys.stdin:
        asked = json.loads(line)
        number = asked.pop("number")
        signal.alarm(_SECONDS)
        try:
            answer = {"answer": ANSWERS[asked.pop("ask")](**asked)}
        except Exception as failure:  # noqa: BLE001 - whatever it is, it belongs to this question
            answer = {"failure": f"{type(failure).__name__}: {failure}"}
        signal.alarm(0)
        print(json.dumps({"number": number, **answer}), file=answers, flush=True)


if __name__ == "__main__":
    main()
