"""The part of `benchmarks.arena` that measures the workspaces of the library.

Their worlds are built as far as their tools are inspected; then every family is tried with a few instances, through the
whole gate. `workspace_tasks`: the instances that stood it, and `workspace_tasks_released` those that a release keeps.
`workspace_instances_standing`: of the instances that were tried, the share that stood it. `workspace_gold`: the share
of the tasks whose reference solution scores 1. `workspace_mutants_killed`: of the gate's mutants, reports included.
`workspace_unseen_mutants_killed`: of mutants by operators that the gate does not have (`further_mutants`), over the
released tasks. `workspace_across`: the share of the tasks whose reference solution calls tools of several servers.
`workspace_one_server_short`: of released tasks that write, the share in which a further write at another server costs
the point. `workspace_edges_across`: edges of the tool graphs that lead from one server to another.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.further_mutants import mutants
from benchmarks.made_worlds import Made
from envfactory_dagster.authoring.discovery import ThemePool
from envfactory_dagster.authoring.discovery.pool import Round
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import INITIAL_STATE
from envfactory_dagster.contracts.inspection import Inspection
from envfactory_dagster.contracts.synthesis import MadeTask
from envfactory_dagster.contracts.truth import TracedStep
from envfactory_dagster.library import joint_worlds
from envfactory_dagster.library.collection import Library
from envfactory_dagster.resources.authoring import AuthoringResource
from envfactory_dagster.resources.store import StoreResource
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.workspaces import workspace_bundle
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.memo import run_partitions
from envfactory_dagster.tasks.graph.across import workspace_graph
from envfactory_dagster.tasks.workspaces import WorkspaceTasks, with_tasks
from envfactory_dagster.truth.execution import run_calls
from envfactory_dagster.truth.verdicts import TaskChecks, judge, judge_many

Figures = dict[str, float]

INSTANCES = 10
"""Of each family."""
LAST_STAGE = "inspection"


async def workspaces(folder: Path) -> Figures:
    joint = [joint_worlds.read(name) for name in joint_worlds.names()]
    bundles = await _built(folder, sorted({server.environment for one in joint for server in one.workspace.servers}))
    made, unseen, strays, edges = list[WorkspaceTasks](), list[float](), list[float](), 0
    async with Runtime() as runtime:
        for one in joint:
            bundle = await workspace_bundle(runtime, one.workspace, bundles)
            edges += _edges_across(bundle)
            tasks = await with_tasks(runtime, bundle, one.families, INSTANCES)
            made.append(tasks)
            for task in tasks.tasks:
                unseen += await _scores_of_unseen(runtime, tasks.bundle, task)
                strays += await _scores_of_strays(runtime, tasks.bundle, task, tasks.tasks)
    return _figures(made) | {
        "workspaces": len(joint),
        "workspace_edges_across": edges,
        "workspace_unseen_mutants": len(unseen),
        "workspace_unseen_mutants_killed": _share([score < 1.0 for score in unseen]),
        "workspace_stray_writes": len(strays),
        "workspace_one_server_short": _share([score < 1.0 for score in strays]),
    }


async def _built(folder: Path, keys: Sequence[str]) -> dict[str, Bundle]:
    """The worlds with the tools as they were inspected."""
    library, home = Library(), Home.resolve(folder)
    cards, pool = library.cards, ThemePool(home)
    pool.refresh()
    for key in keys:
        library.copy_documents(key, home.snapshots)
    pool.commit(Round(taken=[cards[key].proposal for key in keys]))
    store = StoreResource(home=str(folder))
    for size in sorted({cards[key].size for key in keys}):
        here = [key for key in keys if cards[key].size == size]
        async with AuthoringResource(size=size).stages(store) as stages:
            for name, stage in stages.items():
                async for _ in run_partitions(store.records(), stage, here, 2):
                    pass
                if name == LAST_STAGE:
                    break
    found = {}
    for key in keys:
        record = store.records().latest(LAST_STAGE, key)
        assert record is not None and record.artifact is not None, f"{key} was not built"
        bundle, source = store.bundles().load(key), Inspection.model_validate(record.artifact).revised_source
        found[key] = replace(bundle, tools_source=source or bundle.tools_source)
    return found


def _figures(made: Sequence[WorkspaceTasks]) -> Figures:
    tasks = [task for one in made for task in one.gated]
    trials = [trial for task in tasks for trial in task.verifier.gate.trials]
    records = [record for one in made for record in one.records]
    gold = [trial.right for trial in trials if trial.kind in ("gold", "gold_again")]
    killed = [trial.right for trial in trials if trial.kind == "mutant"]
    return {
        "workspace_families": len(records),
        "workspace_families_dropped": sum(len(one.dropped) for one in made),
        "workspace_tasks": len(tasks),
        "workspace_tasks_released": sum(len(one.tasks) for one in made),
        "workspace_instances_standing": round(len(tasks) / max(1, sum(record.tried for record in records)), 4),
        "workspace_across": _share([len({call.tool.partition("_")[0] for call in _calls(one)}) > 1 for one in tasks]),
        "workspace_gold": _share(gold),
        "workspace_mutants": len(killed),
        "workspace_mutants_killed": _share(killed),
    }


def _calls(made: MadeTask) -> list[TracedStep]:
    return made.solution.calls


def _edges_across(bundle: Bundle) -> int:
    edges = workspace_graph(bundle).edges
    return sum(edge.source.partition("_")[0] != edge.target.partition("_")[0] for edge in edges)


async def _scores_of_unseen(runtime: Runtime, bundle: Bundle, made: MadeTask) -> list[float]:
    """What the verifier gives mutants that no gate knows of."""
    task, gold = made.task, made.solution
    here = replace(bundle, states={name: bundle.states[name] for name in (INITIAL_STATE, task.state)}, tasks=[task])
    alone = Made(here, {task.id: gold}, {task.id: made.verifier}, [])
    runs = [mutant.run for mutant in await mutants(runtime, alone, task.id)]
    checks = TaskChecks(task, made.verifier.verifier.source, gold.form)
    return [verdict.score for verdict in await judge_many(runtime, checks, runs)]


async def _scores_of_strays(
    runtime: Runtime, bundle: Bundle, made: MadeTask, others: Sequence[MadeTask]
) -> list[float]:
    """What it gives the reference solution with a write at a server that it leaves alone, taken from another task."""
    own = {change.table.partition("_")[0] for change in made.solution.changes}
    reading = {tool.name for tool in bundle.tools if tool.annotations.readOnlyHint}
    strays = [
        call
        for other in others
        for call in _calls(other)
        if call.outcome == "ok" and call.tool not in reading and call.tool.partition("_")[0] not in own
    ]
    checks, scores = TaskChecks(made.task, made.verifier.verifier.source, made.solution.form), []
    for call in {call.tool: call for call in strays}.values():
        run = await run_calls(runtime, bundle, made.task, [*_calls(made), call], made.solution.report)
        if run.calls[-1].outcome == "ok":
            scores.append((await judge(runtime, checks, run)).score)
    return scores


def _share(right: Sequence[bool]) -> float:
    return round(sum(right) / len(right), 4) if right else 0.0
