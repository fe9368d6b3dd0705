"""Figures of rollouts: how fast the loop is, how well the embedded solver does, whether verdicts and replays agree.

    python -m benchmarks.rollouts [--json] [--environments 8] [--rollouts 1000]

`rollouts_1000_s`: a scripted model without latency that follows the reference solutions, 64 episodes in flight, judged
and stored. `environment_ms_per_call`: the time of a call as one episode alone sees it. `pass_rate_competent` and
`pass_rate_weak`: the embedded solver at competence 1 and 0, on every gated task. `renamed_pass_drop`: how much the
first loses when tools, parameters, columns and ids have other names and the request is paraphrased.
`verdict_agreement`: of episodes that follow the reference solution with one mistake, or with none, the share that is
judged as it should be; only this benchmark knows which is which.
"""

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import orjson

from benchmarks.renaming import Renamed
from benchmarks.truth_ground import Made, make
from envfactory_dagster.contracts.reports import Report
from envfactory_dagster.contracts.truth import TracedStep
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, ChatAnswer, Choice, Message, Role, Usage
from envfactory_dagster.language.settings import LanguageSettings
from envfactory_dagster.rollouts.assignments import Assignment, assignments
from envfactory_dagster.rollouts.engine import Engine
from envfactory_dagster.rollouts.model import GatewayModel, Model, Tools
from envfactory_dagster.rollouts.scoring import Rollout
from envfactory_dagster.rollouts.settings import RolloutSettings
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.home import Home
from envfactory_dagster.truth.replay import replay

SOLO = 64
"""Episodes played one at a time, for the time of a call."""
FAULTS = ("none", "wrong_entity", "stops_early", "hallucinated_tool", "malformed_arguments", "over_asking")

Figures = dict[str, Any]


@dataclass(frozen=True)
class Script:
    """What the reference solution of a task did, call by call, and which of its calls change something."""

    calls: Sequence[TracedStep]
    report: Report
    writes: frozenset[str]

    @property
    def last_that_counts(self) -> int:
        """The last write that succeeded; where there is none the report is all that counts."""
        places = [n for n, call in enumerate(self.calls) if call.tool in self.writes and call.outcome == "ok"]
        return places[-1] if places else len(self.calls)


@dataclass
class Follower:
    """Follows the scripts without latency. With `faulty`, an episode's seed says which fault it commits."""

    scripts: Mapping[str, Script]
    faulty: bool = False
    name: str = "follower"

    async def answer(self, messages: Sequence[Message], tools: Tools, seed: int) -> ChatAnswer:
        script = self.scripts[str(messages[1]["content"])]
        own = [message for message in messages if message["role"] == "assistant"]
        said = str(own[-1]["content"]) if own else "-1"
        place = int(said) + 1 if said.lstrip("-").isdigit() else -1
        fault = FAULTS[seed % len(FAULTS)] if self.faulty else "none"
        message = _said(script, place, fault)
        return ChatAnswer((Choice(message, "stop", None, None),), None, Usage(), False, self.name)


def _said(script: Script, place: int, fault: str) -> dict[str, Any]:
    if place < 0:
        return {"role": "assistant", "content": "I said all there is to say."}
    here = place == script.last_that_counts
    if here and fault == "over_asking":
        return {"role": "assistant", "content": "Are you sure that you want me to go on?"}
    if here and fault == "stops_early":
        return {"role": "assistant", "content": "That is all."}
    if here and fault in ("hallucinated_tool", "malformed_arguments"):
        hallucinated = fault == "hallucinated_tool"
        return _call(place, "do_it_all", "{}") if hallucinated else _call(place, script.calls[0].tool, '{"cut": ')
    if place >= len(script.calls):
        wrong = here and fault == "wrong_entity"
        report = script.report.model_dump(mode="json")
        given = report | {"outcome": "needs_information", "reason": None} if wrong else report
        return _call(place, "finish", orjson.dumps(given).decode())
    call = script.calls[place]
    arguments = dict(call.arguments)
    if here and fault == "wrong_entity":
        arguments = _another(arguments)
    return _call(place, call.tool, orjson.dumps(arguments).decode())


def _another(arguments: dict[str, Any]) -> dict[str, Any]:
    """The same call about another thing: another id where it has one, else another value."""
    name = next((name for name in arguments if name.endswith("_id")), next(iter(arguments), ""))
    value = arguments.get(name)
    if isinstance(value, int):
        return arguments | {name: value + 1}
    return arguments | ({name: f"{value} or another"} if isinstance(value, str) else {})


def _call(place: int, name: str, arguments: str) -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    return {
        "role": "assistant",
        "content": str(place),
        "tool_calls": [{"id": f"c{place}", "type": "function", "function": function}],
    }


@dataclass(frozen=True)
class Ground:
    """Environments with their truth, and where rollouts of them are kept."""

    made: list[Made]
    work: list[Assignment]
    runtime: Runtime
    folder: Path

    @property
    def scripts(self) -> dict[str, Script]:
        found = {}
        for one in self.made:
            writes = frozenset(tool.name for tool in one.bundle.tools if not tool.annotations.readOnlyHint)
            for task in one.bundle.tasks:
                if (gold := one.solutions.get(task.id)) is not None:
                    found[task.text] = Script(gold.calls, gold.report, writes)
        return found

    async def play(
        self, agent: Model, settings: RolloutSettings, work: Sequence[Assignment] | None = None
    ) -> list[Rollout]:
        store = TrajectoryStore(Home.resolve(tempfile.mkdtemp(dir=self.folder)))
        return [one async for one in Engine(self.runtime, agent, settings, store).roll(work or self.work)]


async def measure(folder: Path, environments: int, rollouts: int) -> Figures:
    async with Runtime() as runtime:
        made, _ = await make(folder, environments, runtime)
        return await measure_all(made, runtime, folder, rollouts)


async def measure_all(made: list[Made], runtime: Runtime, folder: Path, rollouts: int) -> Figures:
    settings = RolloutSettings()
    work = [assignment for one in made for assignment in _assignments(one, settings)]
    ground = Ground(made, work, runtime, folder)
    figures: Figures = {"environments": len(made), "tasks": len(work)}
    figures |= await measure_speed(ground, settings, rollouts)
    figures |= await measure_faults(ground, settings)
    return figures | await measure_solver(ground, settings, folder)


def _assignments(one: Made, settings: RolloutSettings) -> list[Assignment]:
    verifiers = {name: gated.verifier.source for name, gated in one.verifiers.items()}
    return assignments(one.bundle, one.solutions, verifiers, settings.reward)


async def measure_speed(ground: Ground, settings: RolloutSettings, rollouts: int) -> Figures:
    follower = Follower(ground.scripts)
    many = replace(settings, candidates=max(1, rollouts // len(ground.work)))
    started = time.perf_counter()
    played = await ground.play(follower, many)
    seconds = time.perf_counter() - started
    alone = await ground.play(follower, replace(settings, in_flight=1), ground.work[:SOLO])
    return {
        "rollouts_1000_s": round(1_000 * seconds / len(played), 2),
        "calls_per_rollout": round(sum(map(_calls, played)) / len(played), 2),
        "environment_ms_per_call": round(1_000 * sum(map(_tools_s, alone)) / sum(map(_calls, alone)), 3),
        "sessions_left_open": ground.runtime.open_sessions,
        "replays_equal": await _replays_equal(ground, alone),
    }


async def measure_faults(ground: Ground, settings: RolloutSettings) -> Figures:
    played = await ground.play(Follower(ground.scripts, faulty=True), replace(settings, candidates=len(FAULTS)))
    wrong = [one for one in played if _completed(one) != (FAULTS[one.trajectory.seed] == "none")]
    kinds = {fault: sum(FAULTS[one.trajectory.seed] == fault for one in wrong) for fault in FAULTS}
    return {"verdict_agreement": round(1 - len(wrong) / len(played), 4), "verdicts_wrong": kinds}


async def measure_solver(ground: Ground, settings: RolloutSettings, folder: Path) -> Figures:
    async def passed(competence: float, renamed: bool = False) -> float:
        model = f"embedded:competence={competence}"
        async with Gateway(LanguageSettings(models={Role.SOLVER: model}), folder) as gateway:
            agent: Model = GatewayModel(gateway, Caller("benchmark", "", Role.SOLVER), model)
            agent = Renamed(agent, f"{model} renamed") if renamed else agent
            played = await ground.play(agent, settings)
            return sum(map(_completed, played)) / len(played)

    competent, renamed = await passed(1.0), await passed(1.0, renamed=True)
    return {
        "pass_rate_competent": round(competent, 4),
        "pass_rate_half": round(await passed(0.8), 4),
        "pass_rate_weak": round(await passed(0.0), 4),
        "renamed_pass_drop": round(competent - renamed, 4),
    }


async def _replays_equal(ground: Ground, played: Sequence[Rollout]) -> float:
    bundles = {one.bundle.version: one.bundle for one in ground.made}
    replays = [await replay(ground.runtime, bundles[one.trajectory.bundle_version], one.trajectory) for one in played]
    return sum(one.reproduced for one in replays) / len(replays)


def _completed(rollout: Rollout) -> bool:
    return rollout.trajectory.outcome == "completed"


def _calls(rollout: Rollout) -> int:
    return sum(not call.is_report for step in rollout.trajectory.steps for call in step.calls)


def _tools_s(rollout: Rollout) -> float:
    return sum(step.timing.tools_s for step in rollout.trajectory.steps if step.timing is not None)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--environments", type=int, default=8)
    parser.add_argument("--rollouts", type=int, default=1_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = asyncio.run(measure(Path(folder), given.environments, given.rollouts))
    if given.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name:28} {value}")


if __name__ == "__main__":
    main()
