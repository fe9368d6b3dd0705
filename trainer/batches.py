"""Samples as tensors: what a step of GRPO reads.

Belongs here: padding and masks. Does not: which samples there are (`groups`).
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .groups import Sample

if TYPE_CHECKING:
    import torch


def as_tensors(samples: Sequence[Sample], pad: int, parts: int, device: "torch.device") -> "dict[str, torch.Tensor]":
    """The samples in the form of TRL's GRPO: prompts padded on the left, what followed on the right. Rows that are all
    padding are added until they can be split into `parts` of one size; they count for nothing."""
    import torch

    wanted = max(len(samples), 1)
    missing = wanted + -wanted % parts - len(samples)
    rows = [*samples, *[Sample([pad], [pad], [0.0], [False], 0.0)] * missing]
    before = max(len(row.prompt) for row in rows)
    after = max(len(row.followed) for row in rows)
    prompts = torch.full((len(rows), before), pad, dtype=torch.long)
    prompt_mask = torch.zeros_like(prompts)
    followed = torch.full((len(rows), after), pad, dtype=torch.long)
    followed_mask = torch.zeros_like(followed)
    written = torch.zeros_like(followed)
    logprobs = torch.zeros((len(rows), after))
    for place, row in enumerate(rows):
        prompts[place, before - len(row.prompt) :] = torch.tensor(row.prompt)
        prompt_mask[place, before - len(row.prompt) :] = 1
        followed[place, : len(row.followed)] = torch.tensor(row.followed)
        followed_mask[place, : len(row.followed)] = 1
        written[place, : len(row.followed)] = torch.tensor(row.written, dtype=torch.long)
        logprobs[place, : len(row.followed)] = torch.tensor(row.logprobs)
    tensors = {
        "prompt_ids": prompts,
        "prompt_mask": prompt_mask,
        "completion_ids": followed,
        "completion_mask": followed_mask,
        "tool_mask": written,  # what of the completion counts in the loss
        "old_per_token_logps": logprobs,
        "advantages": torch.tensor([row.advantage for row in rows]),
        "num_items_in_batch": written.sum(),
    }
    return {name: tensor.to(device) for name, tensor in tensors.items()}
