"""The environment: everything that was accepted, put together as a bundle and tried once more as a whole.

Belongs here: the base bundle, its provenance, the last gate. Does not: making any part of it. The bundle's own
`server.py` is not run here: it does not confine the code it serves, and shares its façade with the sandbox.
"""

import asyncio
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from envfactory_dagster.authoring.database_schema import DatabaseSchemaStage
from envfactory_dagster.authoring.named_things import as_metadata, still_there
from envfactory_dagster.authoring.seed_rows import SeedRowsStage
from envfactory_dagster.authoring.server_code import ServerCodeStage, TriedCode
from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.authoring.task_set import TaskSetStage
from envfactory_dagster.authoring.theme import ThemeStage
from envfactory_dagster.authoring.tool_spec import ToolSpecStage
from envfactory_dagster.authoring.trials.under_trial import state_of_test
from envfactory_dagster.contracts.base import Artifact, content_hash
from envfactory_dagster.contracts.bundle import Bundle, Provenance, State
from envfactory_dagster.contracts.database import DatabaseSchema, SeedRows
from envfactory_dagster.contracts.domain import INITIAL_STATE, TaskSet, Theme
from envfactory_dagster.contracts.records import Attempt, Problem
from envfactory_dagster.contracts.stages import Amending, StageDeclaration, StageInput, StageOutcome
from envfactory_dagster.contracts.tools import ToolSpec, ToolTest
from envfactory_dagster.runtime import databases
from envfactory_dagster.runtime.bundle_scripts import server_source
from envfactory_dagster.runtime.facts import load_schema
from envfactory_dagster.runtime.file_tables import layout_of_tables
from envfactory_dagster.runtime.images import seed_sql
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore

GATE = 1


class BuiltEnvironment(Artifact, Amending):
    """Which bundle was built, where it lies below the home, and what is in it. It passes on the rows that `server_code`
    amended to those who ask for rows after it."""

    key: str
    version: str
    path: str
    tables: int
    rows: dict[str, int]
    tools: int
    tasks: int


class EnvironmentStage:
    name = "environment"
    parts: ClassVar[tuple[StageDeclaration, ...]] = (
        ThemeStage,
        TaskSetStage,
        DatabaseSchemaStage,
        SeedRowsStage,
        ToolSpecStage,
        ServerCodeStage,
    )
    upstream = tuple(part.name for part in parts)
    code_version = content_hash([GATE, server_source()])[:12]

    def __init__(self, runtime: Runtime, settings: AuthoringSettings, bundles: BundleStore) -> None:
        self._runtime = runtime
        self._settings = settings
        self._bundles = bundles

    def settings_hash(self) -> str:
        return self._settings.hash_for(self.name)

    async def make(self, stage_input: StageInput) -> StageOutcome:
        bundle = await bundle_of(self._runtime, stage_input, self._provenance(stage_input))
        problems = await self._problems(bundle)
        if problems:
            attempt = Attempt(number=1, problems=problems)
            return StageOutcome(None, [attempt], f"the whole does not hold: {problems[0].message}")
        folder = await asyncio.to_thread(self._bundles.keep, bundle)
        seed = SeedRows.model_validate(stage_input.artifact("seed_rows"))
        code = TriedCode.model_validate(stage_input.artifact("server_code"))
        built = BuiltEnvironment(
            key=bundle.key,
            version=bundle.version,
            path="/".join(folder.parts[-3:]),
            tables=bundle.schema_sql.count("CREATE TABLE"),
            rows={state.name: sum(len(table.rows) for table in state.tables) for state in seed.states},
            tools=len(bundle.tools),
            tasks=len(bundle.tasks),
            amended={"seed_rows": code.amended["seed_rows"]} if "seed_rows" in code.amended else {},
        )
        shown = built.model_dump(mode="json", exclude={"format", "amended"})
        return StageOutcome(built.model_dump(mode="json"), metadata={**shown, **as_metadata(bundle.provenance.named)})

    async def _problems(self, bundle: Bundle) -> list[Problem]:
        """The good call of every tool once more, on the bundle as it is read back from a folder."""
        with tempfile.TemporaryDirectory() as folder:
            written = await asyncio.to_thread(bundle.write, Path(folder) / bundle.key)
            read = await asyncio.to_thread(Bundle.read, written)
        if read.version != bundle.version:
            return [_problem("The bundle is not the same when it is read back.")]
        first, states = read.states[INITIAL_STATE], dict(read.states)
        for name, test in read.tool_tests.items():
            if test.given:
                image = await databases.with_rows_given(self._runtime, first.image, test.given)
                states[state_of_test(name, test)] = State(image, first.clock)
        tried = replace(read, states=states)
        calls = (self._call(tried, name, test) for name, test in read.tool_tests.items())
        try:
            found = await asyncio.gather(*calls, return_exceptions=True)
        finally:
            self._runtime.retire(tried)
        for failure in found:
            if isinstance(failure, BaseException):
                raise failure
        return [problem for problem in found if isinstance(problem, Problem)]

    async def _call(self, bundle: Bundle, name: str, test: ToolTest) -> Problem | None:
        principals = {tool.name: tool.principal for tool in bundle.tools}
        state = state_of_test(name, test)
        async with await self._runtime.open(bundle, state=state, clock=test.clock) as session:
            for call in test.before:
                await session.call(call.tool, call.arguments, principal=principals[call.tool])
            result = await session.call(name, test.good_call, principal=principals[name])
        return None if result.ok else _problem(f"{name} fails in the finished bundle: {result.error}")

    def _provenance(self, stage_input: StageInput) -> Provenance:
        spec = ToolSpec.model_validate(stage_input.artifact("tool_spec"))
        tasks = TaskSet.model_validate(stage_input.artifact("task_set")).tasks
        attempts = {name: record.attempts for name, record in stage_input.parents.items()}
        tokens = Counter[str]()
        for attempt in (attempt for made in attempts.values() for attempt in made):
            tokens.update({"in": attempt.tokens_in, "out": attempt.tokens_out})
        return Provenance(
            models=sorted(set(self._settings.models.values())),
            prompts={part.name: part.code_version for part in self.parts},
            attempts={name: len(made) for name, made in attempts.items()},
            tokens=dict(tokens),
            parents={name: record.version for name, record in stage_input.parents.items()},
            left_out=spec.left_out,
            named=still_there(spec.named, spec.tools, tasks),
        )


async def bundle_of(runtime: Runtime, stage_input: StageInput, provenance: Provenance) -> Bundle:
    """The base bundle: what was accepted, without solutions and verifiers."""
    schema = DatabaseSchema.model_validate(stage_input.artifact("database_schema"))
    seed = SeedRows.model_validate(stage_input.artifact("seed_rows"))
    order = [table.name for table in schema.tables]
    initial = next(state for state in seed.states if state.name == INITIAL_STATE)
    code = TriedCode.model_validate(stage_input.artifact("server_code"))
    theme = Theme.model_validate(stage_input.artifact("theme"))
    is_of_files = theme.storage == "files"
    bundle = Bundle(
        theme=theme,
        tasks=TaskSet.model_validate(stage_input.artifact("task_set")).tasks,
        schema_sql=schema.sql(),
        seed_sql=seed_sql(sorted(initial.tables, key=lambda table: order.index(table.table))),
        states={} if is_of_files else await databases.build_states(runtime, schema.sql(), seed),
        tools=ToolSpec.model_validate(stage_input.artifact("tool_spec")).tools,
        tools_source=code.source,
        tool_tests=code.tests,
        server_source=server_source(),
        provenance=provenance,
    )
    return await _with_files(runtime, bundle, seed) if is_of_files else bundle


async def _with_files(runtime: Runtime, bundle: Bundle, seed: SeedRows) -> Bundle:
    """The bundle with the files that these rows make."""
    layout = layout_of_tables(load_schema(bundle.schema_sql))
    states = {
        state.name: databases.FileState(
            state.clock, await databases.files_of_rows(runtime, bundle.schema_sql, layout, state.tables)
        )
        for state in seed.states
    }
    return await databases.with_files_laid_out(runtime, bundle, bundle.schema_sql, layout, states)


def _problem(message: str) -> Problem:
    return Problem(fault="code", message=message)
