"""Figures of task families: whether their tasks stand, how different these are, and what drawing them costs.

    python -m benchmarks.families [--json] [--instances 30] [--tasks 240] [--quick] [--keep]

Of every example that has families. `family_instances_accepted`: of the instances of all families that were tried, the
share that stood the whole gate. `distinct_tasks`: of `--tasks` fresh tasks of the families that were accepted, drawn
through the short gate with a seed that no trial had, those that differ in family, in the calls with what they are
given, or in the end. `call_skeletons`: different chains of tools among them. `whole_gate_per_core_s` and
`fresh_tasks_per_core_s`: tasks a second of one core's time (all processes, the sandbox included) through the whole gate
and through the short one, the whole one for one draw in twenty included. `draw_gate_escapes`: of the draws that both
gates saw, those that the short one let through and the whole one did not. `--keep` writes what the trials have shown
into the examples, so that their families are trusted from then on.
"""

import argparse
import asyncio
import json
import resource
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from envfactory_dagster import examples
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.families import TaskFamily
from envfactory_dagster.contracts.synthesis import MadeTask
from envfactory_dagster.runtime.facts import analyze_tools
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.tasks.families.acceptance import TriedFamily, problems_of_module, skeleton, try_family
from envfactory_dagster.tasks.families.sampling import Fresh, fresh_tasks

FOLDER = Path(examples.__file__).parent
SEED = 11
QUICK = {"instances": 8, "tasks": 24}

Figures = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Timed:
    """What was made, with the seconds of processor time that it took."""

    core_s: float
    tried: dict[str, TriedFamily]
    fresh: Fresh | None = None


def core_seconds() -> float:
    """Of this process and of those that have ended: a runtime that is closed has left none."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


async def measure(name: str, instances: int, tasks: int, *, keep: bool) -> Figures:
    bundle = examples.load(name)
    whole = await _try_all(bundle, instances)
    accepted = {
        family: tried.record(bundle.families[family]).family
        for family, tried in whole.tried.items()
        if not tried.problems
    }
    if keep:
        for family in accepted.values():
            described = json.dumps(family.description(), indent=2, ensure_ascii=False)
            (FOLDER / name / "families" / f"{family.name}.json").write_text(f"{described}\n")
    short = await _draw(replace(bundle, families=accepted), tasks)
    made = sum(len(tried.made) for tried in whole.tried.values())
    dropped = sum(len(tried.dropped) for tried in whole.tried.values())
    fresh = short.fresh
    assert fresh is not None
    return {
        "families": len(bundle.families),
        "families_accepted": len(accepted),
        "family_instances_tried": made + dropped,
        "family_instances_accepted": round(made / (made + dropped), 3),
        "fresh_tasks": len(fresh.tasks),
        "fresh_tasks_dropped": len(fresh.dropped),
        "distinct_tasks": len({_content(one) for one in fresh.tasks}),
        "call_skeletons": len({skeleton(one) for one in fresh.tasks}),
        "whole_gate_per_core_s": round(made / whole.core_s, 2),
        "fresh_tasks_per_core_s": round(len(fresh.tasks) / short.core_s, 2),
        "draws_of_both_gates": fresh.wholly,
        "draw_gate_escapes": len(fresh.escapes),
        "by_family": {family: _row(bundle.families[family], tried, fresh) for family, tried in whole.tried.items()},
    }


async def _try_all(bundle: Bundle, instances: int) -> Timed:
    before = core_seconds()
    facts = analyze_tools(bundle.tools_source, bundle.schema_sql)
    tried = {}
    async with Runtime() as runtime:
        for name, family in bundle.families.items():
            problems = problems_of_module(family)
            tried[name] = (
                TriedFamily(problems=problems)
                if problems
                else await try_family(runtime, bundle, family, facts, instances)
            )
    return Timed(core_seconds() - before, tried)


async def _draw(bundle: Bundle, tasks: int) -> Timed:
    before = core_seconds()
    async with Runtime() as runtime:
        fresh = await fresh_tasks(runtime, bundle, tasks, SEED)
    return Timed(core_seconds() - before, {}, fresh)


def _content(made: MadeTask) -> str:
    """What tells one task from another, whatever words it is put in."""
    calls = [[call.tool, call.arguments] for call in made.solution.calls]
    report = made.solution.report.model_dump(mode="json", exclude={"message"})
    family = made.task.id.rsplit("_s", 1)[0]
    return json.dumps([family, calls, report], sort_keys=True)


def _row(family: TaskFamily, tried: TriedFamily, fresh: Fresh) -> Figures:
    drawn = [one for one in fresh.tasks if one.task.id.startswith(f"{family.name}_s")]
    calls = sorted(len(one.solution.calls) for one in drawn)
    return {
        "tried": len(tried.made) + len(tried.dropped),
        "accepted": len(tried.made),
        "fresh": len(drawn),
        "skeletons": len({skeleton(one) for one in drawn}),
        "calls": [calls[0], calls[-1]] if calls else [],
        "kinds": sorted({one.task.kind for one in drawn}),
        "problems": [problem.message for problem in tried.problems[:2]],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--instances", type=int, default=30, help="so many of each family are tried")
    parser.add_argument("--tasks", type=int, default=240, help="so many fresh tasks are drawn")
    parser.add_argument("--keep", action="store_true", help="write what the trials have shown into the examples")
    parser.add_argument("--quick", action="store_true", help="a few, to see that it runs")
    options = parser.parse_args()
    instances, tasks = options.instances, options.tasks
    if options.quick:
        instances, tasks = QUICK["instances"], QUICK["tasks"]
    figures = {
        name: asyncio.run(measure(name, instances, tasks, keep=options.keep))
        for name in examples.names()
        if examples.load(name).families
    }
    print(json.dumps(figures) if options.json else json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
