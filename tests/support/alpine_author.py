"""The hand-written alpine huts, cut into the answers that an author would have given, and a model that gives them.

Belongs here: turning the example into answers by schema name, and an OpenAI-compatible app that serves them, rightly or
wrongly as a test wishes. Does not: judging anything.
"""

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import orjson
from fastapi import FastAPI, Request, Response

from envfactory_dagster import examples
from envfactory_dagster.contracts import requests
from envfactory_dagster.contracts.base import Contract
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.database import DatabaseSchema, InitialState, SeedRows, Table
from envfactory_dagster.contracts.judge_requests import JudgeMessageAnswer, RowsReviewAnswer, TradeReviewAnswer
from envfactory_dagster.contracts.requests import ToolFunction
from envfactory_dagster.contracts.task_reading import TaskRead, TaskReadingAnswer, TaskReviewAnswer
from envfactory_dagster.contracts.tools import ToolCall

Answer = dict[str, Any]


@dataclass(frozen=True)
class Asked:
    """One request as the model sees it; `reports` are what it was told of its answer before."""

    schema: str
    context: Answer
    reports: list[str]


Spoil = Callable[[Asked, Answer], Answer | str]
"""From a question and the right answer to the one that is given."""

Instead = Callable[[Asked], Answer | None]

STATES = ("initial", "winter")
RULES = 6
_SEED = Path(examples.__file__).parent / "alpine_huts" / "seed"

# -- the artifacts -----------------------------------------------------------------------------------------------------


@cache
def huts() -> Bundle:
    return examples.load("alpine_huts")


@cache
def tables() -> list[Table]:
    """The schema table by table, the people first."""
    found: dict[str, Table] = {}
    for statement in filter(None, map(str.strip, huts().schema_sql.split(";\n"))):
        if created := re.match(r"CREATE TABLE (\w+)", statement):
            found[created[1]] = Table(name=created[1], ddl=statement, purpose=f"One of the {created[1]} a row.")
        elif on := re.search(r" ON (\w+)", statement):
            table = found[on[1]]
            found[on[1]] = table.model_copy(update={"indexes": [*table.indexes, statement]})
    return sorted(found.values(), key=lambda table: table.name != "people")


def schema_sql() -> str:
    return DatabaseSchema(tables=tables()).sql()


@cache
def seed() -> SeedRows:
    return SeedRows(states=[InitialState.model_validate_json((_SEED / f"{s}.json").read_bytes()) for s in STATES])


@cache
def functions() -> dict[str, ToolFunction]:
    """Every tool with the helpers, constants and imports it needs, and calls to try it with."""
    source = huts().tools_source
    tree, lines = ast.parse(source), source.splitlines()
    texts: dict[str, str] = {}
    uses: dict[str, set[str]] = {}
    imports = [ast.unparse(node) for node in tree.body if isinstance(node, ast.Import)]
    for node in tree.body:
        name = _name(node)
        if name:
            texts[name] = "\n".join(lines[node.lineno - 1 : node.end_lineno])
            uses[name] = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)} - {name}
    found = {}
    for tool in huts().tools:
        needed = _closure(tool.name, uses)
        parts = [*imports, *(text for name, text in texts.items() if name in needed)]
        good, bad, before = CALLS[tool.name]
        found[tool.name] = ToolFunction(
            name=tool.name, source="\n\n\n".join(parts), good_call=good, bad_call=bad, before=before
        )
    return found


def _name(node: ast.stmt) -> str:
    match node:
        case ast.FunctionDef(name=name) | ast.Assign(targets=[ast.Name(id=name)]):
            return name
    return ""


def _closure(name: str, uses: dict[str, set[str]]) -> set[str]:
    reached, waiting = set[str](), [name]
    while waiting:
        current = waiting.pop()
        if current in uses and current not in reached:
            reached.add(current)
            waiting += uses[current]
    return reached


# -- calls to try the tools with, on the rows of the state `initial` --------------------------------------------------

Args = dict[str, Any]


def _call(tool: str, **arguments: Any) -> ToolCall:
    return ToolCall(tool=tool, arguments=arguments)


def _paid(*charges: int) -> list[ToolCall]:
    return [
        _call("pay_charges", charge_ids=list(charges), payment_method_id=2),
        _call("confirm_payment", payment_code="PAY-50001"),
    ]


def _held(check_in: str, room: int) -> list[ToolCall]:
    return [*_paid(10, 12), _call("hold_bunks", room_id=room, check_in=check_in, nights=2, person_ids=[1, 2])]


_TERMS = _call("accept_hut_terms", booking_code="BK-50001")
_CONFIRM = _call("confirm_booking", booking_code="BK-50001")
_RENTED = [
    _call("reserve_gear", booking_code="BK-00031", gear_model_id=2, quantity=1),
    *_paid(69),
]
_PARTY: Args = {"check_in": "2026-08-03", "nights": 2, "person_ids": [1, 2]}
_MESSAGE: Args = {"subject": "Key", "body": "Where do you hide the key?"}
_HAT: Args = {"details": "mended seam", "delivery": "post"}
_YEAR: Args = {"first_day": "2026-01-01", "last_day": "2026-12-31"}
_BACKWARDS: Args = {"first_day": "2026-12-31", "last_day": "2026-01-01"}
_MEAL: Args = {"booking_code": "BK-00041", "meal_id": 8, "served_on": "2026-07-16"}

CALLS: dict[str, tuple[Args, Args, list[ToolCall]]] = {
    "search_huts": ({"region": "Silberkar"}, {"region": "Mars"}, []),
    "get_hut": ({"hut_id": 1}, {"hut_id": 99}, []),
    "find_free_bunks": (_PARTY, _PARTY | {"person_ids": [1, 5]}, []),
    "get_weather": ({"hut_id": 4, "first_day": "2026-07-16"}, {"hut_id": 4, "first_day": "2027-06-01"}, []),
    "find_trails": ({"hut_id": 4}, {"hut_id": 99}, []),
    "get_my_profile": ({}, {}, []),
    "list_companions": ({}, {}, []),
    "add_companion": (
        {"full_name": "Valerie Oberlechner", "birth_date": "1996-03-14", "relation": "sibling"},
        {"full_name": "Valerie Oberlechner", "birth_date": "2096-03-14", "relation": "sibling"},
        [],
    ),
    "remove_companion": ({"person_id": 4}, {"person_id": 2}, []),
    "update_contact": ({"phone": "+43 699 0000000"}, {}, []),
    "list_membership_plans": ({"age": 30}, {"age": 30}, []),
    "buy_membership": (
        {"person_id": 4, "plan_id": 4, "starts_on": "2026-08-01"},
        {"person_id": 4, "plan_id": 1, "starts_on": "2026-08-01"},
        [],
    ),
    "list_bookings": ({}, _BACKWARDS, []),
    "get_booking": ({"booking_code": "BK-00041"}, {"booking_code": "BK-00099"}, []),
    "hold_bunks": (_PARTY | {"room_id": 5}, _PARTY | {"room_id": 99}, _paid(10, 12)),
    "accept_hut_terms": ({"booking_code": "BK-50001"}, {"booking_code": "BK-00041"}, _held("2026-08-03", 5)),
    "confirm_booking": (
        {"booking_code": "BK-50001"},
        {"booking_code": "BK-00041"},
        [*_held("2026-08-03", 5), _TERMS],
    ),
    "move_booking": (
        {"booking_code": "BK-00041", "new_check_in": "2026-07-23"},
        {"booking_code": "BK-00041", "new_check_in": "2026-07-16"},
        [_call("cancel_meal_order", meal_order_id=order) for order in (4, 5, 6)],
    ),
    "cancel_booking": ({"booking_code": "BK-00041"}, {"booking_code": "BK-00012"}, []),
    "check_in_at_hut": (
        {"booking_code": "BK-50001"},
        {"booking_code": "BK-00041"},
        [*_held("2026-07-06", 5), _TERMS, _CONFIRM],
    ),
    "check_out_of_hut": ({"booking_code": "BK-00031"}, {"booking_code": "BK-00041"}, _paid(43, 44, 45)),
    "list_meals": ({"hut_id": 4}, {"hut_id": 99}, []),
    "order_meal": (_MEAL | {"portions": 1}, _MEAL | {"portions": 9}, []),
    "cancel_meal_order": ({"meal_order_id": 4}, {"meal_order_id": 1}, []),
    "search_tours": ({"first_day": "2026-07-07", "last_day": "2026-07-31"}, _BACKWARDS, []),
    "get_tour_date": ({"tour_date_id": 2}, {"tour_date_id": 99}, []),
    "sign_up_for_tour": (
        {"tour_date_id": 2, "person_ids": [1]},
        {"tour_date_id": 11, "person_ids": [1]},
        _paid(10, 12),
    ),
    "list_my_tours": ({}, {}, []),
    "cancel_tour_signup": ({"tour_signup_id": 5}, {"tour_signup_id": 1}, []),
    "list_gear": (
        {"hut_id": 1, "check_in": "2026-07-10", "nights": 2},
        {"hut_id": 99, "check_in": "2026-07-10", "nights": 2},
        [],
    ),
    "reserve_gear": (
        {"booking_code": "BK-00041", "gear_model_id": 2, "quantity": 2},
        {"booking_code": "BK-00041", "gear_model_id": 99, "quantity": 2},
        [],
    ),
    "sign_gear_handover": ({"rental_code": "GR-50001"}, {"rental_code": "GR-00007"}, _RENTED),
    "list_charges": ({"status": "open"}, {"booking_code": "BK-00099"}, []),
    "list_payment_methods": ({}, {}, []),
    "pay_charges": (
        {"charge_ids": [10], "payment_method_id": 2},
        {"charge_ids": [10], "payment_method_id": 1},
        [],
    ),
    "confirm_payment": ({"payment_code": "PAY-50001"}, {"payment_code": "PAY-00101"}, _paid(10)[:1]),
    "list_payments": ({"since": "2026-01-01"}, {"since": "2026-01-01"}, []),
    "list_refunds": ({}, {}, []),
    "summarize_spending": (_YEAR, _BACKWARDS, []),
    "list_reviews": ({"hut_id": 1}, {"hut_id": 99}, []),
    "write_review": (
        {"booking_code": "BK-00024", "rating": 5, "body": "Marmots at breakfast."},
        {"booking_code": "BK-00041", "rating": 5, "body": "Marmots at breakfast."},
        [],
    ),
    "search_lost_items": ({"words": "hat"}, {"hut_id": 99}, []),
    "claim_lost_item": (_HAT | {"lost_item_id": 4}, _HAT | {"lost_item_id": 6}, []),
    "list_lost_claims": ({}, {}, []),
    "send_message": (_MESSAGE | {"hut_id": 1}, _MESSAGE | {"hut_id": 7}, []),
    "list_messages": ({}, {"hut_id": 99}, []),
}

# -- the model ---------------------------------------------------------------------------------------------------------


def right_answer(schema: str, context: Answer) -> Answer:
    """What the author of the alpine huts would have said."""
    bundle = huts()
    match schema:
        case "theme":
            answer: Contract = requests.ThemeAnswer(
                **bundle.theme.model_dump(include=set(requests.ThemeAnswer.model_fields))
            )
        case "task_set":
            answer = requests.TaskSetAnswer(tasks=bundle.tasks)
        case "database_schema":
            answer = requests.DatabaseSchemaAnswer(tables=tables())
        case "seed_rows":
            state = next(state for state in seed().states if state.name == context["state"])
            answer = requests.SeedRowsAnswer(clock=state.clock, tables=state.tables)
        case "tool_spec":
            answer = requests.ToolSpecAnswer(tools=bundle.tools)
        case "server_code":
            answer = requests.ServerCodeAnswer(functions=[functions()[name] for name in context["wanted"]])
        case "server_code_impasse":
            found = [
                {"tool": one["tool"]["name"], "at_fault": "code", "reason": "It is not right yet.", "needed_by": [task]}
                for task in [context["tasks"][0]["id"]]
                for one in context["stuck"]
            ]
            answer = requests.ServerCodeImpasseAnswer.model_validate({"tools": found})
        case "reference_solutions":
            answer = requests.ReferenceSolutionsAnswer(
                solutions=[
                    requests.SolutionOfTask(
                        task=task["id"],
                        answer_form=bundle.answer_forms[task["id"]].fields,
                        source=bundle.solutions[task["id"]],
                    )
                    for task in context["tasks"]
                ]
            )
        case "verifiers":
            tasks = [one["task"]["id"] for one in context["tasks"]]
            answer = requests.VerifiersAnswer(
                verifiers=[requests.VerifierOfTask(task=task, source=bundle.verifiers[task]) for task in tasks]
            )
        case "trade_review":
            answer = TradeReviewAnswer(findings=[])
        case "rows_review":
            answer = RowsReviewAnswer(findings=[])
        case "task_review":
            answer = TaskReviewAnswer.model_validate({"tasks": [{"task": t["task"]} for t in context["tasks"]]})
        case "task_reading":
            answer = TaskReadingAnswer(
                tasks=[TaskRead(task=one["task"], verdict="natural") for one in context["tasks"]]
            )
        case "free_messages":
            answer = requests.FreeMessagesAnswer(tasks=[])
        case "judge_message":
            answer = JudgeMessageAnswer(agrees=None)
        case _:
            raise AssertionError(f"nobody wrote {schema} for the alpine huts")
    return answer.model_dump(mode="json")


def alpine_author(spoil: Spoil = lambda _, answer: answer, instead: Instead = lambda _: None) -> FastAPI:
    """An OpenAI-compatible app. `app.state.asked` holds every question, in the order they came. `instead` answers
    what the author of the huts would not have been asked."""
    app = FastAPI(title="alpine author")
    app.state.asked = []

    @app.post("/v1/chat/completions")
    async def chat(request: Request) -> Response:
        _, first, *rest = (await request.json())["messages"]
        question = orjson.loads(re.findall(r"```json\n(.*)\n```", first["content"])[-1])
        reports = [message["content"] for message in rest if message["role"] == "user"]
        asked = Asked(question["schema"], question["context"], reports)
        app.state.asked.append(asked)
        right = instead(asked)
        answer = spoil(asked, right_answer(asked.schema, asked.context) if right is None else right)
        text = answer if isinstance(answer, str) else orjson.dumps(answer).decode()
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
        usage = {"prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150}
        completion = {"id": "x", "object": "chat.completion", "created": 0, "model": "alpine", "usage": usage}
        return Response(orjson.dumps(completion | {"choices": [choice]}), media_type="application/json")

    return app
