"""A reader names the tools that a task means, and says what its steps are for; what comes of it is tried."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.reports import AnswerField
from envfactory_dagster.contracts.requests import ReferenceSolutionAnswer
from envfactory_dagster.contracts.truth import ReferenceSolution
from envfactory_dagster.language.built_in.conversation import ParsedQuestion
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.review import MOST_TASKS, Reviewed, review
from envfactory_dagster.truth.solutions import SolutionCheck
from tests.support.judges import judge, judged_by
from tests.support.tiny import INTEGER, NUMBER, STRING, schema, tiny, tool

MORE = '''

def reserve_item(env, *, item_id: int) -> dict:
    """Put an item aside."""
    if item_id > 9:
        raise env.Error("nothing of that is put aside")
    order_id = env.insert(
        "INSERT INTO orders (code, user_id, item_id, quantity, created_at) VALUES (?, ?, ?, 1, ?)",
        [env.new_id("RES"), env.user_id, item_id, env.now],
    )
    return {"order_id": order_id}


def buy_item(env, *, item_id: int) -> dict:
    """Order one of an item."""
    env.execute("UPDATE items SET stock = stock - 1 WHERE id = ?", [item_id])
    code = env.new_id("ORD")
    order_id = env.insert(
        "INSERT INTO orders (code, user_id, item_id, quantity, created_at) VALUES (?, ?, ?, 1, ?)",
        [code, env.user_id, item_id, env.now],
    )
    return {"order_id": order_id, "code": code}


def get_wholesale(env, *, item_id: int) -> dict:
    """What an item costs by the dozen."""
    return env.one("SELECT id, name, 9 * price AS price FROM items WHERE id = ?", [item_id])
'''
ORDERED = schema({"order_id": INTEGER})
TOOLS = [
    tool("reserve_item", schema({"item_id": INTEGER}), ORDERED),
    tool("buy_item", schema({"item_id": INTEGER}), schema({"order_id": INTEGER, "code": STRING})),
    tool(
        "get_wholesale",
        schema({"item_id": INTEGER}),
        schema({"id": INTEGER, "name": STRING, "price": NUMBER}),
        read_only=True,
    ),
]
DONE = 'return {"outcome": "done", "answers": {}, "reason": None, "message": "It is done."}'
FIND = 'item = next(i for i in tools.list_items()["items"] if i["name"] == "Item {}")'


def program(*lines: str) -> str:
    return "def solve(tools):\n" + "".join(f"    {line}\n" for line in lines)


def ordering(number: int) -> str:
    return program(FIND.format(number), 'tools.place_order(item_id=item["id"])', DONE)


PRICE = program(
    FIND.format(3),
    'price = tools.get_item(item_id=item["id"])["price"]',
    'return {"outcome": "done", "answers": {"price": price}, "reason": None, "message": f"It costs {price}."}',
)
PRICE_FIELD = AnswerField(name="price", description="what it costs", type="number")
TWO_THINGS = program(
    FIND.format(3),
    'order = tools.place_order(item_id=item["id"])',
    'tools.cancel_order(order_id=order["order_id"])',
    'tools.place_order(item_id=item["id"], quantity=2)',
    DONE,
)


async def solved(runtime: Runtime, bundle: Bundle, task: Task, source: str) -> ReferenceSolution:
    checking = SolutionCheck(runtime, bundle, task)
    fields = [PRICE_FIELD] if task.kind == "information" else []
    assert await checking.problems(ReferenceSolutionAnswer(source=source, answer_form=fields)) == []
    assert checking.solution is not None
    return checking.solution


def asking(kind: Any = "action", text: str = "Get me one of Item 3.") -> Task:
    return Task(id="one", text=text, kind=kind, state="initial")


async def read(
    runtime: Runtime, folder: Path, task: Task, source: str, said: dict[str, Any], *, chains: bool = False
) -> tuple[Reviewed, list[dict[str, Any]]]:
    """What becomes of a task of which a reader says this."""
    bundle, asked = tiny(source=MORE, definitions=TOOLS), list[dict[str, Any]]()
    gold = await solved(runtime, bundle, task, source)

    def spoil(question: ParsedQuestion, answer: dict[str, Any]) -> dict[str, Any]:
        asked.append(question.context)
        return {"tasks": [{"task": "one"} | said]}

    async with judged_by(judge(spoil), folder) as gateway:
        return await review(gateway, runtime, bundle, "here", [(task, gold)], chains=chains, attempts=2), asked


def wishes(*tools: str) -> dict[str, Any]:
    return {"wishes": [{"wish": "get the item", "tools": list(tools)}]}


@pytest.mark.parametrize(
    ("number", "tools", "other"),
    [
        (3, ["place_order"], None),
        (3, ["place_order", "reserve_item"], "reserve_item"),
        (3, ["reserve_item"], "reserve_item"),
        (3, ["place_order", "buy_item"], None),
        (12, ["place_order", "reserve_item"], None),
        (3, ["place_order", "list_items"], None),
        (3, ["place_order", "cancel_order"], None),
        (3, [], None),
    ],
    ids=["one", "two", "another one", "two that do the same", "one that refuses", "a look", "other values", "none"],
)
async def test_words_that_fit_two_commands_which_do_not_do_the_same_are_ambiguous(
    runtime: Runtime, tmp_path: Path, number: int, tools: list[str], other: str | None
) -> None:
    found, _ = await read(runtime, tmp_path, asking(), ordering(number), wishes(*tools))
    reasons = [one.reason for one in found.dropped]
    assert len(reasons) == (other is not None)
    assert all(f"its words fit place_order and {other} alike (get the item)" in reason for reason in reasons)


@pytest.mark.parametrize(
    ("tools", "dropped"),
    [(["get_item", "get_wholesale"], True), (["get_item", "list_items"], False), (["list_items"], False)],
    ids=["another price", "the price among others", "found elsewhere"],
)
async def test_words_that_fit_two_figures_are_ambiguous(
    runtime: Runtime, tmp_path: Path, tools: list[str], dropped: bool
) -> None:
    task = asking("information", "What is the price of Item 3?")
    found, _ = await read(runtime, tmp_path, task, PRICE, wishes(*tools))
    assert bool(found.dropped) is dropped


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"verdict": "keep", "purposes": ["shopping", "clearing up"]}, None),
        ({"verdict": "keep", "purposes": ["shopping", "clearing up", "asking"]}, "serve 3 purposes: shopping, "),
        ({"verdict": "drop", "why": "Nobody orders to cancel."}, "no common purpose: Nobody orders to cancel."),
        ({"verdict": "reorder", "order": [2, 1, 3, 4]}, None),
        ({"verdict": "reorder", "order": [1, 3, 2, 4]}, "come to another end"),
    ],
    ids=["two purposes", "three purposes", "no purpose", "another order", "an order that does not work"],
)
async def test_steps_without_a_purpose_are_dropped(
    runtime: Runtime, tmp_path: Path, said: dict[str, Any], told: str | None
) -> None:
    found, asked = await read(runtime, tmp_path, asking(), TWO_THINGS, said, chains=True)
    shown = asked[0]["tasks"][0]["steps"]
    assert [step.partition("(")[0] for step in shown] == ["list_items", "place_order", "cancel_order", "place_order"]
    assert [told in one.reason for one in found.dropped if told] == ([True] if told else [])
    assert [(one.task, one.stage) for one in found.dropped] == ([("one", "here")] if told else [])


async def test_of_other_tasks_no_steps_are_shown_and_none_are_judged(runtime: Runtime, tmp_path: Path) -> None:
    found, asked = await read(runtime, tmp_path, asking(), TWO_THINGS, {"verdict": "drop", "why": "So."})
    assert asked[0]["tasks"][0]["steps"] == [] and found.dropped == []


async def test_an_answer_that_cannot_be_read_is_asked_for_again_and_drops_nothing(
    runtime: Runtime, tmp_path: Path
) -> None:
    said = wishes("fly_to_the_moon") | {"verdict": "reorder", "order": [1]}
    found, asked = await read(runtime, tmp_path, asking(), ordering(3), said, chains=True)
    told = [problem.message for problem in found.attempts[0].problems]
    assert told == [
        "one: there is no tool fly_to_the_moon.",
        "one: `order` has to give each of the numbers 1 to 2 once.",
    ]
    assert len(asked) == len(found.attempts) == 2 and found.dropped == []


async def read_many(
    runtime: Runtime, folder: Path, names: list[str], said: Callable[[list[str]], list[dict[str, Any]]]
) -> tuple[Reviewed, list[list[str]]]:
    """What becomes of tasks of which a reader says this, and which were asked about together."""
    bundle, asked = tiny(source=MORE, definitions=TOOLS), list[list[str]]()
    gold = await solved(runtime, bundle, asking(), ordering(3))
    golds = [(asking().model_copy(update={"id": name}), gold.model_copy(update={"task": name})) for name in names]

    def spoil(question: ParsedQuestion, answer: dict[str, Any]) -> dict[str, Any]:
        asked.append([one["task"] for one in question.context["tasks"]])
        return {"tasks": said(asked[-1])}

    async with judged_by(judge(spoil), folder) as gateway:
        return await review(gateway, runtime, bundle, "here", golds, attempts=2), asked


@pytest.mark.parametrize(
    "garbage",
    [
        [],
        [{"task": "task_1", "wishes": [{"wish": "to fly", "tools": ["fly"]}]}],
        [{"task": "task_1", **wishes("reserve_item")}, {"task": "task_1", **wishes("place_order")}],
        [{"task": "task_1", "verdict": "drop"}],
        [{"task": "task_7", **wishes("reserve_item")}],
    ],
    ids=["nothing", "a tool that is none", "two readings", "no reason", "a task that is none"],
)
async def test_what_is_wrong_of_one_task_costs_no_other_its_reading(
    runtime: Runtime, tmp_path: Path, garbage: list[dict[str, Any]]
) -> None:
    said = [*garbage, {"task": "task_2", **wishes("reserve_item")}]
    found, asked = await read_many(runtime, tmp_path, ["task_1", "task_2"], lambda _: said)
    assert [one.task for one in found.dropped] == ["task_2"]
    assert len(asked) == 2 and all(attempt.problems for attempt in found.attempts), "it was asked for again"


async def test_a_reader_who_names_every_tool_has_not_read(runtime: Runtime, tmp_path: Path) -> None:
    everything = ["place_order", "reserve_item", "buy_item", "cancel_order"]
    found, asked = await read(runtime, tmp_path, asking(), ordering(3), wishes(*everything))
    assert found.dropped == [] and len(asked) == 2
    assert [one.message.partition(" (")[0] for one in found.attempts[0].problems] == ["one: no wish means 4 tools"]


async def test_many_tasks_are_asked_about_in_several_questions(runtime: Runtime, tmp_path: Path) -> None:
    names = [f"task_{number}" for number in range(MOST_TASKS + 1)]
    found, asked = await read_many(
        runtime, tmp_path, names, lambda wanted: [{"task": name, **wishes("reserve_item")} for name in wanted]
    )
    assert len(asked) == 2 and sorted(name for together in asked for name in together) == sorted(names)
    assert [one.task for one in found.dropped] == names


FORTY = program(
    'items = tools.list_items()["items"]',
    "for item in items[:20]:",
    '    tools.get_item(item_id=item["id"])',
    '    tools.place_order(item_id=item["id"])',
    DONE,
)


@pytest.mark.parametrize(
    ("said", "dropped"),
    [
        ({}, 0),
        ({"verdict": "reorder", "order": [1, *range(41, 1, -1)]}, 0),
        ({"verdict": "reorder", "order": [*range(1, 41)]}, 0),
        ({"verdict": "drop", "why": "Nobody buys twenty things."}, 1),
    ],
    ids=["kept", "in another order", "an order that lacks a step", "dropped"],
)
async def test_a_task_of_forty_steps_is_read_like_any_other(
    runtime: Runtime, tmp_path: Path, said: dict[str, Any], dropped: int
) -> None:
    found, asked = await read(runtime, tmp_path, asking(text="One of each."), FORTY, said, chains=True)
    assert len(asked[0]["tasks"][0]["steps"]) == 41
    assert len(found.dropped) == dropped


TWO_ORDERS = program(
    'first = tools.place_order(item_id=3)["order_id"]',
    "tools.get_item(item_id=4)",
    "tools.place_order(item_id=4)",
    "tools.confirm_order(order_id=first)",
    DONE,
)


async def test_an_order_in_which_new_rows_get_other_ids_says_nothing(runtime: Runtime, tmp_path: Path) -> None:
    said = {"verdict": "reorder", "order": [2, 3, 1, 4]}
    found, _ = await read(runtime, tmp_path, asking(), TWO_ORDERS, said, chains=True)
    assert found.dropped == []


async def test_where_nothing_is_done_nothing_is_asked(runtime: Runtime, tmp_path: Path) -> None:
    async with judged_by(judge(lambda _, answer: answer), tmp_path) as gateway:
        assert await review(gateway, runtime, tiny(), "here", []) == Reviewed()
