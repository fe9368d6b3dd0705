"""Chains of tools, sampled from a tool graph: the skeletons of tasks.

Belongs here: two ways to sample, topology-aware (EnvFactory) and by weighted walk (Agent-World), and who supplies what
in a chain. Does not: arguments, execution and wording.

In every chain, each required internal parameter of a tool is told by a tool that stands before it. Both ways work on
whatever graph they are given: the assistant's tools are `graph.seen_by("assistant")`. A seed gives its chain again.
"""

import random
from collections import defaultdict, deque
from collections.abc import Collection, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.graph import (
    INDEPENDENT,
    STRONG,
    WEAK,
    GraphParameter,
    GraphTool,
    ToolGraph,
)

Chain = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Topology:
    """How topology-aware sampling goes about it."""

    tools: int = 5
    """A chain has at most so many; fewer when no further tool can be supplied."""
    branches: int = 2
    """A tool is followed by one to so many of the tools that can use it."""
    depth: int = 3
    """How far back what a tool needs is traced: the priors of its priors' priors."""
    extra: float = 0.1
    """How often a tool that tells a parameter is called although nobody needs it to."""


@dataclass(frozen=True, slots=True)
class Walk:
    """How a weighted walk goes about it. More weight on weak and independent steps makes a harder chain."""

    tools: int = 5
    strong: float = float(STRONG)
    weak: float = float(WEAK)
    independent: float = float(INDEPENDENT)


@dataclass(frozen=True, slots=True)
class ParameterSource:
    """In a chain: the last tool before `tool` that tells `parameter`, and in which field."""

    tool: str
    parameter: str
    source: str
    output: str


def sample_topology(graph: ToolGraph, topology: Topology, seed: int, start: str | None = None) -> Chain:
    """A chain that grows forwards from a tool and takes in, before each tool, what is needed to call it.

    Empty when no tool of the graph can be supplied. `start` may be missing from the chain if it cannot be.
    """
    if start is not None and start not in {tool.name for tool in graph.tools}:
        raise UsageError(f"The graph has no tool {start!r} to start a chain from.")
    return _TopologySampler(_Index(graph), topology, random.Random(seed)).sample(start)


def sample_walk(graph: ToolGraph, walk: Walk, seed: int) -> Chain:
    """A chain in which each tool follows the one before it, the likelier the stronger their edge.

    Only tools are stepped on that the chain so far can supply; the walk ends early where there are none.
    """
    index, chance = _Index(graph), random.Random(seed)
    weights = {STRONG: walk.strong, WEAK: walk.weak, INDEPENDENT: walk.independent}
    chain: list[str] = []
    while len(chain) < walk.tools:
        ready = [name for name in index.tools if name not in chain and index.is_supplied(name, chain)]
        if not ready:
            break
        if chain:
            odds = [weights[graph.weight(chain[-1], name)] for name in ready]
        else:
            first = {name for name in ready if index.tools[name].outputs and not index.has_strong_source(name)}
            odds = [1.0 if name in first or not first else 0.0 for name in ready]
        if not any(odds):
            break
        chain += chance.choices(ready, odds)
    return tuple(chain)


def supplies(graph: ToolGraph, chain: Sequence[str]) -> list[ParameterSource]:
    """For every parameter that a tool earlier in the chain tells: the nearest of them."""
    position = {name: number for number, name in enumerate(chain)}
    nearest: dict[tuple[str, str], ParameterSource] = {}
    for edge in graph.edges:
        if not {edge.source, edge.target} <= position.keys() or position[edge.source] > position[edge.target]:
            continue
        for link in edge.links:
            known = nearest.get((edge.target, link.parameter))
            if known is None or position[known.source] < position[edge.source]:
                supply = ParameterSource(edge.target, link.parameter, edge.source, link.output)
                nearest[edge.target, link.parameter] = supply
    return sorted(nearest.values(), key=lambda supply: (position[supply.tool], supply.parameter))


class _Index:
    """A graph, ready to be asked about neighbours."""

    def __init__(self, graph: ToolGraph) -> None:
        self.tools = {tool.name: tool for tool in graph.tools}
        self._depend = {edge.target for edge in graph.edges if edge.weight == STRONG}
        self._next: dict[str, list[str]] = defaultdict(list)
        self._tellers: dict[tuple[str, str], list[str]] = defaultdict(list)
        for edge in graph.edges:
            self._next[edge.source].append(edge.target)
            for name in sorted({link.parameter for link in edge.links}):
                self._tellers[edge.target, name].append(edge.source)

    def followers(self, name: str) -> list[str]:
        return self._next[name]

    def tellers(self, tool: str, parameter: str) -> list[str]:
        """The tools that tell the parameter of the tool."""
        return self._tellers[tool, parameter]

    def has_strong_source(self, name: str) -> bool:
        return name in self._depend

    def is_supplied(self, name: str, have: Collection[str]) -> bool:
        """Whether the tools at hand tell everything that the tool requires and no person knows."""
        return all(self.is_valid(name, parameter, have) for parameter in self.tools[name].parameters)

    def is_valid(self, tool: str, parameter: GraphParameter, have: Collection[str]) -> bool:
        """Optional, known to the user, or told by a tool at hand."""
        if not (parameter.required and parameter.internal):
            return True
        return any(teller in have for teller in self.tellers(tool, parameter.name))


class _TopologySampler:
    """One sampling: chance is used up as it goes."""

    def __init__(self, index: _Index, topology: Topology, chance: random.Random) -> None:
        self._index = index
        self._topology = topology
        self._chance = chance

    def sample(self, start: str | None) -> Chain:
        chain: list[str] = []
        tried: set[str] = set()
        ahead = deque([start] if start is not None else [])
        while len(chain) < self._topology.tools:
            if not ahead:
                fresh = [name for name in self._index.tools if name not in tried and name not in chain]
                if not fresh:
                    break
                ahead.append(self._chance.choice(fresh))
            name = ahead.popleft()
            if name in tried:
                continue
            tried.add(name)
            if name not in chain:
                chain += self._with_priors(name, chain)
            if name in chain:
                ahead += self._branches(name, tried)
        return tuple(chain)

    def _with_priors(self, name: str, chain: Sequence[str]) -> list[str]:
        """The tool after all that it needs; nothing when that cannot be had in the room that is left."""
        room = self._topology.tools - len(chain)
        priors = self._priors(self._index.tools[name], frozenset(chain), frozenset({name}), 0)
        return [*priors, name] if priors is not None and len(priors) < room else []

    def _branches(self, name: str, tried: AbstractSet[str]) -> Iterator[str]:
        followers = [follower for follower in self._index.followers(name) if follower not in tried]
        wanted = self._chance.randint(1, self._topology.branches)
        yield from self._chance.sample(followers, min(wanted, len(followers)))

    def _priors(self, tool: GraphTool, have: frozenset[str], pending: frozenset[str], depth: int) -> list[str] | None:
        """The tools to be called before this one, in order; None when something it needs cannot be told."""
        priors: list[str] = []
        for parameter in tool.parameters:
            known = have.union(priors)
            valid = self._index.is_valid(tool.name, parameter, known)
            if valid and self._chance.random() >= self._topology.extra:
                continue
            tellers = [name for name in self._index.tellers(tool.name, parameter.name) if name not in known | pending]
            prior = self._prior(tellers, known, pending, depth)
            if prior is not None:
                priors += prior
            elif not valid:
                return None
        return priors

    def _prior(
        self, tellers: Sequence[str], have: frozenset[str], pending: frozenset[str], depth: int
    ) -> list[str] | None:
        """One of the tellers by chance, after its own priors; another one where that one's cannot be had."""
        if depth >= self._topology.depth:
            return None
        for name in self._chance.sample(tellers, len(tellers)):
            priors = self._priors(self._index.tools[name], have, pending | {name}, depth + 1)
            if priors is not None:
                return [*priors, name]
        return None
