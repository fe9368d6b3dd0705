"""Which environments are trained on and which are held out, for good.

Belongs here: placing environments, and what follows from it for their tools. Does not: which tools are the same
(`bodies`), where the ledger is kept (`building`), and rows (`rows`).

Environments are shared out whole. A new one goes to whichever split lacks most of its share, in an order that the seed
decides; what the ledger says of earlier ones stays. `held_out_modules` is filled first, by whole groups of tools: those
that exactly the same environments have. The bodies of such a group are held from then on: an environment that has one
of them is never trained on, now or later. So that split outgrows its share where environments come a few at a time, and
a module turns out to be more common than it seemed.

A tool that nearly all environments have (say, reading one's own profile) can be held from nobody. Such tools are
withheld in the held-out environments instead, so that what is offered there has no body in common with anything that
training has seen.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.contracts.dataset import Placement, Split, SplitLedger
from envfactory_dagster.contracts.errors import UsageError

Bodies = Mapping[str, str]
"""Tool → fingerprint, of one environment."""

TRAINING: tuple[Split, ...] = ("sft", "rl", "arena")
"""Those with environments that are trained on, at once or in later rounds."""
HELD_OUT: tuple[Split, ...] = ("held_out", "held_out_modules")
"""Those by which policies are evaluated: nothing is ever trained on."""
_HELD: Split = "held_out_modules"
SMALLEST_GROUP = 3
"""Fewer tools make no module: nobody brings tasks for them alone."""
LEAST_ROOM = 2
"""Of a single environment nobody can tell which of its tools are a module that others will have too."""


@dataclass(frozen=True, slots=True)
class Shares:
    """Of all environments, how many go where."""

    sft: float = 0.3
    rl: float = 0.3
    arena: float = 0.2
    held_out: float = 0.1
    held_out_modules: float = 0.1

    def __post_init__(self) -> None:
        shares = list(self.of_each().values())
        if min(shares) < 0.0 or abs(sum(shares) - 1.0) > 1e-9:
            raise UsageError(f"The shares of the splits are {shares}; they must be 0 or more and come to 1 in all.")

    def of_each(self) -> dict[Split, float]:
        return {
            "sft": self.sft, "rl": self.rl, "arena": self.arena, "held_out": self.held_out,
            "held_out_modules": self.held_out_modules,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class SplitPlan:
    """What the ledger means for the environments as they are now."""

    split_of: dict[str, Split]
    withheld: dict[str, list[str]] = field(default_factory=dict)
    """Held-out environment → its tools whose bodies training has seen."""
    barred: dict[str, list[str]] = field(default_factory=dict)
    """Training environment → its tools whose bodies are held out, where a new version of it has any: it is not used."""


Workspaces = Mapping[str, Sequence[str]]
"""Workspace → the environments that it consists of."""


def place(
    environments: Mapping[str, Bodies], ledger: SplitLedger, shares: Shares, workspaces: Workspaces | None = None
) -> SplitLedger:
    """The ledger with every environment in it that was not yet. A workspace and its environments go where the first of
    them went, so that none of them is held out from training that has seen another."""
    relatives = _relatives(workspaces or {})
    known = {one.environment: one.split for one in ledger.placed}
    new = sorted(environments.keys() - known.keys(), key=lambda key: content_hash([ledger.seed, key]))
    held = set(ledger.held_bodies)
    counts = Counter(known.values())
    room = int(shares.held_out_modules * (len(known) + len(new)) + 1e-9) - counts[_HELD]
    room -= len(_carriers(held, {key: environments[key] for key in new}))
    seen = {body for key in environments.keys() & known.keys() for body in environments[key].values()}
    held |= _more_to_hold({key: environments[key] for key in new}, seen | held, room, ledger.seed)
    placed = list(ledger.placed)
    for key in new:
        near = sorted((known[one] for one in relatives[key] if one in known), key=lambda one: one not in TRAINING)
        split = _HELD if held & set(environments[key].values()) else [*near, _neediest(counts, shares)][0]
        counts[split] += 1
        known[key] = split
        placed.append(Placement(environment=key, split=split))
    return ledger.model_copy(update={"placed": placed, "held_bodies": sorted(held)})


def plan(environments: Mapping[str, Bodies], ledger: SplitLedger, workspaces: Workspaces | None = None) -> SplitPlan:
    """Of environments that were all placed. A workspace of which a part is held out is not trained on."""
    split_of = {one.environment: one.split for one in ledger.placed if one.environment in environments}
    held = set(ledger.held_bodies)
    barred = {key: found for key in _in(split_of, TRAINING) if (found := _with(environments[key], held))}
    for key in set(_in(split_of, TRAINING)) & (workspaces or {}).keys():
        held_parts = [one for one in (workspaces or {})[key] if split_of.get(one, "sft") not in TRAINING]
        if found := _with(environments[key], {body for one in held_parts for body in environments[one].values()}):
            barred[key] = found
    seen = {body for key in _in(split_of, TRAINING) if key not in barred for body in environments[key].values()}
    withheld = {key: _with(environments[key], seen) for key in _in(split_of, (_HELD,))}
    return SplitPlan(split_of, withheld, barred)


def _relatives(workspaces: Workspaces) -> defaultdict[str, list[str]]:
    """Workspace → its environments, and environment → the workspaces it is part of."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for key, parts in sorted(workspaces.items()):
        found[key] += parts
        for part in parts:
            found[part].append(key)
    return found


def _in(split_of: Mapping[str, Split], splits: Sequence[Split]) -> Iterator[str]:
    return (key for key, split in split_of.items() if split in splits)


def _with(tools: Bodies, wanted: set[str]) -> list[str]:
    return [tool for tool, body in tools.items() if body in wanted]


def _carriers(wanted: set[str], environments: Mapping[str, Bodies]) -> set[str]:
    return {key for key, tools in environments.items() if wanted & set(tools.values())}


def _more_to_hold(environments: Mapping[str, Bodies], taken: set[str], room: int, seed: int) -> set[str]:
    """Groups of bodies that no environment placed earlier has, as many as there is room for their environments.

    Each time the group that leaves most to do: the tools that only environments with held groups have, on average.
    """
    if room < LEAST_ROOM:
        return set()
    groups = groups_of_tools(environments, taken)
    modules = [keys for keys, found in groups.items() if len(found) >= SMALLEST_GROUP and len(keys) <= room]
    modules = [keys for keys in modules if len(keys) > 1] or modules
    held: set[str] = set()
    gone: frozenset[str] = frozenset()
    while fitting := [keys for keys in modules if len(gone | keys) <= room and not groups[keys] <= held]:
        best = max(fitting, key=lambda keys: (_left(gone | keys, groups), content_hash([seed, sorted(keys)])))
        held |= groups[best]
        gone |= best
    return held


def groups_of_tools(environments: Mapping[str, Bodies], taken: set[str]) -> dict[frozenset[str], set[str]]:
    """Bodies by the environments that have them."""
    carriers: defaultdict[str, set[str]] = defaultdict(set)
    for key, tools in environments.items():
        for body in tools.values():
            carriers[body].add(key)
    groups: defaultdict[frozenset[str], set[str]] = defaultdict(set)
    for body, keys in carriers.items():
        if body not in taken:
            groups[frozenset(keys)].add(body)
    return groups


def _left(held: frozenset[str], groups: Mapping[frozenset[str], set[str]]) -> float:
    """How many bodies a held environment has, on average, that none of the others has."""
    return sum(len(found) * len(keys) for keys, found in groups.items() if keys <= held) / len(held)


def _neediest(counts: Mapping[Split, int], shares: Shares) -> Split:
    """Of the splits that are filled one by one, the one that lacks most of its share."""
    wanted = {split: share for split, share in shares.of_each().items() if split != _HELD and share > 0.0}
    if not wanted:
        raise UsageError("The shares leave no split for environments that are not held out by their modules.")
    total = sum(counts[split] for split in wanted) + 1
    weight = sum(wanted.values())
    return max(wanted, key=lambda split: wanted[split] / weight * total - counts[split])
