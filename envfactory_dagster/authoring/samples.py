"""The rows that are shown to an author who writes tools, solutions or checks for them.

Belongs here: the choice of rows. Does not: making or judging them (`seed_rows`).
"""

from envfactory_dagster.contracts.database import SeedRows, TableRows
from envfactory_dagster.contracts.domain import INITIAL_STATE

ROWS_OF_A_TABLE = 20


def sample_rows(seed: SeedRows, name: str = INITIAL_STATE) -> list[TableRows]:
    """The first rows of every table of a state: enough to see forms, and to name rows in calls."""
    state = next(state for state in seed.states if state.name == name)
    return [table.model_copy(update={"rows": table.rows[:ROWS_OF_A_TABLE]}) for table in state.tables]
