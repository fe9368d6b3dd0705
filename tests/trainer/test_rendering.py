"""One renderer: what a policy is shown when it plays is what it is trained on, token for token."""

import asyncio
import copy
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from envfactory_dagster.contracts.reports import AnswerForm
from envfactory_dagster.contracts.synthesis import Release
from envfactory_dagster.contracts.trajectory import Tokens
from envfactory_dagster.datasets.assigned import load_tasks, read_tasks
from envfactory_dagster.datasets.rows import SftSettings, Source, sft_rows
from envfactory_dagster.rollouts.engine import Engine
from envfactory_dagster.rollouts.history import History, exchange
from envfactory_dagster.rollouts.prompts import for_agent
from envfactory_dagster.rollouts.reporting import finish_tool
from envfactory_dagster.rollouts.scoring import Rollout
from envfactory_dagster.rollouts.settings import RolloutSettings
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.rollouts.tools import offered
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore
from tests.support.reports import report
from tests.trainer.qwen import qwen_tokenizer
from tests.trainer.shop import Shop, bundle
from trainer.examples import examples, joined, read_rows
from trainer.failures import RecipeError
from trainer.groups import Sample, samples
from trainer.policies import LoadedPolicy
from trainer.rendering import Renderer
from trainer.sampling import PolicyModel, Sampling, Written, generate


@pytest.fixture(scope="module")
def policy(untaught: LoadedPolicy) -> LoadedPolicy:
    return untaught


def test_only_what_the_assistant_wrote_is_learned(shop: Shop, policy: LoadedPolicy) -> None:
    for row in read_rows(shop.sft):
        [whole] = joined(examples(policy.renderer, [row]))
        decode = policy.tokenizer.decode
        learned, message_ids = list[str](), list[int]()
        for token, label in zip(whole.ids, whole.labels(), strict=True):
            if label >= 0:
                assert label == token
                message_ids.append(token)
            elif message_ids:
                learned, message_ids = [*learned, decode(message_ids)], []
        learned.append(decode(message_ids))
        written = [message for message in row["messages"] if message["role"] == "assistant"]
        assert len(learned) == len(written)
        for text, message in zip(learned, written, strict=True):
            assert text.startswith(message["content"] or "<tool_call>")
            assert text.endswith("<|im_end|>"), "the end of a turn is learned, nothing after it"
            calls = message.get("tool_calls") or []
            assert text.count("<tool_call>") == len(calls)


def test_with_a_template_that_only_appends_an_episode_is_read_once(shop: Shop, policy: LoadedPolicy) -> None:
    """The same tokens are learned after the same ones, of a row that is an episode and of a row for each step."""
    row = read_rows(shop.sft)[0]
    [whole] = joined(examples(policy.renderer, [row]))
    steps = list(examples(policy.renderer, [row]))
    assert len(steps) == 2
    assert steps[-1].ids == whole.ids
    assert steps[0].ids == whole.ids[: len(steps[0].ids)]
    assert sum(sum(step.learned) for step in steps) == sum(whole.learned)
    by_step = [{**row, "step": 0, "messages": row["messages"][:3]}, {**row, "step": 1}]
    assert joined(examples(policy.renderer, by_step)) == [whole]
    assert len(joined(examples(policy.renderer, [row, row]))) == 2, "one episode does not go on from another"


def test_of_a_row_of_one_step_only_that_one_is_learned(shop: Shop, policy: LoadedPolicy) -> None:
    """What was written before has rows of its own."""
    row = read_rows(shop.sft)[0]
    [one] = examples(policy.renderer, [{**row, "step": 1}])
    *_, last = examples(policy.renderer, [row])
    assert (one.ids, one.learned) == (last.ids, last.learned)


def play(shop: Shop, policy: LoadedPolicy, folder: Path, window: int | None) -> list[Rollout]:
    async def played() -> list[Rollout]:
        async with Runtime() as runtime:
            settings = RolloutSettings(window=window, most_steps=4, token_ids=True, candidates=2)
            tasks = load_tasks(read_tasks(shop.rl), Home.resolve(shop.home), settings.reward)[:2]
            model = PolicyModel(policy, Sampling(most_new_tokens=24, longest=1000))
            engine = Engine(runtime, model, settings, TrajectoryStore(Home.resolve(folder)))
            found = [one async for one in engine.roll(tasks)]
            await model.close()
            return found

    return asyncio.run(played())


@pytest.mark.parametrize("window", [1, None])
def test_a_turn_is_trained_after_exactly_the_tokens_it_was_sampled_after(
    shop: Shop, policy: LoadedPolicy, tmp_path: Path, window: int | None
) -> None:
    rollouts = play(shop, policy, tmp_path, window)
    finish = finish_tool(bundle(), AnswerForm())
    all_tools = offered(bundle().tools_of("assistant"), "native", finish)
    rows = {row.trace.task: row for row in read_tasks(shop.rl)}
    checked = 0
    for rollout in rollouts:
        trajectory = rollout.trajectory
        system, request = (dict(message) for message in rows[trajectory.task].messages)
        [task] = [task for task in bundle().tasks if task.id == trajectory.task]
        system["content"] = for_agent(bundle(), task, "native", "single", window=window)
        history, due = History([system, request], window), False
        for step in trajectory.steps:
            tokens = step.tokens
            assert tokens is not None and tokens.mask is not None and tokens.logprobs is not None
            sampled = tokens.mask.index(True)
            tools = [finish] if due else all_tools
            assert tokens.ids[:sampled] == policy.renderer.prompt(history.shown(with_talk=due), tools)
            assert all(value == 0 for value in tokens.logprobs[:sampled])
            history.add(exchange(step))
            due = due or bool(step.notice)
            checked += 1
    assert checked >= len(rollouts)
    groups = [[_earned(one, place) for place, one in enumerate(group)] for group in (rollouts[:2], rollouts[2:])]
    apart = samples(groups, "none", joined=False)
    assert len(apart) == checked
    of_steps = {tuple(step.tokens.ids) for one in rollouts for step in one.trajectory.steps if step.tokens}
    assert {tuple(one.ids) for one in apart} <= of_steps
    joined = samples(groups, "none", joined=True)
    assert len(joined) <= len(apart)
    assert sorted(_learned(joined)) == sorted(_learned(apart)), "each token after the same ones, from one text or many"


def test_messages_of_one_growing_text_share_a_sample(shop: Shop, policy: LoadedPolicy, tmp_path: Path) -> None:
    rollouts = play(shop, policy, tmp_path, None)
    trajectory = rollouts[0].trajectory
    context, steps = policy.renderer.prompt([{"role": "user", "content": "Order 2 of Item 3."}], []), []
    for number in range(3):
        ids = [*context, 30 + number, 31 + number]
        tokens = Tokens(ids=ids, mask=[False] * len(context) + [True] * 2, logprobs=[0.0] * len(context) + [-1.0] * 2)
        steps.append(trajectory.steps[0].model_copy(update={"tokens": tokens}))
        context = [*ids, 40 + number]
    steps.append(steps[0])  # a context that does not go on from there
    long = replace(rollouts[0], trajectory=trajectory.model_copy(update={"steps": steps}))
    first, second = samples([[_earned(long, 1), _earned(rollouts[1], 0)]], "none", joined=True)[:2]
    assert first.followed == [30, 31, 40, 31, 32, 41, 32, 33]
    assert first.written == [True, True, False] * 2 + [True, True]
    assert first.logprobs == [-1.0, -1.0, 0.0] * 2 + [-1.0, -1.0]
    assert second.followed == [30, 31]


def _earned(rollout: Rollout, total: float) -> Rollout:
    assert rollout.trajectory.reward is not None
    reward = rollout.trajectory.reward.model_copy(update={"total": total})
    return replace(rollout, trajectory=rollout.trajectory.model_copy(update={"reward": reward}))


def _learned(made: list[Sample]) -> list[tuple[tuple[int, ...], int, float, float]]:
    """Of every token that is learned: what it was written after, itself, its log-probability, its advantage."""
    return [
        (tuple(one.ids[: len(one.prompt) + place]), token, one.logprobs[place], one.advantage)
        for one in made
        for place, token in enumerate(one.followed)
        if one.written[place]
    ]


# -- long episodes, of which only a window is shown --------------------------------------------------------------------

TASK = "order_2_of_3"
LOOKS = 7


@dataclass(slots=True)
class Dictated(PolicyModel):
    """Writes the next of these texts in each episode. All around the writing is as it is when a model writes."""

    texts: Sequence[str] = ()
    prompts: dict[int, list[list[int]]] = field(default_factory=dict)
    """What it was shown in the episode of each seed."""

    def _write(self, batch: Sequence[tuple[list[int], int]]) -> list[Written]:
        return [self._next(prompt, seed) for prompt, seed in batch]

    def _next(self, prompt: list[int], seed: int) -> Written:
        shown = self.prompts.setdefault(seed, [])
        ids = self.policy.tokenizer.encode(self.texts[len(shown)], add_special_tokens=False)
        shown.append(prompt)
        return Written(ids, [-0.5 - place for place in range(len(ids))], True)


def looks_up_and_orders(thought: str = "", between: str = "") -> list[str]:
    """An episode that does the task after looking at other things: more calls than a window of three shows."""
    calls: list[tuple[str, dict[str, Any]]] = [("get_item", {"item_id": number + 1}) for number in range(LOOKS)]
    calls.append(("place_order", {"item_id": 3, "quantity": 2}))
    calls.append(("finish", report().model_dump()))
    begin = [thought.format(number) for number in range(LOOKS + 2)]
    said = [
        f'<tool_call>{between}{{"name": "{name}", "arguments": {json.dumps(arguments)}}}{between}</tool_call>'
        for name, arguments in calls
    ]
    return [f"{before}{text}<|im_end|>" for before, text in zip(begin, said, strict=True)]


def dictated(shop: Shop, policy: LoadedPolicy, folder: Path, texts: Sequence[str]) -> tuple[Dictated, list[Rollout]]:
    """Two episodes with a window of three, and the one that wrote in them."""

    async def played() -> tuple[Dictated, list[Rollout]]:
        async with Runtime() as runtime:
            settings = RolloutSettings(window=3, token_ids=True, candidates=2)
            [row] = [row for row in read_tasks(shop.rl) if row.trace.task == TASK]
            model = Dictated(policy, Sampling(longest=100_000), texts=texts)
            tasks = load_tasks([row], Home.resolve(shop.home), settings.reward)
            engine = Engine(runtime, model, settings, TrajectoryStore(Home.resolve(folder)))
            found = [one async for one in engine.roll(tasks)]
            await model.close()
            return model, sorted(found, key=lambda one: one.trajectory.seed)

    return asyncio.run(played())


def rows_by_step(shop: Shop, rollouts: Sequence[Rollout]) -> list[dict[str, Any]]:
    record = RecordStore(Home.resolve(shop.home)).latest("release", bundle().key)
    assert record is not None
    made = {one.task.id: one for one in Release.model_validate(record.artifact).tasks}
    rows, left_out = sft_rows(Source(bundle(), made, "sft"), rollouts, SftSettings("always", 3))
    assert not left_out
    return [row.model_dump(mode="json", exclude_none=True) for row in rows]


def sampled(rollout: Rollout) -> list[tuple[list[int], list[int]]]:
    """Of each step: what it was written after, and what was written."""
    found = []
    for step in rollout.trajectory.steps:
        assert step.tokens is not None and step.tokens.mask is not None
        begin = step.tokens.mask.index(True)
        found.append((step.tokens.ids[:begin], step.tokens.ids[begin:]))
    return found


def test_what_the_window_left_out_is_left_out_of_training(shop: Shop, policy: LoadedPolicy, tmp_path: Path) -> None:
    model, rollouts = dictated(shop, policy, tmp_path, looks_up_and_orders(between="\n"))
    assert [one.trajectory.outcome for one in rollouts] == ["completed", "completed"]
    steps = len(rollouts[0].trajectory.steps)
    assert steps == LOOKS + 2
    shown = model.prompts[0]
    cut = [place for place in range(1, steps) if shown[place][: len(shown[place - 1])] != shown[place - 1]]
    assert cut == [5, 6, 7, 8], "the first exchange and the latest three are shown, from the sixth message on"
    assert len(set(map(len, shown[5:7]))) == 1, "nothing grows any more"

    earned = [_earned(one, place) for place, one in enumerate(rollouts)]
    apart = samples([earned], "none", joined=False)
    of_episodes = [model.prompts[0], model.prompts[1]]
    assert [one.prompt for one in apart] == [prompt for prompts in of_episodes for prompt in prompts]
    assert [one.followed for one in apart] == [written for one in rollouts for _, written in sampled(one)]
    joined = samples([earned], "none", joined=True)
    assert len(joined) == 2 * (1 + len(cut)), "one for what grew, and one for each message after that"
    assert sorted(_learned(joined)) == sorted(_learned(apart))

    rows = rows_by_step(shop, rollouts[:1])
    learned = list(examples(policy.renderer, rows))
    assert [one.ids for one in learned] == [before + written for before, written in sampled(rollouts[0])]
    assert [sum(one.learned) for one in learned] == [len(written) for _, written in sampled(rollouts[0])]


# -- the template of Qwen3, as it is -----------------------------------------------------------------------------------


def qwen(policy: LoadedPolicy, *, thinking: bool) -> LoadedPolicy:
    tokenizer = qwen_tokenizer()
    return LoadedPolicy(policy.model, tokenizer, Renderer(tokenizer, thinking=thinking))


@pytest.mark.parametrize("thinking", [True, False])
def test_with_the_template_of_qwen3_what_is_learned_is_what_was_sampled(
    shop: Shop, policy: LoadedPolicy, tmp_path: Path, thinking: bool
) -> None:
    reads = qwen(policy, thinking=thinking)
    thought = "<think>\nThought {}.\n</think>\n\n" if thinking else ""
    _, rollouts = dictated(shop, reads, tmp_path, looks_up_and_orders(thought, "\n"))
    assert rollouts[0].trajectory.outcome == "completed", rollouts[0].detail
    assert [bool(step.reasoning) for step in rollouts[0].trajectory.steps] == [thinking] * (LOOKS + 2)
    rows = rows_by_step(shop, rollouts[:1])
    learned = list(examples(reads.renderer, rows))
    steps = sampled(rollouts[0])
    assert [one.ids for one in learned] == [before + written for before, written in steps]
    for (before, written), one in zip(steps, learned, strict=True):
        assert one.learned == [False] * len(before) + [True] * len(written)
        text = reads.tokenizer.decode(before)
        assert text.endswith("<|im_start|>assistant\n" + ("" if thinking else "<think>\n\n</think>\n\n"))
        assert "Thought" not in text, "reasoning is not shown again"


def test_without_thinking_the_reasoning_of_others_is_not_learned(
    shop: Shop, policy: LoadedPolicy, tmp_path: Path
) -> None:
    """Rows of a teacher who thinks, for a policy that does not: what it would write without a thought."""
    thinks, does_not = qwen(policy, thinking=True), qwen(policy, thinking=False)
    texts = looks_up_and_orders("<think>\nThought {}.\n</think>\n\n", "\n")
    _, rollouts = dictated(shop, thinks, tmp_path, texts)
    rows = rows_by_step(shop, rollouts[:1])
    assert all("Thought" in row["messages"][-1]["reasoning_content"] for row in rows)
    learned = [
        does_not.tokenizer.decode([token for token in one.labels() if token >= 0])
        for one in examples(does_not.renderer, rows)
    ]
    assert learned == looks_up_and_orders("", "\n")


def test_log_probabilities_are_those_of_the_model(policy: LoadedPolicy) -> None:
    import torch

    prompt = policy.renderer.prompt([{"role": "user", "content": "Order 2 of Item 3."}], [])
    [alone] = generate(policy, [(prompt, 5)], Sampling(most_new_tokens=8))
    beside = generate(policy, [(prompt[2:], 1), (prompt, 5)], Sampling(most_new_tokens=8))[1]
    assert alone.ids == beside.ids, "what else is in the batch changes nothing"
    with torch.no_grad():
        logits = policy.model.eval()(torch.tensor([prompt + alone.ids])).logits[0].float()
    told = torch.log_softmax(logits, -1)[len(prompt) - 1 : -1].gather(1, torch.tensor(alone.ids)[:, None])[:, 0]
    assert told.tolist() == pytest.approx(alone.logprobs, abs=1e-4)


def test_what_was_written_is_read_as_a_message(policy: LoadedPolicy) -> None:
    written: dict[str, Any] = {
        "role": "assistant",
        "content": "One moment.",
        "tool_calls": [
            {"id": "x", "type": "function", "function": {"name": "get_item", "arguments": '{"item_id": 3}'}}
        ],
    }
    sample = policy.renderer.sample([{"role": "user", "content": "Look."}, written], [])
    read = policy.renderer.read(sample.written)
    assert read["content"] == "One moment."
    assert read["tool_calls"][0]["function"] == {"name": "get_item", "arguments": '{"item_id": 3}'}


@pytest.mark.parametrize("said", ["[" * 1_500, '{"name": ' + "7" * 5_000 + "}", '{"name": '])
def test_what_cannot_be_read_is_a_call_of_nothing(policy: LoadedPolicy, said: str) -> None:
    """A policy may write anything; its episode ends with it, and the run does not."""
    written = policy.tokenizer.encode(f"<tool_call>{said}</tool_call>", add_special_tokens=False)
    [call] = policy.renderer.read(written)["tool_calls"]
    assert call["function"]["name"] == ""
    policy.renderer.prompt([{"role": "user", "content": "Look."}, policy.renderer.read(written)], [])


def test_a_template_that_forgets_what_was_thought_makes_an_example_of_each_message(policy: LoadedPolicy) -> None:
    """As Qwen3's does: reasoning is shown of the last message only, so a conversation does not begin with that one."""
    forgetful = copy.deepcopy(policy.tokenizer)
    forgetful.chat_template = (
        "{% for tool in tools or [] %}{{ tool.function.name }}{% endfor %}"
        "{% for message in messages %}{% if message.role == 'assistant' %}<|assistant|>"
        "{% if loop.last %}<think>{{ message.reasoning_content }}</think>{% endif %}"
        "{{ message.content }}{% for call in message.tool_calls or [] %}"
        "<tool_call>{{ call.function | tojson }}</tool_call>{% endfor %}"
        "<|im_end|>{% else %}<|user|>{{ message.content }}<|im_end|>{% endif %}{% endfor %}"
        "{% if add_generation_prompt %}<|assistant|>{% endif %}"
    )
    renderer = Renderer(forgetful, thinking=True)
    asks = {"role": "user", "content": "on"}
    row = {"messages": [asks, {"role": "assistant", "content": "one", "reasoning_content": "why"}] * 2, "tools": []}
    first, second = joined(examples(renderer, [row]))
    assert [policy.tokenizer.decode(one.ids).count("<think>why<") for one in (first, second)] == [1, 1]


def test_a_tokenizer_whose_template_hides_tools_is_refused(policy: LoadedPolicy) -> None:
    blind = copy.deepcopy(policy.tokenizer)
    blind.chat_template = "{% for message in messages %}{{ message.content }}{% endfor %}"
    with pytest.raises(RecipeError, match="does not show tools"):
        Renderer(blind)
    blind.chat_template = None
    with pytest.raises(RecipeError, match="no chat template"):
        Renderer(blind)
