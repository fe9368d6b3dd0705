"""A stage with its account: asked about its environment, with fresh seeds after a rejection, and its making priced.

Belongs here: what is the same for every stage that asks a model. Does not: any stage's work, and what a call costs
(`language.ledger`).
"""

import asyncio
from dataclasses import dataclass, replace

from envfactory_dagster.contracts.pool import PooledProposal
from envfactory_dagster.contracts.records import Spent
from envfactory_dagster.contracts.stages import PROPOSAL, Stage, StageInput, StageOutcome
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.store.records import RecordStore


@dataclass(frozen=True, slots=True)
class AccountedStage:
    """Any stage, as everybody runs it."""

    stage: Stage
    gateway: Gateway
    records: RecordStore | None = None
    """Where proposals lie, which tell what environment a partition is."""

    @property
    def name(self) -> str:
        return self.stage.name

    @property
    def upstream(self) -> tuple[str, ...]:
        return self.stage.upstream

    @property
    def code_version(self) -> str:
        return self.stage.code_version

    def settings_hash(self) -> str:
        return self.stage.settings_hash()

    async def make(self, stage_input: StageInput) -> StageOutcome:
        self.gateway.use_fresh_seeds(self.name, stage_input.partition, stage_input.redo)
        if self.records is not None:
            await asyncio.to_thread(self._tell_the_subject, self.records, stage_input.partition)
        before = self.gateway.spent(self.name, stage_input.partition)
        outcome = await self.stage.make(stage_input)
        after = self.gateway.spent(self.name, stage_input.partition)
        return replace(outcome, spent=_difference(before, after))

    def _tell_the_subject(self, records: RecordStore, partition: str) -> None:
        found = records.latest(PROPOSAL, partition)
        if found is not None and found.artifact is not None:
            self.gateway.about(partition, PooledProposal.model_validate(found.artifact).subject)


def _difference(before: Spent, after: Spent) -> Spent:
    return Spent(
        calls=after.calls - before.calls,
        reused=after.reused - before.reused,
        tokens_in=after.tokens_in - before.tokens_in,
        tokens_out=after.tokens_out - before.tokens_out,
        cost_usd=None if before.cost_usd is None or after.cost_usd is None else after.cost_usd - before.cost_usd,
    )
