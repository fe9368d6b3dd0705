"""A model that makes faults on purpose, which other tests and benchmarks hold the line against."""

from collections.abc import Mapping
from typing import Any

import httpx2
import orjson
import pytest

from envfactory_dagster.language.wire import AsgiApp
from envfactory_dagster.library.collection import SHIPPED, Library
from tests.support.faults import FaultyModel, Profile
from tests.support.model import library_model
from tests.support.mutations import kinds_for, mutate
from tests.support.rng import rng_of

LIBRARY = Library(SHIPPED)
WORLDS = [LIBRARY.world(key) for key in LIBRARY.cards]


def asked(**more: Any) -> dict[str, Any]:
    """A question to which the library has an answer."""
    world = WORLDS[0]
    context = {
        "subject": world.card.proposal.subject.model_dump(mode="json"),
        "key": world.card.proposal.key,
        "proposal": world.card.proposal.proposal.model_dump(mode="json"),
    }
    block = orjson.dumps({"schema": "theme", "context": context}).decode()
    messages = [{"role": "system", "content": "Go."}, {"role": "user", "content": f"Go.\n```json\n{block}\n```"}]
    return {"model": "library", "messages": messages} | more


def again(**more: Any) -> dict[str, Any]:
    body = asked(**more)
    reports = [{"role": "assistant", "content": "?"}, {"role": "user", "content": "That is not JSON."}]
    return body | {"messages": [*body["messages"], *reports]}


async def said(app: AsgiApp, body: Mapping[str, Any]) -> str:
    transport = httpx2.ASGITransport(app=app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://model") as model:
        answer = await model.post("/v1/chat/completions", json=body)
    assert answer.status_code == 200
    return str(answer.json()["choices"][0]["message"]["content"])


async def test_faults_are_listed_and_an_error_report_mends_them() -> None:
    right = await said(library_model(), asked())
    faulty = FaultyModel(library_model(), Profile(faults=1.0, repair=1.0, only="invalid_json"))
    broken = await said(faulty.app(), asked())
    with pytest.raises(orjson.JSONDecodeError):
        orjson.loads(broken)
    assert orjson.loads(await said(faulty.app(), again())) == orjson.loads(right)
    assert [(fault.kind, fault.theme) for fault in faulty.injected] == [("invalid_json", WORLDS[0].card.proposal.key)]


@pytest.mark.parametrize(("repair", "least", "most"), [(0.0, 60, 60), (0.7, 9, 27), (1.0, 0, 0)])
async def test_an_error_report_mends_as_often_as_the_profile_says(repair: float, least: int, most: int) -> None:
    faulty = FaultyModel(library_model(), Profile(faults=0.3, repair=repair, only="invalid_json"))
    app = faulty.app()
    for seed in range(2, 62):
        await said(app, again(seed=seed))
    assert least <= len(faulty.injected) <= most


@pytest.mark.parametrize("schema", ["database_schema", "seed_rows", "server_code", "reference_solutions", "verifiers"])
def test_every_kind_of_fault_changes_an_answer_of_the_library(schema: str) -> None:
    for kind in kinds_for(schema):
        changed = [
            mutated.detail
            for world in WORLDS
            if (mutated := mutate(kind, schema, *_question(schema, world.parts), rng_of(kind))) is not None
            and mutated.answer != _question(schema, world.parts)[1]
        ]
        assert changed, kind


def _question(schema: str, parts: Mapping[tuple[str, str], Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The context and the right answer, as far as faults look at them."""
    tables = parts["database_schema", "whole"]
    if schema == "database_schema":
        return {}, tables
    of = {name: part for (question, name), part in parts.items() if question == schema.removesuffix("s")}
    if schema == "seed_rows":
        return tables, parts["seed_rows", "initial"]
    if schema == "server_code":
        return {}, {"functions": [part for (question, _), part in parts.items() if question == schema]}
    field = {"reference_solutions": "solutions", "verifiers": "verifiers"}[schema]
    return {}, {field: [{"task": name} | part for name, part in of.items()]}
