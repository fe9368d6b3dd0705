"""What a policy writes does not depend on who else is in its batch, or on when they are finished."""

import asyncio
import time
from dataclasses import replace
from typing import Any

import pytest
import torch

from envfactory_dagster.language.messages import ChatAnswer
from trainer.corpus import conversations
from trainer.policies import LoadedPolicy, begin
from trainer.recipe import Recipe
from trainer.rendering import Renderer
from trainer.sampling import PolicyModel, Sampling, Written, generate

_ROW = {"tools": [], "messages": [{"role": "user", "content": "Say it."}, {"role": "assistant", "content": "Said."}]}


@pytest.fixture(scope="module")
def policy() -> LoadedPolicy:
    scratch = {"layers": 2, "hidden": 32, "heads": 2, "key_value_heads": 1, "feedforward": 64, "vocabulary": 320}
    recipe = Recipe.model_validate({"name": "short", "policy": {"scratch": scratch}, "precision": "float32"})
    made = begin(recipe, conversations([_ROW] * 4))
    torch.manual_seed(1)
    with torch.no_grad():
        for weights in made.model.parameters():
            weights.normal_(0.0, 0.2)
    return made


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


@pytest.mark.parametrize("reach", [3, 8])
def test_a_convolution_sees_as_many_tokens_as_the_recipe_says(reach: int) -> None:
    scratch = {"layers": 2, "hidden": 32, "heads": 2, "key_value_heads": 1, "feedforward": 64, "reach": reach}
    recipe = Recipe.model_validate({"name": "near", "policy": {"scratch": scratch | {"vocabulary": 320}}})
    model = begin(recipe, conversations([_ROW] * 4)).model
    with torch.no_grad():
        for name, weights in model.named_parameters():
            weights.normal_(0.0, 0.2)
            if "self_attn.out_proj" in name:
                weights.zero_()  # nothing but the convolution looks at other tokens
        whole = model(torch.full((1, 12), 7)).logits[0, -1]
        for back in range(1, 12):
            ids = torch.full((1, 12), 7)
            ids[0, -1 - back] = 9
            assert torch.allclose(model(ids).logits[0, -1], whole, atol=1e-5) == (back >= reach), (
                f"{back} tokens before it"
            )


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
    ids = [*policy.tokenizer.encode("Said.", add_special_tokens=False), policy.renderer.end]
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
