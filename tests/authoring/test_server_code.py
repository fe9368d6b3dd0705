"""The gate of the server code, on the alpine huts: it takes them as they are, and names tool, fault and place of
every defect, in the code and in the calls that come with it."""

import keyword
import re
from dataclasses import dataclass, replace
from typing import Any

import pytest
import pytest_asyncio

from envfactory_dagster.authoring.server_code import INSTRUCTIONS
from envfactory_dagster.authoring.trials import whole
from envfactory_dagster.authoring.trials.gate import CodeBasis, TriedModule, try_functions
from envfactory_dagster.contracts.database import Cell
from envfactory_dagster.contracts.domain import Rule
from envfactory_dagster.contracts.parameter_names import NOT_NAMES
from envfactory_dagster.contracts.requests import ToolFunction
from envfactory_dagster.contracts.tools import GivenRow, ToolEdge
from envfactory_dagster.runtime.facts import load_schema
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.inspection.inspected import Inspected
from tests.support.alpine_author import functions, seed
from tests.support.tiny import tiny


@dataclass(frozen=True)
class Defect:
    """One thing changed in one tool, and what the gate has to say of it."""

    tool: str
    old: str
    new: str
    says: str
    fault: str = "code"

    def applied(self) -> ToolFunction:
        """The change is made in the tool itself where it can be: helpers are shared."""
        function = functions()[self.tool]
        helpers, name, body = function.source.rpartition(f"def {self.tool}(")
        spoiled = (name + body).replace(self.old, self.new, 1)
        if spoiled == name + body:
            helpers = helpers.replace(self.old, self.new, 1)
        source = helpers + spoiled
        assert source != function.source, f"{self.tool} has no {self.old!r}"
        return function.model_copy(update={"source": source})


def start_of(tool: str, statement: str, says: str) -> Defect:
    """A statement at the beginning of the body."""
    source = functions()[tool].source
    docstring = re.search(r'"""[^"]*"""\n', source[source.index(f"def {tool}(") :])
    assert docstring is not None
    return Defect(tool, docstring[0], f"{docstring[0]}    {statement}\n", says)


@dataclass(frozen=True)
class WrongCall:
    """A call of the author's that shows nothing, or too much."""

    tool: str
    says: str
    changes: dict[str, Any]
    fault: str = "test"

    def applied(self) -> ToolFunction:
        return functions()[self.tool].model_copy(update=self.changes)


def given(table: str, row: int, **values: Cell) -> GivenRow:
    return GivenRow(table=table, id=row, values=values)


def at_an_edge(tool: str, *rows: GivenRow, refused: bool) -> ToolEdge:
    """The good call of a tool, on rows that are changed before."""
    good = functions()[tool]
    return ToolEdge(given=list(rows), before=good.before, arguments=good.good_call, refused=refused)


CASES: dict[str, Defect | WrongCall] = {
    # -- SQL that does not fit the schema
    "an unknown column": Defect("list_meals", "diet, price_cents FROM", "food, price_cents FROM", "list_meals: .*food"),
    "an unknown table": Defect("list_payments", "FROM payments p", "FROM receipts p", "list_payments: .*receipts"),
    "SQL that is put together": Defect(
        "list_companions", "people = env.query(", 'people = env.query("" + ', "The SQL must be a string literal"
    ),
    "too few parameters": Defect("list_payment_methods", "[env.user_id]", "[]", "takes 1 parameter.* gives 0"),
    # -- Python that does not fit the conventions
    "a forbidden import": Defect("add_companion", "import json", "import os", "add_companion: os may not be imported"),
    "another parameter": Defect(
        "list_my_tours", "*, status: str | None = None", "*, status: str | None = None, page: int = 1", "parameter page"
    ),
    "another parameter that is a word of Python": Defect(
        "list_my_tours",
        "*, status: str | None = None",
        "*, status: str | None = None, from_: int = 1",
        "parameter from_",
    ),
    "another default": Defect(
        "search_tours", "min_free_places: int = 1", "min_free_places: int = 2", "the default of min"
    ),
    "a default too many": Defect("write_review", "rating: int,", "rating: int = 5,", "rating has to be given"),
    "another function": Defect("list_membership_plans", "def list_membership_plans(", "def list_plans(", "must define"),
    # -- statements that reach too far
    "no WHERE": Defect(
        "check_out_of_hut",
        """"UPDATE gear_rentals SET status = 'cancelled' WHERE booking_id = ? AND status = 'reserved'",
        [booking["id"]],""",
        """"UPDATE gear_rentals SET status = 'cancelled' WHERE status = 'reserved'", [],""",
        "this UPDATE has no WHERE that binds a value, so it reaches every row of gear_rentals",
    ),
    "a WHERE without the row that is named": Defect(
        "pay_charges",
        """" WHERE person_id = :me AND id IN (SELECT value FROM json_each(:charge_ids))",
        {"payment_id": payment_id, "me": env.user_id, "charge_ids": json.dumps(charge_ids)},""",
        """" WHERE person_id = :me", {"payment_id": payment_id, "me": env.user_id},""",
        "this UPDATE reaches all of the user's: bind id in it too",
    ),
    "rows of strangers": Defect(
        "cancel_tour_signup",
        """"UPDATE tour_signups SET status = 'cancelled' WHERE id = ?", [tour_signup_id]""",
        """"UPDATE tour_signups SET status = 'cancelled' WHERE tour_date_id <= ?", [signup["tour_date_id"]]""",
        r"changes the row \d+ of tour_signups .* neither its arguments nor the user's id lead to",
    ),
    # -- what waits for the person
    "a confirmation that is not looked up": Defect(
        "confirm_booking",
        'if booking["terms_accepted_at"] is None:',
        """accept = [env.now, booking["id"]]
    if not env.execute("UPDATE bookings SET terms_accepted_at = ? WHERE id = ?", accept):""",
        "succeeds although the person has not called accept_hut_terms, which it waits for",
    ),
    # -- whose rows
    "another user": Defect(
        "list_companions", '"me": env.user_id', '"me": env.user_id + 1', "env.user_id \\+ 1 is nobody's id"
    ),
    "no user at all": Defect(
        "list_lost_claims",
        "WHERE c.person_id = ?\n",
        "WHERE c.person_id > 0\n",
        "takes 0 parameter|never looks at env.user_id",
    ),
    "a row of anybody": Defect(
        "write_review",
        "booking = _my_booking(env, booking_code)",
        """booking = env.one(
        "SELECT b.id, b.status, h.name AS hut, b.code AS booking_code FROM bookings b"
        " JOIN rooms m ON m.id = b.room_id JOIN huts h ON h.id = m.hut_id WHERE b.code = ?",
        [booking_code],
    )
    if booking is None:
        raise env.Error(f"there is no booking {booking_code}")""",
        "it takes a row of bookings that belongs to somebody else",
    ),
    "made for somebody else": Defect(
        "pay_charges",
        "[payment_code, env.user_id, payment_method_id, amount]",
        "[payment_code, 2, payment_method_id, amount]",
        "the row it creates in payments is not the user's: person_id = 2",
    ),
    # -- values in the wrong place
    "columns exchanged": Defect(
        "update_contact",
        "SET email = coalesce(:email, email), phone = coalesce(:phone, phone)",
        "SET email = coalesce(:phone, email), phone = coalesce(:email, phone)",
        "phone is stored in people.email, though there is a column people.phone",
    ),
    "a command that changes nothing": Defect(
        "update_contact",
        "WHERE id = :me\n",
        "WHERE id = :me AND phone IS NULL\n",
        "its good_call is answered as done and changes nothing",
    ),
    "an id of another table": Defect(
        "list_gear", "s.hut_id = :hut_id", "s.gear_model_id = :hut_id", "ids of different tables"
    ),
    "a result that shows another column": Defect(
        "search_lost_items", "h.id AS hut_id", "i.id AS hut_id", "items\\[\\].hut_id shows lost_items.id"
    ),
    "a day where moments stand": Defect(
        "send_message", "subject, body, env.now]", "subject, body, env.now[:10]]", "warden_messages.sent_at"
    ),
    "a result that says something else": Defect(
        "order_meal",
        '"amount_cents": amount,',
        '"amount_cents": amount + 1,',
        "says amount_cents = .* wrote to charges",
    ),
    # -- filters
    "a bound left out": Defect(
        "list_reviews", "v.rating >= :min_rating", "v.rating > :min_rating", "A bound is included"
    ),
    "a bound on the wrong side": Defect("find_trails", "t.hours <= :max_hours", "t.hours >= :max_hours", "not at most"),
    "a computed bound left out": Defect(
        "find_free_bunks",
        "price <= max_party_price_cents",
        "price < max_party_price_cents",
        "party_price_cents = .* A bound is included",
    ),
    "a filter turned round": Defect("list_charges", "c.kind = :kind", "c.kind <> :kind", "not equal to that"),
    "a filter forgotten": Defect(
        "list_bookings", "AND (:status IS NULL OR b.status = :status)", "AND (:status IS NULL OR 1 = 1)", "not equal to"
    ),
    # -- breaking
    "an exception": start_of("get_weather", 'int("many")', "called with its good_call it breaks: .*ValueError"),
    "an endless loop": start_of("get_hut", "while env.now:\n        pass", "did not answer in time"),
    "a choice nobody thought of": start_of(
        "search_huts",
        'rank = {None: 0, "staffed": 1, "bivouac": 2}[kind]',
        "with kind = 'self_service' it breaks: .*KeyError",
    ),
    "a parameter nobody left out": start_of("list_messages", "wanted = hut_id + 0", "breaks: .*TypeError"),
    "a broken constraint": Defect(
        "write_review", 'booking["id"], rating, body', 'booking["id"], rating + 10, body', "CHECK constraint"
    ),
    "a write in a search": start_of(
        "get_tour_date", 'env.execute("UPDATE tour_dates SET places = 9 WHERE id = ?", [tour_date_id])', "it breaks: "
    ),
    "a result out of shape": Defect("list_meals", '"meals": meals', '"dishes": meals', "broke its contract"),
    # -- what does not exist
    "an absent row waved through": Defect(
        "remove_companion",
        "[person] = _party(env, [person_id], _today(env))",
        'person = {"full_name": "?"}',
        "as if all was well",
    ),
    # -- the author's calls
    "a good call that is refused": WrongCall(
        "get_booking", "its good_call was refused", {"good_call": {"booking_code": "BK-00099"}}
    ),
    "a good call that never arrives": WrongCall(
        "get_hut", "its good_call never reaches the code", {"good_call": {"hut_id": "one"}}
    ),
    "a bad call that never arrives": WrongCall("order_meal", "its bad_call never reaches the code", {"bad_call": {}}),
    "a bad call that is fine": WrongCall("list_meals", "its bad_call was not refused", {"bad_call": {"hut_id": 5}}),
    "a call before that fails": WrongCall(
        "sign_gear_handover",
        "before its good_call comes confirm_payment with .* which fails",
        {"before": [*functions()["sign_gear_handover"].before, functions()["sign_gear_handover"].before[-1]]},
    ),
    "changes that were foretold otherwise": WrongCall(
        "cancel_booking",
        "was foretold to change rows of bookings, huts, it changes rows of",
        {"good_changes": ["bookings", "huts"]},
    ),
    "an edge that is passed": WrongCall(
        "get_booking",
        "a call at an edge should be refused and is accepted",
        {"edges": [ToolEdge(arguments=functions()["get_booking"].good_call, refused=True)]},
        fault="code",
    ),
    "an edge that is refused": WrongCall(
        "search_huts",
        "a call at an edge should be accepted and is refused",
        {"edges": [ToolEdge(arguments=functions()["search_huts"].bad_call, refused=False)]},
        fault="code",
    ),
    "an edge that was foretold otherwise": WrongCall(
        "get_hut",
        "its call at an edge was foretold to answer name = 'Nowhere'",
        {"edges": [ToolEdge(arguments=functions()["get_hut"].good_call, refused=False, result={"name": "Nowhere"})]},
    ),
    "an edge on a row that the database refuses": WrongCall(
        "search_tours",
        "the rows given for a call at an edge cannot be: Table tour_dates, the row with id 2: CHECK .* places > 0",
        {"edges": [at_an_edge("search_tours", given("tour_dates", 2, places=0), refused=False)]},
    ),
    "an edge on a row that is not there": WrongCall(
        "list_my_tours",
        "the rows given for a call at an edge cannot be: Table tour_dates has no row with id 99",
        {"edges": [at_an_edge("list_my_tours", given("tour_dates", 99, places=1), refused=False)]},
    ),
    "more edges than anybody needs": WrongCall(
        "list_meals",
        "it has 500 edges, and the first 24 were tried",
        {"edges": [at_an_edge("list_meals", given("huts", 1, name="Another"), refused=False)] * 500},
    ),
    "an edge on other rows that is passed": WrongCall(
        "cancel_meal_order",
        "a call at an edge should be refused and is accepted",
        {"edges": [at_an_edge("cancel_meal_order", given("meal_orders", 4, served_on="2026-07-07"), refused=True)]},
        fault="code",
    ),
    "an edge on other rows that is refused": WrongCall(
        "buy_membership",
        "a call at an edge should be accepted and is refused: Adult Plus is not for somebody of 35",
        {"edges": [at_an_edge("buy_membership", given("membership_plans", 4, max_age=34), refused=False)]},
        fault="code",
    ),
    "a result that was foretold otherwise": WrongCall(
        "cancel_booking",
        "its good_call was foretold to answer refunded_cents = 1",
        {"good_result": {"status": "cancelled", "refunded_cents": 1}},
    ),
}
"""Fault → what is changed. A tool may be spoiled in several ways; each is tried in a round of its own."""


def rounds() -> list[list[str]]:
    """The cases in few rounds, so that in each every tool is spoiled once at most, and none that another one needs
    before its own call."""
    found: list[list[str]] = []
    for name, case in CASES.items():
        needed = {case.tool, *(call.tool for call in case.applied().before)}
        for members in found:
            others = [CASES[other].applied() for other in members]
            taken = {tool for other in others for tool in (other.name, *(call.tool for call in other.before))}
            if case.tool not in taken and not needed & {other.name for other in others}:
                members.append(name)
                break
        else:
            found.append([name])
    return found


@pytest_asyncio.fixture(scope="module")
async def verdicts(runtime: Runtime, basis: CodeBasis) -> dict[str, TriedModule]:
    """What the gate says in the round of every case."""
    found: dict[str, TriedModule] = {}
    for names in rounds():
        spoiled = {CASES[name].tool: CASES[name].applied() for name in names}
        tried = await try_functions(runtime, basis, functions() | spoiled)
        found |= dict.fromkeys(names, tried)
    return found


async def test_the_huts_are_accepted(runtime: Runtime, basis: CodeBasis) -> None:
    assert (await try_functions(runtime, basis, functions())).problems == {}


@pytest.mark.parametrize("case", CASES)
def test_a_defect_is_named(verdicts: dict[str, TriedModule], case: str) -> None:
    wanted = CASES[case]
    problems = verdicts[case].problems.get(wanted.tool, [])
    assert any(p.fault == wanted.fault and re.search(wanted.says, p.message) for p in problems), [
        (p.fault, p.message) for p in problems
    ]


def test_nobody_else_is_blamed(verdicts: dict[str, TriedModule]) -> None:
    for names in rounds():
        spoiled = {CASES[name].tool for name in names}
        waiting = {name for name, function in functions().items() if {call.tool for call in function.before} & spoiled}
        assert verdicts[names[0]].problems.keys() - waiting == spoiled


async def test_a_rule_that_no_tool_enforces_is_named(runtime: Runtime, basis: CodeBasis) -> None:
    old, new = 'CHECK_IN_TIME = "15:00:00"', 'CHECK_IN_TIME = "16:00:00"'
    lax = {name: f.model_copy(update={"source": f.source.replace(old, new)}) for name, f in functions().items()}
    (problems,) = (await try_functions(runtime, basis, lax)).problems.values()
    assert [problem.message for problem in problems] == [
        "The rule cancellation_window speaks of 15:00, and no tool does; cancel_tour_signup may have to enforce it."
    ]


@pytest.mark.parametrize(
    ("text", "number", "ends", "blamed"),
    [
        ("A turn of 90 minutes is for one party.", "90", "19:30", False),
        ("A turn of 90 minutes is for one party.", "90", "19:00", True),
        ("A 1.5 hour turn is for one party.", "1.5", "19:30", False),
        ("A party has 3 turns at most.", "3", "19:30", True),
        ("A party has 90 turns at most.", "90", "19:30", True),
    ],
)
async def test_how_long_a_thing_lasts_may_be_kept_in_its_rows(
    runtime: Runtime, text: str, number: str, ends: str, blamed: bool
) -> None:
    bundle = tiny()
    inspected = await Inspected.of(runtime, bundle)
    rule = Rule(id="turn", text=text)
    found = whole.problems_of(
        bundle.theme.model_copy(update={"rules": [rule]}),
        inspected.schema,
        [{"id": 1, "starts_time": "18:00", "ends_time": ends}],
        bundle.tools,
        inspected.facts,
        bundle.tools_source,
    )
    said = [problem.message for problems in found.values() for problem in problems]
    assert any(f"speaks of {number}," in message for message in said) is blamed


async def test_a_table_that_no_tool_touches_is_named(runtime: Runtime, basis: CodeBasis) -> None:
    extra = "CREATE TABLE trail_notes (id INTEGER PRIMARY KEY, trail_id INTEGER REFERENCES trails (id)) STRICT;\n"
    schema = load_schema(basis.schema.sql + extra)
    wider = await CodeBasis.of(runtime, basis.theme, schema, seed(), basis.tools)
    assert (await try_functions(runtime, wider, functions())).problems["find_trails"][0].message == (
        "No tool reads or writes the table trail_notes; find_trails is the closest to it: use it there."
    )


LAST_PLACE = at_an_edge("sign_up_for_tour", given("tour_dates", 2, places=2), refused=False)
FULL = at_an_edge("sign_up_for_tour", given("tour_dates", 2, places=1), refused=True)
"""Of eight places one is taken, and the user's party is four: no calls fill the tour."""


async def problems_of_signing_up(
    runtime: Runtime, basis: CodeBasis, edges: list[ToolEdge], places: str = ""
) -> list[str]:
    """What the gate has against the tool, and those that come before it, if it looks at the free places like this."""
    tool = functions()["sign_up_for_tour"]
    source = tool.source.replace('date["free_places"] < len(party)', places) if places else tool.source
    assert (source != tool.source) is bool(places)
    tried = {call.tool: functions()[call.tool] for call in tool.before}
    tried[tool.name] = tool.model_copy(update={"source": source, "edges": edges})
    found = (await try_functions(runtime, basis, tried)).problems
    return [problem.message for problems in found.values() for problem in problems]


async def test_edges_on_other_rows_are_accepted(runtime: Runtime, basis: CodeBasis) -> None:
    assert await problems_of_signing_up(runtime, basis, [LAST_PLACE, FULL]) == []


@pytest.mark.parametrize(
    ("places", "says"),
    [
        ('date["free_places"] <= len(party)', "should be accepted and is refused: .* has 1 free place"),
        ('date["free_places"] + 1 < len(party)', "should be refused and is accepted"),
    ],
    ids=["the last place is kept back", "a place too many is given away"],
)
async def test_a_limit_that_is_off_by_one_is_caught_on_other_rows_and_by_nothing_else(
    runtime: Runtime, basis: CodeBasis, places: str, says: str
) -> None:
    assert await problems_of_signing_up(runtime, basis, [], places) == []
    [problem] = await problems_of_signing_up(runtime, basis, [LAST_PLACE, FULL], places)
    assert re.search(f"^sign_up_for_tour: a call at an edge {says}", problem)


async def problems_of_a_good_call(runtime: Runtime, basis: CodeBasis, changes: dict[str, Any]) -> list[str]:
    tool = functions()["sign_up_for_tour"]
    tried = {call.tool: functions()[call.tool] for call in tool.before} | {tool.name: tool.model_copy(update=changes)}
    return [problem.message for problem in (await try_functions(runtime, basis, tried)).problems.get(tool.name, [])]


async def test_a_good_call_may_have_rows_and_a_time_of_its_own(runtime: Runtime, basis: CodeBasis) -> None:
    full = functions()["sign_up_for_tour"].good_call
    two_left = {"given": [given("tour_dates", 2, places=2)]}
    assert await problems_of_a_good_call(runtime, basis, {"good_call": full, **two_left}) == []
    late = await problems_of_a_good_call(runtime, basis, {"clock": "2027-01-01T09:00:00"})
    assert late and "before its good_call comes" not in late[0] and "was refused" in late[0]
    in_time = {"clock": "2026-07-05T09:00:00"}
    assert await problems_of_a_good_call(runtime, basis, in_time) == []


async def test_rows_for_a_good_call_are_those_that_it_meets(runtime: Runtime, basis: CodeBasis) -> None:
    [none_left] = await problems_of_a_good_call(runtime, basis, {"given": [given("tour_dates", 2, places=1)]})
    assert "its good_call was refused" in none_left
    [impossible] = await problems_of_a_good_call(runtime, basis, {"given": [given("tour_dates", 2, places=0)]})
    assert "the rows given for its good_call cannot be: Table tour_dates, the row with id 2: CHECK" in impossible


async def test_who_gives_rows_is_still_asked_whose_they_are(runtime: Runtime, basis: CodeBasis) -> None:
    defect = CASES["a row of anybody"]
    spoiled = defect.applied().model_copy(update={"given": [given("huts", 1, name="Another")]})
    tried = {name: functions()[name] for name in ("cancel_booking", "order_meal", "reserve_gear")}
    found = (await try_functions(runtime, basis, tried | {spoiled.name: spoiled})).problems
    assert any(re.search(defect.says, problem.message) for problem in found[spoiled.name])


async def test_a_tool_that_waits_for_the_person_is_tried_after_what_they_do(runtime: Runtime, basis: CodeBasis) -> None:
    waiting = [
        tool.model_copy(update={"confirmed_by": ["accept_hut_terms"]}) if tool.name == "send_message" else tool
        for tool in basis.tools
    ]
    tried = {name: functions()[name] for name in ("send_message", "accept_hut_terms", "hold_bunks")}
    found = (await try_functions(runtime, replace(basis, tools=waiting), tried)).problems
    assert [problem.message for problem in found["send_message"]] == [
        "send_message: it is confirmed by accept_hut_terms, and its good_call comes after no such call: put it into "
        "`before`."
    ]


def test_authors_are_told_which_parameters_get_an_underscore() -> None:
    told = " ".join(INSTRUCTIONS.split())
    others = " or ".join(f"`{name}`" for name in sorted(NOT_NAMES - {*keyword.kwlist}))
    assert f"a word of Python, or {others}, is declared with an underscore at its end" in told
