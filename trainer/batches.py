"""Samples as tensors: what a step of GRPO reads.

Belongs here: padding and masks. Does not: which samples there are (`groups`).
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from trainer.groups import Turn

if TYPE_CHECKING:
    import torch


def as_tensors(turns: Sequence[Turn], pad: int, parts: int, device: "torch.device") -> "dict[str, torch.Tensor]":
    """The samples in the form of TRL's GRPO: prompts padded on the left, messages on the right. Rows that are all
    padding are added until they can be split into `parts` of one size; they count for nothing."""
    import torch

    missing = -len(turns) % parts if turns else parts
    rows = list(turns) + [Turn([pad], [pad], [0.0], 0.0)] * missing
    before = max(len(row.prompt) for row in rows)
    after = max(len(row.written) for row in rows)
    prompts = torch.full((len(rows), before), pad, dtype=torch.long)
    prompt_mask = torch.zeros_like(prompts)
    written = torch.full((len(rows), after), pad, dtype=torch.long)
    written_mask = torch.zeros_like(written)
    logprobs = torch.zeros((len(rows), after))
    for place, row in enumerate(rows):
        prompts[place, before - len(row.prompt) :] = torch.tensor(row.prompt)
        prompt_mask[place, before - len(row.prompt) :] = 1
        written[place, : len(row.written)] = torch.tensor(row.written)
        logprobs[place, : len(row.written)] = torch.tensor(row.logprobs)
        if place < len(turns):
            written_mask[place, : len(row.written)] = 1
    tensors = {
        "prompt_ids": prompts,
        "prompt_mask": prompt_mask,
        "completion_ids": written,
        "completion_mask": written_mask,
        "old_per_token_logps": logprobs,
        "advantages": torch.tensor([row.advantage for row in rows]),
        "num_items_in_batch": written_mask.sum(),
    }
    return {name: tensor.to(device) for name, tensor in tensors.items()}
