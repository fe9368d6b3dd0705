"""What agents are told before an episode begins."""

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.rollouts.prompts import for_agent
from tests.support.tiny import tiny

TASK = Task(id="stay", text="Confirm my stay.", kind="action")
LINE = "- accept_hut_terms(booking_code): Accept the terms of the hut for bunks on hold"


def test_the_assistant_is_told_what_the_person_can_do(huts: Bundle) -> None:
    told = for_agent(huts, TASK, "native", "conversation")
    assert LINE in told
    assert all(f"- {tool.name}(" in told for tool in huts.tools_of("user"))
    assert not any(f"- {tool.name}(" in told for tool in huts.tools_of("assistant"))


def test_nobody_is_there_to_do_anything_in_a_single_request(huts: Bundle) -> None:
    assert "What the person can do" not in for_agent(huts, TASK, "native", "single")


def test_what_is_withheld_the_person_cannot_do_either(huts: Bundle) -> None:
    task = TASK.model_copy(update={"withheld": ["accept_hut_terms"]})
    assert LINE not in for_agent(huts, task, "native", "conversation")


def test_a_service_without_tools_of_the_person_says_nothing_of_them() -> None:
    shop = tiny()
    alone = [tool for tool in shop.tools if tool.principal == "assistant"]
    shop.tools[:] = alone
    assert "What the person can do" not in for_agent(shop, TASK, "native", "conversation")
