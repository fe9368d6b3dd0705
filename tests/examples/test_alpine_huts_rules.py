"""The rules of the hut network, each from both sides, and a stay from the first look to the way home."""

import pytest

from tests.support.inline_runtime import Environment, Row, Session

FELIX, MAREK = 3, 4
SUMMER, WINTER = "initial", "winter"


def refused(session: Session, tool: str, **arguments: object) -> str:
    with pytest.raises(Session.Error) as refusal:
        session.call(tool, **arguments)
    return str(refusal.value)


@pytest.fixture
def winter(environment: Environment) -> Session:
    return Session(environment, WINTER)


@pytest.fixture
def summer(environment: Environment) -> Session:
    return Session(environment, SUMMER)


def test_cancellation_window_lets_go_in_time_and_not_afterwards(summer: Session) -> None:
    assert "until 2026-07-04T15:00:00" in refused(summer, "cancel_booking", booking_code="BK-00038")
    cancelled = summer.cancel_booking(booking_code="BK-00041")
    assert (cancelled["refunded_cents"], cancelled["voided_cents"]) == (8800, 7400)
    assert "is cancelled and can no longer" in refused(summer, "cancel_booking", booking_code="BK-00041")


def test_cancellation_window_of_tours_is_a_day(environment: Environment) -> None:
    session = Session(environment, WINTER)
    [place] = session.sign_up_for_tour(tour_date_id=2, person_ids=[1])["signups"]
    session.env.now = "2027-01-22T18:00:00"
    forked = session.env.connection.serialize("main")
    session.cancel_tour_signup(tour_signup_id=place["tour_signup_id"])
    session.env.connection.deserialize("main", forked)
    session.env.now = "2027-01-22T18:00:01"
    assert "until 2027-01-22T18:00:00" in refused(session, "cancel_tour_signup", tour_signup_id=place["tour_signup_id"])


def test_members_first_keeps_guests_out_until_two_weeks_before(winter: Session) -> None:
    stay = {"check_in": "2027-02-04", "nights": 1, "person_ids": [1, MAREK]}
    assert "kept for members" in refused(winter, "hold_bunks", room_id=11, **stay)
    assert 11 not in {room["room_id"] for room in winter.find_free_bunks(**stay)["rooms"]}
    winter.env.now = "2027-01-21T00:00:00"
    assert 11 in {room["room_id"] for room in winter.find_free_bunks(**stay)["rooms"]}
    assert winter.hold_bunks(room_id=11, **stay)["total_cents"] == 3000 + 5000


def test_minors_with_guardian_may_come_with_an_adult_of_the_party(winter: Session) -> None:
    assert "Felix Brandstätter is 15" in refused(winter, "sign_up_for_tour", tour_date_id=5, person_ids=[FELIX])
    assert "from 16" in refused(winter, "sign_up_for_tour", tour_date_id=9, person_ids=[1, FELIX])
    winter.sign_up_for_tour(tour_date_id=5, person_ids=[1])
    winter.sign_up_for_tour(tour_date_id=5, person_ids=[FELIX])
    felix = winter.list_my_tours(status="signed_up")["signups"][-1]
    assert (felix["person_id"], felix["guardian_id"]) == (FELIX, 1)


def test_overdue_balance_stops_holds_and_tours_until_it_is_settled(summer: Session) -> None:
    stay = {"room_id": 3, "check_in": "2026-07-20", "nights": 1, "person_ids": [1]}
    assert "106.00 euros are overdue" in refused(summer, "hold_bunks", **stay)
    assert "106.00 euros are overdue" in refused(summer, "sign_up_for_tour", tour_date_id=2, person_ids=[1])
    [_, junior] = summer.list_charges(overdue_only=True)["charges"]
    summer.pay_charges(charge_ids=[junior["charge_id"]], payment_method_id=2)
    assert summer.hold_bunks(**stay)["total_cents"] == 1800


def test_gear_deposit_comes_before_the_gear_and_back_at_check_out(winter: Session) -> None:
    booking = {"booking_code": "BK-00187"}
    rental = winter.reserve_gear(**booking, gear_model_id=3, quantity=2)
    winter.check_in_at_hut(**booking)
    handover = {"rental_code": rental["rental_code"]}
    assert "the deposit of 60.00 euros must be paid" in refused(winter, "sign_gear_handover", **handover)
    charges = [charge["charge_id"] for charge in winter.list_charges(**booking, status="open")["charges"]]
    payment = winter.pay_charges(charge_ids=charges, payment_method_id=1)
    assert "the deposit" in refused(winter, "sign_gear_handover", **handover)
    winter.confirm_payment(payment_code=payment["payment_code"])
    winter.sign_gear_handover(**handover)
    assert winter.check_out_of_hut(**booking)["refunded_cents"] == 6000
    [refund] = winter.list_refunds(since="2027-01-20")["refunds"]
    assert refund["charge_id"] == rental["deposit_charge_id"]


def test_nobody_checks_out_with_an_unpaid_bill(summer: Session) -> None:
    assert "132.00 euros of this stay are not paid" in refused(summer, "check_out_of_hut", booking_code="BK-00031")


@pytest.mark.parametrize(
    ("check_in", "reason"),
    [
        ("2027-02-17", "closed from 2027-02-18 to 2027-02-22: avalanche blasting"),
        ("2027-02-22", "closed from 2027-02-18"),
        ("2027-04-17", "only from 2026-12-19 to 2027-04-18"),
        ("2027-01-19", "in the past"),
    ],
)
def test_closed_huts_take_nobody(winter: Session, check_in: str, reason: str) -> None:
    stay: Row = {"check_in": check_in, "nights": 2, "person_ids": [1]}
    assert reason in refused(winter, "hold_bunks", room_id=8, **stay)


def test_a_closed_hut_opens_again_on_the_day_after(winter: Session) -> None:
    for check_in in ("2027-02-16", "2027-02-23", "2027-04-16"):
        assert winter.hold_bunks(room_id=8, check_in=check_in, nights=2, person_ids=[1])["booking_code"]


def test_a_full_room_takes_nobody_more(winter: Session) -> None:
    party = {"check_in": "2027-02-20", "nights": 1, "person_ids": [1, 2, FELIX]}
    winter.hold_bunks(room_id=10, **party)
    assert "Hay dormitory has 1 free bunk " in refused(winter, "hold_bunks", room_id=10, **party)


def test_a_hold_that_ran_out_binds_nobody(winter: Session) -> None:
    winter.hold_bunks(room_id=11, check_in="2027-02-20", nights=1, person_ids=[1, 2, FELIX])
    assert "has 1 free bunk" in refused(
        winter, "hold_bunks", room_id=11, check_in="2027-02-20", nights=1, person_ids=[1, 2]
    )
    winter.env.now = "2027-01-21T18:31:00"
    assert winter.hold_bunks(room_id=11, check_in="2027-02-20", nights=1, person_ids=[1, 2, FELIX])
    assert "expired at 2027-01-21T18:30:00" in refused(winter, "accept_hut_terms", booking_code="BK-50001")


def test_a_stay_from_the_first_look_to_the_way_home(winter: Session) -> None:
    party = {"check_in": "2027-03-19", "nights": 2, "person_ids": [1, FELIX]}
    room = winter.find_free_bunks(**party, hut_ids=[2], room_kind="private")["rooms"][0]
    hold = winter.hold_bunks(**party, room_id=room["room_id"])
    code = {"booking_code": hold["booking_code"]}
    assert "must be accepted by the user first" in refused(winter, "confirm_booking", **code)
    winter.accept_hut_terms(**code)
    assert winter.confirm_booking(**code)["total_cents"] == hold["total_cents"] == 2 * room["party_price_cents"]
    winter.move_booking(**code, new_check_in="2027-03-20")
    winter.order_meal(**code, meal_id=6, served_on="2027-03-21", portions=2)
    winter.env.now = "2027-03-20T16:00:00"
    winter.check_in_at_hut(**code)
    winter.env.now = "2027-03-22T08:00:00"
    bill = winter.list_charges(**code, status="open")
    assert bill["total_cents"] == winter.get_booking(**code)["open_cents"] == 2 * 7600 + 2 * 1500
    payment = winter.pay_charges(charge_ids=[c["charge_id"] for c in bill["charges"]], payment_method_id=2)
    assert refused(winter, "check_out_of_hut", **code)
    winter.confirm_payment(payment_code=payment["payment_code"])
    assert winter.check_out_of_hut(**code)["status"] == "completed"
    winter.write_review(**code, rating=4, body="Warm feet, warm soup.")
    assert winter.list_reviews(hut_id=2)["reviews"][0]["author"] == "Elias Brandstätter"
    assert winter.get_hut(hut_id=2)["rating"] == (3 + 4) / 2
