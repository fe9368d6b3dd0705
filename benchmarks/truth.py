"""Figures of the truth: what verifiers accept and reject, what the gate and inspection catch, and how fast.

    python -m benchmarks.truth [--json] [--environments 8] [--inspected 8] [--quick]

The worlds of the library are made, by the stages as they are run. `gold_accepted` to `variants_accepted` are over every
trial of the gate, those of tasks that were given up for their verifier included. A mutant of `unseen_mutants_killed`
comes from operators that the gate does not have (`further_mutants`).
`sabotaged_verifiers_caught` and `broken_tools_found`: injected by `sabotage`, of which the gate and inspection know
nothing; at the `broken_tools_only_warned` among them no tool fails, its author is asked. `form_leak`, `attacks` and
`reward_kinds_reachable` are those of `truth_reports`: whether a form tells the outcome of its task, what reports earn
that recite, hedge, lie or name every rule, and the share of the rewards on offer that pay the reference solution 1 and
a wrong end less. `false_alarms`: of good tools, the share that inspection fails; `--inspected` environments are
inspected, as they are and with one bug of each kind. `verify_ms`: two states opened, the
verifier run, the changeset compared with gold's, one of many. `gate_environment_s`: all tasks of an environment, as the
stage tries them; the median.
"""

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.further_mutants import mutants
from benchmarks.made_worlds import Made, make
from benchmarks.sabotage import inspect_broken_tools, sabotage
from benchmarks.truth_reports import measure_attacks, measure_form_leak, measure_rewards
from envfactory_dagster.contracts.truth import GatedVerifier, TaskGate, Trial, TrialKind, Verifier
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.changesets import Mask, normalize
from envfactory_dagster.truth.execution import run_solution
from envfactory_dagster.truth.gate import try_verifier
from envfactory_dagster.truth.verdicts import TaskChecks, judge_many

AT_ONCE = 3
VERIFIED_AT_ONCE = 32
TIMED_GATES = 12
PLAYED = 6
"""Environments whose tasks are played under every reward."""
QUICK = {"environments": 3, "inspected": 1}
SHOWN = 40

Figures = dict[str, Any]
Listed = list[dict[str, Any]]
Work = Callable[[Runtime, Made], Awaitable[Listed]]


async def _each(runtime: Runtime, environments: Sequence[Made], work: Work) -> list[Listed]:
    """Some at a time, and none kept warm afterwards."""
    free = asyncio.Semaphore(AT_ONCE)

    async def one(made: Made) -> Listed:
        async with free:
            try:
                return await work(runtime, made)
            finally:
                runtime.retire(made.bundle)

    return await asyncio.gather(*map(one, environments))


# -- the gate ----------------------------------------------------------------------------------------------------------


async def measure_gate(runtime: Runtime, environments: Sequence[Made]) -> Figures:
    """From the trials that were kept; of tasks that were given up for their verifier they are made again."""
    gates = [(made, gated.gate) for made in environments for gated in made.verifiers.values()]
    gates += [(made, gate) for made in environments for gate in await _gates_of_the_dropped(runtime, made)]
    trials = [trial for _, gate in gates for trial in gate.trials]
    tasks = sum(len(made.bundle.tasks) for made in environments)
    golds = [gold for made in environments for gold in made.solutions.values()]
    wrong = [(made, gate.task, trial) for made, gate in gates for trial in gate.trials if not trial.right]
    return {
        "environments": len(environments),
        "tasks": tasks,
        "tasks_surviving": _share(sum(len(made.verifiers) for made in environments), tasks),
        "tasks_with_several_ends": _share(sum(bool(gold.alternatives) for gold in golds), tasks),
        "gold_accepted": _right(trials, "gold", "gold_again"),
        "noop_rejected": _right(trials, "noop"),
        "minus_write_rejected": _right(trials, "minus_write"),
        "mutants_killed": _right(trials, "mutant"),
        "mutants": sum(trial.kind == "mutant" for trial in trials),
        "variants_accepted": _right(trials, "variant", "alternative"),
        "survivors": [_shown(made, task, trial) for made, task, trial in wrong],
        "dropped": [{"environment": m.bundle.key, **d.model_dump()} for m in environments for d in m.dropped],
    }


async def _gates_of_the_dropped(runtime: Runtime, made: Made) -> list[TaskGate]:
    given_up = [one.task for one in made.dropped if one.task in made.solutions and one.task in made.written]
    gates = [await _gate(runtime, made, Verifier(task=task, source=made.written[task])) for task in given_up]
    runtime.retire(made.bundle)
    return gates


async def _gate(runtime: Runtime, made: Made, verifier: Verifier) -> TaskGate:
    task = verifier.task
    donors = made.donors(task)
    return await try_verifier(runtime, made.bundle, made.task(task), made.solutions[task], verifier, donors)


def _right(trials: Iterable[Trial], *kinds: TrialKind) -> float | None:
    judged = [trial.right for trial in trials if trial.kind in kinds]
    return _share(sum(judged), len(judged))


def _shown(made: Made, task: str, trial: Trial) -> dict[str, Any]:
    reason = trial.reason or f"scores {trial.score:g}: no check sees it"
    return {
        "environment": made.bundle.key,
        "task": task,
        "trial": f"{trial.kind} {trial.operator}".strip(),
        "what": trial.what,
        "reason": reason,
    }


# -- not circular ------------------------------------------------------------------------------------------------------


async def measure_further_mutants(runtime: Runtime, environments: Sequence[Made]) -> Figures:
    shown = [one for found in await _each(runtime, environments, _further_mutants) for one in found]
    survivors = [one for one in shown if one["score"] == 1.0]
    drawn = Counter(one["operator"] for one in shown)
    survived = Counter(one["operator"] for one in survivors)
    return {
        "unseen_mutants_killed": _share(len(shown) - len(survivors), len(shown)),
        "unseen_mutants": len(shown),
        "unseen_mutants_by_operator": {name: [drawn[name] - survived[name], drawn[name]] for name in sorted(drawn)},
        "unseen_survivors": survivors,
    }


async def _further_mutants(runtime: Runtime, made: Made) -> Listed:
    shown = []
    for task, gated in made.verifiers.items():
        found = await mutants(runtime, made, task)
        verdicts = await judge_many(runtime, _checks(made, gated), [mutant.run for mutant in found])
        for mutant, verdict in zip(found, verdicts, strict=True):
            shown.append(
                {
                    "environment": made.bundle.key,
                    "task": task,
                    "operator": mutant.operator,
                    "what": mutant.what,
                    "score": verdict.score,
                }
            )
    return shown


def _checks(made: Made, gated: GatedVerifier) -> TaskChecks:
    task = gated.verifier.task
    return TaskChecks(made.task(task), gated.verifier.source, made.solutions[task].form)


# -- sabotage ----------------------------------------------------------------------------------------------------------


async def measure_sabotage(runtime: Runtime, environments: Sequence[Made], inspected: int) -> Figures:
    verifiers = await sabotage(runtime, environments)
    tools = await inspect_broken_tools(runtime, environments[:inspected])
    by_kind: dict[str, list[bool]] = defaultdict(list)
    for one in verifiers:
        by_kind[one.kind].append(one.caught)
    for bug in tools.broken:
        by_kind[bug.kind].append(bug.found)
    return {
        "sabotaged_verifiers_caught": _share(sum(one.caught for one in verifiers), len(verifiers)),
        "sabotaged_verifiers": len(verifiers),
        "broken_tools_found": _share(sum(bug.found for bug in tools.broken), len(tools.broken)),
        "broken_tools": len(tools.broken),
        "broken_tools_only_warned": sum(bug.only_warned for bug in tools.broken),
        "false_alarms": _share(len({alarm.rsplit(": ", 1)[0] for alarm in tools.alarms}), tools.tools),
        "sabotage_by_kind": {kind: [sum(found), len(found)] for kind, found in sorted(by_kind.items())},
        "sabotage_missed": [
            *(f"{one.environment} {one.task}: {one.kind}: {one.what}" for one in verifiers if not one.caught),
            *(f"{bug.environment}: {bug.kind}: {bug.what}" for bug in tools.broken if not bug.found),
        ],
        "alarms": tools.alarms,
        "warnings_of_good_tools": tools.warnings,
    }


# -- how much of an environment is used, and how fast it goes ----------------------------------------------------------


def measure_use(environments: Sequence[Made]) -> Figures:
    """Tables whose rows a solution changes or is shown, by the facts of the tools it calls; calls of each solution."""
    tables, tools = [], []
    for made in environments:
        called = {call.tool for gold in made.solutions.values() for call in gold.calls}
        seen = {table for tool in called for table in made.tables_of(tool)}
        tools.append(len(called) / len(made.bundle.tools))
        tables.append(len(seen) / len(made.schema.tables))
    solutions = [gold for made in environments for gold in made.solutions.values()]
    return {
        "tables_touched": round(statistics.mean(tables), 4),
        "tools_touched": round(statistics.mean(tools), 4),
        "solution_calls_median": statistics.median(len(gold.calls) for gold in solutions),
        "solution_unique_tools_median": statistics.median(len({c.tool for c in gold.calls}) for gold in solutions),
    }


async def measure_speed(runtime: Runtime, environments: Sequence[Made]) -> Figures:
    timed = environments[:TIMED_GATES]
    gates = [await _gate_seconds(runtime, made) for made in timed]
    verified = [await _verify_ms(runtime, made, task) for made in timed for task in list(made.verifiers)[:3]]
    return {
        "verify_ms": round(statistics.median(verified), 2),
        "gate_environment_s": round(statistics.median(gates), 2),
        "gate_environment_worst_s": round(max(gates), 2),
    }


async def _gate_seconds(runtime: Runtime, made: Made) -> float:
    begun = time.perf_counter()
    await asyncio.gather(*(_gate(runtime, made, gated.verifier) for gated in made.verifiers.values()))
    seconds = time.perf_counter() - begun
    runtime.retire(made.bundle)
    return seconds


async def _verify_ms(runtime: Runtime, made: Made, task: str) -> float:
    gold = made.solutions[task]
    run = await run_solution(runtime, made.bundle, made.task(task), gold.source, gold.form)
    checks = _checks(made, made.verifiers[task])
    mask = Mask.of(gold)
    begun = time.perf_counter()
    wanted = normalize(gold.changes, made.schema, run.clock, mask)
    await judge_many(runtime, checks, [run] * VERIFIED_AT_ONCE)
    same = [normalize(run.changes, made.schema, run.clock, mask) == wanted for _ in range(VERIFIED_AT_ONCE)]
    assert all(same)
    return 1000 * (time.perf_counter() - begun) / VERIFIED_AT_ONCE


# -- all of it ---------------------------------------------------------------------------------------------------------


async def measure(folder: Path, environments: int, inspected: int) -> Figures:
    async with Runtime() as runtime:
        begun = time.perf_counter()
        made, rejected = await make(folder, environments, runtime)
        if not made:
            raise SystemExit(f"No environment was made: {rejected}")
        figures: Figures = {"environments_rejected": rejected, "made_s": round(time.perf_counter() - begun, 1)}
        figures |= await measure_further_mutants(runtime, made)
        figures |= await measure_gate(runtime, made)
        figures |= measure_form_leak(made)
        figures |= await measure_attacks(runtime, made)
        figures |= await measure_rewards(runtime, made[:PLAYED], folder)
        figures |= await measure_sabotage(runtime, made, inspected)
        figures |= measure_use(made)
        return figures | await measure_speed(runtime, made)


def _share(part: int, whole: int) -> float | None:
    """None where there was nothing to count."""
    return round(part / whole, 4) if whole else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    parser.add_argument("--environments", type=int, default=8)
    parser.add_argument("--inspected", type=int, default=8)
    parser.add_argument("--quick", action="store_true", help=f"with {QUICK['environments']} environments")
    arguments = parser.parse_args()
    sizes = QUICK if arguments.quick else {"environments": arguments.environments, "inspected": arguments.inspected}
    with tempfile.TemporaryDirectory() as folder:
        figures = asyncio.run(measure(Path(folder), **sizes))
    if arguments.json:
        print(json.dumps(figures))
        return
    for name, value in figures.items():
        listed = value if isinstance(value, list) else None
        sys.stdout.write(f"{name:32} {value if listed is None else len(listed)}\n")
        for one in (listed or [])[:SHOWN]:
            sys.stdout.write(f"    {one}\n")


if __name__ == "__main__":
    main()
