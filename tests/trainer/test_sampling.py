"""What a policy writes does not depend on who else is in its batch, or on when they are finished."""

import asyncio
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from envfactory_dagster.language.messages import ChatAnswer
from tests.support.small_model import save_small_model, small_tokenizer
from trainer.policies import LoadedPolicy, load
from trainer.recipe import Policy
from trainer.rendering import Renderer
from trainer.sampling import PolicyModel, Sampling, Written, generate


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> LoadedPolicy:
    folder: Path = tmp_path_factory.mktemp("policy")
    return load(Policy(base=str(save_small_model(folder, small_tokenizer(), hidden=32, feedforward=64, spread=0.2))))


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_alone_and_among_others(policy: LoadedPolicy, temperature: float) -> None:
    sampling = Sampling(temperature, most_new_tokens=24, longest=40)
    prompts = [([10 + n] * (3 + 7 * n), n) for n in range(5)]  # the longer a prompt, the less room it has
    prompts += [(prompts[2][0], 7), (prompts[0][0], 8)]  # others of their groups
    together = generate(policy, prompts, sampling)
    alone = [generate(policy, [prompt], sampling)[0] for prompt in prompts]
    assert [one.ids for one in together] == [one.ids for one in alone]
    for one, other in zip(together, alone, strict=True):
        assert one.logprobs == pytest.approx(other.logprobs, abs=1e-4)
    assert len({len(one.ids) for one in together}) > 1, "they are to end at different times"


class Slow(Renderer):
    """Takes its time with every text."""

    def prompt(self, *given: Any, **more: Any) -> list[int]:
        time.sleep(0.05)
        return super().prompt(*given, **more)


def test_making_text_is_the_policys_time(policy: LoadedPolicy) -> None:
    slow = PolicyModel(replace(policy, renderer=Slow(policy.tokenizer)), Sampling(most_new_tokens=1))

    async def ask() -> None:
        await slow.answer([{"role": "user", "content": "Say it."}], [], 0)
        await slow.close()

    asyncio.run(ask())
    assert slow.seconds >= 0.05


def test_another_may_write_in_place_of_transformers(policy: LoadedPolicy) -> None:
    ids = [*policy.tokenizer.encode("Said.", add_special_tokens=False), *policy.renderer.ends]
    model = PolicyModel(
        policy, Sampling(), write=lambda batch, sampling: [Written(ids, [-0.5] * len(ids), True)] * len(batch)
    )

    async def ask() -> ChatAnswer:
        answer = await model.answer([{"role": "user", "content": "Say it."}], [], 0)
        await model.close()
        return answer

    answer = asyncio.run(ask())
    assert answer.choices[0].message["content"] == "Said."
    assert answer.choices[0].token_ids == tuple(ids)
