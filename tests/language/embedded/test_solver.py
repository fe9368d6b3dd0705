"""What the embedded solver understands of a request, with tools it was never written for."""

from collections.abc import Callable
from typing import Any

import orjson

from envfactory_dagster.language.embedded.roles.chat import message
from envfactory_dagster.language.embedded.roles.request import Part, parts
from tests.language.embedded.test_roles import NOW, tool

ID = {"type": "integer", "description": "Id of the loan."}
LOANS = [
    {"id": 1, "boat_name": "Otter", "status": "finished", "due_on": "2026-02-01"},
    {"id": 2, "boat_name": "Heron", "status": "requested", "due_on": "2026-03-20"},
    {"id": 3, "boat_name": "Heron", "status": "dispatched", "due_on": "2026-03-10"},
    {"id": 4, "boat_name": "Swan", "status": "cancelled", "due_on": "2026-03-04"},
]
LOAN_TOOLS = [
    tool(
        "list_my_loans", "List the signed-in person's loans. Read-only.", "{loans: [{id, boat_name, status, due_on}]}"
    ),
    tool("cancel_loan", "Cancel one of the signed-in person's loans. Makes a change.", "{loan_id, status}", loan_id=ID),
]

Answers = dict[str, Callable[[dict[str, Any]], dict[str, Any]]]


def chat(
    said: list[str], tools: list[dict[str, Any]], answers: Answers, ask: bool = False, rules: str = ""
) -> tuple[list[tuple[str, dict[str, Any]]], list[str]]:
    """A whole chat in which the person says these things one by one: the calls that were made, and what was said."""
    manner = "Ask the person." if ask else "Nobody answers questions."
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": f"You are an assistant. {manner}{rules} It is {NOW} now."}
    ]
    calls, heard = [], []
    for words in said:
        messages.append({"role": "user", "content": words})
        for _ in range(20):
            answer = message("embedded", messages, tools, 0)
            assert answer is not None
            messages.append(answer)
            if not answer.get("tool_calls"):
                heard.append(answer["content"])
                break
            for call in answer["tool_calls"]:
                name, arguments = call["function"]["name"], orjson.loads(call["function"]["arguments"])
                calls.append((name, arguments))
                content = orjson.dumps(answers[name](arguments)).decode()
                messages.append({"role": "tool", "tool_call_id": call["id"], "content": content})
    return calls, heard


def of_loans(request: str) -> tuple[list[tuple[str, dict[str, Any]]], list[str]]:
    answers: Answers = {"list_my_loans": lambda _: {"loans": LOANS}, "cancel_loan": lambda asked: asked}
    return chat([request], LOAN_TOOLS, answers)


def test_under_way_is_what_was_sent_and_has_not_arrived() -> None:
    assert of_loans("Please cancel my loan that is under way.")[0][-1] == ("cancel_loan", {"loan_id": 3})


def test_a_state_that_is_denied_rules_out_what_is_past_it_or_was_called_off() -> None:
    calls, _ = of_loans("Please cancel my loan that has not been sent yet.")
    assert calls[-1] == ("cancel_loan", {"loan_id": 2})
    _, heard = of_loans("Tell me which of my loans that are not finished yet is due first.")
    assert "2026-03-10" in heard[-1]


def test_two_ends_of_a_way_are_told_apart_by_their_prepositions() -> None:
    place = {"type": "integer"}
    tools = [
        tool("list_sheds", "List the sheds. Read-only.", "{sheds: [{id, name}]}"),
        tool(
            "move_boats",
            "Move boats from one shed to another. Makes a change.",
            "{move_id}",
            from_shed_id=place | {"description": "Id of the shed they leave."},
            to_shed_id=place | {"description": "Id of the shed they go to."},
        ),
    ]
    sheds = {"sheds": [{"id": 1, "name": "North shed"}, {"id": 2, "name": "Old mill"}, {"id": 3, "name": "Pier"}]}
    answers: Answers = {"list_sheds": lambda _: sheds, "move_boats": lambda _: {"move_id": 9}}
    calls, _ = chat(["Have the boats moved from Pier to North shed."], tools, answers)
    assert calls[-1] == ("move_boats", {"from_shed_id": 3, "to_shed_id": 1})


def test_where_the_person_does_not_mind_another_one_is_tried_and_every_reason_is_told() -> None:
    def cancel(asked: dict[str, Any]) -> dict[str, Any]:
        return {"loan_id": 4} if asked["loan_id"] == 4 else {"error": f"loan {asked['loan_id']} is settled"}

    answers: Answers = {"list_my_loans": lambda _: {"loans": LOANS}, "cancel_loan": cancel}
    calls, _ = chat(["Cancel any one of my loans, whichever you like."], LOAN_TOOLS, answers)
    assert calls[-1] == ("cancel_loan", {"loan_id": 4})
    refused: Answers = answers | {"cancel_loan": lambda asked: {"error": f"loan {asked['loan_id']} is settled"}}
    _, heard = chat(["Cancel any one of my loans, whichever you like."], LOAN_TOOLS, refused)
    assert all(f"loan {number} is settled" in heard[-1] for number in (1, 2, 3))


def test_a_name_is_searched_for_where_nothing_is_called_so() -> None:
    words = {"type": ["string", "null"], "description": "Part of the name.", "default": None}
    tools = [
        tool("list_my_loans", "List the signed-in person's loans. Read-only.", "{loans: [{id, boat_id}]}"),
        tool("find_boats", "Find boats by their name. Read-only.", "{boats: [{id, name, metres}]}", words=words),
    ]
    tools[1]["function"]["parameters"]["required"] = []
    answers: Answers = {
        "list_my_loans": lambda _: {"loans": []},
        "find_boats": lambda asked: {"boats": [{"id": 77, "name": "Quiet Gull", "metres": 6}] if asked else []},
    }
    calls, heard = chat(["Tell me how many metres Quiet Gull has."], tools, answers)
    assert ("find_boats", {"words": "Quiet Gull"}) in calls
    assert "6" in heard[-1]


def test_a_later_wish_of_the_person_is_worked_at_as_the_first_one() -> None:
    answers: Answers = {"list_my_loans": lambda _: {"loans": LOANS}, "cancel_loan": lambda asked: asked}
    wishes = ["Please cancel my loan that is due on 20 March 2026.", "And cancel my loan that is due on 10 March 2026."]
    calls, heard = chat(wishes, LOAN_TOOLS, answers, ask=True)
    assert [call for call in calls if call[0] == "cancel_loan"] == [
        ("cancel_loan", {"loan_id": 2}),
        ("cancel_loan", {"loan_id": 3}),
    ]
    assert len(heard) == 2


def test_what_only_the_person_knows_is_asked_for_and_then_used() -> None:
    note = {"type": "string", "minLength": 1, "description": "What to write, in the person's words."}
    tools = [tool("leave_remark", "Leave a remark for the harbour master. Makes a change.", "{remark_id}", remark=note)]
    answers: Answers = {"leave_remark": lambda _: {"remark_id": 1}}
    said = ["Please leave a remark.", 'It says "The jetty is wet".']
    calls, heard = chat(said, tools, answers, ask=True)
    assert heard[0] == "To do number 1 I have to know the remark?"
    assert calls == [("leave_remark", {"remark": "The jetty is wet"})]
    assert chat(said[:1], tools, answers)[0] == []


def test_politeness_is_no_wish_and_a_verb_of_its_own_begins_another() -> None:
    said = [part.text for part in parts("Save the Otter, cancel my loan of the Swan. That is all for today.", NOW)]
    assert said == ["Save the Otter", "cancel my loan of the Swan"]


def test_a_quote_behind_what_it_belongs_to_is_a_title_and_no_text() -> None:
    part = Part('note "All is well" on my report "Broken oar"', NOW)
    assert part.titles == ["Broken oar"]


def test_a_question_about_the_rules_is_answered_without_a_tool() -> None:
    rules = "\n- A loan can be called off until 24 hours before it begins.\n- A boat carries at most 6 people.\n"
    calls, heard = chat(
        ["One question: “A boat carries at most … people”. What is missing?"], LOAN_TOOLS, {}, True, rules
    )
    assert (calls, heard) == ([], ["It is 6."])
    calls, heard = chat(["What do your rules say of calling off a loan?"], LOAN_TOOLS, {}, True, rules)
    assert (calls, heard) == ([], ["A loan can be called off until 24 hours before it begins."])


def test_where_no_tool_does_it_nothing_else_is_done_instead() -> None:
    answers: Answers = {"list_my_loans": lambda _: {"loans": LOANS}, "cancel_repair": lambda asked: asked}
    key = {"type": "integer", "description": "Id of the repair."}
    repair = tool("cancel_repair", "Cancel one of the person's repairs. Makes a change.", "{repair_id}", repair_id=key)
    calls, heard = chat(["Please cancel my loan of the Swan."], [LOAN_TOOLS[0], repair], answers)
    assert "cancel_repair" not in {name for name, _ in calls}
    assert heard[-1].startswith("I found no way to do this")


def test_the_opposite_of_what_is_asked_for_is_not_done() -> None:
    take = tool("take_loan", "Take over a loan of somebody else. Makes a change.", "{loan_id}", loan_id=ID)
    answers: Answers = {"list_my_loans": lambda _: {"loans": LOANS}, "take_loan": lambda asked: asked}
    calls, _ = chat(["Please withdraw my loan of the Swan."], [LOAN_TOOLS[0], take], answers)
    assert "take_loan" not in {name for name, _ in calls}


def test_a_detail_that_is_left_open_is_asked_for_though_a_guess_would_do() -> None:
    tools = [
        LOAN_TOOLS[0],
        tool(
            "add_oars",
            "Add oars to a loan. Makes a change.",
            "{loan_id}",
            loan_id=ID,
            quantity={"type": "integer", "minimum": 1, "description": "How many oars."},
        ),
    ]
    answers: Answers = {"list_my_loans": lambda _: {"loans": LOANS}, "add_oars": lambda asked: asked}
    said = ["Please add some oars to my loan of the Otter.", "It is 3."]
    calls, heard = chat(said, tools, answers, ask=True)
    assert heard[0] == "To do number 1 I have to know the quantity?"
    assert calls[-1] == ("add_oars", {"loan_id": 1, "quantity": 3})


def test_what_was_done_before_a_question_is_told_with_it_and_not_done_again() -> None:
    note = {"type": "string", "minLength": 1, "description": "What to write, in the person's words."}
    remark = tool("leave_remark", "Leave a remark for the harbour master. Makes a change.", "{remark_id}", remark=note)
    answers: Answers = {
        "list_my_loans": lambda _: {"loans": LOANS},
        "cancel_loan": lambda asked: asked,
        "leave_remark": lambda _: {"remark_id": 1},
    }
    said = ["Please cancel my loan of the Swan, and then leave a remark.", 'It says "The jetty is wet".']
    calls, heard = chat(said, [*LOAN_TOOLS, remark], answers, ask=True)
    assert heard == ["That is done. To do number 2 I have to know the remark?", "That is done."]
    assert [name for name, _ in calls].count("cancel_loan") == 1
