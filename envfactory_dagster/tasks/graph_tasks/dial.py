"""The difficulty dial: what each of its eight levels asks of a chain. The first five are longer and longer chains; the
others are loops over lists, so that they take many calls for one wish.

Belongs here: the numbers. Does not: how a chain is walked or worded.
"""

from dataclasses import dataclass

from envfactory_dagster.contracts.graph import ToolGraph
from envfactory_dagster.tasks.sampling import Chain, Topology, Walk, sample_topology, sample_walk

LEVELS = (1, 2, 3, 4, 5, 6, 7, 8)

MOST_CALLS = 120
"""Of the highest level: beyond it an episode is longer, not harder."""


_INDEPENDENT = 0.2
"""The weight of steps between tools that have nothing to do with each other, in a weighted walk."""


@dataclass(frozen=True, slots=True)
class Dial:
    """One level."""

    level: int
    sampled: int
    """Tools of the chain that is sampled; some turn out to be of no use."""
    least_calls: int
    most_calls: int
    optional: float
    """How often an optional parameter is given."""
    totals: bool = False
    """Whether something is to be counted or added up."""
    obscured: bool = False
    most_ends: int = 1
    """A task does or asks for at most this many things, all of them about one of the same items."""
    loops: bool = False
    """Whether a whole list is gone through, row by row."""

    def chain(self, graph: ToolGraph, seed: int, start: str | None = None) -> Chain:
        """Topology-aware and by weighted walk in turn; the first where a tool is given that it has to lead to."""
        if seed % 2 and start is None:
            return sample_walk(graph, Walk(tools=self.sampled, independent=_INDEPENDENT), seed)
        return sample_topology(graph, Topology(tools=self.sampled), seed, start)


_DIALS = (
    Dial(1, sampled=2, least_calls=1, most_calls=2, optional=0.0),
    Dial(2, sampled=4, least_calls=2, most_calls=3, optional=0.1),
    Dial(3, sampled=6, least_calls=3, most_calls=5, optional=0.2, totals=True, most_ends=2),
    Dial(4, sampled=8, least_calls=4, most_calls=6, optional=0.2, totals=True, obscured=True, most_ends=2),
    Dial(5, sampled=11, least_calls=5, most_calls=9, optional=0.3, totals=True, obscured=True, most_ends=3),
    Dial(6, sampled=5, least_calls=10, most_calls=20, optional=0.0, loops=True),
    Dial(7, sampled=5, least_calls=21, most_calls=40, optional=0.0, loops=True),
    Dial(8, sampled=5, least_calls=41, most_calls=MOST_CALLS, optional=0.0, loops=True),
)


def dial(level: int) -> Dial:
    return _DIALS[level - 1]
