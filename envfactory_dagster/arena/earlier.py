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


def refuse_if_followed(records: RecordStore, this: ArenaRound) -> None:
    """Whatever a later round goes on from stays as it is."""
    if records.head(ARENA_TASKS, this.next.key) is not None:
        raise UsageError(
            f"{this.key} stays as it was, because {this.next.key} was drawn after it. Other settings need "
            "an experiment of their own."
        )


def targets_of(records: RecordStore, one: ArenaRound) -> TargetTasks:
    """What was to be practised after a round; nothing where none was made."""
    record = records.latest(TARGET_TASKS, one.key)
    if record is None or record.artifact is None:
        return TargetTasks(environments=[])
    return TargetTasks.model_validate(record.artifact)


def target_texts(records: RecordStore, one: ArenaRound) -> dict[str, str]:
    """The words of what was to be practised after a round, by name."""
    return {
        f"{one.key}/targets/{env.key}/{task.id}": task.text
        for env in targets_of(records, one).environments
        for task in env.tasks
    }
