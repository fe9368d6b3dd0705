"""Changesets are equal when the same was done, whatever created rows are called and in whatever order it was done.

The same is held against a model that tries every renaming in `test_changesets_model`.
"""

import pytest

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.calls import Change
from envfactory_dagster.runtime.facts import ColumnRef, Schema
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.changesets import Changeset, Mask, collateral, normalize
from envfactory_dagster.truth.execution import Run, run_calls, run_solution
from tests.examples.solving import TASKS
from tests.truth.bookings import CLOCK, SCHEMA, Row, booking, details, person, room


def normal(*changes: Change, mask: Mask | None = None, clock: str = CLOCK) -> Changeset:
    return normalize(changes, SCHEMA, clock, mask)


# -- what is the same --------------------------------------------------------------------------------------------------


def test_ids_codes_and_order_do_not_count() -> None:
    one = normal(person(7, "Ida"), booking(9, 50001, person_id=7), booking(10, 50002, after=9))
    same = normal(booking(31, 50001, after=32), booking(32, 50002, person_id=70), person(70, "Ida"))
    assert one == same
    assert hash(one) == hash(same)


@pytest.mark.parametrize(
    "other",
    [
        [person(7, "Eda"), booking(9, 50001, person_id=7)],
        [person(7, "Ida"), booking(9, 50001, person_id=1)],
        [person(7, "Ida"), booking(9, 50001)],
        [person(7, "Ida"), booking(9, 40000, person_id=7)],
        [person(7, "Ida")],
        [person(7, "Ida"), person(8, "Ida"), booking(9, 50001, person_id=7)],
        [],
    ],
)
def test_content_references_and_numbers_count(other: list[Change]) -> None:
    assert normal(person(7, "Ida"), booking(9, 50001, person_id=7)) != normal(*other)


def test_identical_rows_count_one_by_one() -> None:
    assert normal(person(7, "Ida"), person(8, "Ida")) == normal(person(3, "Ida"), person(9, "Ida"))
    assert normal(person(7, "Ida"), person(8, "Ida")) != normal(person(7, "Ida"))


def test_who_refers_to_which_of_two_identical_rows_counts() -> None:
    people = [person(7, "Ida"), person(8, "Ida")]
    both_of_one = normal(*people, booking(1, 50001, person_id=7), booking(2, 50002, person_id=7))
    one_of_each = normal(*people, booking(1, 50001, person_id=7), booking(2, 50002, person_id=8))
    assert both_of_one != one_of_each
    assert one_of_each == normal(*people, booking(1, 50001, person_id=8), booking(2, 50002, person_id=7))


def test_rings_of_rows_that_look_alike_everywhere_are_told_apart() -> None:
    def rings(*lengths: int) -> Changeset:
        rows, start = [], 1
        for length in lengths:
            rows += [booking(start + i, 50000 + start + i, after=start + (i + 1) % length) for i in range(length)]
            start += length
        return normal(*rows)

    assert rings(3, 3) != rings(6)
    assert rings(2, 4) == rings(4, 2)
    assert not rings(6).contains(rings(3))
    assert rings(3, 3).contains(rings(3))


def test_references_are_followed_over_tables_whose_key_is_a_reference() -> None:
    def chain(number: int, line: int = 1, body: str = "late") -> Changeset:
        return normal(
            booking(number, 50001),
            details(number),
            Change("remarks", (number, line), None, {"booking_id": number, "line": line, "body": body}),
        )

    assert chain(5) == chain(77)
    assert chain(5) != chain(5, line=2)
    assert chain(5) != chain(5, body="early")


def test_codes_are_followed_into_texts() -> None:
    def mentions(first: int, second: int, mentioned: int, how: str = "see BK-{}.") -> Changeset:
        note = how.format(mentioned)
        return normal(booking(1, first, note="a"), booking(2, second, note="b"), booking(3, 50009, note=note))

    assert mentions(50001, 50002, 50001) == mentions(50007, 50004, 50007)
    assert mentions(50001, 50002, 50001) != mentions(50001, 50002, 50002)
    assert mentions(50001, 50002, 50001) != mentions(50001, 50002, 50001, "ignore BK-{}.")


def test_a_code_of_another_prefix_is_another_code() -> None:
    of_a_booking, of_a_hotel = (normal(person(7, code)) for code in ("BK-50001", "HO-50001"))
    assert of_a_booking != of_a_hotel
    assert not of_a_booking.contains(of_a_hotel)


def test_what_only_looks_like_a_code_is_content() -> None:
    assert normal(person(7, "ZIP-90210")) != normal(person(7, "ZIP-90211"))
    assert normal(person(7, "ZIP-00210")) != normal(person(7, "ZIP-00211"))


def test_an_old_row_may_refer_to_a_new_one() -> None:
    def taken(number: int, by: str) -> Changeset:
        rows = [person(1, "Ida"), person(2, "Bo"), booking(number, 50001, person_id=1), booking(40, 50002, person_id=2)]
        return normal(*rows, room(3, (9.5, None), (9.5, number if by == "Ida" else 40)))

    assert taken(30, "Ida") == taken(31, "Ida")
    assert taken(30, "Ida") != taken(30, "Bo")


def test_sums_in_another_order_are_the_same_number() -> None:
    assert normal(room(3, (1.0, None), (0.1 + 0.2 + 0.3, None))) == normal(
        room(3, (1.0, None), (0.3 + 0.2 + 0.1, None))
    )


def test_many_identical_families_are_compared_at_once() -> None:
    def families(start: int) -> Changeset:
        people = [person(start + n, "Ida") for n in range(150)]
        return normal(*people, *(booking(start + n, 50001 + n, person_id=start + n) for n in range(150)))

    assert families(1) == families(1000)
    assert families(1).contains(families(1000))


# -- masks -------------------------------------------------------------------------------------------------------------

NOTE = ColumnRef("bookings", "note")


def test_a_volatile_column_counts_as_filled_or_empty() -> None:
    mask = Mask(volatile=frozenset({NOTE}))
    assert normal(booking(1, 50001, note="a"), mask=mask) == normal(booking(1, 50001, note="b"), mask=mask)
    assert normal(booking(1, 50001, note="a"), mask=mask) != normal(booking(1, 50001), mask=mask)


def test_a_touch_that_only_a_volatile_column_shows_is_none() -> None:
    before: Row = {"id": 1, "code": "BK-00001", "person_id": 1, "after_id": None, "note": "x"}
    mask = Mask(volatile=frozenset({NOTE}))
    assert len(normal(Change("bookings", (1,), before, before | {"note": "y"}), mask=mask)) == 0
    assert len(normal(Change("bookings", (1,), before, before | {"note": None}), mask=mask)) == 1
    assert len(normal(Change("bookings", (1,), before | {"note": None}, before), mask=mask)) == 1


@pytest.mark.parametrize(
    ("text", "later"),
    [
        ("2026-03-16", "2026-03-18"),
        ("2026-03-02T11:30:00", "2026-03-04T11:30:00"),
        ("from 2026-02-27 to 2026-03-02 11:30", "from 2026-03-01 to 2026-03-04 11:30"),
    ],
)
def test_a_relative_column_moves_with_the_clock_and_keeps_its_meaning(text: str, later: str) -> None:
    mask = Mask(relative=frozenset({NOTE}))
    one = normal(booking(1, 50001, note=text), mask=mask)
    assert one == normal(booking(1, 50001, note=later), mask=mask, clock="2026-03-04T09:00:00")
    assert one != normal(booking(1, 50001, note=later), mask=mask)


# -- collateral --------------------------------------------------------------------------------------------------------


def test_collateral_is_what_gold_does_not_touch() -> None:
    gold = normal(room(3, (9.5, None), (9.5, 30)), booking(30, 50001, person_id=1))
    wrong_value = normal(room(3, (9.5, None), (9.5, 31)), booking(31, 50001, person_id=2))
    assert collateral(gold, gold) == collateral(gold, wrong_value) == []
    actual = normal(
        room(3, (9.5, None), (1.0, 31)),
        room(4, (9.5, None), (2.0, None)),
        booking(31, 50001, person_id=1, note="mine"),
        booking(32, 50002, person_id=1),
        Change("people", (2,), {"id": 2, "name": "Bo"}, None),
    )
    assert [write.text for write in collateral(gold, actual)] == [
        "rooms 3: price 9.5 → 1.0",
        "rooms 4: price 9.5 → 2.0",
        "people 2: deleted",
        "bookings: a new row (id = 31, code = 'BK-50001', person_id = 1, after_id = None, note = 'mine')",
    ]


def test_of_rows_that_gold_deletes_nothing_is_collateral() -> None:
    bo: Row = {"id": 2, "name": "Bo"}
    gone, renamed = Change("people", (2,), bo, None), Change("people", (2,), bo, bo | {"name": "Bob"})
    assert collateral(normal(gone), normal(renamed)) == []
    assert [write.kind for write in collateral(normal(renamed), normal(gone))] == ["delete"]


# -- the alpine huts ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("task", TASKS)
async def test_a_solution_does_the_same_with_other_ids(
    runtime: Runtime, huts: Bundle, schema: Schema, gold: dict[str, Run], task: str
) -> None:
    run = gold[task]
    again = await run_solution(runtime, huts, TASKS[task], huts.solutions[task], huts.answer_forms[task], id_offset=300)
    mask = Mask(volatile=frozenset({ColumnRef("charges", "description")}))  # some name the id of what they are for
    assert normalize(again.changes, schema, again.clock, mask) == normalize(run.changes, schema, run.clock, mask)
    assert normalize(run.row_changes, schema, run.clock) == normalize(run.changes, schema, run.clock)


async def test_a_solution_without_one_of_its_writes_did_less(
    runtime: Runtime, huts: Bundle, schema: Schema, gold: dict[str, Run]
) -> None:
    read_only = {tool.name for tool in huts.tools if tool.annotations.readOnlyHint}
    for name, run in gold.items():
        whole = normalize(run.changes, schema, run.clock)
        for left_out in (i for i, step in enumerate(run.calls) if step.tool not in read_only and step.outcome == "ok"):
            rest = [step for i, step in enumerate(run.calls) if i != left_out]
            less = await run_calls(runtime, huts, TASKS[name], rest, run.report)
            assert normalize(less.changes, schema, less.clock) != whole
            assert whole.contains(whole)


async def test_one_more_order_is_collateral(
    runtime: Runtime, huts: Bundle, schema: Schema, gold: dict[str, Run]
) -> None:
    run = gold["dodge_the_storm"]
    order = next(step for step in run.calls if step.tool == "order_meal")
    more = await run_calls(runtime, huts, TASKS["dodge_the_storm"], [*run.calls, order], run.report)
    whole, actual = (normalize(r.changes, schema, r.clock) for r in (run, more))
    assert actual.contains(whole)
    assert not whole.contains(actual)
    assert {(write.kind, write.table) for write in collateral(whole, actual)} == {
        ("insert", "meal_orders"),
        ("insert", "charges"),
    }
