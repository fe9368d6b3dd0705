"""In place of the package `kernels`, for machines without a GPU: attention over packed sequences, in plain torch.

TRL's asynchronous GRPO fetches FlashAttention 3 with `kernels`; nothing else of it is used there. A test that trains
so puts this folder first on the path.
"""

from typing import Any

import torch


def get_kernel(name: str, version: int = 1) -> "type[_FlashAttention]":
    return _FlashAttention


class _FlashAttention:
    @staticmethod
    def flash_attn_varlen_func(
        query: torch.Tensor,
        key: torch.Tensor,
        value: torch.Tensor,
        begins_q: torch.Tensor,
        begins_k: torch.Tensor,
        longest_q: int,
        longest_k: int,
        *,
        softmax_scale: float,
        causal: bool,
        window_size: tuple[int, int],
        **more: Any,
    ) -> torch.Tensor:
        """Each segment of queries sees its own keys; its last query sees all of them, the one before it one less."""
        assert causal and window_size == (-1, -1) and not more
        heads = query.size(1) // key.size(1)
        key, value = (one.repeat_interleave(heads, 1) for one in (key, value))
        parts = []
        for segment in range(len(begins_q) - 1):
            rows, columns = (slice(int(one[segment]), int(one[segment + 1])) for one in (begins_q, begins_k))
            q, k, v = (one.transpose(0, 1) for one in (query[rows], key[columns], value[columns]))
            seen = torch.ones(q.size(1), k.size(1), dtype=torch.bool).tril(k.size(1) - q.size(1))
            weights = (q @ k.transpose(1, 2) * softmax_scale).masked_fill(~seen, float("-inf")).softmax(-1)
            parts.append((weights @ v).transpose(0, 1))
        return torch.cat(parts)
