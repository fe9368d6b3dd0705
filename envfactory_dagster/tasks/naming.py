"""Names for tasks of several sources, none twice.

Belongs here: renaming a made task with everything that names it. Does not: what a task is called at first.
"""

from collections.abc import Sequence
from itertools import count

from envfactory_dagster.contracts.synthesis import MadeTask

_LONGEST = 64


def under_names_of_their_own(groups: Sequence[Sequence[MadeTask]]) -> list[MadeTask]:
    """The tasks of all groups in order. Whoever comes later with a name that is taken gets its source added to it;
    parents are looked for in the groups before, where the first of a name keeps it."""
    found: list[MadeTask] = []
    taken: set[str] = set()
    for group in groups:
        for made in group:
            name = _free_name(made.task.id, made.source, taken)
            taken.add(name)
            found.append(made if name == made.task.id else renamed(made, name))
    return found


def _free_name(name: str, source: str, taken: set[str]) -> str:
    if name not in taken:
        return name
    endings = (f"_{source}" if number == 1 else f"_{source}_{number}" for number in count(1))
    return next(free for ending in endings if (free := name[: _LONGEST - len(ending)] + ending) not in taken)


def renamed(made: MadeTask, name: str) -> MadeTask:
    """The same task under another name, in all of its parts."""
    gated = made.verifier
    own_state = {"state": name} if made.own_rows is not None else {}
    return made.model_copy(
        update={
            "task": made.task.model_copy(update={"id": name} | own_state),
            "solution": made.solution.model_copy(update={"task": name}),
            "verifier": gated.model_copy(
                update={
                    "verifier": gated.verifier.model_copy(update={"task": name}),
                    "gate": gated.gate.model_copy(update={"task": name}),
                }
            ),
        }
    )
