"""The verifier that is written for a solution: what it tells apart, and which reports it accepts."""

from dataclasses import replace

import pytest

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.reports import AnswerField, AnswerForm, Report
from envfactory_dagster.contracts.truth import GatedVerifier, ReferenceSolution
from envfactory_dagster.runtime.facts import load_schema
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.tasks.proving import solve, verify
from envfactory_dagster.tasks.verifier_writing import AnswerSource, write_verifier
from envfactory_dagster.truth.execution import run_solution
from envfactory_dagster.truth.verdicts import TaskChecks, judge_many
from tests.support.reports import report


@pytest.fixture(scope="module")
def tasks(huts: Bundle) -> dict[str, Task]:
    return {task.id: task for task in huts.tasks}


async def proven(
    runtime: Runtime, huts: Bundle, task: Task, source: str, form: AnswerForm
) -> tuple[ReferenceSolution, GatedVerifier | list[str]]:
    gold = await solve(runtime, huts, task, source, form)
    assert isinstance(gold, ReferenceSolution), gold
    written = write_verifier(gold, load_schema(huts.schema_sql), huts.states[task.state].clock)
    gated = await verify(runtime, huts, task, gold, written)
    return gold, gated if isinstance(gated, GatedVerifier) else [problem.snippet for problem in gated]


@pytest.mark.parametrize("name", ["sister_joins", "tour_with_ida", "last_morning", "call_it_off"])
async def test_what_hand_written_solutions_do_is_told_from_all_that_is_nearly_it(
    name: str, runtime: Runtime, huts: Bundle, tasks: dict[str, Task]
) -> None:
    """New rows that refer to each other, codes in their texts, rows changed and paid for, amounts that are told: gold
    1, nothing 0, gold without any one write and every mutant less than 1."""
    _, gated = await proven(runtime, huts, tasks[name], huts.solutions[name], huts.answer_forms[name])
    assert isinstance(gated, GatedVerifier), gated
    assert gated.gate.of("minus_write")
    assert gated.gate.kill_rate == gated.gate.acceptance_rate == 1.0


ASKED = Task(id="asked", text="Tell me.", kind="information")

PRICE = AnswerForm(fields=[AnswerField(name="price", type="money", description="What it costs", unit="EUR")])


def telling(outcome: str = "done", reason: str | None = None, **answers: Json) -> str:
    """A program that only reports."""
    told = {"outcome": outcome, "answers": answers, "reason": reason, "message": "This is what I can tell you."}
    return f"def solve(tools):\n    tools.search_huts()\n    return {told!r}\n"


async def scores(
    runtime: Runtime, huts: Bundle, task: Task, form: AnswerForm, gold: str, reports: list[Report], *facts: AnswerSource
) -> list[float]:
    """What a written verifier gives these reports, beside the calls of gold."""
    solution = await solve(runtime, huts, task, gold, form)
    assert isinstance(solution, ReferenceSolution), solution
    source = write_verifier(solution, load_schema(huts.schema_sql), huts.states["initial"].clock, facts)
    run = await run_solution(runtime, huts, task, gold, form)
    cases = [replace(run, report=one) for one in reports]
    return [verdict.score for verdict in await judge_many(runtime, TaskChecks(task, source, form), cases)]


async def test_an_answer_is_right_in_any_usual_form_and_wrong_beside_another(runtime: Runtime, huts: Bundle) -> None:
    right = [report(price=value) for value in (4500, "45.00", "45 euros", "forty-five", "€45")]
    wrong = [report(price=value) for value in (4510, "450", None)]
    found = await scores(runtime, huts, ASKED, PRICE, telling(price=4500), [*right, *wrong])
    assert found == [1.0] * len(right) + [0.0] * len(wrong)


async def test_an_answer_is_computed_from_the_start_where_a_query_gives_it(runtime: Runtime, huts: Bundle) -> None:
    query = "SELECT 100 * count(*) AS value FROM huts WHERE id < ?"
    fact = AnswerSource("price", query, (4,))
    found = await scores(runtime, huts, ASKED, PRICE, telling(price=300), [report(price=300), report(price=400)], fact)
    assert found == [1.0, 0.0]


async def test_a_field_that_is_not_due_has_to_be_left_out(runtime: Runtime, huts: Bundle) -> None:
    both = AnswerForm(fields=[*PRICE.fields, AnswerField(name="day", type="date", description="The first free day")])
    found = await scores(
        runtime,
        huts,
        ASKED,
        both,
        telling(price=300, day=None),
        [report(price=300, day=None), report(price=300, day="2026-07-16"), report(price=None, day=None)],
    )
    assert found == [1.0, 0.0, 0.0]


async def test_who_reports_another_outcome_or_rule_earns_nothing(runtime: Runtime, huts: Bundle) -> None:
    one, other = [rule.id for rule in huts.theme.rules[:2]]
    refused = Task(id="refused", text="Tell me.", kind="refusal", rule=one)
    found = await scores(
        runtime,
        huts,
        refused,
        PRICE,
        telling("refused", one, price=None),
        [
            report("refused", reason=one, price=None),
            report("refused", reason=other, price=None),
            report("refused", reason=one, price=100),
            report("impossible", price=None),
            report("done", price=None),
        ],
    )
    assert found == [1.0, 0.0, 0.0, 0.0, 0.0]
