"""A policy that a vLLM server writes for, as the model of a rollout: prompts go out as tokens, and tokens come back.

Belongs here: asking the server for one message. Does not: what the server has loaded (`async_grpo` sends it the
weights), rendering (`rendering`), or the loop of an episode (`envfactory_dagster.rollouts`).
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import openai

from envfactory_dagster.language.messages import AnswerUnusable, ChatAnswer, ChatChoice, Message, Usage
from envfactory_dagster.rollouts.model import Tools

from .failures import Diverged, EnvironmentsDown
from .rendering import Renderer
from .sampling import Sampling, drawn_from

_TIMEOUT_S = 1_800.0
"""The server answers nothing while it is given weights."""

_ANY = 0
"""What vLLM takes for no limit."""


def client_of(server: str) -> openai.AsyncOpenAI:
    """For the server at this address, which is without `/v1`."""
    return openai.AsyncOpenAI(base_url=f"{server.rstrip('/')}/v1", api_key="none", timeout=_TIMEOUT_S, max_retries=5)


@dataclass(slots=True)
class ServerModel:
    """Satisfies `rollouts.model.Model`. The server decides what is written together."""

    client: openai.AsyncOpenAI
    renderer: Renderer
    sampling: Sampling
    loaded: Callable[[], str]
    """Returns the name under which the server has the newest weights."""
    name: str = "policy"
    seconds: float = 0.0
    """The sum over all messages; messages written at the same time are each counted."""

    async def answer(self, messages: Sequence[Message], tools: Tools, seed: int) -> ChatAnswer:
        prompt = self.renderer.prompt(messages, tools)
        room = self.sampling.longest - len(prompt)
        if room < 1:
            problem = f"the episode has grown to {len(prompt)} tokens; {self.sampling.longest} are the most"
            raise AnswerUnusable(text="", problem=problem, usage=Usage(), cached=False, model=self.name)
        started = time.perf_counter()
        ids, logprobs = await self._written(prompt, min(room, self.sampling.most_new_tokens), seed)
        self.seconds += time.perf_counter() - started
        message = self.renderer.read(ids, prompt, tools)
        ended = bool(ids) and ids[-1] in self.renderer.ends
        finish = "length" if not ended else "tool_calls" if message.get("tool_calls") else "stop"
        choice = ChatChoice(message, finish, tuple(ids), tuple(logprobs))
        usage = Usage(tokens_in=len(prompt), tokens_out=len(ids))
        return ChatAnswer((choice,), tuple(prompt), usage, False, self.name)

    async def _written(self, prompt: list[int], most: int, seed: int) -> tuple[list[int], list[float]]:
        try:
            found = await self.client.completions.create(
                model=self.loaded(),
                prompt=prompt,
                max_tokens=most,
                temperature=self.sampling.temperature,
                top_p=self.sampling.top_p,
                seed=drawn_from(prompt, seed),
                logprobs=0,
                extra_body={
                    "return_token_ids": True,
                    "ignore_eos": True,
                    "stop_token_ids": sorted(self.renderer.ends),
                    "top_k": self.sampling.top_k or _ANY,
                },
            )
        except openai.OpenAIError as error:
            raise EnvironmentsDown(f"The vLLM server at {self.client.base_url} does not write: {error}") from error
        choice: Any = found.choices[0]
        logprobs = list(choice.logprobs.token_logprobs) if choice.logprobs else []
        if None in logprobs:
            raise Diverged("The policy's logits are no numbers any more; go back to a checkpoint from before.")
        ids = list((choice.model_extra or {}).get("token_ids") or [])
        if len(ids) != len(logprobs):
            raise EnvironmentsDown(
                f"The server at {self.client.base_url} gave {len(ids)} tokens with {len(logprobs)} log-probabilities: "
                "it is no vLLM server, or one from before `return_token_ids`."
            )
        return ids, logprobs
