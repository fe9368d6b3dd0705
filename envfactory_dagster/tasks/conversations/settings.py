"""How conversations are made: which refinements, how many of each variant.

Belongs here: the numbers and switches that every step reads. Does not: models and attempts (`authoring.settings`).
"""

from dataclasses import dataclass
from typing import get_args

from envfactory_dagster.contracts.synthesis import Refinement

ALL_REFINEMENTS: tuple[Refinement, ...] = get_args(Refinement)


@dataclass(frozen=True, slots=True)
class ConversationSettings:
    refinements: tuple[Refinement, ...] = ALL_REFINEMENTS
    """Those that are on."""
    most: int = 40
    """Tasks of one environment that become conversations: its own first, then those over the graph and the programs."""
    missing_parameter: int = 3
    """Also the most tasks of the kind `underspecified`, made of first messages that cannot be done without asking."""
    missing_function: int = 3
    no_tool: int = 2
    """So many of each variant at most."""
    together: int = 3
    """Tasks that are asked about in one question."""
    at_once: int = 4
    """Questions that are asked at the same time."""
