"""Sampling chains: whatever the graph, a chain can be called from its first tool to its last."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.graph import STRONG, ToolGraph
from envfactory_dagster.tasks.graph.evidence import by_facts
from envfactory_dagster.tasks.sampling import Topology, Walk, sample_topology, sample_walk, supplies
from tests.tasks import labelled
from tests.tasks.graph_kit import edge, graph, lineage_of, node

SEEDS = range(40)


@st.composite
def graphs(draw: st.DrawFn) -> ToolGraph:
    """Up to eight tools with up to two needs each, joined in any way, circles included."""
    names = [f"tool_{letter}" for letter in "abcdefgh"[: draw(st.integers(1, 8))]]
    tools = []
    for name in names:
        needs = draw(st.integers(0, 2))
        given_by_user = draw(st.integers(0, 1))
        tools.append(
            node(
                name,
                *(f"need_{number}" for number in range(needs)),
                optional=["maybe"] if draw(st.booleans()) else [],
                said=["said"] * given_by_user,
            )
        )
    by_name = {tool.name: [parameter.name for parameter in tool.parameters] for tool in tools}
    pairs = [(source, target) for source in names for target in names if source != target]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=20)) if pairs else []
    edges = []
    for source, target in chosen:
        parameters = by_name[target]
        linked = draw(st.lists(st.sampled_from(parameters), unique=True)) if parameters else []
        edges.append(edge(source, target, *linked, weight=draw(st.sampled_from([2, 3]))))
    return graph(tools, *edges)


def unsupplied(graph: ToolGraph, chain: Sequence[str]) -> list[tuple[str, str]]:
    """The required internal parameters that no tool before theirs tells."""
    tools = {tool.name: tool for tool in graph.tools}
    return [
        (name, parameter.name)
        for number, name in enumerate(chain)
        for parameter in tools[name].parameters
        if parameter.required and parameter.internal
        if not any(
            edge.target == name
            and edge.source in chain[:number]
            and parameter.name in {k.parameter for k in edge.links}
            for edge in graph.edges
        )
    ]


@given(
    graphs(),
    st.builds(
        Topology,
        tools=st.integers(1, 9),
        branches=st.integers(1, 3),
        depth=st.integers(0, 4),
        extra=st.floats(0, 1),
    ),
    st.integers(0, 2**32),
)
def test_whatever_a_tool_of_a_topological_chain_needs_is_told_before_it(
    graph: ToolGraph, topology: Topology, seed: int
) -> None:
    chain = sample_topology(graph, topology, seed)
    assert unsupplied(graph, chain) == []
    assert len(set(chain)) == len(chain) <= topology.tools
    assert chain == sample_topology(graph, topology, seed)


@given(
    graphs(),
    st.builds(Walk, tools=st.integers(1, 9), weak=st.floats(0, 3), independent=st.floats(0, 3)),
    st.integers(0, 2**32),
)
def test_whatever_a_tool_of_a_walk_needs_is_told_before_it(graph: ToolGraph, walk: Walk, seed: int) -> None:
    chain = sample_walk(graph, walk, seed)
    assert unsupplied(graph, chain) == []
    assert len(set(chain)) == len(chain) <= walk.tools
    assert chain == sample_walk(graph, walk, seed)


@given(graphs(), st.integers(0, 2**32))
def test_every_needed_value_has_a_supply_from_an_earlier_tool(graph: ToolGraph, seed: int) -> None:
    chain = sample_topology(graph, Topology(tools=8), seed)
    supplied = supplies(graph, chain)
    assert all(chain.index(supply.source) < chain.index(supply.tool) for supply in supplied)
    tools = {tool.name: tool for tool in graph.tools}
    needed = {(name, p.name) for name in chain for p in tools[name].parameters if p.required and p.internal}
    assert needed <= {(supply.tool, supply.parameter) for supply in supplied}


@given(st.integers(1, 8), st.integers(1, 8), st.integers(0, 2**32))
def test_an_empty_queue_starts_again_from_a_tool_not_visited(count: int, wanted: int, seed: int) -> None:
    unjoined = graph([node(f"tool_{number}") for number in range(count)])
    assert len(sample_topology(unjoined, Topology(tools=wanted), seed)) == min(count, wanted)


@pytest.mark.parametrize("name", labelled.names())
def test_every_tool_of_a_real_environment_gets_into_chains(name: str) -> None:
    environment = labelled.load(name)
    assistants = by_facts(environment.tools, lineage_of(environment)).graph().seen_by("assistant")
    everything = {tool.name for tool in assistants.tools}
    assert everything == {tool for seed in range(200) for tool in sample_topology(assistants, Topology(), seed)}
    assert everything == {tool for seed in range(200) for tool in sample_walk(assistants, Walk(), seed)}


# -- topology ----------------------------------------------------------------------------------------------------------

LADDER = graph(
    [node("first"), node("second", "need"), node("third", "need"), node("fourth", "need"), node("fifth", "need")],
    edge("first", "second", "need"),
    edge("second", "third", "need"),
    edge("third", "fourth", "need"),
    edge("fourth", "fifth", "need"),
)
QUIET = Topology(tools=5, branches=1, extra=0.0)


def test_priors_of_priors_come_first() -> None:
    assert sample_topology(LADDER, QUIET, seed=0, start="fourth") == ("first", "second", "third", "fourth", "fifth")


def test_a_tool_whose_needs_lie_too_far_back_is_not_taken() -> None:
    for seed in SEEDS:
        chain = sample_topology(LADDER, Topology(tools=5, branches=1, depth=3, extra=0.0), seed, start="fifth")
        assert chain[0] == "first", "the fifth has four priors in a row; the chain starts again elsewhere"


def test_a_tool_whose_priors_do_not_fit_into_the_chain_is_not_taken() -> None:
    for seed in SEEDS:
        assert "fourth" not in sample_topology(LADDER, Topology(tools=3, extra=0.0), seed, start="fourth")


def test_another_teller_is_asked_where_one_cannot_be_called() -> None:
    blocked = graph(
        [node("never", "missing"), node("list"), node("book", "need")],
        edge("never", "book", "need"),
        edge("list", "book", "need"),
    )
    assert {sample_topology(blocked, QUIET, seed, start="book") for seed in SEEDS} == {("list", "book")}


def test_tools_that_need_each_other_are_left_out() -> None:
    circle = graph([node("egg", "need"), node("hen", "need")], edge("egg", "hen", "need"), edge("hen", "egg", "need"))
    assert sample_topology(circle, QUIET, seed=0) == ()
    assert sample_walk(circle, Walk(), seed=0) == ()


def test_extra_priors_come_as_often_as_asked_for() -> None:
    known = graph(
        [node("search", said=["words"]), node("show", said=["name"])], edge("search", "show", "name", weight=2)
    )
    one = Topology(tools=2, branches=1)

    def preceded(extra: float) -> float:
        topology = Topology(tools=one.tools, branches=one.branches, extra=extra)
        chains = [sample_topology(known, topology, seed, start="show") for seed in range(1000)]
        return sum(chain == ("search", "show") for chain in chains) / len(chains)

    assert preceded(0.0) == 0.0
    assert preceded(1.0) == 1.0
    assert preceded(0.1) == pytest.approx(0.1, abs=0.03)


def test_a_tool_is_followed_by_one_to_so_many_of_those_that_can_use_it() -> None:
    leaves = [f"leaf_{number}" for number in range(6)]
    tree = graph(
        [node("root"), *(node(leaf, "need") for leaf in leaves)], *(edge("root", leaf, "need") for leaf in leaves)
    )
    followers = {sample_topology(tree, Topology(tools=4, branches=3, extra=0.0), seed, start="root") for seed in SEEDS}
    assert all(chain[0] == "root" for chain in followers)
    assert len({chain[1] for chain in followers}) == len(leaves), "each of them equally, not the first ones"


def test_a_chain_cannot_start_from_a_tool_that_does_not_exist() -> None:
    with pytest.raises(UsageError, match="no tool 'sixth'"):
        sample_topology(LADDER, QUIET, seed=0, start="sixth")


# -- walk --------------------------------------------------------------------------------------------------------------


def test_a_walk_begins_where_nothing_is_needed_and_something_is_told() -> None:
    assert {sample_walk(LADDER, Walk(), seed)[0] for seed in SEEDS} == {"first"}
    silent = graph([node("wipe", outputs=[]), node("look")])
    assert {sample_walk(silent, Walk(tools=1), seed) for seed in SEEDS} == {("look",)}


def test_without_weak_and_independent_steps_a_walk_takes_strong_edges_only() -> None:
    environment = labelled.load("choir_tour")
    made = by_facts(environment.tools, lineage_of(environment)).graph()
    strong = {(edge.source, edge.target) for edge in made.edges if edge.weight == STRONG}
    for seed in SEEDS:
        chain = sample_walk(made, Walk(weak=0.0, independent=0.0), seed)
        assert set(pairwise(chain)) <= strong


def test_the_likelier_step_is_the_stronger_one() -> None:
    fork = graph(
        [node("start"), node("near", "need"), node("far", outputs=[])],
        edge("start", "near", "need"),
    )
    second = [sample_walk(fork, Walk(tools=2), seed)[1] for seed in range(1000)]
    assert second.count("near") / len(second) == pytest.approx(0.75, abs=0.05)
