"""From groups to samples: what is better than its group is made likelier, message by message."""

from statistics import fmean
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from trainer.batches import as_tensors
from trainer.groups import Sample, advantages, samples

scores = st.one_of(st.none(), st.floats(-1, 1))
groups = st.lists(st.lists(scores, min_size=1, max_size=8), min_size=1, max_size=5)


@settings(deadline=None)
@given(groups, st.sampled_from(["group", "batch", "none"]))
def test_advantages_of_a_group_are_in_balance(given_scores: list[list[float | None]], scale: str) -> None:
    for values, gained in zip(given_scores, advantages(given_scores, scale), strict=True):
        counted = [(v, g) for v, g in zip(values, gained, strict=True) if v is not None and g is not None]
        assert [v is None for v in values] == [g is None for g in gained], "what failed around it counts for nothing"
        if counted:
            assert fmean(g for _, g in counted) == pytest.approx(0, abs=1e-6)
            assert [g for _, g in sorted(counted)] == sorted(g for _, g in counted), "the better, the more"


def test_a_group_that_is_all_alike_teaches_nothing() -> None:
    assert advantages([[1.0, 1.0, 1.0], [0.0, 1.0]], "group")[0] == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("scale", ["group", "batch", "none"])
def test_a_group_is_all_alike_even_if_its_mean_is_rounded(scale: Any) -> None:
    assert fmean([1 / 5] * 6) != 1 / 5, "or this test tries nothing"
    alike, differs = [ended(1 / 5)] * 6, [ended(0.0), ended(1.0)]
    made = samples([alike, differs], scale, joined=False)
    assert [one.advantage > 0 for one in made] == [False, True], "only those of the group that differs"


def ended(total: float) -> Any:
    """A rollout of one message with this reward."""
    tokens = SimpleNamespace(ids=[1, 2], mask=[False, True], logprobs=[0.0, -0.5])
    reward = SimpleNamespace(total=total)
    steps = [SimpleNamespace(tokens=tokens)]
    return SimpleNamespace(trajectory=SimpleNamespace(outcome="completed", reward=reward, steps=steps))


tokens = st.lists(st.tuples(st.integers(5, 50), st.booleans()), min_size=1, max_size=6)
made_samples = st.builds(
    lambda prompt, followed, gain: Sample(
        prompt, [one for one, _ in followed], [-0.5] * len(followed), [own for _, own in followed], gain
    ),
    st.lists(st.integers(5, 50), min_size=1, max_size=6),
    tokens,
    st.floats(-2, 2, allow_nan=False, width=32),
)


@settings(deadline=None)
@given(st.lists(made_samples, max_size=7), st.integers(1, 4))
def test_tensors_hold_every_token_once_and_padding_counts_for_nothing(rows: list[Sample], parts: int) -> None:
    made = as_tensors(rows, pad=0, parts=parts, device=torch.device("cpu"))
    assert made["prompt_ids"].shape[0] % parts == 0
    assert 0 <= made["prompt_ids"].shape[0] - max(len(rows), 1) < parts, "no more than needed"
    for row, one in enumerate(rows):
        assert made["prompt_ids"][row][made["prompt_mask"][row].bool()].tolist() == one.prompt
        assert made["completion_ids"][row][made["completion_mask"][row].bool()].tolist() == one.followed
        counted = (made["completion_mask"] * made["tool_mask"])[row].bool()
        own = [token for token, written in zip(one.followed, one.written, strict=True) if written]
        assert made["completion_ids"][row][counted].tolist() == own
    assert made["tool_mask"].sum() == sum(sum(one.written) for one in rows) == made["num_items_in_batch"]
