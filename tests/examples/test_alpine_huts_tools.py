"""The tools of the hut network one by one: each does its work, and each refuses with a sentence. Then the rules."""

from dataclasses import dataclass, field

import pytest

from envfactory_dagster.contracts.bundle import Bundle
from tests.support.inline_runtime import Environment, Row, Session

Call = tuple[str, Row]

NEVER_REFUSE = {
    "get_my_profile",
    "list_companions",
    "list_membership_plans",
    "list_my_tours",
    "list_payment_methods",
    "list_payments",
    "list_refunds",
    "list_lost_claims",
}
"""They only show what is the user's own, and no argument can be wrong."""


@dataclass(frozen=True)
class Trial:
    """A call that works, one that the tool must refuse, and what comes before either."""

    tool: str
    good: Row
    bad: Row = field(default_factory=dict)
    reason: str = ""
    state: str = "winter"
    before: tuple[Call, ...] = ()


ARRIVED: tuple[Call, ...] = (
    ("check_in_at_hut", {"booking_code": "BK-00187"}),
    ("reserve_gear", {"booking_code": "BK-00187", "gear_model_id": 1, "quantity": 2}),
    ("pay_charges", {"charge_ids": [55, 56], "payment_method_id": 1}),
    ("confirm_payment", {"payment_code": "PAY-50001"}),
)
PAID_UP: tuple[Call, ...] = (
    ("pay_charges", {"charge_ids": [43, 44, 45], "payment_method_id": 3}),
    ("confirm_payment", {"payment_code": "PAY-50001"}),
)
FAMILY = {"check_in": "2027-03-06", "nights": 2, "person_ids": [1, 2]}
BORN = {"full_name": "Valerie Brandstätter", "relation": "sibling"}
MESSAGE = {"subject": "Key", "body": "Where do you hide the key?"}

TRIALS = [
    Trial("search_huts", {"region": "Weißkogel", "amenities": ["shower"]}, {"region": "Mars"}, "the regions are Hoher"),
    Trial("get_hut", {"hut_id": 5}, {"hut_id": 99}, "no hut 99"),
    Trial("find_free_bunks", FAMILY, FAMILY | {"person_ids": [1, 5]}, "nobody among you .* person id 5"),
    Trial(
        "get_weather", {"hut_id": 4, "first_day": "2027-01-22"}, {"hut_id": 4, "first_day": "2027-06-01"}, "forecast"
    ),
    Trial("find_trails", {"hut_id": 5, "max_hours": 3}, {"hut_id": 99}, "no hut 99"),
    Trial("get_my_profile", {}),
    Trial("list_companions", {}),
    Trial("add_companion", BORN | {"birth_date": "1996-03-14"}, BORN | {"birth_date": "2027-03-14"}, "in the future"),
    Trial("remove_companion", {"person_id": 4}, {"person_id": 2}, "guest of your booking BK-000", state="initial"),
    Trial("update_contact", {"phone": "+43 699 0000000"}, {}, "say what to change"),
    Trial("list_membership_plans", {"age": 15}),
    Trial(
        "buy_membership",
        {"person_id": 4, "plan_id": 4, "starts_on": "2027-02-01"},
        {"person_id": 4, "plan_id": 1, "starts_on": "2027-02-01"},
        "Junior is not for somebody of 37",
    ),
    Trial("list_bookings", {"hut_id": 6}, {"first_day": "2027-02-01", "last_day": "2027-01-01"}, "before it begins"),
    Trial("get_booking", {"booking_code": "BK-00118"}, {"booking_code": "BK-00212"}, "you have no booking BK-00212"),
    Trial("hold_bunks", FAMILY | {"room_id": 6}, FAMILY | {"room_id": 99}, "no room 99"),
    Trial("accept_hut_terms", {"booking_code": "BK-00219"}, {"booking_code": "BK-00187"}, "is confirmed, not hold"),
    Trial(
        "confirm_booking",
        {"booking_code": "BK-00219"},
        {"booking_code": "BK-00211"},
        "is confirmed, not hold",
        before=(("accept_hut_terms", {"booking_code": "BK-00219"}),),
    ),
    Trial(
        "move_booking",
        {"booking_code": "BK-00219", "new_check_in": "2027-03-12"},
        {"booking_code": "BK-00211", "new_check_in": "2027-02-12"},
        "cancel the 2 meal orders first",
    ),
    Trial("cancel_booking", {"booking_code": "BK-00211"}, {"booking_code": "BK-00118"}, "is completed and can no"),
    Trial("check_in_at_hut", {"booking_code": "BK-00187"}, {"booking_code": "BK-00211"}, "from 2027-02-05 to"),
    Trial(
        "check_out_of_hut",
        {"booking_code": "BK-00031"},
        {"booking_code": "BK-00041"},
        "is confirmed, not checked_in",
        state="initial",
        before=PAID_UP,
    ),
    Trial("list_meals", {"hut_id": 4, "suits": "vegetarian"}, {"hut_id": 99}, "no hut 99"),
    Trial(
        "order_meal",
        {"booking_code": "BK-00187", "meal_id": 3, "served_on": "2027-01-21", "portions": 2},
        {"booking_code": "BK-00187", "meal_id": 3, "served_on": "2027-01-20", "portions": 2},
        "from 2027-01-21 to 2027-01-23",
    ),
    Trial("cancel_meal_order", {"meal_order_id": 6}, {"meal_order_id": 5}, "until the day before 2027-01-20"),
    Trial(
        "search_tours",
        {"first_day": "2027-02-01", "last_day": "2027-02-28", "language": "French"},
        {"first_day": "2027-02-28", "last_day": "2027-02-01"},
        "before it begins",
    ),
    Trial("get_tour_date", {"tour_date_id": 7}, {"tour_date_id": 99}, "no tour date 99"),
    Trial(
        "sign_up_for_tour",
        {"tour_date_id": 8, "person_ids": [1, 2, 3]},
        {"tour_date_id": 7, "person_ids": [1]},
        "has been cancelled or is over",
    ),
    Trial("list_my_tours", {}),
    Trial("cancel_tour_signup", {"tour_signup_id": 4}, {"tour_signup_id": 3}, "Felix .* without a guardian"),
    Trial(
        "list_gear",
        {"hut_id": 1, "check_in": "2027-01-20", "nights": 3},
        {"hut_id": 99, "check_in": "2027-01-20", "nights": 3},
        "no hut",
    ),
    Trial(
        "reserve_gear",
        {"booking_code": "BK-00187", "gear_model_id": 1, "quantity": 3},
        {"booking_code": "BK-00187", "gear_model_id": 1, "quantity": 4},
        "has 3 × Avalanche kit",
    ),
    Trial(
        "sign_gear_handover",
        {"rental_code": "GR-50001"},
        {"rental_code": "GR-00046"},
        "after check-in",
        before=ARRIVED,
    ),
    Trial("list_charges", {"status": "open"}, {"booking_code": "BK-00212"}, "you have no booking"),
    Trial("list_payment_methods", {}),
    Trial(
        "pay_charges",
        {"charge_ids": [10], "payment_method_id": 2},
        {"charge_ids": [10], "payment_method_id": 1},
        "Mastercard ending in 0937 expired on 2026-05-31",
        state="initial",
    ),
    Trial(
        "confirm_payment",
        {"payment_code": "PAY-50001"},
        {"payment_code": "PAY-00342"},
        "confirmed already",
        before=ARRIVED[:3],
    ),
    Trial("list_payments", {"since": "2026-08-01"}),
    Trial("list_refunds", {}),
    Trial(
        "summarize_spending",
        {"first_day": "2026-01-01", "last_day": "2026-12-31"},
        {"first_day": "2026-12-31", "last_day": "2026-01-01"},
        "before it begins",
    ),
    Trial("list_reviews", {"hut_id": 1, "sort_by": "worst"}, {"hut_id": 99}, "no hut 99"),
    Trial(
        "write_review",
        {"booking_code": "BK-00118", "rating": 5, "body": "Marmots at breakfast."},
        {"booking_code": "BK-00211", "rating": 5, "body": "Marmots at breakfast."},
        "is confirmed, not completed",
    ),
    Trial("search_lost_items", {"words": "cap"}, {"hut_id": 99}, "no hut 99"),
    Trial(
        "claim_lost_item",
        {"lost_item_id": 8, "details": "Nadia knitted it", "delivery": "post"},
        {"lost_item_id": 5, "details": "124 mm, left", "delivery": "post"},
        "has been claimed already",
    ),
    Trial("list_lost_claims", {}),
    Trial("send_message", MESSAGE | {"hut_id": 3}, MESSAGE | {"hut_id": 7}, "nobody looks after Firnegg Bivouac"),
    Trial("list_messages", {"hut_id": 6}, {"hut_id": 99}, "no hut 99"),
]


def begun(environment: Environment, trial: Trial) -> Session:
    session = Session(environment, trial.state)
    for tool, arguments in trial.before:
        session.call(tool, **arguments)
    return session


@pytest.mark.parametrize("trial", TRIALS, ids=lambda trial: trial.tool)
def test_every_tool_does_its_work(environment: Environment, trial: Trial) -> None:
    session = begun(environment, trial)
    before = session.env.tables()
    assert session.call(trial.tool, **trial.good)
    assert (session.env.tables() == before) == (trial.tool in environment.read_only)


@pytest.mark.parametrize("trial", [t for t in TRIALS if t.reason], ids=lambda trial: trial.tool)
def test_every_tool_refuses_with_a_reason_and_changes_nothing(environment: Environment, trial: Trial) -> None:
    session = begun(environment, trial)
    before = session.env.tables()
    with pytest.raises(Session.Error, match=trial.reason):
        session.call(trial.tool, **trial.bad)
    assert session.env.tables() == before


def test_no_tool_was_forgotten(huts: Bundle) -> None:
    names = [tool.name for tool in huts.tools]
    assert [trial.tool for trial in TRIALS] == names
    assert {trial.tool for trial in TRIALS if not trial.reason} == NEVER_REFUSE
