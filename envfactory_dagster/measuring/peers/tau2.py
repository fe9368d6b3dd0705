"""tau2's own tasks, worlds, simulated person and verdicts, for whoever asks on stdin: a question a line.

Belongs here: asking the package `tau2`, in whose virtual environment this runs. Does not: answering for models, which
it asks at the address it is given (`measuring.relay`).
"""

import json
import os
import sys
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor
from typing import Any

_OUT = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # what the package prints, also when it is imported, is no answer
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # else importing it would look for prices on the network

from loguru import logger  # noqa: E402
from tau2.config import DEFAULT_MAX_ERRORS, DEFAULT_MAX_STEPS  # noqa: E402
from tau2.run import load_tasks, run_task  # noqa: E402

_SPLIT = "base"
_AT_ONCE = 16


def tasks(domain: str) -> list[dict[str, str]]:
    return [{"id": one.id, "text": str(one.user_scenario)} for one in load_tasks(domain, _SPLIT)]


def play(domain: str, task: str, seed: int, address: str) -> dict[str, Any]:
    """One episode. `address`: below it the models `agent` and `user` answer."""
    [chosen] = [one for one in load_tasks(domain, _SPLIT) if one.id == task]
    given = {"api_key": "none", "num_retries": 0, "timeout": None}
    try:
        run = run_task(
            domain=domain,
            task=chosen,
            agent="llm_agent",
            user="user_simulator",
            llm_agent="openai/agent",
            llm_args_agent={**given, "api_base": f"{address}/agent/v1"},
            llm_user="openai/user",
            llm_args_user={**given, "api_base": f"{address}/user/v1"},
            max_steps=DEFAULT_MAX_STEPS,
            max_errors=DEFAULT_MAX_ERRORS,
            seed=seed,
        )
    except json.JSONDecodeError as unreadable:
        if not any("/tau2/agent/" in frame.filename for frame in traceback.extract_tb(unreadable.__traceback__)):
            raise  # not the measured model's doing
        return {"reward": 0.0, "ended": "unreadable_call", "messages": 0, "why": str(unreadable)}
    messages = sum(one.role == "assistant" for one in run.messages)
    return {
        "reward": run.reward_info.reward,
        "ended": run.termination_reason.value,
        "messages": messages,
        "why": json.dumps(run.reward_info.model_dump(mode="json").get("reward_breakdown")),
    }


ANSWERS: dict[str, Any] = {one.__name__: one for one in (tasks, play)}


def main() -> None:
    one_at_a_time = threading.Lock()
    logger.remove()

    def answer(asked: dict[str, Any]) -> None:
        number = asked.pop("number")
        try:
            found = {"answer": ANSWERS[asked.pop("ask")](**asked)}
        except Exception as failure:  # noqa: BLE001 - whatever it is, it belongs to this question
            found = {"failure": f"{type(failure).__name__}: {failure}"}
        with one_at_a_time:
            print(json.dumps({"number": number, **found}), file=_OUT, flush=True)

    with ThreadPoolExecutor(_AT_ONCE) as threads:
        for line in sys.stdin:
            threads.submit(answer, json.loads(line))


if __name__ == "__main__":
    main()
