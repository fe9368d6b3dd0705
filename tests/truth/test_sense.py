"""A task that sets what is there already, or whose condition changes nothing, is no task."""

import pytest

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.reports import AnswerField
from envfactory_dagster.contracts.requests import ReferenceSolutionAnswer
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.solutions import SolutionCheck
from tests.support.tiny import INTEGER, schema, tiny, tool

IDLE = "sets what is there already"
HOLLOW = "Both branches of a condition come to the same end"
DONE = 'return {"outcome": "done", "answers": {}, "reason": None, "message": "It is done."}'
IF = "If I have several companions, ask the first hut for the key, otherwise the second one."
WRITE = 'tools.send_message(hut_id={}, subject="Key", body="Where do you hide the key?")'
COMPANIONS = "companions = tools.list_companions()['companions']"


async def problems(
    runtime: Runtime, bundle: Bundle, text: str, *lines: str, fields: tuple[str, ...] = ()
) -> list[tuple[str, bool]]:
    """What is wrong with a program for this request, and whether it can be mended."""
    task = Task(id="one", text=text, kind="information" if fields else "action", state="initial")
    source = "def solve(tools):\n" + "".join(f"    {line}\n" for line in lines)
    form = [AnswerField(name=name, description=f"the {name}", type="text") for name in fields]
    found = await SolutionCheck(runtime, bundle, task).problems(
        ReferenceSolutionAnswer(source=source, answer_form=form)
    )
    return [(problem.message, problem.mendable) for problem in found]


# -- writes ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("phone", "idle"), [('mine["phone"]', True), ('"+43 699 0000000"', False)])
async def test_a_telephone_number_is_not_changed_to_itself(
    runtime: Runtime, huts: Bundle, phone: str, idle: bool
) -> None:
    lines = [WRITE.format(1), "mine = tools.get_my_profile()", f"tools.update_contact(phone={phone})", DONE]
    found = await problems(runtime, huts, "Ask the first hut for the key, and note my number.", *lines)
    assert [(IDLE in message, mendable) for message, mendable in found] == ([(True, True)] if idle else [])


STAMPING = '''

def backdate_order(env, *, order_id: int) -> dict:
    """Set an order back to the turn of the year."""
    env.execute("UPDATE orders SET created_at = '2026-01-01T00:00:00' WHERE id = ?", [order_id])
    return {"order_id": order_id}


def stamp_order(env, *, order_id: int) -> dict:
    """Stamp an order with the time."""
    env.execute("UPDATE orders SET created_at = ? WHERE id = ?", [env.now, order_id])
    return {"order_id": order_id}
'''


@pytest.mark.parametrize(
    ("calls", "idle"),
    [
        (["confirm_order"], 0),
        (["confirm_order", "confirm_order"], 1),
        (["backdate_order"], 0),
        (["backdate_order", "stamp_order"], 1),
    ],
)
async def test_what_changes_nothing_but_the_time_is_done_again(runtime: Runtime, calls: list[str], idle: int) -> None:
    order = schema({"order_id": INTEGER})
    shop = tiny(source=STAMPING, definitions=[tool(name, order, order) for name in ("backdate_order", "stamp_order")])
    lines = ["order = tools.place_order(item_id=3)['order_id']", *(f"tools.{name}(order_id=order)" for name in calls)]
    found = await problems(runtime, shop, "Order Item 3 and see to it.", *lines, DONE)
    assert [IDLE in message for message, _ in found] == [True] * idle


BASKETS = '''

def open_basket(env) -> dict:
    """The last order that there is, or a new one."""
    found = env.one("SELECT id FROM orders WHERE user_id = ? ORDER BY id DESC LIMIT 1", [env.user_id])
    if found is None:
        new = env.insert(
            "INSERT INTO orders (code, user_id, item_id, quantity, created_at) VALUES (?, ?, 1, 1, ?)",
            [env.new_id("ORD"), env.user_id, env.now],
        )
        return {"basket": new}
    return {"basket": found["id"]}
'''


@pytest.mark.parametrize(("used", "idle"), [(True, 0), (False, 1)])
async def test_what_is_called_for_its_answer_may_change_nothing(runtime: Runtime, used: bool, idle: int) -> None:
    shop = tiny(source=BASKETS, definitions=[tool("open_basket", schema(), schema({"basket": INTEGER}))])
    confirmed = "tools.confirm_order(order_id=basket if USED else order['order_id'])".replace("USED", str(used))
    lines = ["order = tools.place_order(item_id=3)", "basket = tools.open_basket()['basket']", confirmed]
    lines = lines if used else [lines[0], "basket = None", confirmed, lines[1]]
    found = await problems(runtime, shop, "Put Item 3 into my basket and let me confirm it.", *lines, DONE)
    assert [IDLE in message for message, _ in found] == [True] * idle


# -- conditions --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("other", "alike"), [(1, True), (2, False)])
async def test_a_condition_that_decides_nothing_is_found(
    runtime: Runtime, huts: Bundle, other: int, alike: bool
) -> None:
    in_branches = ["if len(companions) > 1:", f"    {WRITE.format(1)}", "else:", f"    {WRITE.format(other)}"]
    by_choice = [f"hut = 1 if len(companions) > 1 else {other}", WRITE.format("hut")]
    in_place = [WRITE.format(f"1 if len(companions) > 1 else {other}")]
    for lines in (in_branches, by_choice, in_place):
        found = await problems(runtime, huts, IF, COMPANIONS, *lines, DONE)
        assert [(HOLLOW in message, mendable) for message, mendable in found] == ([(True, False)] if alike else [])


async def test_what_nobody_made_a_condition_is_the_programs_own_affair(runtime: Runtime, huts: Bundle) -> None:
    lines = [COMPANIONS, "if len(companions) > 1:", f"    {WRITE.format(1)}", "else:", f"    {WRITE.format(1)}", DONE]
    assert await problems(runtime, huts, "Ask the first hut for the key.", *lines) == []


async def test_a_condition_that_the_program_never_comes_to_is_not_judged(runtime: Runtime, huts: Bundle) -> None:
    lines = [
        COMPANIONS,
        "if not companions:",
        "    if len(companions) > 3:",
        f"        {WRITE.format(2)}",
        "    else:",
        "        tools.update_contact(phone='1')",
        WRITE.format(1),
        DONE,
    ]
    assert await problems(runtime, huts, IF, *lines) == []


@pytest.mark.parametrize(("other", "alike"), [("profile['email']", False), ("profile['phone']", True)])
async def test_what_is_told_depends_on_the_condition_as_well(
    runtime: Runtime, huts: Bundle, other: str, alike: bool
) -> None:
    lines = [
        "profile = tools.get_my_profile()",
        "if len(tools.list_companions()['companions']) > 1:",
        "    return {'outcome': 'done', 'answers': {'address': profile['phone']}, 'reason': None,",
        "            'message': f\"It is {profile['phone']}.\"}",
        f"return {{'outcome': 'done', 'answers': {{'address': {other}}}, 'reason': None,",
        f"        'message': f\"It is {{{other}}}.\"}}",
    ]
    text = "If I have several companions tell me my telephone number, otherwise my e-mail address."
    found = await problems(runtime, huts, text, *lines, fields=("address",))
    assert [HOLLOW in message for message, _ in found] == [True] * alike


async def test_one_or_several_in_a_sentence_is_no_condition_of_the_task(runtime: Runtime, huts: Bundle) -> None:
    lines = [
        COMPANIONS,
        "many = len(companions)",
        WRITE.format(1),
        "return {'outcome': 'done', 'answers': {}, 'reason': None,",
        "        'message': 'It is done.' if many == 1 else 'They know.'}",
    ]
    assert await problems(runtime, huts, IF, *lines) == []


BESIDES = "tools.send_message(hut_id=2, subject='Key', body='For one.' if len(companions[:1]) == 1 else 'For one.')"


@pytest.mark.parametrize(
    ("text", "test", "found"),
    [
        (IF, "len(companions) > 1", 0),
        (f"{IF} If I have only one, ask the second for one bed.", "len(companions) > 1", 1),
        (IF.replace(",", " and if one is called something,", 1), "len(companions) > 1 and companions[0]", 0),
    ],
    ids=["one", "two, of which one matters", "two in one"],
)
async def test_where_as_many_conditions_matter_as_are_asked_for_the_others_are_the_programs_own(
    runtime: Runtime, huts: Bundle, text: str, test: str, found: int
) -> None:
    lines = [COMPANIONS, f"hut = 1 if {test} else 3", WRITE.format("hut"), BESIDES, DONE]
    said = await problems(runtime, huts, text, *lines)
    assert [HOLLOW in message for message, _ in said] == [True] * found


async def test_what_is_refused_may_be_refused_in_two_ways(runtime: Runtime, huts: Bundle) -> None:
    task = next(task for task in huts.tasks if task.kind == "refusal")
    asked = task.model_copy(update={"text": f"{task.text} If that cannot be, tell me."})
    lines = [
        "def solve(tools):",
        "    companions = tools.list_companions()['companions']",
        "    told = {'outcome': 'refused', 'answers': {}, 'message': 'That cannot be done.'}",
        f"    if len(companions) > 1:\n        return told | {{'reason': {task.rule!r}}}",
        f"    return told | {{'reason': {task.rule!r}}}",
    ]
    answer = ReferenceSolutionAnswer(source="\n".join(lines), answer_form=[])
    assert await SolutionCheck(runtime, huts, asked).problems(answer) == []
