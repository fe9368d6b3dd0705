"""The stage `task_families`: several families are asked for at once, each is tried and mended by itself."""

from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.responses import JSONResponse
from pydantic import SecretStr

from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.base import Contract, content_hash
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.database import DatabaseSchema, InitialState, SeedRows, Table
from envfactory_dagster.contracts.families import TaskFamilies, TaskFamily
from envfactory_dagster.contracts.inspection import Inspection
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.contracts.stages import StageInput, StageOutcome
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Role
from envfactory_dagster.language.settings import LanguageSettings
from envfactory_dagster.language.wire import NO_OTHER_ANSWER
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.tasks.families.settings import FamilySettings
from envfactory_dagster.tasks.families.stage import TaskFamiliesStage
from tests.support.alpine_author import Answer, Asked
from tests.support.tiny import SCHEMA, tiny
from tests.tasks.family_kit import WORDINGS, cancelling, family
from tests.tasks.huts_kit import inspection
from tests.tasks.program_kit import Answers, gateway_of


def written(one: TaskFamily) -> Answer:
    answer: Answer = one.model_dump(mode="json", exclude={"proven"})
    return answer


class Author:
    """Gives one answer after the other, and remembers what it was asked."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.asked: list[Asked] = []

    def __call__(self, asked: Asked) -> Answer:
        self.asked.append(asked)
        return self.answers[len(self.asked) - 1]


async def make(
    runtime: Runtime, folder: Path, answers: Answers, wanted: FamilySettings, attempts: int = 2
) -> StageOutcome:
    return await made_by(runtime, folder, gateway_of(folder, answers), wanted, attempts)


async def made_by(
    runtime: Runtime,
    folder: Path,
    asked: AbstractAsyncContextManager[Gateway],
    wanted: FamilySettings,
    attempts: int = 2,
) -> StageOutcome:
    shop, bundles = tiny(), BundleStore(Home.resolve(folder))
    bundles.keep(shop)
    tables = [Table(name=ddl.split()[2], ddl=ddl) for ddl in SCHEMA.strip().split(";\n") if ddl]
    states = [InitialState(name=name, clock=state.clock, tables=[]) for name, state in shop.states.items()]
    parents = {
        "environment": record("environment", {"version": shop.version}),
        "database_schema": record("database_schema", DatabaseSchema(tables=tables)),
        "seed_rows": record("seed_rows", SeedRows(states=states)),
        "inspection": record("inspection", inspected(shop)),
    }
    async with asked as gateway:
        stage = TaskFamiliesStage(gateway, runtime, AuthoringSettings(attempts=attempts), bundles, wanted)
        return await stage.make(StageInput(shop.key, parents))


def inspected(shop: Bundle) -> Inspection:
    return inspection(shop)


def record(stage: str, made: Contract | dict[str, Any]) -> StageRecord:
    artifact = made.model_dump(mode="json") if isinstance(made, Contract) else made
    version = content_hash(artifact)
    return StageRecord(stage=stage, partition="any", status="ok", inputs=version, version=version, artifact=artifact)


async def test_what_was_accepted_stays_and_only_the_others_are_mended(runtime: Runtime, tmp_path: Path) -> None:
    torn = cancelling(wordings=[*WORDINGS, "Cancel it, whatever it was, as soon as you can."])
    author = Author(
        {"families": [written(family()), written(torn)]},
        {"families": [written(cancelling())]},
    )

    outcome = await make(runtime, tmp_path, author, FamilySettings(families=2, instances=8))

    made = TaskFamilies.model_validate(outcome.artifact)
    assert [one.family.name for one in made.families] == ["order_some", "call_off"]
    assert [one.tried for one in made.families] == [8, 8]
    assert made.dropped == []
    [report] = author.asked[1].reports
    assert "The family call_off: All wordings say the same" in report
    assert "The family order_some" not in report
    assert "Accepted already, and not to be given again: order_some." in report
    assert [task.source for task in made.tasks] == ["family"] * 6
    assert [task.own_rows.rows[0].table for task in made.tasks if task.own_rows] == ["orders"] * 3
    assert outcome.metadata["instances_accepted"] == 1.0


async def test_a_family_that_is_never_mended_is_dropped_with_its_reason(runtime: Runtime, tmp_path: Path) -> None:
    wrong = written(family(wordings=["Order {item}.", "I need {quantity}.", "Get {item}."]))
    author = Author({"families": [wrong]}, {"families": [wrong]})

    outcome = await make(runtime, tmp_path, author, FamilySettings(families=1))

    made = TaskFamilies.model_validate(outcome.artifact)
    assert made.families == []
    [dropped] = made.dropped
    assert dropped.task == "order_some"
    assert "the same slots" in dropped.reason
    assert [len(attempt.problems) for attempt in outcome.attempts] == [1, 1]


async def test_the_author_is_told_what_there_is_already(runtime: Runtime, tmp_path: Path) -> None:
    author = Author({"families": []}, {"families": []})
    await make(runtime, tmp_path, author, FamilySettings(families=6), attempts=1)
    first, second = author.asked
    assert (first.context["count"], second.context["count"]) == (4, 2)
    assert first.context["states"] == {"initial": "2026-03-02T09:00:00", "spring": "2026-05-01T08:30:00"}


async def test_an_author_that_writes_none_says_so_and_is_asked_once(runtime: Runtime, tmp_path: Path) -> None:
    author = Author({"families": [], "declined": "I write none: set a model."})
    outcome = await make(runtime, tmp_path, author, FamilySettings(families=12))
    made = TaskFamilies.model_validate(outcome.artifact)
    assert made.families == []
    assert made.declined == outcome.metadata["skipped"] == "I write none: set a model."
    assert len(author.asked) == len(outcome.attempts) == 1


async def test_an_endpoint_that_has_no_answer_is_asked_once(runtime: Runtime, tmp_path: Path) -> None:
    settings = LanguageSettings(
        base_url="http://model/v1", api_key=SecretStr("any"), models=dict.fromkeys(Role, "library")
    )
    endpoint = FastAPI()

    @endpoint.post("/v1/chat/completions")
    async def refuse() -> JSONResponse:
        error = {"message": "There are no families of this world.", "code": NO_OTHER_ANSWER}
        return JSONResponse({"error": error}, status_code=422)

    asked = Gateway(settings, tmp_path, app=endpoint)
    outcome = await made_by(runtime, tmp_path, asked, FamilySettings(families=12))
    made = TaskFamilies.model_validate(outcome.artifact)
    assert made.families == []
    assert made.declined == outcome.metadata["skipped"] == "There are no families of this world."
    assert len(outcome.attempts) == 1
