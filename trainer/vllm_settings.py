"""What vLLM reads of its environment when it is imported. TRL imports it wherever it is installed.

Belongs here: those settings, to be made before TRL is imported. Does not: writing with it (`vllm_sampling`).
"""

import os

_LEFT_TO_THE_USER = {
    "VLLM_LOGGING_LEVEL": "WARNING",
    "VLLM_LOGGING_STREAM": "ext://sys.stderr",  # stdout is for results
    "VLLM_NO_USAGE_STATS": "1",  # a training run tells nobody about itself
}


def settle_vllm() -> None:
    # The engine in this process: weights are handed over, not sent.
    os.environ["VLLM_ENABLE_V1_MULTIPROCESSING"] = "0"
    for name, value in _LEFT_TO_THE_USER.items():
        os.environ.setdefault(name, value)
