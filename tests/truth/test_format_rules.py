"""The six rules of form: which steps break them, under which protocol, for which tasks."""

import pytest

from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.trajectory import Step, Tokens
from envfactory_dagster.contracts.truth import ReferenceSolution, TracedStep
from envfactory_dagster.truth.format_rules import Breach, FormatRules, must_call
from tests.support.reports import report
from tests.support.tiny import DEFINITIONS
from tests.truth.episodes import episode, hands_in, says, step

NATIVE, META = FormatRules(DEFINITIONS, "native"), FormatRules(DEFINITIONS, "meta_tools")
LIST = step("list_tools", value={"tools": []}, reasoning="What is there?")
ORDER = step("place_order", {"item_id": 2})
DONE = hands_in(report())


def meta(tool: str, arguments: object = None, reasoning: str = "Next.") -> Step:
    given = {"tool_name": tool, "arguments": {} if arguments is None else arguments}
    return step("call_tool", given, reasoning=reasoning)  # type: ignore[arg-type]


def in_full(one: Step) -> Step:
    """With every token that was sampled."""
    return one.model_copy(update={"tokens": Tokens(ids=[1, 2])})


def breach(rules: FormatRules, *steps: Step, finished: bool = True, must_call: bool = True) -> Breach | None:
    return rules.breach(episode(*steps).steps, finished=finished, must_call=must_call)


def found(rules: FormatRules, *steps: Step, finished: bool = True, must_call: bool = True) -> tuple[int, str] | None:
    one = breach(rules, *steps, finished=finished, must_call=must_call)
    return None if one is None else (one.step, one.rule)


def test_a_well_formed_episode_breaks_no_rule() -> None:
    assert found(NATIVE, ORDER, DONE) is None
    assert found(META, LIST, meta("place_order", {"item_id": 2}), says("Ordered.", "Done.")) is None


def test_every_step_tells_its_thoughts_where_the_protocol_shows_them() -> None:
    thoughtless = in_full(meta("get_item", {"item_id": 2}, reasoning=" "))
    assert found(META, in_full(LIST), thoughtless) == (1, "reasoning")
    assert found(NATIVE, in_full(ORDER)) is None
    of_the_user = in_full(step("confirm_order", {"order_id": 1}, principal="user"))
    assert found(META, in_full(LIST), of_the_user, must_call=False) is None
    strict = FormatRules(DEFINITIONS, "native", ["reasoning"])
    assert found(strict, in_full(ORDER)) == (0, "reasoning")


def test_thoughts_that_an_endpoint_may_keep_to_itself_are_not_missed() -> None:
    silent = [step("list_tools", value={"tools": []}), meta("place_order", {"item_id": 2}, reasoning=""), says("Done.")]
    assert found(META, *silent) is None
    assert found(META, *map(in_full, silent)) == (0, "reasoning")


def test_a_tool_that_is_not_there() -> None:
    assert found(NATIVE, ORDER, step("teleport", outcome="agent")) == (1, "tool_name")
    assert found(META, LIST, meta("teleport")) == (1, "tool_name")
    assert found(META, LIST, step("place_order", {"item_id": 2}, reasoning="Now.")) == (1, "tool_name")


def test_a_tool_that_is_the_users() -> None:
    assert found(NATIVE, step("confirm_order", {"order_id": 1}, "agent")) == (0, "tool_name")
    assert found(NATIVE, ORDER, step("confirm_order", {"order_id": 1}, principal="user")) is None


@pytest.mark.parametrize("arguments", ['{"item_id": 2', "[2]", {"item_id": "two"}, {}, {"item_id": 2, "colour": "red"}])
def test_arguments_that_do_not_fit(arguments: object) -> None:
    wrong = step("place_order", arguments, "agent")  # type: ignore[arg-type]
    assert found(NATIVE, wrong) == (0, "arguments")
    assert found(META, LIST, meta("place_order", arguments)) == (1, "arguments")


def test_arguments_inside_a_meta_tool_may_be_the_text_of_an_object() -> None:
    assert found(META, LIST, meta("place_order", '{"item_id": 2}')) is None


@pytest.mark.parametrize("given", [{}, {"tool_name": 3}, {"tool_name": "list_items", "arguments": {}, "force": True}])
def test_a_meta_tool_called_wrongly(given: dict[str, object]) -> None:
    assert found(META, LIST, step("call_tool", given, reasoning="Now.")) == (1, "arguments")  # type: ignore[arg-type]


def test_the_tools_are_listed_once_and_first() -> None:
    assert found(META, meta("place_order", {"item_id": 2})) == (0, "protocol")
    assert found(META, LIST, LIST) == (1, "protocol")


def test_an_episode_of_several_turns_has_one_success() -> None:
    refused = step("get_item", {"item_id": 999}, "agent", error="there is no item 999")
    assert found(NATIVE, refused, DONE) == (0, "interaction")
    assert found(NATIVE, refused, says("It is not there.")) == (1, "interaction")
    assert found(META, LIST, says("I would rather not.", "No.")) == (1, "interaction")


def test_handing_in_a_report_breaks_no_rule() -> None:
    refused = step("finish", {"outcome": "finished"}, "agent", error="arguments.outcome: …")
    refused = refused.model_copy(update={"calls": [refused.calls[0].model_copy(update={"is_report": True})]})
    cut = refused.model_copy(update={"calls": [refused.calls[0].model_copy(update={"arguments": '{"outcome'})]})
    unanswered = DONE.model_copy(update={"observations": []})
    for handed_in in (DONE, refused, cut, unanswered):
        assert found(META, handed_in) is None
        assert found(NATIVE, handed_in, DONE) is None
    assert found(META, LIST, meta("place_order", {"item_id": 2}), refused, DONE) is None


def test_whoever_was_told_to_hand_in_the_report_owes_nothing_else() -> None:
    told = says("Ordered.", "Done.").model_copy(update={"notice": "Now hand in your report."})
    assert found(META, told, says("I said so.")) is None
    assert found(META, told, DONE) is None
    assert found(META, in_full(says("Ordered.")), DONE) == (0, "reasoning")


def test_while_an_episode_goes_on_its_success_may_still_come() -> None:
    refused = step("get_item", {"item_id": 999}, "agent", error="there is no item 999")
    assert found(NATIVE, refused, refused, finished=False) is None


def test_who_must_refuse_or_needs_no_tool_may_call_none() -> None:
    assert found(META, LIST, says("That is against the rules.", "No."), must_call=False) is None
    assert found(META, says("That is against the rules.", "No."), must_call=False) is None
    action, refusal = (
        Task(id="a", text="Buy a coat.", kind="action"),
        Task(id="r", text="Buy a lion.", kind="refusal", rule="stock"),
    )
    without_calls = ReferenceSolution(task="a", source="…", report=report(), calls=[], changes=[], state_hash="")
    with_calls = without_calls.model_copy(update={"calls": [TracedStep(tool="list_items")]})
    assert must_call(action, with_calls) and must_call(action, None)
    assert not must_call(action, without_calls)
    assert not must_call(refusal, with_calls)


@pytest.mark.parametrize("outcome", ["environment", "infrastructure"])
def test_a_server_that_fails_is_no_fault_of_the_agent(outcome: str) -> None:
    one = breach(NATIVE, ORDER, step("list_items", outcome=outcome, error="KeyError"))  # type: ignore[arg-type]
    assert one is not None
    assert (one.step, one.rule, one.of_agent) == (1, "server", False)


def test_a_call_that_was_never_answered() -> None:
    silent = ORDER.model_copy(update={"observations": []})
    assert found(NATIVE, silent) == (0, "server")


def test_a_refusal_of_the_domain_is_good_form() -> None:
    refused = step("place_order", {"item_id": 2, "quantity": 99_999}, "agent", error="only 10000 are left")
    assert found(NATIVE, refused, ORDER, DONE) is None


def test_the_first_breach_counts() -> None:
    assert found(NATIVE, ORDER, step("teleport"), step("list_items", outcome="environment")) == (1, "tool_name")
