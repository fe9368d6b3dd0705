"""A policy as the model of a rollout: many episodes ask, one batch answers, every token is kept as it was sampled.

Belongs here: collecting questions into batches, generating, and giving back ids and log-probabilities. Does not: the
loop of an episode (`envfactory_dagster.rollouts`), or rendering (`rendering`).
"""

import asyncio
import time
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from envfactory_dagster.language.messages import AnswerUnusable, ChatAnswer, ChatChoice, Message, Usage
from envfactory_dagster.rollouts.model import Tools

from .failures import Diverged
from .policies import LoadedPolicy
from .recipe import Grpo

_QUIET_S = 0.003
"""A batch is closed when nobody has asked for so long: the other episodes wait for their tools, or are in it."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """How a policy writes. A temperature of 0 takes the likeliest token."""

    temperature: float = 1.0
    most_new_tokens: int = 512
    longest: int = 8_192
    most_at_once: int = 64
    top_p: float = 1.0
    """Of the likeliest tokens those that come to so much together are drawn from."""
    top_k: int | None = None
    """So many of the likeliest are drawn from; None: all."""


def sampling_of(grpo: Grpo) -> Sampling:
    """As a recipe wants it when episodes are played."""
    return Sampling(
        grpo.temperature, grpo.most_new_tokens, grpo.longest, grpo.in_flight, top_p=grpo.top_p, top_k=grpo.top_k
    )


@dataclass(frozen=True, slots=True)
class Written:
    """The tokens of one message, with the log-probability each was sampled with."""

    ids: list[int]
    logprobs: list[float]
    ended: bool


Writes = Callable[[Sequence[tuple[list[int], int]], Sampling], list[Written]]
"""One message for each prompt and seed."""


@dataclass(slots=True)
class PolicyModel:
    """Satisfies `rollouts.model.Model`. Belongs to one event loop."""

    policy: LoadedPolicy
    sampling: Sampling
    name: str = "policy"
    write: Writes | None = None
    """Who writes in place of `generate`."""
    seconds: float = 0.0
    """Spent in the model, and on the text for it while it was idle."""
    _writing: bool = False
    _waiting: list[tuple[list[int], int, "asyncio.Future[Written]"]] = field(default_factory=list)
    _asked: asyncio.Event = field(default_factory=asyncio.Event)
    _worker: "asyncio.Task[None] | None" = None

    async def answer(self, messages: Sequence[Message], tools: Tools, seed: int) -> ChatAnswer:
        started = time.perf_counter()
        prompt = self.policy.renderer.prompt(messages, tools)
        self._count(started)
        room = self.sampling.longest - len(prompt)
        if room < 1:
            problem = f"the episode has grown to {len(prompt)} tokens; {self.sampling.longest} are the most"
            raise AnswerUnusable(text="", problem=problem, usage=Usage(), cached=False, model=self.name)
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._serve())
        future: asyncio.Future[Written] = asyncio.get_running_loop().create_future()
        self._waiting.append((prompt, seed, future))
        self._asked.set()
        written = await future
        started = time.perf_counter()
        message = self.policy.renderer.read(written.ids, prompt, tools)
        self._count(started)
        finish = "length" if not written.ended else "tool_calls" if message.get("tool_calls") else "stop"
        choice = ChatChoice(message, finish, tuple(written.ids), tuple(written.logprobs))
        usage = Usage(tokens_in=len(prompt), tokens_out=len(written.ids))
        return ChatAnswer((choice,), tuple(prompt), usage, False, self.name)

    async def close(self) -> None:
        if self._worker is not None:
            self._worker.cancel()
            await asyncio.gather(self._worker, return_exceptions=True)

    async def _serve(self) -> None:
        while True:
            await self._asked.wait()
            await self._until_quiet()
            batch = self._waiting[: self.sampling.most_at_once]
            del self._waiting[: len(batch)]
            if not self._waiting:
                self._asked.clear()
            batch = [one for one in batch if not one[2].done()]
            if not batch:
                continue
            try:
                written = await asyncio.to_thread(self._write, [(prompt, seed) for prompt, seed, _ in batch])
            except Exception as failure:  # noqa: BLE001 - it belongs to those who asked
                for _, _, future in batch:
                    if not future.done():
                        future.set_exception(failure)
                continue
            for (_, _, future), one in zip(batch, written, strict=True):
                if not future.done():
                    future.set_result(one)

    async def _until_quiet(self) -> None:
        asked = -1
        while asked != len(self._waiting) and len(self._waiting) < self.sampling.most_at_once:
            asked = len(self._waiting)
            await asyncio.sleep(_QUIET_S)

    def _write(self, batch: Sequence[tuple[list[int], int]]) -> list[Written]:
        started, self._writing = time.perf_counter(), True
        try:
            return self.write(batch, self.sampling) if self.write else generate(self.policy, batch, self.sampling)
        finally:
            self.seconds += time.perf_counter() - started
            self._writing = False

    def _count(self, since: float) -> None:
        """Text is the policy's time too, unless it is writing for others: that is counted."""
        if not self._writing:
            self.seconds += time.perf_counter() - since


def generate(policy: LoadedPolicy, batch: Sequence[tuple[list[int], int]], sampling: Sampling) -> list[Written]:
    """One message for each prompt and seed. What a prompt gets does not depend on the others in its batch, but for
    rounding: each row draws from a generator of its own. Equal prompts, such as those of a group, are read once."""
    import torch

    model, renderer = policy.model, policy.renderer
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            return _generate(model, renderer.pad, renderer.ends, batch, sampling)
    finally:
        model.train(was_training)


def _generate(
    model: Any, pad: int, ends: Set[int], batch: Sequence[tuple[list[int], int]], sampling: Sampling
) -> list[Written]:
    import torch

    device = next(model.parameters()).device
    prompts = list(dict.fromkeys(tuple(prompt) for prompt, _ in batch))
    place_of = {prompt: place for place, prompt in enumerate(prompts)}
    read = torch.tensor([place_of[tuple(prompt)] for prompt, _ in batch], device=device)
    width = max(map(len, prompts))
    ids = torch.full((len(prompts), width), pad, dtype=torch.long)
    attention = torch.zeros((len(prompts), width), dtype=torch.long)
    for row, prompt in enumerate(prompts):
        ids[row, width - len(prompt) :] = torch.tensor(prompt)
        attention[row, width - len(prompt) :] = 1
    chances = [torch.Generator().manual_seed(drawn_from(prompt, seed)) for prompt, seed in batch]
    longest = [min(sampling.most_new_tokens, sampling.longest - len(prompt)) for prompt, _ in batch]
    written: list[list[int]] = [[] for _ in batch]
    scores: list[list[float]] = [[] for _ in batch]
    alive = list(range(len(batch)))
    ids, attention = ids.to(device), attention.to(device)
    positions = (attention.cumsum(-1) - 1).clamp(min=0)
    cache = None
    while alive:
        out = model(
            input_ids=ids, attention_mask=attention, position_ids=positions, past_key_values=cache, use_cache=True,
            logits_to_keep=1,
        )  # fmt: skip
        cache, logits = out.past_key_values, out.logits[:, -1]
        if len(logits) < len(alive):
            cache.reorder_cache(read)  # from here on each row is its own
            attention, positions, logits = attention[read], positions[read], logits[read]
        logprobs = torch.log_softmax(logits.float() / (sampling.temperature or 1.0), dim=-1)
        if bool(logprobs[:, 0].isnan().any()):
            raise Diverged("The policy's logits are no numbers any more; go back to a checkpoint from before.")
        chosen = _choose(logprobs, [chances[row] for row in alive], sampling)
        for place, row in enumerate(alive):
            token = int(chosen[place])
            written[row].append(token)
            scores[row].append(float(logprobs[place, token]))
        going_on = [
            place
            for place, row in enumerate(alive)
            if written[row][-1] not in ends and len(written[row]) < longest[row]
        ]
        if len(going_on) < len(alive):  # what is finished takes no more time
            kept = torch.tensor(going_on, dtype=torch.long, device=device)
            cache.reorder_cache(kept)
            attention, positions, chosen = attention[kept], positions[kept], chosen[going_on]
            alive = [alive[place] for place in going_on]
        ids = chosen.to(device)[:, None]
        attention = torch.cat([attention, torch.ones((len(alive), 1), dtype=torch.long, device=device)], dim=-1)
        positions = positions[:, -1:] + 1
    return [Written(tokens, scores[row], tokens[-1] in ends) for row, tokens in enumerate(written)]


def _choose(logprobs: Any, chances: Sequence[Any], sampling: Sampling) -> Any:
    import torch

    if sampling.temperature == 0:
        return logprobs.argmax(-1).cpu()
    probabilities = _likeliest(logprobs.exp(), sampling).cpu()
    drawn = [torch.multinomial(probabilities[row], 1, generator=chance) for row, chance in enumerate(chances)]
    return torch.cat(drawn)


def _likeliest(probabilities: Any, sampling: Sampling) -> Any:
    """With nothing left for tokens that are not drawn from."""
    if sampling.top_k is not None and sampling.top_k < probabilities.shape[-1]:
        least = probabilities.topk(sampling.top_k).values[:, -1:]
        probabilities = probabilities.masked_fill(probabilities < least, 0.0)
    if sampling.top_p < 1.0:
        ranked, places = probabilities.sort(descending=True)
        before = ranked.cumsum(-1) - ranked
        beyond = before >= sampling.top_p * ranked.sum(-1, keepdim=True)
        probabilities = probabilities.masked_fill(beyond.scatter(-1, places, beyond), 0.0)
    return probabilities


def drawn_from(prompt: Sequence[int], seed: int) -> int:
    """The seed of one message: of the episode and of where in it we are. Equal questions of one episode are rare, and
    may be answered alike."""
    return hash((seed, len(prompt), *prompt[-32:])) & 0x7FFF_FFFF_FFFF_FFFF
