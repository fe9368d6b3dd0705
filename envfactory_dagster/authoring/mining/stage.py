"""The mined data: what a world is about, found in the documents that somebody brought for it.

Belongs here: the stage, its rounds. Does not: a round (`miner`, `growth`), or the database made of it (`derived`).
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from upath import UPath

from envfactory_dagster.authoring import source_document as sources
from envfactory_dagster.authoring.mining import growth, miner
from envfactory_dagster.authoring.mining.actions import Actions
from envfactory_dagster.authoring.mining.collecting import Collecting, sizes_of
from envfactory_dagster.authoring.mining.gate import Grounding, problems_of, problems_of_growth
from envfactory_dagster.authoring.mining.miner import Mined, Miner
from envfactory_dagster.authoring.mining.settings import LEAST, MiningSettings
from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.base import Json, content_hash
from envfactory_dagster.contracts.domain import Theme
from envfactory_dagster.contracts.mining import Collection, GrowthOperation, GrowthRound, MinedData
from envfactory_dagster.contracts.records import Problem
from envfactory_dagster.contracts.stages import MINED_DATA, SOURCE_DOCUMENT, StageInput, StageOutcome
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.sources.shelf import Shelf
from envfactory_dagster.sources.snapshots import Snapshot

GATE = 2
"""Counts up whenever the gate asks for more or less."""


class MinedDataStage:
    name = MINED_DATA
    upstream = ("theme", SOURCE_DOCUMENT)
    code_version = content_hash([miner.INSTRUCTIONS, miner.FOR_GROWTH, growth.INSTRUCTIONS, GATE])[:12]

    def __init__(
        self,
        gateway: Gateway,
        runtime: Runtime,
        authoring: AuthoringSettings,
        settings: MiningSettings,
        snapshots: UPath | Path,
    ) -> None:
        """`snapshots`: where the documents of a home are kept."""
        self._gateway = gateway
        self._runtime = runtime
        self._authoring = authoring
        self._settings = settings
        self._snapshots = snapshots

    def settings_hash(self) -> str:
        return self._settings.hash_with(self._authoring)

    async def make(self, stage_input: StageInput) -> StageOutcome:
        document = sources.document_of(stage_input)
        if document is None or document.kind != "data":
            return StageOutcome(MinedData().model_dump(mode="json"), metadata={"kind": "none"})
        theme = Theme.model_validate(stage_input.artifact("theme"))
        worker = await self._worker(theme, document.snapshot, Caller(self.name, stage_input.partition, Role.AUTHOR))
        mined = await self._round(worker, [], 0, self._settings.tokens)
        if mined.problems:
            return _rejected(mined)
        attempts, steps, rounds = mined.attempts, mined.steps, list[GrowthRound]()
        collections = mined.collections
        for number in range(1, self._settings.growth_rounds + 1):
            taken = [attempt.tokens_in + attempt.tokens_out for attempt in attempts]
            left = self._settings.tokens - sum(taken)
            grown, kept = await self._grown(worker, collections, number, left, max(taken))
            attempts, steps = [*attempts, *grown.attempts], [*steps, *grown.steps]
            rounds.append(kept)
            if not kept.kept:
                break
            collections = grown.collections
        _, grounding = await self._checked(worker, collections)
        data = MinedData(
            kind="mined",
            snapshot=document.snapshot,
            collections=collections,
            grounded_share=round(grounding.grounded_share, 4),
            invented_share=round(grounding.invented_share, 4),
            rounds=rounds,
        )
        return StageOutcome(data.model_dump(mode="json"), attempts, metadata=_metadata(data, steps))

    async def enriched(
        self, theme: Theme, mined: MinedData, caller: Caller, wishes: Sequence[GrowthOperation]
    ) -> Mined:
        """Mine the same documents once more for what is wished for, and add it to what was mined."""
        worker = await self._worker(theme, mined.snapshot, caller)
        return await self._round(worker, mined.collections, len(mined.rounds) + 1, self._settings.tokens, wishes=wishes)

    async def _worker(self, theme: Theme, snapshot: str, caller: Caller) -> Miner:
        shelf = Shelf(await asyncio.to_thread(Snapshot, self._snapshots, snapshot))
        return Miner(self._gateway, caller, theme, shelf, self._settings, LEAST[self._authoring.size])

    async def _round(
        self,
        worker: Miner,
        before: Sequence[Collection],
        number: int,
        tokens: int,
        dearest: int = 0,
        wishes: Sequence[GrowthOperation] = (),
    ) -> Mined:
        collecting = Collecting(before)
        actions = Actions(worker.shelf, collecting, self._runtime, self._settings.opened)

        async def check(collections: Sequence[Collection]) -> list[Problem]:
            problems, _ = await self._checked(worker, collections)
            return problems + (list(problems_of_growth(before, collections)) if before else [])

        return await worker.mine(
            actions, collecting, check, number=number, tokens=tokens, dearest=dearest, wishes=wishes
        )

    async def _checked(self, worker: Miner, collections: Sequence[Collection]) -> tuple[list[Problem], Grounding]:
        return await problems_of(self._runtime, collections, worker.shelf, self._settings, worker.least)

    async def _grown(
        self, worker: Miner, before: Sequence[Collection], number: int, tokens: int, dearest: int
    ) -> tuple[Mined, GrowthRound]:
        asked = await growth.wishes_for(worker, before, number)
        if asked.value is None:
            refused = GrowthRound(
                number=number, operations=[], kept=False, reason=asked.rejection(), sizes=sizes_of(before)
            )
            return Mined([], [], asked.attempts), refused
        wishes = asked.value.operations
        grown = await self._round(worker, before, number, tokens, dearest, wishes)
        grown.attempts = [*asked.attempts, *grown.attempts]
        kept = not grown.problems
        return grown, GrowthRound(
            number=number,
            operations=wishes,
            kept=kept,
            reason="" if kept else grown.problems[0].message,
            sizes=sizes_of(grown.collections if kept else before),
        )


def _rejected(mined: Mined) -> StageOutcome:
    first, more = mined.problems[0], len(mined.problems) - 1
    reason = f"not accepted after {len(mined.attempts)} steps; {first.fault}: {first.message}"
    return StageOutcome(
        None,
        mined.attempts,
        reason + (f" (and {more} more)" if more else ""),
        {"steps": list[Json](mined.steps), "problems": [problem.message for problem in mined.problems]},
    )


def _metadata(data: MinedData, steps: list[dict[str, Json]]) -> dict[str, Json]:
    sizes = sizes_of(data.collections)
    return {
        "kind": data.kind,
        "snapshot": data.snapshot,
        "grounded_share": data.grounded_share,
        "invented_share": data.invented_share,
        **sizes.model_dump(),
        "table_of_collections": [
            {"collection": one.name, "records": len(one.records), "fields": ", ".join(f.name for f in one.fields)}
            for one in data.collections
        ],
        "rounds": [
            {
                "round": one.number,
                "kept": one.kept,
                "operations": "; ".join(f"{wish.do} {wish.collection}" for wish in one.operations),
                "records": one.sizes.records,
                "reason": one.reason,
            }
            for one in data.rounds
        ],
        "steps": list[Json](steps),
    }
