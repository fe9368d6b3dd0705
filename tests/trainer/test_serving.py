"""`python -m trainer serve`: a policy behind an address, for any client of the OpenAI API."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import openai
import pytest
import torch

from tests.commands.terminal import Terminal
from tests.measuring.shop_kit import with_dataset
from tests.trainer.shop import Shop, save_policy
from tests.trainer.training import command, environment, recipe, trainer
from trainer.evaluate import identity
from trainer.policies import load
from trainer.recipe import Grpo, Policy
from trainer.sampling import Sampling, _likeliest, generate, sampling_of

pytestmark = pytest.mark.long

ASKED: list[Any] = [{"role": "user", "content": "Order 2 of Item 3."}]
TOOL: Any = {
    "type": "function",
    "function": {"name": "place_order", "description": "Orders.", "parameters": {"type": "object", "properties": {}}},
}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, dict[str, Any]]]:
    """A policy that has learned nothing, and what the process said of itself."""
    folder = tmp_path_factory.mktemp("served")
    base = save_policy(folder / "base")
    given = ["serve", "--recipe", recipe(folder, grpo={"most_new_tokens": 12}), "--port", 0]
    process = subprocess.Popen(command(given), stdout=subprocess.PIPE, text=True, env=environment())
    try:
        assert process.stdout is not None
        yield base, json.loads(process.stdout.readline())
    finally:
        process.terminate()
        process.communicate(timeout=30)


@pytest.fixture
def client(served: tuple[Path, dict[str, Any]]) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=served[1]["url"], api_key="none", timeout=120, max_retries=0) as client:
        yield client


def test_it_writes_what_the_policy_writes(client: openai.OpenAI, served: tuple[Path, dict[str, Any]]) -> None:
    base, ready = served
    assert [one.id for one in client.models.list()] == [ready["model"]] == [identity(base)]
    policy = load(Policy(base=str(base)))
    prompt = policy.renderer.prompt(ASKED, [TOOL])
    for temperature, top_k in ((0.0, None), (0.8, None), (0.8, 2)):
        sampling = Sampling(temperature, most_new_tokens=12, longest=1000, top_k=top_k)
        [written] = generate(policy, [(prompt, 7)], sampling)
        more = {"return_token_ids": True} | ({"top_k": top_k} if top_k else {})
        answer = client.chat.completions.create(
            model=ready["model"], messages=ASKED, tools=[TOOL], temperature=temperature, seed=7, logprobs=True,
            extra_body=more,
        )  # fmt: skip
        [choice] = answer.choices
        assert choice.model_dump()["token_ids"] == written.ids
        assert answer.model_dump()["prompt_token_ids"] == prompt
        assert choice.logprobs is not None and choice.logprobs.content is not None
        assert [one.logprob for one in choice.logprobs.content] == pytest.approx(written.logprobs, abs=1e-4)
        assert choice.finish_reason == ("stop" if written.ended else "length")
        assert answer.usage is not None
        assert (answer.usage.prompt_tokens, answer.usage.completion_tokens) == (len(prompt), len(written.ids))


def test_a_stream_says_the_same(client: openai.OpenAI, served: tuple[Path, dict[str, Any]]) -> None:
    model = served[1]["model"]
    whole = client.chat.completions.create(model=model, messages=ASKED, temperature=0, max_tokens=5)
    pieces = list(
        client.chat.completions.create(
            model=model,
            messages=ASKED,
            temperature=0,
            max_tokens=5,
            stream=True,
            stream_options={"include_usage": True},
        )
    )
    said = "".join(choice.delta.content or "" for piece in pieces for choice in piece.choices)
    assert said == whole.choices[0].message.content
    assert pieces[-1].usage == whole.usage and whole.usage is not None and whole.usage.completion_tokens <= 5


def test_what_it_cannot_do_is_refused_with_a_sentence(
    client: openai.OpenAI, served: tuple[Path, dict[str, Any]]
) -> None:
    model = served[1]["model"]

    def ask(**given: Any) -> Any:
        return client.chat.completions.create(**{"model": model, "messages": ASKED, **given})

    with pytest.raises(openai.NotFoundError, match=f"no model 'gpt-5' here, but '{model}'"):
        ask(model="gpt-5")
    with pytest.raises(openai.BadRequestError, match="1000 are the most") as too_long:
        ask(messages=[{"role": "user", "content": "Order 2 of Item 3. " * 400}])
    assert too_long.value.code == "context_length_exceeded"
    for given, said in (({"n": 2}, "n: "), ({"temperature": -1}, "temperature: "), ({"messages": []}, "messages: ")):
        with pytest.raises(openai.BadRequestError, match=said):
            ask(**given)
    with pytest.raises(openai.BadRequestError, match="response_format"):
        ask(response_format={"type": "json_object"})


def test_it_is_measured(shop: Shop, served: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    ready = served[1]
    terminal = Terminal(with_dataset(shop, tmp_path / "home"))
    given = ("--endpoint", ready["url"], "--model", ready["model"], "--temperature", "0.9", "--top-k", "5")
    said = terminal.factory("measure", "--on", "held-out", *given, "--json")
    assert said.status == 0, said.err
    assert (said.json()["scores"]["all"]["tasks"], said.json()["setup"]["model"]) == (8, ready["model"])


def test_a_policy_that_is_none_is_told(tmp_path: Path) -> None:
    ended = trainer("serve", "--recipe", recipe(tmp_path), "--policy", tmp_path / "nowhere", "--port", 0)
    assert (ended.status, ended.said) == (2, "")
    assert "is no policy that can be loaded" in ended.complained


def test_only_the_likeliest_are_drawn_from() -> None:
    chances = torch.tensor([[0.1, 0.4, 0.2, 0.3], [0.7, 0.1, 0.1, 0.1]])
    assert (_likeliest(chances, Sampling(top_k=2)) > 0).tolist()[0] == [False, True, False, True]
    assert (_likeliest(chances, Sampling(top_p=0.6)) > 0).tolist() == [[False, True, False, True], [True] + [False] * 3]
    assert (_likeliest(chances, Sampling(top_p=0.8, top_k=2)) > 0).tolist()[0] == [False, True, False, True]
    assert torch.equal(_likeliest(chances, Sampling()), chances)


def test_a_recipe_says_which_tokens_are_drawn_from() -> None:
    sampling = sampling_of(Grpo(temperature=0.7, top_p=0.9, top_k=20))
    assert (sampling.temperature, sampling.top_p, sampling.top_k) == (0.7, 0.9, 20)
