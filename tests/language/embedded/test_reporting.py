"""The report that the embedded solver hands in."""

from collections.abc import Callable, Sequence
from typing import Any

import orjson
import pytest

from envfactory_dagster.contracts.reports import AnswerField, AnswerForm, AnswerType, Report, finish_schema
from envfactory_dagster.language.embedded.roles.chat import message
from envfactory_dagster.runtime.reports import read_report
from tests.language.embedded.test_roles import NOW, tool

RULES = {"notice": "A loan can be called off until 24 hours before it begins.", "most": "A boat carries 6 people."}
LOANS = [
    {"id": 1, "boat_name": "Otter", "due_on": "2026-03-14", "fee_cents": 1250},
    {"id": 2, "boat_name": "Heron", "due_on": "2026-03-20", "fee_cents": 900},
]
LOAN_ID = {"type": "integer", "description": "Id of the loan."}
KEY = {"type": "integer", "description": "Id of the repair."}
TOOLS = [
    tool("list_my_loans", "List the person's loans. Read-only.", "{loans: [{id, boat_name, due_on, fee_cents}]}"),
    tool("cancel_loan", "Cancel one of the person's loans. Makes a change.", "{loan_id}", loan_id=LOAN_ID),
]
SINGLE = "Nobody answers questions."


def form(**fields: AnswerType) -> AnswerForm:
    units = {"money": "EUR"}
    return AnswerForm(
        fields=[AnswerField(name=n, type=k, description=f"The {n}", unit=units.get(k, "")) for n, k in fields.items()]
    )


def finish(answers: AnswerForm) -> dict[str, Any]:
    return {"type": "function", "function": {"name": "finish", "parameters": finish_schema(answers, list(RULES))}}


def system(manner: str) -> dict[str, Any]:
    rules = "\n".join(f"- {name}: {text}" for name, text in RULES.items())
    return {"role": "system", "content": f"You are an assistant. {manner}\nIts rules:\n{rules}\nIt is {NOW} now."}


def played(
    request: str,
    answers: AnswerForm,
    cancel: Callable[[dict[str, Any]], Any] = lambda asked: asked,
    model: str = "embedded",
    tools: Sequence[dict[str, Any]] = TOOLS,
) -> Report:
    """What is reported of a request; the solver speaks to nobody."""
    messages: list[dict[str, Any]] = [system(SINGLE), {"role": "user", "content": request}]
    offered = [*tools, finish(answers)]
    for _ in range(10):
        said = message(model, messages, offered, 0)
        assert said is not None
        messages.append(said)
        if not said.get("tool_calls"):
            offered = [finish(answers)]
            messages.append({"role": "user", "content": "Now hand in your report with `finish`."})
            continue
        for call in said["tool_calls"]:
            name, given = call["function"]["name"], orjson.loads(call["function"]["arguments"])
            if name == "finish":
                read = read_report(given, answers, list(RULES))
                assert isinstance(read, Report), read.problem
                return read
            content = orjson.dumps(cancel(given) if name == "cancel_loan" else {"loans": LOANS}).decode()
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": content})
    raise AssertionError("it never stopped")


def test_what_was_done_is_reported_as_done() -> None:
    found = played("Please cancel my loan of the Otter.", form())
    assert (found.outcome, found.answers, found.reason, found.message) == ("done", {}, None, "That is done.")


def test_what_was_found_is_answered_in_the_form_that_is_asked_for() -> None:
    found = played("Tell me the due day and the fee in cents of my loan of the Otter.", form(due="date", fee="money"))
    assert (found.outcome, found.answers) == ("done", {"due": "2026-03-14", "fee": "12.50"})


def test_a_count_is_a_number_and_a_name_a_text() -> None:
    assert played("How many loans do I have?", form(loans="integer")).answers == {"loans": 2}
    assert played("Tell me which of my loans is due last.", form(boat="text")).answers == {"boat": "Heron"}


def test_what_a_tool_declines_is_refused_by_the_rule_it_sounds_like() -> None:
    def declined(_: dict[str, Any]) -> dict[str, Any]:
        return {"error": "loan 1 begins in less than 24 hours"}

    found = played("Please cancel my loan of the Otter.", form(fee="money"), declined)
    assert (found.outcome, found.reason, found.answers) == ("refused", "notice", {"fee": None})


def test_what_no_tool_does_is_impossible() -> None:
    repair = tool("cancel_repair", "Cancel one of the person's repairs. Makes a change.", "{repair_id}", repair_id=KEY)
    found = played("Please cancel my loan of the Otter.", form(), tools=[TOOLS[0], repair])
    assert (found.outcome, found.reason) == ("impossible", None)


def test_what_the_rules_say_is_answered_from_them() -> None:
    found = played("One question: “A boat carries … people”. What is missing?", form(people="integer"))
    assert (found.outcome, found.answers) == ("done", {"people": 6})


@pytest.mark.parametrize("mistake", ["stops_early", "over_asking"])
def test_who_stops_early_or_asks_has_nothing_to_report(mistake: str) -> None:
    found = played("Please cancel my loan of the Otter.", form(), model=f"embedded:competence=0,mistakes={mistake}")
    assert found.outcome == "needs_information"


def test_after_a_conversation_the_report_holds_what_was_told_in_all_of_it() -> None:
    answers = form(day="date", loans="integer")
    messages = [
        system("Ask the person."),
        {"role": "user", "content": "When is my loan of the Otter due?"},
        {"role": "assistant", "content": "The due on is 2026-03-14."},
        {"role": "user", "content": "How many loans do I have?"},
        {"role": "assistant", "content": "The number is 2."},
        {"role": "user", "content": "Now hand in your report with `finish`."},
    ]
    said = message("embedded", messages, [finish(answers)], 0)
    assert said is not None
    given = orjson.loads(said["tool_calls"][0]["function"]["arguments"])
    assert read_report(given, answers, list(RULES)) == Report(
        outcome="done",
        answers={"day": "2026-03-14", "loans": 2},
        message="The due on is 2026-03-14. The number is 2.",
    )


def test_every_question_is_answered_from_the_sentence_that_tells_it() -> None:
    def field(name: str, kind: AnswerType, description: str) -> AnswerField:
        return AnswerField(name=name, type=kind, description=description, unit="EUR" if kind == "money" else "")

    asked = AnswerForm(
        fields=[
            field("price", "money", "what my level costs a month"),
            field("expired", "text", "which skill of mine has expired"),
            field("cheapest", "text", "the name of the cheapest boat there is"),
            field("boat", "text", "its boat (which of my loans is due last, and when)"),
            field("day", "date", "its day (which of my loans is due last, and when)"),
        ]
    )
    told = (
        "The name is Plus, the monthly cents is 4995. That is done. The name is First aid, the lost on is 2025-08-13. "
        "The name is Otter, the boat category name is Rowing. The boat name is Heron, the due on is 2026-03-20."
    )
    messages = [
        system("Ask the person."),
        {"role": "user", "content": "Here is my list."},
        {"role": "assistant", "content": told},
        {"role": "user", "content": "Now hand in your report with `finish`."},
    ]
    said = message("embedded", messages, [finish(asked)], 0)
    assert said is not None
    given = orjson.loads(said["tool_calls"][0]["function"]["arguments"])
    assert given["answers"] == {
        "price": "49.95",
        "expired": "First aid",
        "cheapest": "Otter",
        "boat": "Heron",
        "day": "2026-03-20",
    }
