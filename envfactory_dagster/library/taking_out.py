"""Taking out of a world what somebody who knows its trade calls wrong: a task, a program, a family, a wording.

Nothing is edited: what is left are still the answers of a model, and the provenance says what was taken out and why.
Belongs here: which parts go, and what is told of it. Does not: reading the world (a person or another model does), or
recording it (`recording`, which leaves out what was taken out before).
"""

from collections.abc import Iterator, Sequence

from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.truth import Dropped
from envfactory_dagster.library.world import LibraryWorld, PartName, PartOrigin, StageOrigin

TAKEN_OUT = "Taken out after reading: "
_GOES_WITH = {"reference_solution": "verifier"}
_MAY_GO = ("reference_solution", "program_task", "task_families", "graph_task_wording", "conversation")


def without(world: LibraryWorld, names: Sequence[str], why: str) -> LibraryWorld:
    """The world without these parts, each called QUESTION/PART as its provenance calls it."""
    gone = {part for name in names for part in _parts_called(world, name)}
    told = [
        Dropped(task=called(one.question, one.part), stage=one.stage, reason=f"{TAKEN_OUT}{why}")
        for one in world.provenance.parts
        if (one.question, one.part) in gone and one.question not in _GOES_WITH.values()
    ]
    stages = [_with(stage, [one for one in told if one.stage == stage.stage]) for stage in world.provenance.stages]
    parts = [one for one in world.provenance.parts if (one.question, one.part) not in gone]
    provenance = world.provenance.model_copy(update={"stages": stages, "parts": parts})
    left = {name: part for name, part in world.parts.items() if name not in gone}
    return LibraryWorld(world.card, provenance, left, world.documents)


def taken_out(world: LibraryWorld | None, origin: PartOrigin) -> bool:
    """Whether a part was taken out of a world before."""
    stages = world.provenance.stages if world is not None else []
    gone = {one.task for stage in stages for one in stage.dropped or [] if one.reason.startswith(TAKEN_OUT)}
    may_go = origin.question in (*_MAY_GO, *_GOES_WITH.values())
    return may_go and called(origin.question, origin.part) in gone


def called(question: str, part: str) -> str:
    """How a part is called among what was given up."""
    if question == "task_families":
        return part.partition(".")[2]
    name = {"conversation": "talk_", "program_task": "program_", "graph_task_wording": "wording_"}.get(question, "")
    return f"{name}{part.partition('.')[0]}"[:64]


def _parts_called(world: LibraryWorld, name: str) -> Iterator[PartName]:
    question, _, part = name.partition("/")
    if question not in _MAY_GO:
        raise UsageError(f"{name!r} is no part that can be taken out; these can: {', '.join(_MAY_GO)} (QUESTION/PART).")
    if (question, part) not in world.parts:
        known = [one for asked, one in world.parts if asked == question]
        raise UsageError(f"{world.key} has no {question} called {part!r}; it has {', '.join(known) or 'none'}.")
    yield question, part
    if (other := (_GOES_WITH.get(question, ""), part)) in world.parts:
        yield other


def _with(stage: StageOrigin, told: Sequence[Dropped]) -> StageOrigin:
    return stage.model_copy(update={"dropped": [*(stage.dropped or []), *told]}) if told else stage
