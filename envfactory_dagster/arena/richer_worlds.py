"""The stage `richer_worlds`: more records for the weak environments whose data are too poor to practise on.

Belongs here: which environments these are, and a state with the records beside those there were. Does not: finding
records in documents (`authoring.mining`), and drawing tasks (`target_tasks`).

A world that was mined is mined once more, from the same documents, for what a guideline says is missing. Whatever comes
of it are rows of the tables that there are, since the tools know no others; they make a further state, so that every
task of before begins as it did. A world that was not mined has nothing to take more from: that is said, and its tasks
are drawn in the states it has.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from envfactory_dagster.arena.diagnosis.stage import STAGE as DIAGNOSIS
from envfactory_dagster.arena.earlier import ARENA_TASKS, refuse_if_followed
from envfactory_dagster.arena.rounds import ArenaRound
from envfactory_dagster.authoring.mining.derived import rows_of
from envfactory_dagster.authoring.mining.stage import MinedDataStage
from envfactory_dagster.contracts.arena import ArenaTasks
from envfactory_dagster.contracts.base import Json, content_hash
from envfactory_dagster.contracts.bundle import Bundle, State
from envfactory_dagster.contracts.database import TableRows
from envfactory_dagster.contracts.diagnosis import Diagnosis, Guideline
from envfactory_dagster.contracts.domain import INITIAL_STATE
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.contracts.evolution import RicherWorld, RicherWorlds
from envfactory_dagster.contracts.mining import Collection, GrowthOperation, MinedData
from envfactory_dagster.contracts.records import Attempt
from envfactory_dagster.contracts.stages import MINED_DATA, StageInput, StageOutcome
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.runtime.databases import with_rows_added
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore

STAGE = "richer_worlds"
NOT_MINED = (
    "It was not mined from documents, so there is nothing to take more from; its tasks are drawn in the states it has."
)


@dataclass(frozen=True, slots=True)
class RicherWorldsStage:
    home: Home
    runtime: Runtime
    mining: MinedDataStage
    name: ClassVar[str] = STAGE
    upstream: ClassVar[tuple[str, ...]] = (ARENA_TASKS, DIAGNOSIS)
    code_version: ClassVar[str] = "1"

    def settings_hash(self) -> str:
        return content_hash([self.code_version, self.mining.settings_hash()])

    async def make(self, stage_input: StageInput) -> StageOutcome:
        this, records = ArenaRound.of_key(stage_input.partition), RecordStore(self.home)
        played = ArenaTasks.model_validate(stage_input.artifact(ARENA_TASKS))
        diagnosis = Diagnosis.model_validate(stage_input.artifact(DIAGNOSIS))
        refuse_if_followed(records, this)
        version_of = {one.key: one.version for one in played.draw.environments}
        made, attempts = RicherWorlds(worlds=[]), list[Attempt]()
        for guideline in diagnosis.guidelines:
            if guideline.needs and guideline.environment in version_of:
                world, paid = await self._richer(this, records, guideline, version_of[guideline.environment])
                made.worlds.append(world)
                attempts += paid
        return StageOutcome(made.model_dump(mode="json"), attempts, metadata=_shown(made))

    async def _richer(
        self, this: ArenaRound, records: RecordStore, guideline: Guideline, version: str
    ) -> tuple[RicherWorld, list[Attempt]]:
        key = guideline.environment
        asked = RicherWorld(environment=key, wanted=guideline.needs)
        record = await asyncio.to_thread(records.latest, MINED_DATA, key)
        mined = MinedData() if record is None or record.artifact is None else MinedData.model_validate(record.artifact)
        if mined.kind == "none":
            return asked.model_copy(update={"reason": NOT_MINED}), []
        bundle = await asyncio.to_thread(BundleStore(self.home).load, key, version)
        grown = await self.mining.enriched(
            bundle.theme, mined, Caller(STAGE, this.key, Role.AUTHOR), _wishes(guideline, mined.collections)
        )
        if grown.problems:
            return asked.model_copy(update={"reason": grown.problems[0].message}), grown.attempts
        rows = new_rows(mined.collections, grown.collections)
        try:
            sealed = await self._with(bundle, richer_state(this), rows)
        except EnvironmentFault as fault:
            reason = f"What was found does not fit into the database: {fault}"
            return asked.model_copy(update={"reason": reason}), grown.attempts
        await asyncio.to_thread(BundleStore(this.home(self.home)).keep, sealed)
        found = {"version": sealed.version, "records": sum(len(table.rows) for table in rows)}
        return asked.model_copy(update=found), grown.attempts

    async def _with(self, bundle: Bundle, name: str, rows: Sequence[TableRows]) -> Bundle:
        start = bundle.states[INITIAL_STATE]
        async with self.runtime.database_worker() as worker:
            image = await with_rows_added(worker, start.image, rows)
        return bundle.with_states({name: State(image, start.clock)})


def richer_state(this: ArenaRound) -> str:
    """Its name. Each round has one of its own, since what is practised after a round may be practised again later."""
    return f"richer_{this.number:02d}"


def _wishes(guideline: Guideline, collections: Sequence[Collection]) -> list[GrowthOperation]:
    """For the collections that the guideline names, or for all."""
    names = [one.name for one in collections]
    named = [name for name in names if name in guideline.practise] or names
    return [GrowthOperation(do="add_records", collection=name, what=guideline.needs) for name in named]


def new_rows(before: Sequence[Collection], after: Sequence[Collection]) -> list[TableRows]:
    """The rows of further records, in the columns that there were."""
    known: Mapping[str, TableRows] = {table.table: table for table in rows_of(before)}
    found = []
    for table in rows_of(after):
        if (old := known.get(table.table)) is not None and len(table.rows) > len(old.rows):
            places = [table.columns.index(column) for column in old.columns]
            rows = [[row[place] for place in places] for row in table.rows[len(old.rows) :]]
            found.append(TableRows(table=table.table, columns=old.columns, rows=rows))
    return found


def _shown(made: RicherWorlds) -> dict[str, Json]:
    return {
        "asked_for": len(made.worlds),
        "richer": sum(bool(one.version) for one in made.worlds),
        "worlds": [one.model_dump(mode="json") for one in made.worlds],
    }
