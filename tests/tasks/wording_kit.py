"""An author who words walks plainly: every value and every sign is said, in no particular order."""

from collections.abc import Iterator, Mapping, Sequence

from envfactory_dagster.contracts.graph_tasks import GraphTaskWordingContext, Thing, Wish
from tests.support.alpine_author import Answer, Asked


def plain_words(asked: Asked) -> Answer:
    """Whatever the gate wants to hear, a criterion for every wish, and one for all that is to stay as it is. Of several
    drafts, the first is chosen."""
    if asked.schema == "graph_task_choice":
        return chosen({one["task"]: [1] for one in asked.context["tasks"]})
    context = GraphTaskWordingContext.model_validate(asked.context)
    said = ", ".join(form for wish in context.wishes for form in _forms(wish))
    criteria = [{"id": f"wish_{n}", "text": "It is so."} for n in range(len(context.wishes))]
    criteria.append({"id": "nothing_else", "text": "Nothing else was changed."})
    return {"text": f"Please see to it and tell me all of it: {said or 'as agreed'}.", "rubric": criteria}


def chosen(drafts: Mapping[str, Sequence[int]]) -> Answer:
    """An answer to which drafts a person would ask for."""
    motive = "We are planning a weekend."
    return {
        "tasks": [
            {"task": task, "drafts": [{"number": number, "motive": motive} for number in numbers]}
            for task, numbers in drafts.items()
        ]
    }


def _forms(wish: Wish) -> Iterator[str]:
    yield from (value.forms[0] for value in wish.values if value.kind != "flag")
    things = [*wish.things, *([wish.telling.thing] if wish.telling and wish.telling.thing else [])]
    yield from _of(things)


def _of(things: list[Thing]) -> Iterator[str]:
    for thing in things:
        yield from (value.forms[0] for value in thing.among if value.kind != "flag")
        yield from (sign.forms[0] for sign in thing.signs if sign.relation == "is" and sign.kind != "flag")
        yield from _of(thing.of)
