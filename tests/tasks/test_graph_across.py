"""The tool graph of a workspace: the graphs of its servers, and what passes from one to another."""

from itertools import pairwise

import pytest_asyncio

from envfactory_dagster.contracts.graph import STRONG, WEAK, ToolGraph
from envfactory_dagster.contracts.workspace import WorkspaceServer
from envfactory_dagster.examples import load
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.workspaces import workspace_bundle
from envfactory_dagster.tasks.graph.across import workspace_graph
from envfactory_dagster.tasks.sampling import Topology, sample_topology
from tests.support.workspaces import workspace

HUTS = load("alpine_huts")


@pytest_asyncio.fixture(scope="module")
async def graph(runtime: Runtime) -> ToolGraph:
    servers = [WorkspaceServer(prefix=prefix, environment="alpine-huts") for prefix in ("north", "south")]
    return workspace_graph(await workspace_bundle(runtime, workspace(*servers), {"alpine-huts": HUTS}))


def _is_across(source: str, target: str) -> bool:
    return source.partition("_")[0] != target.partition("_")[0]


def test_within_a_server_it_is_as_in_the_environment_alone(graph: ToolGraph):
    within = [edge for edge in graph.edges if not _is_across(edge.source, edge.target)]
    north = {(edge.source[6:], edge.target[6:], edge.weight) for edge in within if edge.source.startswith("north_")}
    south = {(edge.source[6:], edge.target[6:], edge.weight) for edge in within if edge.source.startswith("south_")}
    assert north == south and len(north) > 50
    assert {weight for _, _, weight in north} == {WEAK, STRONG}


def test_days_and_sums_pass_from_one_server_to_another_and_no_ids(graph: ToolGraph):
    across = [edge for edge in graph.edges if _is_across(edge.source, edge.target)]
    assert across and {edge.weight for edge in across} == {WEAK}
    passing = {link.parameter for edge in across for link in edge.links}
    assert not [name for name in passing if name.endswith(("_id", "_ids", "code"))]
    tools = {tool.name: tool for tool in graph.tools}
    assert all(tools[edge.source].read_only for edge in across)


def test_a_day_that_is_never_to_come_passes_nowhere(graph: ToolGraph):
    given = {link.output for edge in graph.edges if _is_across(edge.source, edge.target) for link in edge.links}
    assert not [name for name in given if "birth" in name or "created_at" in name]


def test_chains_lead_across_servers(graph: ToolGraph):
    mine = graph.seen_by("assistant")
    chains = [sample_topology(mine, Topology(), seed) for seed in range(60)]
    assert any(_is_across(one, other) for chain in chains for one, other in pairwise(chain))
