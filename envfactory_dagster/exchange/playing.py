"""One episode for a framework that brings an endpoint and wants a reward.

    played = await play("http://localhost:8000/v1", "my-policy", Path("bundles/alpine-huts"), "call_it_off")
    played.messages, played.report, played.reward, played.signals

Belongs here: one function, over the same loop, sandbox and verdict that the line's own episodes have. Does not: many
episodes (`rollouts.engine`), a simulated person, and endpoints that are paid for (`language.gateway`).
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from openai import AsyncOpenAI, OpenAIError

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.errors import InfrastructureFault, UsageError
from envfactory_dagster.exchange.exporting import exportable
from envfactory_dagster.language.messages import ChatAnswer, ChatChoice, Message, Usage
from envfactory_dagster.rollouts.endings import NOT_THE_AGENTS
from envfactory_dagster.rollouts.episode import Episode
from envfactory_dagster.rollouts.history import exchange
from envfactory_dagster.rollouts.model import Tools
from envfactory_dagster.rollouts.prompts import for_agent
from envfactory_dagster.rollouts.scoring import Finished, run_of
from envfactory_dagster.rollouts.settings import RolloutSettings
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.rewards import RewardSettings
from envfactory_dagster.truth.verdicts import TaskChecks, judge
from envfactory_dagster.truth.withholding import tools_left


@dataclass(frozen=True, slots=True)
class PlayedTask:
    messages: list[Message]
    """All of them, the system's first."""
    report: dict[str, Json] | None
    reward: float | None
    """None where the agent is not to blame for the end: count such an episode out, not as 0."""
    signals: dict[str, Json] = field(default_factory=dict)
    """How it ended, the checks' reasons, and the number of steps and calls."""


@dataclass(frozen=True, slots=True)
class EndpointModel:
    """A model behind any OpenAI-compatible endpoint, asked as it is."""

    client: AsyncOpenAI
    name: str
    sampling: dict[str, Any]

    async def answer(self, messages: Sequence[Message], tools: Tools, seed: int) -> ChatAnswer:
        asked: dict[str, Any] = {"model": self.name, "messages": list(messages), "tools": list(tools)}
        try:
            completion = await self.client.chat.completions.create(**asked, seed=seed, **self.sampling)
        except OpenAIError as failure:
            raise InfrastructureFault(f"the endpoint gave no answer: {failure}") from failure
        first, counted = completion.choices[0], completion.usage
        message = cast(dict[str, Json], first.message.model_dump(mode="json", exclude_none=True))
        usage = Usage(counted.prompt_tokens, counted.completion_tokens, cost_usd=None) if counted else Usage()
        return ChatAnswer((ChatChoice(message, first.finish_reason, None, None),), None, usage, False, completion.model)


async def play(
    base_url: str,
    model: str,
    bundle: Bundle | Path,
    task: str,
    *,
    api_key: str = "none",
    seed: int = 0,
    runtime: Runtime | None = None,
    settings: RolloutSettings | None = None,
    **sampling: Any,
) -> PlayedTask:
    """Play one task of a released bundle with the model at `base_url`. Give a `runtime` to share it among episodes;
    `sampling` is passed on to the endpoint (temperature, top_p, max_tokens …)."""
    read = bundle if isinstance(bundle, Bundle) else Bundle.read(bundle)
    found = next((one for one in exportable(read).tasks if one.id == task), None)
    if found is None:
        why = exportable(read).left_out.get(task, "there is no such task")
        raise UsageError(f"{read.key} has no task {task!r} that an agent plays alone: {why}.")
    chosen, form = settings or RolloutSettings(), read.answer_form(task)
    rules = RewardSettings().form(tools_left(read.tools, found), chosen.protocol)
    async with _running(runtime) as running, AsyncOpenAI(base_url=base_url, api_key=api_key) as client:
        async with await running.open(read, state=found.state) as session:
            agent = EndpointModel(client, model, {"temperature": chosen.temperature} | sampling)
            most_steps = chosen.most_steps if chosen.most_steps is not None else MOST_STEPS
            played = await Episode(read, found, form, session, agent, rules, chosen, most_steps, seed).play()
            left = await session.end()
        trajectory = played.trajectory(
            read, found, protocol=chosen.protocol, model=model, seed=seed, state_hash=left.state_hash
        )
        end = played.end
        finished = Finished(trajectory, end.cause, end.detail, played.remarks, left.changes, left.final)
        run = run_of(read, finished, left.final)
        verdict = await judge(running, TaskChecks(found, read.verifiers[task], form), run)
    system = for_agent(read, found, chosen.protocol, "single", window=chosen.window)
    begin: list[Message] = [{"role": "system", "content": system}, {"role": "user", "content": played.opening}]
    signals: dict[str, Json] = {
        "end": played.end.cause,
        "detail": played.end.detail,
        "reasons": list(verdict.reasons),
        "steps": len(played.steps),
        "calls": sum(len(step.calls) for step in played.steps),
    }
    return PlayedTask(
        messages=begin + [message for step in played.steps for message in exchange(step)],
        report=played.report.model_dump(mode="json") if played.report is not None else None,
        reward=None if played.end.cause in NOT_THE_AGENTS else verdict.score,
        signals=signals,
    )


MOST_STEPS = 100
"""Where the settings name no limit: a bundle does not say how many calls its solutions make."""


@asynccontextmanager
async def _running(runtime: Runtime | None) -> AsyncIterator[Runtime]:
    if runtime is not None:
        yield runtime
        return
    async with Runtime() as started:
        yield started
