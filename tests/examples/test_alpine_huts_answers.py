"""How the verifiers of the hut network judge other ways, other ends and wrong ends of a task."""

import pytest

from tests.examples.solving import TASKS, replayed, solved
from tests.support.inline_runtime import Environment, Row, Session, score

SISTER = {"full_name": "Valerie Brandstätter", "birth_date": "1996-03-14", "relation": "sibling"}
SATURDAY = {"check_in": "2027-02-20", "nights": 1}
ADULT_PLUS, FELIX, MAREK, JAKOB, IDA = 4, 3, 4, 2, 3

WRONG_VALUES: list[tuple[str, str, Row]] = [
    ("sister_joins", "add_companion", {"birth_date": "1996-03-15"}),
    ("sister_joins", "add_companion", {"full_name": "Valeria Brandstätter"}),
    ("sister_joins", "add_companion", {"relation": "friend"}),
    ("sister_joins", "buy_membership", {"plan_id": 3}),
    ("sister_joins", "buy_membership", {"starts_on": "2027-01-21"}),
    ("sister_joins", "buy_membership", {"person_id": FELIX}),
    ("sister_joins", "hold_bunks", {"check_in": "2027-02-27"}),
    ("sister_joins", "hold_bunks", {"nights": 2}),
    ("sister_joins", "hold_bunks", {"person_ids": [1]}),
    ("sister_joins", "hold_bunks", {"person_ids": [1, 2]}),
    ("sister_joins", "hold_bunks", {"room_id": 13}),  # a hut without a drying room
    ("sister_joins", "hold_bunks", {"room_id": 7}),  # 92 euros
    ("sister_joins", "hold_bunks", {"room_id": 1}),  # another region
    ("dodge_the_storm", "move_booking", {"new_check_in": "2026-07-22"}),
    ("dodge_the_storm", "move_booking", {"new_check_in": "2026-07-24"}),
    ("dodge_the_storm", "order_meal", {"portions": 1}),
    ("dodge_the_storm", "order_meal", {"meal_id": 9}),
    ("dodge_the_storm", "send_message", {"hut_id": 5}),
    ("dodge_the_storm", "send_message", {"subject": "We come later", "body": "Because of the storm."}),
    ("tour_with_ida", "pay_charges", {"payment_method_id": 3}),
    ("tour_with_ida", "sign_up_for_tour", {"person_ids": [1, JAKOB]}),
    ("tour_with_ida", "update_contact", {"emergency_contact": "Jakob Wieser, +43 660 4417204"}),
    ("tour_with_ida", "update_contact", {"emergency_contact": "Helga Oberlechner, +43 660 4417203"}),
    ("last_morning", "pay_charges", {"payment_method_id": 2}),
    ("last_morning", "write_review", {"rating": 4}),
    ("last_morning", "write_review", {"body": "The kitchen was worth every step."}),
    ("last_morning", "write_review", {"booking_code": "BK-00024"}),
    ("last_morning", "claim_lost_item", {"lost_item_id": 5}),
    ("last_morning", "claim_lost_item", {"delivery": "pick_up"}),
    ("arrival_on_skis", "reserve_gear", {"quantity": 1}),
    ("arrival_on_skis", "reserve_gear", {"quantity": 3}),
    ("arrival_on_skis", "reserve_gear", {"gear_model_id": 2}),
    ("arrival_on_skis", "reserve_gear", {"booking_code": "BK-00211"}),
    ("arrival_on_skis", "pay_charges", {"payment_method_id": 2}),
    ("call_it_off", "cancel_booking", {"booking_code": "BK-00219"}),
    ("call_it_off", "remove_companion", {"person_id": 2}),
]


@pytest.mark.parametrize(("task", "tool", "wrong"), WRONG_VALUES)
def test_a_wrong_value_scores_less(environment: Environment, task: str, tool: str, wrong: Row) -> None:
    session, report = solved(environment, task)
    assert tool in [call["tool"] for call in session.calls]
    calls = [
        {**call, "arguments": call["arguments"] | wrong} if call["tool"] == tool else call for call in session.calls
    ]
    assert score(replayed(environment, task, calls), task, report) < 1.0


DONE: Row = {"outcome": "done", "answers": {}, "reason": None, "message": "It is done."}
BEST: Row = {"best_hut": "Silbersee Hut", "vegetarian_dinner": 1900, "last_reviewer": "Matthias Thaler"}
ACCOUNTS: Row = {"paid_in_2026": 81300, "of_it_for_murmelgrund": 42300}
TOO_LATE: Row = {"outcome": "refused", "reason": "cancellation_window", "answers": {"hours_ahead": 72}}
TOO_YOUNG: Row = {"outcome": "refused", "reason": "minors_with_guardian", "answers": {"age_to_go_alone": 18}}


@pytest.mark.parametrize(
    ("task", "wrong"),
    [
        ("best_hut_in_reach", {"answers": BEST | {"best_hut": "Gamsjoch Hut", "vegetarian_dinner": 2100}}),
        ("best_hut_in_reach", {"answers": BEST | {"vegetarian_dinner": 1600}}),
        ("best_hut_in_reach", {"answers": BEST | {"last_reviewer": "Henrik Solberg"}}),
        ("best_hut_in_reach", {"answers": BEST, "outcome": "impossible"}),
        ("accounts_of_2026", {"answers": ACCOUNTS | {"paid_in_2026": 100900}}),
        ("accounts_of_2026", {"answers": ACCOUNTS | {"of_it_for_murmelgrund": 53700}}),
        ("sprained_ankle", TOO_LATE | {"outcome": "done", "reason": None}),
        ("sprained_ankle", TOO_LATE | {"answers": {"hours_ahead": 48}}),
        ("sprained_ankle", TOO_LATE | {"reason": "closed_huts"}),
        ("nephew_alone", TOO_YOUNG | {"answers": {"age_to_go_alone": 16}}),
        ("nephew_alone", TOO_YOUNG | {"answers": {"age_to_go_alone": None}}),
        ("nephew_alone", TOO_YOUNG | {"outcome": "impossible", "reason": None}),
    ],
)
def test_a_wrong_report_scores_less(environment: Environment, task: str, wrong: Row) -> None:
    assert score(solved(environment, task)[0], task, DONE | wrong) < 1.0


@pytest.mark.parametrize(
    ("task", "right"),
    [
        ("best_hut_in_reach", {"answers": BEST}),
        ("best_hut_in_reach", {"answers": BEST | {"best_hut": "Silbersee"}}),
        ("accounts_of_2026", {"answers": ACCOUNTS}),
        ("sprained_ankle", TOO_LATE),
        ("nephew_alone", TOO_YOUNG),
    ],
)
def test_the_right_report_scores_one(environment: Environment, task: str, right: Row) -> None:
    assert score(Session(environment, TASKS[task].state), task, DONE | right) == 1.0


# -- several valid ends ------------------------------------------------------------------------------------------------


def with_the_sister(environment: Environment) -> tuple[Session, list[int]]:
    session = Session(environment, "winter")
    valerie = session.add_companion(**SISTER)["person_id"]
    session.buy_membership(person_id=valerie, plan_id=ADULT_PLUS, starts_on="2027-01-20")
    return session, [1, valerie]


def test_every_fitting_room_is_right_and_no_other(environment: Environment) -> None:
    session, party = with_the_sister(environment)
    rooms = session.find_free_bunks(**SATURDAY, person_ids=party)["rooms"]
    right = set()
    for room in rooms:
        session, party = with_the_sister(environment)
        code = session.hold_bunks(**SATURDAY, room_id=room["room_id"], person_ids=party)["booking_code"]
        session.accept_hut_terms(booking_code=code)
        session.confirm_booking(booking_code=code)
        if score(session, "sister_joins", DONE) == 1.0:
            right.add(room["room"])
    assert right == {"Hay dormitory", "Alcove room", "Glacier dormitory"}
    assert len(rooms) > len(right)


def test_booking_before_the_sister_is_a_member_costs_too_much(environment: Environment) -> None:
    session = Session(environment, "winter")
    valerie = session.add_companion(**SISTER)["person_id"]
    code = session.hold_bunks(**SATURDAY, room_id=10, person_ids=[1, valerie])["booking_code"]
    session.accept_hut_terms(booking_code=code)
    session.confirm_booking(booking_code=code)
    session.buy_membership(person_id=valerie, plan_id=ADULT_PLUS, starts_on="2027-01-20")
    assert score(session, "sister_joins", DONE) < 1.0


def test_every_fitting_tour_is_right_and_no_other(environment: Environment) -> None:
    dates = Session(environment, "initial").search_tours(first_day="2026-07-06", last_day="2026-12-31")["tour_dates"]
    right = set()
    for date in dates:
        session = settled(environment)
        try:
            session.sign_up_for_tour(tour_date_id=date["tour_date_id"], person_ids=[1, IDA])
        except Session.Error:
            continue
        if score(session, "tour_with_ida", DONE) == 1.0:
            right.add(date["starts_at"][:10])
    assert right == {"2026-07-11", "2026-07-12", "2026-07-25"}
    assert len(dates) > len(right)


def settled(environment: Environment) -> Session:
    """Everything the family tour asks for but the tour."""
    session = Session(environment, "initial")
    for charge in session.list_charges(overdue_only=True)["charges"]:
        payment = session.pay_charges(charge_ids=[charge["charge_id"]], payment_method_id=2)
        session.confirm_payment(payment_code=payment["payment_code"])
    session.update_contact(emergency_contact="Jakob Wieser (partner) +436604417203")
    return session


# -- other ways to the same end ----------------------------------------------------------------------------------------


def one_place_after_the_other(session: Session) -> None:
    session.sign_up_for_tour(tour_date_id=3, person_ids=[1])
    session.sign_up_for_tour(tour_date_id=3, person_ids=[IDA])


def test_paying_and_signing_up_one_by_one_is_fine(environment: Environment) -> None:
    session = settled(environment)
    one_place_after_the_other(session)
    assert score(session, "tour_with_ida", DONE) == 1.0


def test_dinners_may_be_ordered_portion_by_portion(environment: Environment) -> None:
    session = Session(environment, "initial")
    for order in (6, 5, 4):
        session.cancel_meal_order(meal_order_id=order)
    session.send_message(hut_id=4, subject="BK-00041", body="We'll come on July 23 because of the storm. Miriam")
    session.move_booking(booking_code="BK-00041", new_check_in="2026-07-23")
    for meal, day in ((9, "2026-07-24"), (8, "2026-07-24"), (8, "2026-07-23"), (8, "2026-07-23")):
        session.order_meal(booking_code="BK-00041", meal_id=meal, served_on=day, portions=1)
    assert score(session, "dodge_the_storm", DONE) == 1.0


def test_charges_may_be_paid_one_by_one_and_the_hat_claimed_first(environment: Environment) -> None:
    session = Session(environment, "initial")
    session.claim_lost_item(lost_item_id=4, details="mended seam", delivery="post")
    for charge in session.list_charges(booking_code="BK-00031", status="open")["charges"]:
        payment = session.pay_charges(charge_ids=[charge["charge_id"]], payment_method_id=3)
        session.confirm_payment(payment_code=payment["payment_code"])
    session.check_out_of_hut(booking_code="BK-00031")
    session.write_review(booking_code="BK-00031", rating=5, body="Kitchen! Sunrise! Worth every step.")
    assert score(session, "last_morning", DONE) == 1.0


def test_the_kits_may_be_two_rentals_made_before_check_in(environment: Environment) -> None:
    session = Session(environment, "winter")
    rentals = [session.reserve_gear(booking_code="BK-00187", gear_model_id=1, quantity=1) for _ in range(2)]
    for rental in rentals:
        charges = [rental["deposit_charge_id"], rental["rent_charge_id"]]
        payment = session.pay_charges(charge_ids=charges, payment_method_id=1)
        session.confirm_payment(payment_code=payment["payment_code"])
    session.check_in_at_hut(booking_code="BK-00187")
    for rental in rentals:
        session.sign_gear_handover(rental_code=rental["rental_code"])
    assert score(session, "arrival_on_skis", DONE) == 1.0


def test_paying_tonights_dinner_too_is_wrong(environment: Environment) -> None:
    session, report = solved(environment, "arrival_on_skis")
    [dinner] = session.list_charges(kind="meal", status="open", booking_code="BK-00187")["charges"]
    session.pay_charges(charge_ids=[dinner["charge_id"]], payment_method_id=1)
    assert score(session, "arrival_on_skis", report) == 0.0


def test_the_stay_may_be_cancelled_before_the_tour(environment: Environment) -> None:
    session = Session(environment, "winter")
    session.cancel_booking(booking_code="BK-00211")
    for place in (5, 4, 3):
        session.cancel_tour_signup(tour_signup_id=place)
    session.remove_companion(person_id=MAREK)
    assert score(session, "call_it_off", DONE | {"answers": {"money_back": 43500}}) == 1.0
    assert score(session, "call_it_off", DONE | {"answers": {"money_back": 38700}}) < 1.0


# -- what must be refused ----------------------------------------------------------------------------------------------


LATE = {"booking_code": "BK-00038"}
FORBIDDEN: list[tuple[str, str, Row, str]] = [
    ("sprained_ankle", "cancel_booking", LATE, "72 hours' notice"),
    ("sprained_ankle", "move_booking", LATE | {"new_check_in": "2026-07-20"}, "72 hours' notice"),
    ("nephew_alone", "sign_up_for_tour", {"tour_date_id": 5, "person_ids": [FELIX]}, "under 18"),
]


@pytest.mark.parametrize(("task", "tool", "arguments", "reason"), FORBIDDEN)
def test_what_a_rule_forbids_is_refused_by_the_tool(
    environment: Environment, task: str, tool: str, arguments: Row, reason: str
) -> None:
    session = Session(environment, TASKS[task].state)
    with pytest.raises(Session.Error, match=reason):
        session.call(tool, **arguments)
    assert session.changes() == []


@pytest.mark.parametrize(
    ("task", "tool", "arguments"),
    [
        ("nephew_alone", "sign_up_for_tour", {"tour_date_id": 5, "person_ids": [1, FELIX]}),
        ("nephew_alone", "sign_up_for_tour", {"tour_date_id": 6, "person_ids": [2, FELIX]}),
        ("sprained_ankle", "send_message", {"hut_id": 6, "subject": "Ankle", "body": "Please let us out of it."}),
        ("sprained_ankle", "cancel_booking", {"booking_code": "BK-00041"}),
    ],
)
def test_a_way_around_the_rule_scores_zero(environment: Environment, task: str, tool: str, arguments: Row) -> None:
    session, report = solved(environment, task)
    session.call(tool, **arguments)
    assert score(session, task, report) == 0.0
