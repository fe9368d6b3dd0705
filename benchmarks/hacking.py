"""Reward hacking: what policies earn that do not do the task, beside one that honestly fails at it.

    python -m benchmarks.hacking [--json] [--environments 8]

The tasks are those of library worlds. The policies know the conversation and the tools, as any policy does, and never
look at what the task needs:

`silent`: calls nothing and says nothing, also when it is asked for its report. `repeats_the_answer`: calls nothing,
reports that all is done, with answers that fit the form, and says so many times. `recites_the_rules`: reports a
refusal, with every rule there is as reason. `calls_everything`: every tool once, with arguments that their schemas
allow. `writes_everything`: every tool that changes something, for the ids 1, 2 and 3. `tells_everything`: calls every
tool that reads, and answers each field with all that came back, or with the first value of its type.

`honest_failure` follows the reference solution up to its last write that counts, and then reports that it cannot go on;
where nothing is to be changed, it looks everything up and reports that it does not know. It is the only one that knows
the solution. Figures by reward strategy: the mean reward, the share of tasks on which a policy earns more than the
honest failure (`above`), and the share it passes.
"""

import argparse
import asyncio
import json
import re
import tempfile
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from benchmarks.made_worlds import Made, make
from envfactory_dagster.contracts.finish_tool import MOST_MESSAGE_CHARACTERS, MOST_TEXT_CHARACTERS
from envfactory_dagster.contracts.truth import ReferenceSolution
from envfactory_dagster.language.messages import ChatAnswer, ChatChoice, Message, Usage
from envfactory_dagster.rollouts.assignments import assignments
from envfactory_dagster.rollouts.engine import Engine
from envfactory_dagster.rollouts.model import Tools
from envfactory_dagster.rollouts.scoring import Rollout
from envfactory_dagster.rollouts.settings import RolloutSettings
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.runtime.json_schema import compile_schema
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.home import Home
from envfactory_dagster.truth.rewards import Component, RewardSettings

REWARDS: dict[str, Component] = {
    "verdict": "checks",
    "agent_world_model": "outcome",
    "env_factory": "path_and_state",
}
HONEST = "honest_failure"
IDS = (1, 2, 3)

Figures = dict[str, Any]
Calls = list[tuple[str, dict[str, Any]]]
Fields = Mapping[str, Any]
"""The answers that a task asks for, each with its JSON schema."""


@dataclass(frozen=True)
class Exploit:
    """Makes calls in its first message, whatever the task, and then hands in a report."""

    name: str
    calls: Callable[[Tools, str], Calls]
    report: Callable[[Sequence[Message], Fields], dict[str, Any] | None]
    """What it reports, given what it saw and the schema of each answer; None: nothing, it says nothing either."""

    async def answer_to(self, messages: Sequence[Message], tools: Tools) -> dict[str, Any]:
        *others, finish = tools
        wanted = self.calls(others, str(messages[1]["content"])) if len(messages) == 2 else []
        if wanted:
            return _calling(wanted)
        report = self.report(messages, _fields(finish))
        return {"role": "assistant", "content": ""} if report is None else _calling([("finish", report)])


@dataclass(frozen=True)
class HonestFailure:
    """`solutions`: by the text of the task. `writes`: the tools that change something."""

    solutions: Mapping[str, ReferenceSolution]
    writes: frozenset[str]
    name: str = HONEST

    async def answer_to(self, messages: Sequence[Message], tools: Tools) -> dict[str, Any]:
        gold = self.solutions[str(messages[1]["content"])]
        places = [n for n, call in enumerate(gold.calls) if call.tool in self.writes and call.outcome == "ok"]
        made = sum(message["role"] == "tool" for message in messages)
        if made < (places[-1] if places else len(gold.calls)):
            return _calling([(gold.calls[made].tool, dict(gold.calls[made].arguments))])
        answers = dict.fromkeys(_fields(tools[-1]))
        return _calling([("finish", _report("needs_information", answers, "I do not know how to go on."))])


@dataclass(frozen=True)
class Player:
    """Either of them as a model."""

    policy: Exploit | HonestFailure

    @property
    def name(self) -> str:
        return self.policy.name

    async def answer(self, messages: Sequence[Message], tools: Tools, seed: int) -> ChatAnswer:
        message = await self.policy.answer_to(messages, tools)
        return ChatAnswer((ChatChoice(message, "stop", None, None),), None, Usage(), False, self.name)


def _fields(finish: Mapping[str, Any]) -> Fields:
    fields: Fields = finish["function"]["parameters"]["properties"]["answers"]["properties"]
    return fields


def _report(outcome: str, answers: dict[str, Any], message: str, reason: str | None = None) -> dict[str, Any]:
    return {"outcome": outcome, "answers": answers, "reason": reason, "message": message[:MOST_MESSAGE_CHARACTERS]}


def _calling(wanted: Calls) -> dict[str, Any]:
    calls = [
        {"id": f"c{place}", "type": "function", "function": {"name": tool, "arguments": json.dumps(arguments)}}
        for place, (tool, arguments) in enumerate(wanted)
    ]
    return {"role": "assistant", "content": "", "tool_calls": calls}


def exploits(writes: frozenset[str]) -> list[Exploit]:
    def nothing(tools: Tools, task: str) -> Calls:
        return []

    def everything(tools: Tools, task: str) -> Calls:
        return _made_up(tools, task, lambda name: True, IDS[:1])

    def all_writes(tools: Tools, task: str) -> Calls:
        return _made_up(tools, task, lambda name: name in writes, IDS)

    def all_reads(tools: Tools, task: str) -> Calls:
        return _made_up(tools, task, lambda name: name not in writes, IDS)

    def done(messages: Sequence[Message], fields: Fields) -> dict[str, Any]:
        return _report("done", _guessed(fields, str(messages[1]["content"])), "Everything is done as you asked.")

    def done_again(messages: Sequence[Message], fields: Fields) -> dict[str, Any]:
        return done(messages, fields) | {"message": "Everything is done as you asked. " * 5}

    def every_rule(messages: Sequence[Message], fields: Fields) -> dict[str, Any]:
        rules = re.findall(r"^- ([a-z][a-z0-9_]*): ", str(messages[0]["content"]), re.MULTILINE)
        return _report("refused", dict.fromkeys(fields), f"That cannot be done: {rules}", ", ".join(rules))

    return [
        Exploit("silent", nothing, lambda messages, fields: None),
        Exploit("repeats_the_answer", nothing, done_again),
        Exploit("recites_the_rules", nothing, every_rule),
        Exploit("calls_everything", everything, done),
        Exploit("writes_everything", all_writes, done),
        Exploit("tells_everything", all_reads, _all_that_came_back),
    ]


def _guessed(fields: Fields, text: str) -> dict[str, Any]:
    """An answer to each field that can be read as one, without having looked: the first of its type in some text."""
    return {name: _guess(str(schema["description"]), schema, text) for name, schema in fields.items()}


def _guess(described: str, schema: Mapping[str, Any], text: str) -> Any:
    if "array" in schema["type"]:
        return [_guess(described, schema["items"], text)]
    if "(one of: " in described:
        return described.partition("(one of: ")[2].rstrip(")").removesuffix("), listed").split(", ")[0]
    if "boolean" in schema["type"]:
        return True
    kinds = {"(a date ": (r"\d{4}-\d{2}-\d{2}", "2026-06-01"), "(a time ": (r"\d{2}:\d{2}", "09:00")}
    for kind, (pattern, instead) in kinds.items():
        if kind in described:
            found = re.search(pattern, text)
            return found[0] if found else instead
    if "(a short text" in described:
        return text[:MOST_TEXT_CHARACTERS] or "It is done."
    number = re.search(r"\b\d{1,9}\b", text)
    return int(number[0]) if number else 1


def _all_that_came_back(messages: Sequence[Message], fields: Fields) -> dict[str, Any]:
    everything = "\n".join(str(message["content"]) for message in messages if message["role"] == "tool")
    return _report("done", _guessed(fields, everything), everything or "There is nothing.")


def _made_up(tools: Tools, task: str, wanted: Callable[[str], bool], ids: Sequence[int]) -> Calls:
    """Calls that keep to the schemas; a tool for which none can be made up is left out."""
    found: Calls = []
    for tool in tools:
        function: Any = tool["function"]
        if not wanted(function["name"]):
            continue
        check = compile_schema(function["parameters"])
        for number in ids:
            arguments = _arguments(function["parameters"], task, number)
            if check(arguments) is None and (function["name"], arguments) not in found:
                found.append((function["name"], arguments))
    return found


def _arguments(schema: Mapping[str, Any], task: str, number: int) -> dict[str, Any]:
    properties = schema.get("properties", {})
    return {name: _value(name, properties[name], task, number) for name in schema.get("required", [])}


def _value(name: str, schema: Mapping[str, Any], task: str, number: int) -> Any:
    if "enum" in schema:
        return schema["enum"][number % len(schema["enum"])]
    kind = schema.get("type", "string")
    kind = next(one for one in kind if one != "null") if isinstance(kind, list) else kind
    if kind in ("integer", "number"):
        return max(number, schema.get("minimum", number))
    if kind == "boolean":
        return True
    if kind == "array":
        return [_value(name, schema.get("items", {}), task, number)]
    if kind == "object":
        return {}
    return _words(name, schema, task)


def _words(name: str, schema: Mapping[str, Any], task: str) -> str:
    """What the task puts in quotes, or a day, or its first words."""
    about = f"{name} {schema.get('description', '')} {schema.get('format', '')}".lower()
    if "date" in about or "day" in about or "yyyy" in about:
        day = re.search(r"\d{4}-\d{2}-\d{2}", task)
        return day.group() if day else "2026-06-01"
    quoted = re.findall(r"[\"“'‘]([^\"”'’]+)[\"”'’]", task)
    return str(quoted[0] if quoted else " ".join(task.split()[:3]))


async def measure(folder: Path, environments: int) -> Figures:
    async with Runtime() as runtime:
        made, rejected = await make(folder / "home", environments, runtime)
        earned: dict[str, list[Rollout]] = defaultdict(list)
        for one in made:
            for policy, rollouts in (await _play(one, runtime, folder)).items():
                earned[policy] += rollouts
    return figures(earned) | {"environments": len(made), "rejected_environments": len(rejected)}


async def _play(one: Made, runtime: Runtime, folder: Path) -> dict[str, list[Rollout]]:
    """Policy → its episodes, in the order of the tasks."""
    reward = RewardSettings(weights=dict.fromkeys(REWARDS.values(), 1.0))
    settings = RolloutSettings(window=None, most_steps=40, most_tokens=1_000_000, reward=reward)
    verifiers = {name: gated.verifier.source for name, gated in one.verifiers.items()}
    work = assignments(one.bundle, one.solutions, verifiers, settings.reward)
    writes = frozenset(tool.name for tool in one.bundle.tools if not tool.annotations.readOnlyHint)
    honest = HonestFailure({task.task.text: one.solutions[task.task.id] for task in work}, writes)
    found = {}
    policies: list[Exploit | HonestFailure] = [honest, *exploits(writes)]
    for policy in policies:
        store = TrajectoryStore(Home.resolve(tempfile.mkdtemp(dir=folder)))
        rollouts = [each async for each in Engine(runtime, Player(policy), settings, store).roll(work)]
        by_task = {each.trajectory.task: each for each in rollouts}
        found[policy.name] = [by_task[assignment.task.id] for assignment in work]
    runtime.retire(one.bundle)
    return found


def figures(earned: Mapping[str, Sequence[Rollout]]) -> Figures:
    honest = earned[HONEST]
    return {
        "tasks": len(honest),
        "policies": {
            policy: {
                "passed": round(fmean(one.trajectory.outcome == "completed" for one in rollouts), 4),
                **{name: _beside(component, rollouts, honest) for name, component in REWARDS.items()},
            }
            for policy, rollouts in earned.items()
        },
        "passed_by": [
            f"{policy}: {one.trajectory.environment}/{one.trajectory.task}"
            for policy, rollouts in earned.items()
            for one in rollouts
            if one.trajectory.outcome == "completed"
        ],
    }


def _beside(component: Component, rollouts: Sequence[Rollout], honest: Sequence[Rollout]) -> Figures:
    pairs = [(_earned(one, component), _earned(other, component)) for one, other in zip(rollouts, honest, strict=True)]
    above = [own > other + 1e-9 for own, other in pairs]
    return {"mean": round(fmean(own for own, _ in pairs), 4), "above": round(fmean(above), 4)}


def _earned(rollout: Rollout, component: Component) -> float:
    """By one strategy alone. What ends an episode early costs the same under each."""
    reward = rollout.trajectory.reward
    return 0.0 if reward is None else reward.components.get(component, reward.total)


def table(found: Figures) -> str:
    lines = [
        f"| policy | passed | {' | '.join(f'{name}: mean, above' for name in REWARDS)} |",
        f"| --- | --- | {' | '.join('---' for _ in REWARDS)} |",
    ]
    for policy, one in found["policies"].items():
        cells = [f"{one[name]['mean']:+.3f}, {one[name]['above']:.1%}" for name in REWARDS]
        lines.append(f"| {policy.replace('_', ' ')} | {one['passed']:.1%} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--environments", type=int, default=8)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(measure(Path(folder), given.environments))
    print(json.dumps(found) if given.json else f"{found['tasks']} tasks\n\n{table(found)}")


if __name__ == "__main__":
    main()
