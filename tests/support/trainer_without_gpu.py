"""`python -m trainer` where TRL's asynchronous GRPO is to run without a GPU: it asks CUDA for the name of its device,
and fetches attention that only Hopper GPUs have (`cpu_kernels`)."""

import sys
from pathlib import Path
from typing import Any

import torch

sys.path.insert(0, str(Path(__file__).parent / "cpu_kernels"))


def _name(device: Any = None) -> str:
    return "none"


torch.cuda.get_device_name = _name

from trainer.__main__ import main  # noqa: E402

sys.exit(main())
