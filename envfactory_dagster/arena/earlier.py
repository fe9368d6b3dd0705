"""What earlier rounds of an experiment have left, for the one that goes on from them.

Belongs here: reading their records. Does not: making them.
"""

from envfactory_dagster.arena.rounds import ArenaRound
from envfactory_dagster.contracts.arena import ArenaTasks, TargetTasks
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.store.records import RecordStore

ARENA_TASKS, TARGET_TASKS = "arena_tasks", "target_tasks"


def tasks_of(records: RecordStore, one: ArenaRound) -> ArenaTasks:
    """What a round plays. It has to be there."""
    record = records.latest(ARENA_TASKS, one.key)
    if record is None or record.artifact is None:
        raise UsageError(f"The round {one.key} comes first: rounds are made one after the other.")
    return ArenaTasks.model_validate(record.artifact)


def target_texts(records: RecordStore, one: ArenaRound) -> dict[str, str]:
    """What was to be practised after a round, by name; nothing where none was made."""
    record = records.latest(TARGET_TASKS, one.key)
    if record is None or record.artifact is None:
        return {}
    made = TargetTasks.model_validate(record.artifact)
    return {f"{one.key}/targets/{env.key}/{task.id}": task.text for env in made.environments for task in env.tasks}
