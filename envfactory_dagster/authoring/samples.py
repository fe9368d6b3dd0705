"""The rows that are shown to an author who writes tools, solutions or checks for them.

Belongs here: the choice of rows. Does not: making or judging them (`seed_rows`).
"""

from envfactory_dagster.contracts.database import SeedRows, TableRows
from envfactory_dagster.contracts.domain import INITIAL_STATE

ROWS_OF_A_TABLE = 150
"""Nearly always the whole table: whether a call succeeds often hangs on a row at its end, and rows cost little."""


def sample_rows(seed: SeedRows, name: str = INITIAL_STATE) -> list[TableRows]:
    """The rows of every table of a state, the first ones where there are very many."""
    state = next(state for state in seed.states if state.name == name)
    return [table.model_copy(update={"rows": table.rows[:ROWS_OF_A_TABLE]}) for table in state.tables]
