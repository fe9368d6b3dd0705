"""AWM's ratings: how feasible the tasks are, how well the data fits them, how complete the tools are; bugs and blocks.

Belongs here: the question for the three ratings, and what is counted beside them. Does not: tests (`rounds`).
"""

from collections.abc import Sequence

from envfactory_dagster.authoring.loop import Question
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.database import Table
from envfactory_dagster.contracts.inspection import ComputedFacts, Ratings
from envfactory_dagster.contracts.judge_requests import InspectionRatingsAnswer, InspectionRatingsContext, RatingAnswer
from envfactory_dagster.contracts.records import Problem
from envfactory_dagster.contracts.tool_signatures import HOW_TO_READ, ToolSignature
from envfactory_dagster.runtime.facts.schema import load_schema
from envfactory_dagster.truth.inspection.asking import Asking
from envfactory_dagster.truth.inspection.examination import Examined
from envfactory_dagster.truth.inspection.inspected import Inspected

INSTRUCTIONS = f"""\
You rate an environment in which agents will be trained: the service that `theme` describes, with its `tables`, its
`tools` and the `tasks` that people bring to it. `facts` and `failures` were found by using it; `blocked_tasks` cannot
be done as it is. Give each rating as a whole `score` from 1 (useless) to 5 (nothing to add), with a `reason`:
- `task_feasibility`: whether the tasks can be done in it, each within the tools and the data;
- `data_alignment`: whether the tables hold what the tasks speak of, coherently and no more than needed;
- `toolset_completeness`: whether the tools let one find, read and change all that the tasks need, and work.
Weigh what is shown; do not guess at what is not.

{HOW_TO_READ}
"""

NAMES = ("task_feasibility", "data_alignment", "toolset_completeness")


async def ask(asking: Asking, inspected: Inspected, found: Examined) -> Ratings:
    """The ratings; without the three where no answer can be read."""
    failed = {finding.tool for finding in found.failures}
    blocked = _blocked(inspected, found)

    async def gate(answer: InspectionRatingsAnswer) -> list[Problem]:
        return []

    asked = question(inspected.bundle, found.facts, [finding.message for finding in found.failures], blocked)
    given = (await asking.until_accepted(asked, gate)).value
    rated: dict[str, RatingAnswer] = {} if given is None else {name: getattr(given, name) for name in NAMES}
    return Ratings(
        **{name: rating.score for name, rating in rated.items()},
        reasons={name: rating.reason for name, rating in rated.items()},
        bugs=len(failed),
        blocked_tasks=blocked,
    )


def question(
    bundle: Bundle, facts: ComputedFacts, failures: Sequence[str], blocked: Sequence[str]
) -> Question[InspectionRatingsAnswer]:
    """For the three ratings of an environment that was inspected."""
    context = InspectionRatingsContext(
        theme=bundle.theme,
        tasks=bundle.tasks,
        tables=[Table(name=table.name, ddl=table.sql) for table in load_schema(bundle.schema_sql).tables.values()],
        tools=[ToolSignature.of(tool) for tool in bundle.tools],
        facts=facts,
        failures=list(failures),
        blocked_tasks=list(blocked),
    )
    return Question("inspection_ratings", InspectionRatingsAnswer, INSTRUCTIONS, context)


def _blocked(inspected: Inspected, found: Examined) -> list[str]:
    """The tasks whose solution is missing, does not come to its end, or calls a tool that fails. Where no solution is
    known at all, nothing is known of any task. What is wrong with the tools together is no single tool's failure."""
    failed = {finding.tool for finding in found.failures if not finding.of_all}
    done = {
        task
        for task, trace in found.traces.items()
        if trace.finished and not failed & {step.tool for step in trace.steps}
    }
    return [task.id for task in inspected.bundle.tasks if task.id not in done] if found.traces else []
