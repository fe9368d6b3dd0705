"""The states in which good calls and calls at the edges of limits are made."""

from dataclasses import replace
from pathlib import Path

import pytest

from envfactory_dagster.authoring.trials.under_trial import ModuleUnderTrial, state_of_edge
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.tools import GivenRow, ToolEdge, ToolTest
from envfactory_dagster.runtime.facts import load_schema
from envfactory_dagster.runtime.runtime import Runtime
from tests.support.tiny import tiny

EDGE = ToolEdge(given=[GivenRow(table="items", id=1, values={"stock": 0})], arguments={}, refused=True)


@pytest.mark.parametrize("tool", ["get_item", "returnEquipment", "a" * 64, "R2"])
def test_a_state_has_a_name_that_a_bundle_takes_however_a_tool_is_spelled(tool: str, tmp_path: Path) -> None:
    name = state_of_edge(tool, 23, EDGE)
    bundle = replace(tiny(), states=tiny().states | {name: tiny().states["initial"]})
    assert name in Bundle.read(bundle.write(tmp_path / "bundle")).states


@pytest.mark.parametrize("tool", ["get_item", "returnEquipment", "a" * 64])
async def test_states_of_good_calls_on_other_rows_have_names_that_a_bundle_takes(
    runtime: Runtime, tool: str, tmp_path: Path
) -> None:
    test = ToolTest(given=EDGE.given, good_call={}, bad_call={})
    under_trial = await ModuleUnderTrial.of(runtime, tiny(), load_schema(tiny().schema_sql), {}, {tool: test})
    place = under_trial.places[tool]
    assert place.exchanged is not None
    read = Bundle.read(under_trial.bundle.write(tmp_path / "bundle"))
    assert {place.state, place.exchanged_state} <= read.states.keys()


def test_tools_that_differ_in_case_have_states_of_their_own() -> None:
    assert len({state_of_edge(tool, 0, EDGE) for tool in ("getItem", "getitem", "GetItem")}) == 3
