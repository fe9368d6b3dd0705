"""Mutants make one mistake each, variants none; both are made from the gold trace and the rows there are."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.reports import AnswerField, AnswerForm, Report, ReportOutcome
from envfactory_dagster.contracts.truth import TracedStep
from envfactory_dagster.runtime.reports import read_report
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth import mutants, reported
from envfactory_dagster.truth.execution import Run
from envfactory_dagster.truth.messages import contradictions
from envfactory_dagster.truth.reports import same_report
from envfactory_dagster.truth.start_rows import StartRows, schema_of
from envfactory_dagster.truth.traces import Choice, TracedTask, TrialTrace, free_choices, leaves, replaced
from envfactory_dagster.truth.unasked_changes import unasked_changes
from envfactory_dagster.truth.variants import variants
from tests.examples.solving import TASKS
from tests.support.reports import report


def subject(
    huts: Bundle,
    gold: dict[str, Run],
    task: str,
    free: Sequence[Choice] = (),
    form: AnswerForm | None = None,
    report: Report | None = None,
) -> TracedTask:
    run = gold[task]
    given = report or run.report
    assert given is not None
    return TracedTask(
        task=TASKS[task],
        calls=run.calls,
        form=form or huts.answer_forms.get(task, AnswerForm()),
        report=given,
        rules=[rule.id for rule in huts.theme.rules],
        tools={tool.name: tool for tool in huts.tools},
        start_rows=StartRows(schema_of(huts.schema_sql), run.initial, run.row_changes),
        random=Random(7),
        free=frozenset(free),
    )


def changed(trace: TrialTrace, calls: Sequence[TracedStep]) -> list[tuple[str, str, object]]:
    """Tool, argument and new value, wherever the trace calls a tool with something else."""
    pairs = zip(trace.calls, calls, strict=True)
    return [
        (new.tool, name, value)
        for new, old in pairs
        for name, value in new.arguments.items()
        if value != old.arguments[name]
    ]


def test_the_same_subject_gives_the_same_mutants(huts: Bundle, gold: dict[str, Run]) -> None:
    first, again = (list(mutants.draw(subject(huts, gold, "call_it_off"))) for _ in range(2))
    assert first == again
    assert len({mutant.operator for mutant in first}) == 6


def test_a_wrong_entity_is_another_row_of_the_same_kind_and_owner(huts: Bundle, gold: dict[str, Run]) -> None:
    made = subject(huts, gold, "arrival_on_skis")
    found = [one for mutant in mutants.wrong_entity(made) for one in changed(mutant, made.calls)]
    models = {value for tool, name, value in found if name == "gear_model_id"}
    known = {row["id"] for row in made.start_rows.rows["gear_models"]}
    assert models
    assert models < known
    own = {row["code"] for row in made.start_rows.rows["bookings"] if row["booked_by"] == 1}
    assert {value for _, name, value in found if name == "booking_code"} <= own


def test_a_wrong_owner_is_a_row_of_somebody_else_instead_or_as_well(huts: Bundle, gold: dict[str, Run]) -> None:
    made = subject(huts, gold, "arrival_on_skis")
    others = {row["code"] for row in made.start_rows.rows["bookings"] if row["booked_by"] != 1}
    found = list(mutants.wrong_owner(made))
    instead = [one for mutant in found[::2] for one in changed(mutant, made.calls)]
    codes = {value for _, name, value in instead if name == "booking_code"}
    assert codes
    assert codes <= others
    assert all(mutant.calls[:-1] == made.calls for mutant in found[1::2])


@pytest.mark.parametrize(
    ("value", "other", "same"),
    [
        ("Bertoni", "Dr.ssa Anna Bertoni", True),
        ("notary Ricci, Faenza", "Gianni Ricci, Faenza", True),
        ("Anna Bertoni", "Carla Bertoni", False),
        ("Bertoni", "Ricci", False),
        ("flat 5, left", "flat 3, left", False),
        ("Bertoni", "Bertoni, stall 5", True),
        (3, 4, False),
    ],
)
def test_another_way_to_write_a_name_is_no_mistake(value: Json, other: Json, same: bool) -> None:
    assert mutants._may_be_the_same(value, other) is same


def test_a_neighbouring_value_is_next_to_the_right_one(huts: Bundle, gold: dict[str, Run]) -> None:
    made = subject(huts, gold, "sister_joins")
    found = {
        (name, str(value))
        for mutant in mutants.neighbouring_value(made)
        for _, name, value in changed(mutant, made.calls)
    }
    assert {("nights", "2"), ("nights", "0"), ("check_in", "2027-02-21"), ("starts_on", "2027-01-19")} <= found
    assert {value for name, value in found if name == "relation"} <= {
        "partner",
        "child",
        "parent",
        "relative",
        "friend",
    }
    assert not any(name.endswith("_id") for name, _ in found), "ids have no neighbours, only other rows"


def test_arguments_in_which_alternatives_differ_are_not_touched(huts: Bundle, gold: dict[str, Run]) -> None:
    made = subject(huts, gold, "sister_joins")
    other = [
        step.model_copy(update={"arguments": step.arguments | {"room_id": 11}}) if step.tool == "hold_bunks" else step
        for step in made.calls
    ]
    free = list(free_choices(made.calls, other))
    assert free == [("hold_bunks", 0, "room_id")]
    assert any(name == "room_id" for m in mutants.wrong_entity(made) for _, name, _ in changed(m, made.calls))
    chosen = subject(huts, gold, "sister_joins", free=free)
    assert not any(name == "room_id" for m in mutants.wrong_entity(chosen) for _, name, _ in changed(m, chosen.calls))


def test_each_write_is_left_out_once(huts: Bundle, gold: dict[str, Run]) -> None:
    made = subject(huts, gold, "call_it_off")
    written = [made.calls[index].tool for index in made.writes]
    assert written == ["cancel_tour_signup"] * 3 + ["cancel_booking", "remove_companion"]
    assert [len(trace.calls) for trace in mutants.minus_each_write(made)] == [len(made.calls) - 1] * 5


# -- reports -----------------------------------------------------------------------------------------------------------

FORM = AnswerForm(
    fields=[
        AnswerField(name="hut", type="text", description="Which hut it is"),
        AnswerField(name="price", type="money", description="What a bunk costs", unit="EUR"),
        AnswerField(name="refund", type="money", description="What comes back", unit="EUR"),
        AnswerField(name="day", type="date", description="From when"),
        AnswerField(name="fee", type="money", description="The fee, if there is one", unit="EUR"),
        AnswerField(name="huts", type="text", description="All that are open", many=True),
    ]
)
ANSWERED = report(
    message="The Silbersee Hut.",
    hut="Silbersee Hut",
    price=1450,
    refund=900,
    day="2026-07-31",
    fee=None,
    huts=["Silbersee Hut", "Steinkar Hut"],
)


def wrong(made: TracedTask, operator: str) -> list[Report]:
    found = [trace.report for trace in reported.wrong(made) if trace.operator == operator]
    return [one for one in found if one is not None]


def answers(made: TracedTask, operator: str, field: str) -> list[Json]:
    """What the mutants of this operator answer otherwise than gold."""
    given = [one.answers[field] for one in wrong(made, operator)]
    return [value for value in given if value != made.report.answers[field]]


def test_every_other_outcome_is_reported_once(huts: Bundle, gold: dict[str, Run]) -> None:
    done = wrong(subject(huts, gold, "sister_joins"), "wrong_outcome")
    assert {one.outcome for one in done} == {"refused", "impossible", "needs_information"}
    refused = subject(huts, gold, "nephew_alone")
    assert {one.outcome for one in wrong(refused, "wrong_outcome")} == {"done", "impossible", "needs_information"}
    others = {one.reason for one in wrong(refused, "wrong_reason")}
    assert others and others <= {rule.id for rule in huts.theme.rules} - {"minors_with_guardian"}


def test_a_wrong_answer_is_near_the_right_one_or_that_of_another_row(huts: Bundle, gold: dict[str, Run]) -> None:
    made = subject(huts, gold, "best_hut_in_reach", form=FORM, report=ANSWERED)
    names = {row["name"] for row in made.start_rows.rows["huts"]}
    assert names & set(answers(made, "wrong_answer", "hut"))
    assert {1550, 1350} <= set(answers(made, "wrong_answer", "price"))
    assert {"2026-08-01", "2026-07-30"} <= set(answers(made, "wrong_answer", "day"))
    assert ["Silbersee Hut"] in answers(made, "wrong_answer", "huts")


@pytest.mark.parametrize("task", TASKS)
def test_a_wrong_report_could_be_handed_in(huts: Bundle, gold: dict[str, Run], task: str) -> None:
    """Even where a tool gave fractions under the name of a whole number."""
    made = subject(huts, gold, task)
    form = AnswerForm(fields=[*made.form.fields, AnswerField(name="count", type="integer", description="How many")])
    told = made.calls[0].model_copy(update={"value": [{"n": 5}, {"n": 6.5}]})
    counted = made.report.model_copy(update={"answers": {**made.report.answers, "count": 5}})
    made = replace(made, form=form, report=counted, calls=[told, *made.calls[1:]])
    wrong = [trace.report for trace in reported.wrong(made) if trace.report is not None]
    assert {one.answers["count"] for one in wrong} >= {4, 6}
    for one in wrong:
        assert isinstance(read_report(one.model_dump(mode="json"), form, made.rules), Report), one


def test_answers_are_left_out_swapped_or_given_though_they_are_not_due(huts: Bundle, gold: dict[str, Run]) -> None:
    made = subject(huts, gold, "best_hut_in_reach", form=FORM, report=ANSWERED)
    empty = [{name for name, value in one.answers.items() if value is None} for one in wrong(made, "no_answer")]
    assert {frozenset(one - {"fee"}) for one in empty} >= {frozenset({name}) for name in ("hut", "price", "day")}
    assert {field.name for field in FORM.fields} in empty
    assert (900, 1450) in [(one.answers["price"], one.answers["refund"]) for one in wrong(made, "answers_swapped")]
    assert answers(made, "every_answer", "fee")


def test_only_the_lying_message_is_found_out_by_its_message(huts: Bundle, gold: dict[str, Run]) -> None:
    """The others are the verifier's to find: whoever answers wrongly may well say nothing of it."""
    made = subject(huts, gold, "best_hut_in_reach", form=FORM, report=ANSWERED)
    lies = wrong(made, reported.LYING)
    assert lies and all(one.answers == ANSWERED.answers for one in lies)
    for trace in reported.wrong(made):
        if trace.operator == reported.EMPTY:
            continue
        assert trace.report is not None
        is_found = bool(contradictions(trace.report, FORM, made.task.text))
        assert is_found == (trace.operator == reported.LYING), trace.what


@pytest.mark.parametrize("task", TASKS)
def test_an_empty_message_is_tried_whatever_is_asked_for(huts: Bundle, gold: dict[str, Run], task: str) -> None:
    made = subject(huts, gold, task)
    assert [one.report for one in reported.wrong(made) if one.operator == reported.EMPTY] == [None], "it is not taken"


@pytest.mark.parametrize(("outcome", "says"), [("done", "could not"), ("refused", "all done"), ("impossible", "done")])
def test_a_lie_in_words_says_the_opposite_of_the_outcome(outcome: ReportOutcome, says: str) -> None:
    right = report(outcome, reason="no_refunds" if outcome == "refused" else None)
    _, lie = reported.lying_in_words(right)
    assert says in lie.message and lie.model_copy(update={"message": right.message}) == right
    assert contradictions(lie, AnswerForm(), "Please do it.") == [], "it takes a judge"


@pytest.mark.parametrize("task", TASKS)
def test_right_reports_say_the_same_in_other_words(huts: Bundle, gold: dict[str, Run], task: str) -> None:
    made = subject(huts, gold, task)
    for trace in reported.right(made):
        assert trace.report is not None and trace.report != made.report
        assert same_report(made.form, trace.report, made.report)
        assert contradictions(trace.report, made.form, made.task.text) == []
    assert all(
        not same_report(made.form, one.report, made.report) or one.operator == reported.LYING
        for one in reported.wrong(made)
    )


# -- variants and unasked changes --------------------------------------------------------------------------------------


@pytest.mark.parametrize("task", TASKS)
def test_variants_make_the_same_writes_and_report_the_same(huts: Bundle, gold: dict[str, Run], task: str) -> None:
    made = subject(huts, gold, task)
    writes = sorted(made.calls[index].model_dump_json() for index in made.writes)
    found = list(variants(made))
    assert len(found) >= 4
    for variant in found:
        if variant.operator == "dictated_otherwise":
            continue
        kept = [step for step in variant.calls if step.outcome == "ok" and not made.reads_only(step)]
        assert sorted(step.model_dump_json() for step in kept) == writes
        assert variant.report == made.report


async def test_a_stray_change_is_one_row_of_one_table(runtime: Runtime, huts: Bundle, gold: dict[str, Run]) -> None:
    run = gold["dodge_the_storm"]
    start_rows = StartRows(schema_of(huts.schema_sql), run.initial, run.row_changes)
    clean = StartRows(schema_of(huts.schema_sql), run.final).rows
    found = await unasked_changes(runtime, start_rows, run.final, run.changes, Random(1))
    tables = []
    for _, image in found:
        rows = StartRows(schema_of(huts.schema_sql), image).rows
        [table] = [name for name in rows if rows[name] != clean[name]]
        assert sum(row not in clean[table] for row in rows[table]) == 1
        tables.append(table)
    assert {change.table for change in run.changes} <= set(tables)


def test_scalars_are_found_and_replaced_wherever_they_are() -> None:
    arguments = {"items": [{"id": 3, "note": None}, {"id": 4}], "all": True}
    schema = {"properties": {"items": {"items": {"properties": {"id": {"minimum": 1}}}}}}
    assert [(path, value, found) for path, value, found in leaves(arguments, schema)] == [
        (("items", 0, "id"), 3, {"minimum": 1}),
        (("items", 1, "id"), 4, {"minimum": 1}),
        (("all",), True, {}),
    ]
    assert replaced(arguments, ("items", 1, "id"), 5)["items"] == [{"id": 3, "note": None}, {"id": 5}]
    assert arguments["items"] == [{"id": 3, "note": None}, {"id": 4}]
