"""One environment for TRL: classes for `environment_factory`, and the reward function that goes with them.

    from environment import rows, verdicts, worlds

    GRPOTrainer(environment_factory=worlds(), reward_funcs=verdicts, train_dataset=Dataset.from_list(rows()), ...)

Each tool is a method with annotations and a docstring, as TRL reads them. Tasks that withhold tools have classes
without them: a row names its class in `environment`. `finish` has one schema for all tasks, so `reset` says which
answers a task asks for. A rollout that never calls `finish` earns 0; one that cannot be judged has
no reward (None). Python's standard library only.
"""

import inspect
import json
import keyword
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Optional

from episode import INVALID, Episode

HERE = Path(__file__).resolve().parent
BUNDLE = HERE / "bundle"
TYPES = {"string": str, "integer": int, "number": float, "boolean": bool, "array": list, "object": dict}


def rows() -> list[dict[str, Any]]:
    """A row for each task: `prompt` (messages), `task` and `environment`, which is a key of `worlds()`."""
    withheld = _withheld()
    told = [json.loads(line) for line in (HERE / "prompts.jsonl").read_bytes().splitlines()]
    return [
        {
            "prompt": [{"role": "system", "content": row["system"]}, {"role": "user", "content": row["prompt"]}],
            "task": row["task"],
            "environment": _named(withheld[row["task"]]),
        }
        for row in told
    ]


def _withheld() -> dict[str, tuple[str, ...]]:
    """Task → the tools that it withholds."""
    tasks = [json.loads(line) for line in (BUNDLE / "tasks.jsonl").read_bytes().splitlines()]
    return {task["id"]: tuple(sorted(task.get("withheld", []))) for task in tasks}


def _named(withheld: tuple[str, ...]) -> str:
    return f"without {', '.join(withheld)}" if withheld else "all tools"


class World:
    """One rollout's world. `worlds` makes classes of it that have its tools as methods."""

    def __init__(self) -> None:
        self._episode: Episode | None = None

    def reset(self, **row: Any) -> str:
        """Begin the row's task in a new world. What is returned is added to the prompt."""
        if self._episode is not None:
            self._episode.close()
        self._episode = Episode(BUNDLE, row["task"])
        return _asked_for(self._episode.tools()[-1])

    def _call(self, tool: str, arguments: dict[str, Any]) -> str:
        assert self._episode is not None, "reset comes before the first call"
        given = {name: value for name, value in arguments.items() if value is not None or tool == _FINISH}
        if tool == _FINISH:
            given.setdefault("reason", None)  # optional here: TRL shows a model no null
        result = self._episode.call(tool, given)
        if result["isError"]:
            return json.dumps({"error": result["content"][0]["text"]})
        return json.dumps(result["structuredContent"], ensure_ascii=False)

    def _verdict(self) -> float | None:
        assert self._episode is not None, "reset comes before the verdict"
        verdict = self._episode.close()
        return None if verdict["status"] == INVALID else float(verdict["score"])


def verdicts(completions: Sequence[Any], environments: Sequence[World], **more: Any) -> list[float | None]:
    """A reward function of TRL: the verdict of each rollout, by what it did and reported."""
    return [one._verdict() for one in environments]


def _asked_for(finish: dict[str, Any]) -> str:
    answers = finish["inputSchema"]["properties"]["answers"]["properties"]
    if not answers:
        return f"End with `{finish['name']}`. Nothing is to be answered: `answers` is {{}}."
    lines = [f"- {name}: {one['description']}" for name, one in answers.items()]
    return f"End with `{finish['name']}`. Its `answers`, null where one is not due:\n" + "\n".join(lines)


def _method(tool: dict[str, Any]) -> Callable[..., str]:
    properties: dict[str, Any] = tool["inputSchema"].get("properties", {})
    required = set(tool["inputSchema"].get("required", []))
    ordered = sorted(properties, key=lambda name: name not in required)

    # A word of Python is no name of a parameter: `from` is called `from_` here.
    declared = {name: f"{name}_" if keyword.iskeyword(name) or name == "self" else name for name in ordered}
    properties_of = {parameter: name for name, parameter in declared.items()}

    def method(self: World, **arguments: Any) -> str:
        return self._call(tool["name"], {properties_of.get(name, name): value for name, value in arguments.items()})

    annotations = {declared[name]: _annotation(properties[name], name in required) for name in ordered}
    parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)] + [
        inspect.Parameter(
            declared[name],
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if name in required else None,
            annotation=annotations[declared[name]],
        )
        for name in ordered
    ]
    told = [f"    {declared[name]}: {_told(name, properties[name])}" for name in ordered]
    method.__name__ = method.__qualname__ = tool["name"]
    method.__annotations__ = annotations | {"return": str}
    method.__signature__ = inspect.Signature(parameters, return_annotation=str)  # type: ignore[attr-defined]
    method.__doc__ = "\n".join([tool["description"], *(["", "Args:", *told] if told else [])])
    return method


def _annotation(schema: dict[str, Any], required: bool) -> Any:
    kinds = schema.get("type", "object")
    kind = next((one for one in ([kinds] if isinstance(kinds, str) else kinds) if one != "null"), "object")
    return TYPES[kind] if required else Optional[TYPES[kind]]  # noqa: UP045 - the way TRL's reader understands it


def _told(name: str, schema: dict[str, Any]) -> str:
    choices = f" (choices: {json.dumps(schema['enum'])})" if "enum" in schema else ""
    return str(schema.get("description", name)).replace("\n", " ") + choices


def _generic_finish() -> dict[str, Any]:
    """The definition of `finish` for all tasks."""
    name = json.loads((HERE / "finish.json").read_text())["name"]
    rules = ", ".join(rule["id"] for rule in json.loads((BUNDLE / "theme.json").read_text())["rules"])
    properties = {
        "outcome": {"type": "string", "description": "One of done, refused, impossible, needs_information."},
        "answers": {"type": "object", "description": "What the person asked to be told, by field."},
        "message": {"type": "string", "description": "What the person reads."},
        "reason": {
            "type": "string",
            "description": f"Where the outcome is refused, the rule that forbids it: {rules}.",
        },
    }
    return {
        "name": name,
        "description": "Hand in your report, which ends the work.",
        "inputSchema": {"properties": properties, "required": ["outcome", "answers", "message"]},
    }


_FINISH: str = _generic_finish()["name"]


def worlds() -> dict[str, type[World]]:
    """A class for each set of tools that tasks leave, by what rows call it in `environment`."""
    tools = [one for one in json.loads((BUNDLE / "tools.json").read_text()) if one["principal"] == "assistant"]
    methods = {tool["name"]: _method(tool) for tool in [*tools, _generic_finish()]}
    told = [json.loads(line)["task"] for line in (HERE / "prompts.jsonl").read_bytes().splitlines()]
    withheld = _withheld()
    return {
        _named(less): type("World", (World,), {name: one for name, one in methods.items() if name not in less})
        for less in sorted({withheld[task] for task in told})
    }
