"""The tasks of one environment for Inspect: `inspect eval task.py --model …`.

Each sample has a world of its own: the bundle's `server.py` over stdio, which leaves the episode in a folder when the
connection ends. The scorer asks the bundle's `judge.py`. Inspect's agents reach the tools alone, not this folder.
"""

import asyncio
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageTool, ChatMessageUser
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import mcp_connection, mcp_server_stdio

BUNDLE = Path(__file__).resolve().parent / "bundle"
PROMPTS = Path(__file__).resolve().parent / "prompts.jsonl"
MOST_TURNS = 100


@solver
def in_its_world() -> Solver:
    """Calls and answers until the report is handed in, or the model stops calling."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        folder = tempfile.mkdtemp(prefix="episode-")
        state.store.set("episode", folder)
        arguments = ["-I", "-S", str(BUNDLE / "server.py"), "--task", str(state.sample_id), "--episode", folder]
        server = mcp_server_stdio(name="world", command=sys.executable, args=arguments)
        async with mcp_connection(server):
            state.tools = list(await server.tools())
            for _ in range(MOST_TURNS):
                state = await generate(state, tool_calls="single")
                if _is_over(state):
                    break
        return state

    return solve


def _is_over(state: TaskState) -> bool:
    last = state.messages[-1]
    if isinstance(last, ChatMessageAssistant):
        return not last.tool_calls
    return isinstance(last, ChatMessageTool) and last.error is None and _taken(last.text)


def _taken(text: str) -> bool:
    try:
        return bool(json.loads(text) == {"report": "taken"})
    except ValueError:
        return False


@scorer(metrics=[mean(), stderr()])
def verdict() -> Scorer:
    """Guards × the mean of the goals. An episode that cannot be judged has no score, not 0."""

    async def score(state: TaskState, target: Target) -> Score:
        judged = await asyncio.to_thread(_judge, state.store.get("episode"))
        shutil.rmtree(state.store.get("episode"), ignore_errors=True)
        if judged["status"] != "judged":
            raise RuntimeError(f"no verdict: {judged['reason']}")
        return Score(value=float(judged["score"]), explanation=json.dumps(judged), metadata=judged)

    return score


def _judge(episode: str) -> dict[str, Any]:
    command = [sys.executable, "-I", "-S", str(BUNDLE / "judge.py"), "--episode", episode]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        judged: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        return {"status": "invalid", "reason": done.stderr[-500:]}
    return judged


@task
def world() -> Task:
    rows = [json.loads(line) for line in PROMPTS.read_bytes().splitlines()]
    samples = [
        Sample(
            id=row["task"],
            input=[ChatMessageSystem(content=row["system"]), ChatMessageUser(content=row["prompt"])],
            metadata={"kind": row["kind"]},
        )
        for row in rows
    ]
    return Task(dataset=samples, solver=in_its_world(), scorer=verdict())
