"""`envfactory evolve`: rounds of co-evolution, one after the other, by the job `co_evolution`.

Belongs here: asking for the rounds, and showing what came of each. Does not: a round (`assets.arena`,
`assets.evolution`).
"""

from typing import TYPE_CHECKING, Annotated, Any

import orjson
import typer

from envfactory_dagster.commands.options import AsJson
from envfactory_dagster.commands.terminal import say

if TYPE_CHECKING:
    from envfactory_dagster.contracts.evolution import RoundEvaluation

_JOB = "co_evolution"


def evolve(
    experiment: Annotated[str, typer.Argument(help="The name of the experiment.")] = "first",
    rounds: Annotated[int, typer.Option(min=1, max=100, help="How many rounds it has in all.")] = 2,
    recipe: Annotated[
        str | None, typer.Option(help="What is trained: a recipe that is shipped, or a file. It begins with rl_policy.")
    ] = None,
    policy: Annotated[
        str | None, typer.Option(help="`simulated_learner`: goes through rounds without a model, and learns nothing.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Examine a policy, train it on what it is weak in, and do so again, beside two controls.

    A round that is finished costs nothing, one that was stopped is gone on with.
    """
    from envfactory_dagster.assets.arena import ROUND
    from envfactory_dagster.assets.evolution import EVOLUTION
    from envfactory_dagster.commands.arena import run_round
    from envfactory_dagster.commands.runs import home_instance

    settings = {name: value for name, value in {"policy": policy, "recipe": recipe}.items() if value is not None}
    keys = _checked(experiment, rounds, settings)
    shown: list[dict[str, Any]] = []
    with home_instance() as instance:
        for key in keys:
            run_round(instance, _JOB, [*ROUND, *EVOLUTION], key, settings, hidden=as_json)
            shown.append(found := _found(key))
            if not as_json:
                _print(found)
            if found["evaluation"] is None:
                break
    if as_json:
        say(orjson.dumps({"experiment": experiment, "rounds": shown}).decode())


def _checked(experiment: str, rounds: int, settings: dict[str, Any]) -> list[str]:
    """The keys of the rounds. Refuses at once what a round would only come to later: a name that cannot be, models that
    are not set, a recipe that cannot be read, no `rl_policy` to begin with, and an `rl_dataset` in which nothing is
    held out under the policy's protocol."""
    from envfactory_dagster.arena.base_tasks import BaseTasks
    from envfactory_dagster.arena.rounds import ArenaRound
    from envfactory_dagster.measuring.recipes import view_of
    from envfactory_dagster.measuring.trained import made_last
    from envfactory_dagster.resources.arena import ArenaResource
    from envfactory_dagster.resources.trained import FIRST
    from envfactory_dagster.rollouts.settings import AgentView
    from envfactory_dagster.store.home import Home

    keys = [ArenaRound(experiment, number).key for number in range(rounds)]
    ArenaRound.of_key(keys[0])
    arena = ArenaResource(**settings)
    arena.check_training()
    arena.models()
    home, view = Home.resolve(), AgentView()
    if arena.recipe is not None:
        view = view_of(arena.recipe_path())
        made_last(home, FIRST)
    BaseTasks.read(home, view.protocol).held_out()
    return keys


def _found(key: str) -> dict[str, Any]:
    """What the round left; no evaluation where there was nothing to practise."""
    from envfactory_dagster.arena.policies import POLICY_OF
    from envfactory_dagster.arena.practice import STAGE as PRACTICE
    from envfactory_dagster.arena.round_evaluation import STAGE as EVALUATION
    from envfactory_dagster.contracts.evolution import RoundPractice
    from envfactory_dagster.store.home import Home
    from envfactory_dagster.store.records import RecordStore

    records = RecordStore(Home.resolve())

    def artifact(stage: str) -> Any:
        record = records.latest(stage, key)
        return None if record is None else record.artifact

    practice = RoundPractice.model_validate(artifact(PRACTICE))
    return {
        "round": key,
        "policies": {arm: artifact(stage) for arm, stage in POLICY_OF.items()} if practice.arms else {},
        "practised": {one.arm: len(one.tasks) for one in practice.arms},
        "evaluation": artifact(EVALUATION) if practice.arms else None,
    }


def _print(found: dict[str, Any]) -> None:
    from rich.table import Table

    from envfactory_dagster.arena.practice import NOTHING_TO_PRACTISE
    from envfactory_dagster.commands.console import Console
    from envfactory_dagster.contracts.evolution import RoundEvaluation

    if found["evaluation"] is None:
        say(f"{found['round']}: {NOTHING_TO_PRACTISE}")
        return
    made = RoundEvaluation.model_validate(found["evaluation"])
    title = f"{found['round']}: held-out tasks of rl_dataset {made.dataset}, each played {made.candidates} times"
    arms = Table("arm", "policy", "practised", "passed", title=title)
    for one in made.arms:
        rate = one.rates[0]
        practised = str(found["practised"].get(one.arm, "nothing"))
        arms.add_row(one.arm, one.policy, practised, f"{rate.value:.0%} ({rate.low:.0%} to {rate.high:.0%})")
    console = Console()
    console.print(arms, markup=False)
    for line in _compared(made):
        say(line)
    say(made.note)


def _compared(made: "RoundEvaluation") -> list[str]:
    who = "simulated_learner, targeted" if made.simulated else "targeted"
    return [
        f"{who} − {one.compared_with}: {one.difference:+.1%} ({one.low:+.1%} to {one.high:+.1%}), {one.tasks} tasks"
        for one in made.differences
    ]
