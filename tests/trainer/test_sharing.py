"""Episodes that begin alike are read together, and what is learned from it is what each teaches alone."""

import pytest
import torch

from trainer.examples import Example
from trainer.sft import weighed_loss
from trainer.sharing import SharedTensors, columns, shared, shared_loss

BEGINNING = list(range(10, 30))
READ = 0.25


def _episode(*rest: int) -> Example:
    return Example([*BEGINNING, *rest], [False] * len(BEGINNING) + [True] * len(rest))


@pytest.fixture(scope="module")
def model() -> torch.nn.Module:
    from transformers import Qwen3Config, Qwen3ForCausalLM

    torch.manual_seed(0)
    config = Qwen3Config(
        vocab_size=64, hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2,
        num_key_value_heads=1, head_dim=16,
    )  # fmt: skip
    return Qwen3ForCausalLM(config)


def _alone(model: torch.nn.Module, one: Example) -> tuple[torch.Tensor, float]:
    """The loss of one episode by itself, and how much weight it has."""
    weights = torch.where(torch.tensor([one.learned]), 1.0, READ)
    ids = torch.tensor([one.ids])
    return weighed_loss(model(input_ids=ids).logits, ids, weights), float(weights[:, 1:].sum())


def test_what_episodes_have_in_common_stands_once() -> None:
    (group,) = shared([_episode(1, 2), _episode(3, 4, 5)], most=8)
    assert group.beginning == BEGINNING
    assert group.rests == [[1, 2], [3, 4, 5]]
    assert group.learned == [[True, True], [True, True, True]]


def test_others_and_those_too_many_stand_apart() -> None:
    stranger = Example(list(range(40, 60)), [False] * 19 + [True])
    assert [len(one.rests) for one in shared([_episode(1), _episode(2), stranger], most=8)] == [2, 1]
    assert [len(one.rests) for one in shared([_episode(n) for n in (1, 2, 3)], most=2)] == [2, 1]


def test_an_episode_alone_teaches_what_it_teaches_without_sharing(model: torch.nn.Module) -> None:
    (group,) = shared([_episode(1, 2, 7)], most=8)
    found = shared_loss(model, SharedTensors(0, READ)([columns(group)]))
    expected, _ = _alone(model, _episode(1, 2, 7))
    torch.testing.assert_close(found, expected)


def test_several_teach_what_each_teaches_alone_but_for_the_beginning_that_counts_once(model: torch.nn.Module) -> None:
    episodes = [_episode(1, 2, 7), _episode(3, 4, 5, 6, 2)]
    (group,) = shared(episodes, most=8)
    found = shared_loss(model, SharedTensors(0, READ)([columns(group)]))
    (first, weighs), (second, weighs_too) = (_alone(model, one) for one in episodes)
    beginning = torch.tensor([BEGINNING])
    again = weighed_loss(model(input_ids=beginning).logits, beginning, torch.full(beginning.shape, READ))
    twice = READ * (len(BEGINNING) - 1)
    expected = (first * weighs + second * weighs_too - again * twice) / (weighs + weighs_too - twice)
    torch.testing.assert_close(found, expected)


def test_the_beginning_is_learned_from_all_episodes(model: torch.nn.Module) -> None:
    (group,) = shared([_episode(1, 2), _episode(3, 4)], most=8)
    model.zero_grad()
    shared_loss(model, SharedTensors(0, 0.0)([columns(group)])).backward()
    embeddings = model.get_parameter("model.embed_tokens.weight").grad
    assert embeddings is not None
    assert float(embeddings[BEGINNING[0]].abs().sum()) > 0, "nothing of it has a weight of its own"


def test_what_is_only_read_weighs_as_little_as_it_was_told() -> None:
    logits, ids = torch.zeros(1, 3, 4), torch.tensor([[0, 1, 2]])
    logits[0, 1, 2] = 9.0  # right about the last token, without an idea of the one before
    both = weighed_loss(logits, ids, torch.tensor([[1.0, 1.0, 1.0]]))
    little = weighed_loss(logits, ids, torch.tensor([[1.0, 0.1, 1.0]]))
    assert little < both
