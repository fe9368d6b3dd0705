"""The reward function for verl (0.9.1): the verdict on a rollout, by what it did and reported.

A rollout that never calls `finish` earns 0; one that cannot be judged raises an error: it is no 0.
"""

import json
from typing import Any


def reward(
    data_source: str, solution_str: str, ground_truth: Any, extra_info: dict[str, Any], **more: Any
) -> dict[str, Any]:
    told = extra_info.get("verdict")
    if told is None:
        return {"score": 0.0, "finished": 0.0}
    verdict = json.loads(told)
    if verdict["status"] == "invalid":
        raise RuntimeError(f"no verdict: {verdict['reason']}")
    return {"score": float(verdict["score"]), "finished": 1.0}
