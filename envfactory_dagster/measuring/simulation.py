"""How well a language model plays the tools: every call of some episodes answered by both, and compared.

Belongs here: having the episodes played, and the figures. Does not: asking the model (`rollouts.simulator`).

    simulations/NAME/calls.jsonl    every call with both answers
    simulations/NAME/result.json    the figures

An answer of the model is never paid for twice, so that what was cut off is done again by the same command at no cost.
"""

import asyncio
import re
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import orjson

from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.contracts.benchmarks import Spread
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.errors import InfrastructureFault, UsageError
from envfactory_dagster.contracts.inspection import Inspection
from envfactory_dagster.contracts.simulation import CallsCompared, Share, SimulatedCall, SimulationResult
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Role
from envfactory_dagster.language.settings import BUILT_IN_MODEL, LanguageSettings
from envfactory_dagster.measuring.measurement import spent_on
from envfactory_dagster.rollouts.results import interval
from envfactory_dagster.rollouts.scoring import Rollout
from envfactory_dagster.rollouts.simulator import ASSET, Simulator
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.session import Call
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore
from envfactory_dagster.tasks.playing import Players, PlayPlan, Unplayable, chosen
from envfactory_dagster.truth.rewards import RewardSettings

_REWARD = RewardSettings(weights={"checks": 1.0}, message_words=False)
INSPECTION = "inspection"
"""The agent that makes the calls of inspections."""
SAME = ("none", "order")
"""Differences that are none."""
Episode = tuple[str, str, int]


async def simulate(
    home: Home,
    settings: LanguageSettings,
    environments: Sequence[str],
    most_tasks: int | None,
    say: Callable[[str], object],
) -> tuple[SimulationResult, Path]:
    """Released tasks, played once each, or the calls of inspections. The model of the role judge answers for the tools,
    that of the role solver calls them."""
    settings.require(Role.JUDGE)
    if settings.model(Role.JUDGE) == BUILT_IN_MODEL:
        raise UsageError("There is no model that could stand for the tools: name one with --endpoint and --simulator.")
    plan = PlayPlan(candidates=1, environments=environments, most_tasks=most_tasks, reward=_REWARD)
    name, agent = _name(settings, plan), settings.model(Role.SOLVER)
    async with Gateway(settings, home.root) as gateway, Runtime() as runtime:
        simulator, passed = Simulator(gateway, name), None
        if agent == INSPECTION:
            episodes = await _tried(home, runtime, simulator, plan, say)
        else:
            players = Players(home, gateway, runtime, settings, simulator=simulator)
            episodes, passed = await _played(players, plan, say)
    calls = sorted(simulator.calls, key=lambda one: (one.environment, one.task, one.seed, one.number))
    if not calls:
        raise UsageError("No call was made that a model could answer.")
    result = SimulationResult(
        simulator=settings.model(Role.JUDGE),
        agent=agent,
        environments=len({one.environment for one in calls}),
        episodes=episodes,
        same_throughout=episodes - len({_episode(one) for one in calls if one.difference not in SAME}),
        passed=passed,
        calls={share: _compared(chosen) for share, chosen in shares(calls).items()},
        broken_schema=sum(not one.fits for one in calls),
        in_part=sum(not one.whole_state for one in calls),
        spent=spent_on(home, ASSET, name),
    )
    return result, _kept(home.local / "simulations" / name, calls, result)


async def _played(players: Players, plan: PlayPlan, say: Callable[[str], object]) -> tuple[int, int]:
    """How many episodes there were, and how many of them the verifier accepts."""
    rollouts: list[Rollout] = []
    with tempfile.TemporaryDirectory() as folder:
        players.store = TrajectoryStore(Home.resolve(folder))  # what these agents were told is no experience
        async for played in players.play(plan):
            if isinstance(played, Unplayable):
                raise UsageError(f"{played.key} cannot be played: {played.reason}")
            rollouts += played.rollouts
            say(f"{played.rollouts[0].trajectory.environment}: {len(played.rollouts)} episodes")
    lost = [one for one in rollouts if one.trajectory.outcome in ("environment_error", None)]
    if lost:
        raise InfrastructureFault(
            f"{len(lost)} of {len(rollouts)} episodes came to no end: {lost[0].detail}. No figure is told of the "
            "others alone. The same command goes on, and pays for no answer twice."
        )
    return len(rollouts), sum(one.trajectory.outcome == "completed" for one in rollouts)


async def _tried(
    home: Home, runtime: Runtime, simulator: Simulator, plan: PlayPlan, say: Callable[[str], object]
) -> int:
    """The calls that inspections tried tools with, session by session. How many sessions there were."""
    episodes = 0
    for key, release in chosen(RecordStore(home), plan.environments):
        bundle = BundleStore(home).load(key, release.version)
        report = Inspection.model_validate(bundle.inspection) if bundle.inspection is not None else None
        sessions: defaultdict[tuple[str, int, int], list[Call]] = defaultdict(list)
        for test in report.tests if report is not None else []:
            if test.state in bundle.states:
                sessions[test.state, test.round, test.session].append((test.case.tool, test.case.arguments))
        some = sorted(sessions.items())[: plan.most_tasks]
        await asyncio.gather(*(_try(runtime, simulator, bundle, place, calls) for place, calls in some))
        episodes += len(some)
        say(f"{key}: {len(some)} sessions")
        runtime.retire(bundle)
    return episodes


async def _try(
    runtime: Runtime, simulator: Simulator, bundle: Bundle, place: tuple[str, int, int], calls: Sequence[Call]
) -> None:
    state, number, session_number = place
    async with await runtime.open(bundle, state=state) as session:
        name = f"{state}, round {number}, session {session_number}"
        await simulator.beside(session, bundle, state, name, 0).call_many(calls)


def _name(settings: LanguageSettings, plan: PlayPlan) -> str:
    models = [settings.model(Role.JUDGE), settings.model(Role.SOLVER)]
    short = re.sub(r"[^A-Za-z0-9.]+", "-", models[0]).strip("-.")
    return f"{short}-{content_hash([*models, settings.base_url, [*plan.environments], plan.most_tasks])[:8]}"


def _kept(folder: Path, calls: Sequence[SimulatedCall], result: SimulationResult) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    lines = [orjson.dumps(one.model_dump(mode="json")) + b"\n" for one in calls]
    (folder / "calls.jsonl").write_bytes(b"".join(lines))
    (folder / "result.json").write_bytes(orjson.dumps(result.model_dump(mode="json"), option=orjson.OPT_INDENT_2))
    return folder


def shares(calls: Sequence[SimulatedCall]) -> dict[Share, list[SimulatedCall]]:
    """Which calls each figure is of. Those of an episode come in their order."""
    worked = [one for one in calls if one.executed.outcome == "ok"]
    return {
        "all": list(calls),
        "reading": [one for one in worked if one.reads],
        "writing": [one for one in worked if not one.reads],
        "refused": [one for one in calls if one.executed.outcome != "ok"],
        "undisturbed": list(_undisturbed(calls)),
    }


def _undisturbed(calls: Sequence[SimulatedCall]) -> Iterator[SimulatedCall]:
    differ: set[Episode] = set()
    for one in calls:
        if _episode(one) not in differ:
            yield one
        if one.difference not in SAME:
            differ.add(_episode(one))


def _episode(call: SimulatedCall) -> Episode:
    return call.environment, call.task, call.seed


def _compared(calls: Sequence[SimulatedCall]) -> CallsCompared:
    found = interval([float(one.difference in SAME) for one in calls], [one.environment for one in calls])
    same = None if found is None else Spread(mean=found.mean, low=found.low, high=found.high)
    return CallsCompared(calls=len(calls), same=same, differences=dict(Counter(one.difference for one in calls)))
