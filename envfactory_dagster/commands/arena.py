"""`envfactory arena`: one round, in which a policy is examined, by the job `arena_round`.

Belongs here: asking for the round, and showing what came of it. Does not: the round (`assets.arena`).
"""

from typing import TYPE_CHECKING, Annotated, Any

import orjson
import typer

from envfactory_dagster.commands.options import AsJson
from envfactory_dagster.commands.terminal import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    import dagster as dg

    from envfactory_dagster.contracts.arena import Rate
    from envfactory_dagster.contracts.diagnosis import Diagnosis

_JOB = "arena_round"


def arena(
    key: Annotated[
        str, typer.Argument(metavar="ROUND", help="The name of an experiment with the round's number: `first-r00`.")
    ],
    policy: Annotated[str | None, typer.Option(help="Who plays; by default the model of the role solver.")] = None,
    as_json: AsJson = False,
) -> None:
    """Examine a policy in environments it was not trained on, and say what it is weak in.

    A round that is finished costs nothing, one that was stopped is gone on with.
    """
    from envfactory_dagster.arena.earlier import tasks_of
    from envfactory_dagster.arena.rounds import ArenaRound
    from envfactory_dagster.assets.arena import ROUND
    from envfactory_dagster.commands.runs import home_instance
    from envfactory_dagster.resources.arena import ArenaResource
    from envfactory_dagster.store.home import Home
    from envfactory_dagster.store.records import RecordStore

    ArenaResource(policy=policy).models()
    for before in ArenaRound.of_key(key).before[-1:]:
        tasks_of(RecordStore(Home.resolve()), before)
    with home_instance() as instance:
        run_round(instance, _JOB, ROUND, key, {} if policy is None else {"policy": policy}, hidden=as_json)
    found = _found(key)
    if as_json:
        say(orjson.dumps(found).decode())
    else:
        _print(key, found)
    if found["reason"]:
        raise typer.Exit(1)


def run_round(
    instance: "dg.DagsterInstance",
    job: str,
    assets: "Sequence[dg.AssetsDefinition]",
    key: str,
    settings: dict[str, Any],
    *,
    hidden: bool,
) -> None:
    """Run a job, which makes these assets, for a round. `settings`: those of the resource `arena` that are not as they
    are by default. `hidden`: no bars."""
    from envfactory_dagster.commands.progress import bars
    from envfactory_dagster.commands.runs import run_job
    from envfactory_dagster.partitions import ROUNDS, one_tag

    instance.add_dynamic_partitions(ROUNDS, [key])
    names = [asset.key.to_user_string() for asset in assets]
    with bars(dict.fromkeys(names, 1), hidden=hidden, expected=None) as watcher:
        run_job(instance, job, watcher, tags=one_tag(key), resources={"arena": settings})


def _found(key: str) -> dict[str, Any]:
    """What each stage of the round left, and why there is no more of it."""
    from envfactory_dagster.assets.arena import ROUND
    from envfactory_dagster.store.home import Home
    from envfactory_dagster.store.records import RecordStore

    records = RecordStore(Home.resolve())
    found: dict[str, Any] = {"round": key, "reason": ""}
    for name in (asset.key.to_user_string() for asset in ROUND):
        record = records.latest(name, key)
        if record is not None and record.artifact is not None:
            found[name] = record.artifact
        elif record is not None and not found["reason"]:
            found["reason"] = record.reason
    return found


def _print(key: str, found: dict[str, Any]) -> None:
    from rich.table import Table

    from envfactory_dagster.commands.console import Console
    from envfactory_dagster.contracts.arena import ArenaResults
    from envfactory_dagster.contracts.diagnosis import Diagnosis

    if found["reason"]:
        say(f"{key}: {found['reason']}")
        return
    console = Console()
    results = ArenaResults.model_validate(found["arena_results"])
    console.print(
        f"{key}, played by {results.policy}: {results.overall.tasks} tasks in {len(results.rates['environment'])} "
        f"environments, {_rate(results.overall)} passed.",
        markup=False, highlight=False, soft_wrap=True,
    )  # fmt: skip
    diagnosis = Diagnosis.model_validate(found["diagnosis"])
    causes = Table("why tasks were failed", "share", title=f"{diagnosis.failed} failed episodes, {diagnosis.author}")
    for pattern in diagnosis.patterns:
        causes.add_row(pattern.description, f"{pattern.share:.0%}")
    weak = Table("weak environment", "passed", "to be practised")
    for one in diagnosis.weak:
        rate = next(rate for rate in results.rates["environment"] if rate.group == one.environment)
        practised = _practised(diagnosis, one.environment)
        weak.add_row(one.environment, _rate(rate), ", ".join(practised))
    for table in (causes, weak):
        console.print(table, markup=False)
    if diagnosis.weak and not diagnosis.clear:
        console.print("None is clearly weaker than the others; these are the lowest.", soft_wrap=True)


def _rate(rate: "Rate") -> str:
    return f"{rate.value:.0%} ({rate.low:.0%} to {rate.high:.0%})"


def _practised(diagnosis: "Diagnosis", environment: str) -> list[str]:
    return [name for one in diagnosis.guidelines if one.environment == environment for name in one.practise]
