"""What the authors of benchmarks make of the figures of their parts.

Belongs here: the formulas, of scores between 0 and 1. Does not: the figures (`figures`). No paper says how BFCL's
overall is weighted: it was found by working out the tables of papers again, to the second digit.
"""

from collections.abc import Mapping
from statistics import fmean

BFCL_MULTI_TURN = ("multi_turn_base", "multi_turn_miss_func", "multi_turn_miss_param", "multi_turn_long_context")
_BFCL_OTHERS = {"non_live": 0.1, "live": 0.1, "irrelevance": 0.1}
_BFCL_AGENTIC = ("web_search", "memory")


def bfcl(scores: Mapping[str, float]) -> dict[str, float]:
    """BFCL v4's multi-turn score and its overall, as far as their parts are there. Relevance is shown beside the
    overall, and not counted."""
    if not scores.keys() >= set(BFCL_MULTI_TURN):
        return {}
    found = {"multi_turn": fmean(scores[name] for name in BFCL_MULTI_TURN)}
    if scores.keys() >= {*_BFCL_OTHERS, *_BFCL_AGENTIC}:
        agentic = 0.4 * fmean(scores[name] for name in _BFCL_AGENTIC)
        others = sum(weight * scores[name] for name, weight in _BFCL_OTHERS.items())
        found["overall"] = agentic + 0.3 * found["multi_turn"] + others
    return found


_TAU2_TASKS = {"retail": 114, "airline": 50, "telecom": 114}


def tau2(scores: Mapping[str, float]) -> dict[str, float]:
    """The mean of the three domains and that of all their tasks: papers tell the one or the other."""
    if not scores.keys() >= _TAU2_TASKS.keys():
        return {}
    weighted = sum(scores[name] * tasks for name, tasks in _TAU2_TASKS.items()) / sum(_TAU2_TASKS.values())
    return {"mean of domains": fmean(scores[name] for name in _TAU2_TASKS), "mean of tasks": weighted}
