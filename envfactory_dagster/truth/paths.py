"""How far an agent's calls follow the reference solution's: order-free where the order does not matter.

Belongs here: which calls count as the same, which may change places, and the share that was matched. Does not: states
(`changesets`) and rewards (`rewards`).
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.tools import ToolDefinition
from envfactory_dagster.contracts.truth import TracedStep
from envfactory_dagster.runtime.facts.results import ToolFacts


@dataclass(frozen=True, slots=True)
class PathRules:
    """What is known of an environment's tools when two paths are compared."""

    read_only: frozenset[str]
    free: frozenset[str] = frozenset()
    """Reads that none of the reference solution's writes can influence: they may happen at any time."""
    masked: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Tool → arguments whose values do not matter."""


def path_rules(
    tools: Sequence[ToolDefinition],
    facts: ToolFacts,
    gold: Sequence[TracedStep],
    masked: Mapping[str, frozenset[str]] | None = None,
) -> PathRules:
    """The rules for one task: a read is free when it reads no table that the reference solution writes."""
    read_only = frozenset(tool.name for tool in tools if tool.annotations.readOnlyHint)
    used = {step.tool for step in gold if step.outcome == "ok"}
    written = {write.table for name in used if name in facts.tools for write in facts.tools[name].writes}
    free = {name for name in read_only & facts.tools.keys() if not written & facts.tools[name].reads.keys()}
    return PathRules(read_only, frozenset(free), masked or {})


def path_match(gold: Sequence[TracedStep], made: Sequence[TracedStep], rules: PathRules) -> float:
    """The share of the reference solution's successful calls that were made, from 0 to 1.

    Free reads are matched in any order; all other calls in the order of the reference solution, where reads between the
    same two writes may change places. Needs a reference solution that calls something.
    """
    wanted, done = _successes(gold), _successes(made)
    if not wanted:
        raise ValueError("a reference solution without a successful call gives no path to follow")
    free = _free_reads(wanted, rules) & _free_reads(done, rules)
    bound = _longest_common(_in_normal_order(wanted, rules), _in_normal_order(done, rules))
    return (free.total() + bound) / len(wanted)


def excess(gold: Sequence[TracedStep], made: Sequence[TracedStep]) -> float:
    """The share of the calls that were more than the reference solution needed, from 0 up to 1; failed calls count."""
    return max(0, len(made) - len(gold)) / max(1, len(made))


def _successes(steps: Sequence[TracedStep]) -> list[TracedStep]:
    return [step for step in steps if step.outcome == "ok"]


def _free_reads(steps: Sequence[TracedStep], rules: PathRules) -> Counter[str]:
    return Counter(_identity(step, rules) for step in steps if step.tool in rules.free)


def _in_normal_order(steps: Sequence[TracedStep], rules: PathRules) -> list[str]:
    """The calls whose order matters; reads that stand side by side are sorted, so that their order does not."""
    bound = [step for step in steps if step.tool not in rules.free]
    ordered: list[str] = []
    for reads, together in groupby(bound, key=lambda step: step.tool in rules.read_only):
        identities = [_identity(step, rules) for step in together]
        ordered += sorted(identities) if reads else identities
    return ordered


def _identity(step: TracedStep, rules: PathRules) -> str:
    """Equal for calls that count as the same. An argument that is null counts as left out."""
    masked = rules.masked.get(step.tool, frozenset())
    arguments = {name: _plain(value) for name, value in step.arguments.items() if name not in masked}
    said = {name: value for name, value in arguments.items() if value is not None}
    return json.dumps([step.tool, said], sort_keys=True)


def _plain(value: Json) -> Json:
    """2.0 and 2 are one JSON number."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    return value


def _longest_common(left: Sequence[str], right: Sequence[str]) -> int:
    """Length of the longest common subsequence."""
    lengths = [0] * (len(right) + 1)
    for one in left:
        diagonal = 0
        for index, other in enumerate(right, 1):
            above = lengths[index]
            lengths[index] = diagonal + 1 if one == other else max(above, lengths[index - 1])
            diagonal = above
    return lengths[-1]
