"""A world of the library from its proposal to its release, without a key: what was recorded is made, and what was not
is left out with the reason."""

from collections import Counter
from pathlib import Path

import pytest

from envfactory_dagster.authoring.discovery.pool import proposal_record
from envfactory_dagster.library.collection import Library
from envfactory_dagster.resources.authoring import AuthoringResource
from envfactory_dagster.resources.store import StoreResource
from envfactory_dagster.store.memo import run_stage
from tests.library.library_kit import SMALL

pytestmark = pytest.mark.long


async def test_a_world_is_released_without_a_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ENVFACTORY_LLM_BASE_URL", "ENVFACTORY_MODEL", "ENVFACTORY_AUTHOR_MODEL"):
        monkeypatch.delenv(name, raising=False)
    store, proposal = StoreResource(home=str(tmp_path)), Library().cards[SMALL].proposal
    records = store.records()
    records.keep(proposal_record(proposal))
    settings = AuthoringResource(size="small", graph_tasks=1, program_tasks=4, inspection_rounds=1)
    async with settings.stages(store) as stages:
        made = {name: await run_stage(records, stage, SMALL) for name, stage in stages.items()}

    assert {name: record.reason for name, record in made.items() if record.status != "ok"} == {}
    released = Counter(task["source"] for task in (made["release"].artifact or {})["tasks"])
    assert released == {"task_set": 10, "graph": 1, "program": 3, "family": 4 * 3, "conversation": 10}
    (missing,) = [one["reason"] for one in (made["program_tasks"].artifact or {})["dropped"]]
    assert "The library has no other answers to program_task" in missing
