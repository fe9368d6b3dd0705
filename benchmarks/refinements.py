"""Figures of the refinements: what they take out of requests, and what they cost.

    python -m benchmarks.refinements [--json] [--environments 6]

Every gated task of environments of the embedded author is divided into turns and worded by whoever looks at its calls,
which is the `before`: the embedded author then names things by the identifiers that stand in the calls. Each refinement
is made on that alone, and all of them one after the other. For each: `leaked_identifiers_removed`, the share of the
identifiers given away before that are gone; `words_per_subgoal`, before and after; `solvable_lost`, of what the
competent embedded solver does before, at once (`single`) and turn by turn (`conversation`), the share that it does no
longer. The same names without a refinement are those of all together.
"""

import argparse
import asyncio
import json
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.truth_ground import Made, make
from envfactory_dagster.contracts.synthesis import MadeTask, Refinement
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.language.settings import LanguageSettings
from envfactory_dagster.rollouts.assignments import Assignment
from envfactory_dagster.rollouts.engine import Engine
from envfactory_dagster.rollouts.model import GatewayModel
from envfactory_dagster.rollouts.settings import RolloutSettings, Setting
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.runtime.facts import analyze_tools
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.home import Home
from envfactory_dagster.tasks.authored import authored_tasks
from envfactory_dagster.tasks.conversations.cuts import cuts
from envfactory_dagster.tasks.conversations.identifiers import Internals, names_inside
from envfactory_dagster.tasks.conversations.making import GivenUp, Ground, Talk, Writer, articulated, refined
from envfactory_dagster.tasks.conversations.settings import ALL_REFINEMENTS
from envfactory_dagster.truth.verdicts import Checks
from envfactory_dagster.truth.yardstick import Yardstick

BEFORE, ALL = "before", "all"
WORDINGS: Mapping[str, tuple[Refinement, ...]] = {
    BEFORE: (),
    **{one: (one,) for one in ALL_REFINEMENTS},
    ALL: ALL_REFINEMENTS,
}
SETTINGS: tuple[Setting, ...] = ("single", "conversation")
MODEL = "embedded:competence=1.0"
ATTEMPTS = 5

Figures = dict[str, Any]


@dataclass(frozen=True)
class Worded:
    """One task in every wording; `subgoals`: how many stretches of its calls belong together."""

    ground: Ground
    talks: Mapping[str, Talk]
    subgoals: int

    def leaked(self, wording: str) -> int:
        talk = self.talks[wording]
        return len(talk.secrets.leaked(talk.wording.requests))

    def words(self, wording: str) -> int:
        return self.talks[wording].wording.words()

    def assignment(self, wording: str, settings: RolloutSettings) -> Assignment:
        """The task in one wording, held against the same solution and verifier as ever."""
        talk, bundle = self.talks[wording], self.ground.bundle
        parent = talk.parent
        name = f"{parent.task.id[:40]}_{wording}"
        task = parent.task.model_copy(update={"id": name, "text": talk.text})
        yardstick = Yardstick(bundle, task, parent.solution, self.ground.facts, settings.reward)
        checks = Checks(task, parent.verifier.verifier.source, parent.solution.form)
        return Assignment(bundle, task, checks, yardstick, talk.conversation("plain"))


async def measure(made: Sequence[Made], runtime: Runtime, folder: Path) -> Figures:
    """Over environments that are there already."""
    async with Gateway(LanguageSettings(models={Role.SOLVER: MODEL}), folder) as gateway:
        worded, lost = await word(made, gateway)
        passed = {(wording, setting): await play(worded, wording, setting, gateway, runtime, folder)
                  for wording in WORDINGS for setting in SETTINGS}  # fmt: skip
    figures: Figures = {"environments": len(made), "tasks": len(worded), "not_worded": lost}
    figures |= {
        f"passed_{wording}_{setting}": round(len(solved) / max(1, len(worded)), 4)
        for (wording, setting), solved in passed.items()
    }
    for wording in WORDINGS:
        if wording != BEFORE:
            suffix = "" if wording == ALL else f"_{wording}"
            figures |= {f"{name}{suffix}": value for name, value in compare(worded, passed, wording).items()}
    return figures


async def word(made: Sequence[Made], gateway: Gateway) -> tuple[list[Worded], int]:
    """Every task in every wording, and how many could not be worded."""
    worded, lost = [], 0
    for one in made:
        facts = analyze_tools(one.bundle.tools_source, one.bundle.schema_sql)
        ground = Ground(one.bundle, Internals(), facts, names_inside(one.bundle, list(one.schema.tables)))
        for parent in authored_tasks(one.bundle, one.solutions.values(), one.verifiers.values(), facts):
            try:
                worded.append(await _worded(ground, parent, gateway))
            except GivenUp:
                lost += 1
    return worded, lost


async def _worded(ground: Ground, parent: MadeTask, gateway: Gateway) -> Worded:
    writer = Writer(gateway, Caller("benchmark", ground.bundle.key, Role.AUTHOR), ATTEMPTS)
    raw = await articulated(writer, ground, parent)
    talks = {name: await refined(writer, raw, wanted) for name, wanted in WORDINGS.items()}
    return Worded(ground, talks, len(cuts(parent.solution.calls, ground.internals, ground.facts)))


async def play(
    worded: Sequence[Worded], wording: str, setting: Setting, gateway: Gateway, runtime: Runtime, folder: Path
) -> set[tuple[str, str]]:
    """The tasks that the solver does in this wording: environment and task."""
    settings = replace(RolloutSettings(), setting=setting)
    work = [one.assignment(wording, settings) for one in worded]
    names = {(w.bundle.key, w.task.id): one.talks[wording].parent.task.id for w, one in zip(work, worded, strict=True)}
    agent = GatewayModel(gateway, Caller("benchmark", "", Role.SOLVER), MODEL)
    user = GatewayModel(gateway, Caller("benchmark", "", Role.USER), "embedded")
    store = TrajectoryStore(Home.resolve(tempfile.mkdtemp(dir=folder)))
    solved = set()
    async for rollout in Engine(runtime, agent, settings, store, user).roll(work):
        played = rollout.trajectory
        if played.outcome == "completed":
            solved.add((played.environment, names[played.environment, played.task]))
    return solved


def compare(
    worded: Sequence[Worded], passed: Mapping[tuple[str, Setting], set[tuple[str, str]]], wording: str
) -> Figures:
    leaked = Counter({name: sum(one.leaked(name) for one in worded) for name in (BEFORE, wording)})
    words = Counter({name: sum(one.words(name) for one in worded) for name in (BEFORE, wording)})
    subgoals = sum(one.subgoals for one in worded)
    before = [(setting, task) for setting in SETTINGS for task in passed[BEFORE, setting]]
    lost = [task for setting, task in before if task not in passed[wording, setting]]
    return {
        "leaked_identifiers_before": leaked[BEFORE],
        "leaked_identifiers_removed": round(1 - leaked[wording] / max(1, leaked[BEFORE]), 4),
        "words_per_subgoal_before": round(words[BEFORE] / max(1, subgoals), 2),
        "words_per_subgoal_after": round(words[wording] / max(1, subgoals), 2),
        "solvable_lost": round(len(lost) / max(1, len(before)), 4),
    }


async def measure_alone(folder: Path, environments: int) -> Figures:
    async with Runtime() as runtime:
        made, _ = await make(folder, environments, runtime)
        return await measure(made, runtime, folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--environments", type=int, default=6)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = asyncio.run(measure_alone(Path(folder), given.environments))
    if given.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name:48} {value}")


if __name__ == "__main__":
    main()
