"""The classes for TRL's `environment_factory`: what TRL reads of it, and a task played as TRL plays it."""

import asyncio
import inspect
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset
from transformers import Qwen3Config, Qwen3ForCausalLM
from transformers.utils import get_json_schema
from trl import GRPOConfig, GRPOTrainer

from envfactory_dagster import examples
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.reports import AnswerForm
from envfactory_dagster.contracts.tools import ToolDefinition
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.workspaces import workspace_bundle
from tests.support import tiny
from tests.support.workspaces import SHOPS, workspace
from tests.trainer.qwen import qwen_tokenizer
from tests.trainer.shop import bundle
from trainer.factory import BundleEnvironment, environment_classes, environment_name, verified

TASK = {"task": "order_2_of_3", "prompt": [{"role": "user", "content": "Order 2 of Item 3."}]}


def tools_of(environment: BundleEnvironment) -> dict[str, Any]:
    """By name, chosen as TRL chooses them."""
    members = inspect.getmembers(type(environment), predicate=inspect.isfunction)
    return {
        name: getattr(environment, name)
        for name, _ in members
        if name not in ("reset", "get_reward") and not name.startswith("_")
    }


@pytest.fixture
def environment() -> BundleEnvironment:
    return environment_classes(bundle())["tiny-shop"]()


def test_every_tool_of_the_assistant_is_a_method_that_trl_can_show() -> None:
    huts = examples.load("alpine_huts")
    found = tools_of(environment_classes(huts)["alpine-huts"]())
    assert set(found) == {tool.name for tool in huts.tools_of("assistant")} | {"finish"}
    assert get_json_schema(found["finish"])["function"]["parameters"]["required"] == ["outcome", "answers", "message"]
    for tool in huts.tools_of("assistant"):
        shown = get_json_schema(found[tool.name])["function"]
        assert shown["name"] == tool.name
        assert tool.description.split(".")[0] in shown["description"]
        assert set(shown["parameters"]["properties"]) == set(tool.inputSchema.get("properties", {}))
        assert set(shown["parameters"].get("required", [])) == set(tool.inputSchema.get("required", []))
        for name, schema in tool.inputSchema.get("properties", {}).items():
            one = shown["parameters"]["properties"][name]
            kind = schema["type"] if isinstance(schema["type"], str) else schema["type"][0]
            assert (one["type"], "description" in one) == (kind, True)
            assert one.get("enum", []) == schema.get("enum", [])


def test_a_tool_that_a_task_withholds_is_no_method_there() -> None:
    huts = examples.load("alpine_huts")
    less = {"call_it_off": ["search_huts"]}
    tasks = [one.model_copy(update={"withheld": less.get(one.id, [])}) for one in huts.tasks]
    sealed = replace(huts, tasks=tasks)
    classes = environment_classes(sealed)
    assert set(classes) == {"alpine-huts", "alpine-huts without search_huts"}
    for task in tasks:
        environment = classes[environment_name(sealed, task)]()
        environment.reset(task=task.id)
        assert ("search_huts" in tools_of(environment)) == (task.id != "call_it_off")


def test_a_tool_that_would_take_the_place_of_a_method_of_trls_is_refused() -> None:
    with pytest.raises(UsageError, match="tiny-shop has a tool called reset, which TRL calls itself"):
        environment_classes(shop_with(tiny.tool("reset")))


def test_a_word_of_python_is_called_with_an_underscore() -> None:
    waits = "def wait_here(env, *, from_: str) -> dict:\n    return {}\n"
    sealed = shop_with(tiny.tool("wait_here", tiny.schema({"from": tiny.STRING})), waits)
    environment = environment_classes(sealed)["tiny-shop"]()
    environment.reset(**TASK)
    wait = tools_of(environment)["wait_here"]
    assert get_json_schema(wait)["function"]["parameters"]["required"] == ["from_"]
    assert json.loads(wait(from_="noon")) == {}, "the environment knows it by its own name"


def shop_with(other: ToolDefinition, source: str = "") -> Bundle:
    shop = bundle()
    return replace(shop, tools=[*shop.tools, other], tools_source=f"{shop.tools_source}\n\n{source}")


def test_a_task_that_is_done_is_rewarded(environment: BundleEnvironment) -> None:
    assert environment.reset(**TASK) == "End with `finish`. Nothing is to be answered: `answers` is {}."
    tools = tools_of(environment)
    assert json.loads(tools["get_item"](item_id=3))["name"] == "Item 3"
    assert "order_id" in json.loads(tools["place_order"](item_id=3, quantity=2))
    assert json.loads(finished(environment)) == {"report": "taken"}
    assert "the work is over" in tools["list_items"]() and "the work is over" in finished(environment)
    assert verified([[]], [environment]) == [1.0]


def test_words_alone_are_no_report(environment: BundleEnvironment) -> None:
    environment.reset(**TASK)
    tools_of(environment)["place_order"](item_id=3, quantity=2)
    assert verified([[{"role": "assistant", "content": "Done."}]], [environment]) == [0.0]
    assert "the report was not taken" in finished(environment, outcome="finished")
    assert verified([[]], [environment]) == [0.0]
    finished(environment, outcome="impossible")
    assert verified([[]], [environment]) == [0.0], "what is done and reported as impossible"


def test_what_a_task_asks_to_be_told_is_said_when_it_begins() -> None:
    environment = environment_classes(examples.load("alpine_huts"))["alpine-huts"]()
    said = environment.reset(task="sprained_ankle")
    assert "- hours_ahead: How many hours ahead" in said and "(a whole number, in hours)" in said


def finished(environment: BundleEnvironment, outcome: str = "done") -> str:
    return str(tools_of(environment)["finish"](outcome=outcome, answers={}, message="It is done."))


def test_every_reset_begins_in_a_copy_of_its_own(environment: BundleEnvironment) -> None:
    other = type(environment)()
    for one in (environment, other):
        one.reset(**TASK)
    tools_of(environment)["place_order"](item_id=3, quantity=2)
    for one in (environment, other):
        finished(one)
    earned = verified([[], []], [environment, other])
    assert earned[0] == 1.0 > earned[1], "what one did is not in the other's copy"
    environment.reset(**TASK)
    finished(environment)
    assert verified([[]], [environment]) == [earned[1]], "nothing is left of what was done before"


def test_what_goes_wrong_is_told_to_the_policy(environment: BundleEnvironment) -> None:
    environment.reset(**TASK)
    tools = tools_of(environment)
    assert "there is no item 999" in tools["get_item"](item_id=999)
    assert "item_id" in tools["get_item"](), "a call without what is required"
    assert "item_id" in tools["get_item"](item_id="three")
    assert "colour" in tools["get_item"](item_id=3, colour="red")
    assert json.loads(tools["list_items"](most=None))["items"], "what is left out in TRL's way is left out"


def test_trl_trains_with_it_as_it_is(environment: BundleEnvironment, tmp_path: Path) -> None:
    """One step, with a model that knows nothing: TRL takes the tools, begins the episodes and asks what they earned."""
    told = list[list[float]]()

    def judged(**given: Any) -> list[float]:
        told.append(verified(**given))
        return told[-1]

    trainer = GRPOTrainer(
        model=Qwen3ForCausalLM(
            Qwen3Config(
                vocab_size=300, hidden_size=16, intermediate_size=16, num_hidden_layers=1, num_attention_heads=1,
                num_key_value_heads=1, head_dim=16,
            )
        ),
        processing_class=qwen_tokenizer(),
        reward_funcs=judged,
        environment_factory={"tiny-shop": type(environment)},
        train_dataset=Dataset.from_list([{**TASK, "environment": "tiny-shop"}] * 2),
        args=GRPOConfig(
            output_dir=str(tmp_path), max_steps=1, num_generations=2, per_device_train_batch_size=2,
            max_completion_length=8, use_cpu=True, bf16=False, report_to=[], save_strategy="no",
        ),
    )  # fmt: skip
    assert {tool.__name__ for tool in trainer.tools} == set(tools_of(environment))
    trainer.train()
    assert [len(rewards) for rewards in told] == [2]


def test_a_row_must_name_a_task_of_the_environment(environment: BundleEnvironment) -> None:
    with pytest.raises(UsageError, match="tiny-shop has no verified task 'fly'"):
        environment.reset(task="fly")
    with pytest.raises(UsageError, match="a row names one in `task`"):
        environment.reset(prompt=[])


def test_nothing_can_be_called_before_the_episode_begins(environment: BundleEnvironment) -> None:
    with pytest.raises(AssertionError, match="reset comes before"):
        tools_of(environment)["get_item"](item_id=3)


def test_a_task_of_a_workspace_is_rewarded_by_all_its_databases() -> None:
    [shops] = environment_classes(asyncio.run(shops_with_a_task())).values()
    environment = shops()
    for elsewhere, reward in ((False, 1.0), (True, 0.0)):
        environment.reset(task="one_beer", prompt=[])
        tools = tools_of(environment)
        tools["beer_place_order"](item_id=3, quantity=1)
        if elsewhere:
            tools["bread_place_order"](item_id=3, quantity=1)
        tools["finish"](outcome="done", answers={}, message="It is ordered.")
        assert verified([None], [environment]) == [reward]


async def shops_with_a_task() -> Bundle:
    async with Runtime() as runtime:
        both = await workspace_bundle(runtime, workspace(), SHOPS)
    verifier = (
        "def goal_has_one_beer(world):\n"
        "    return world.final.one('SELECT count(*) AS n FROM beer_orders')['n'] == 1\n"
        "def guard_leaves_the_baker_alone(world):\n"
        "    return not [change for change in world.changes if change['table'].startswith('bread_')]\n"
    )
    task = Task(id="one_beer", text="Order one of Item 3 at the brewer's.", kind="action")
    return replace(both, tasks=[task], verifiers={task.id: verifier}, answer_forms={task.id: AnswerForm()})
