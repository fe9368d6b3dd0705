"""Answering a question from a world: its stored parts, assembled as they are asked for; or a sentence that says no.

Belongs here: which parts answer a question, and what is said when they do not. Does not: HTTP (`app`), or judging.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from envfactory_dagster.library.parts import WHOLE, Context, Part, kind_of
from envfactory_dagster.library.world import LibraryWorld, WorldCard

SET_A_MODEL = (
    "To have another answer, set a language model: ENVFACTORY_LLM_BASE_URL, ENVFACTORY_LLM_API_KEY and "
    "ENVFACTORY_MODEL."
)
_NAMED = 5


class NoOtherAnswer(Exception):
    """The library has no other answer than those it gave; the text says what is missing and what to do."""

    def __init__(self, problem: str) -> None:
        super().__init__(f"{problem} {SET_A_MODEL}")


def of_another_size(card: WorldCard) -> NoOtherAnswer:
    title = card.proposal.proposal.name
    return NoOtherAnswer(f"The library's world {title!r} is a {card.size} one: set ENVFACTORY_SIZE={card.size}.")


def answer(world: LibraryWorld, schema: str, context: Context, *, again: bool) -> Part:
    """`again`: an earlier answer was shown, with what was wrong with it."""
    where = f"for the world {world.title!r}"
    if again:
        raise NoOtherAnswer(f"The library has no other answer to {schema} {where} than the one that was given.")
    if schema == "theme" and context.get("size", world.card.size) != world.card.size:
        raise of_another_size(world.card)
    if schema == "task_set" and (schema, WHOLE) in world.parts:
        return {"tasks": _tasks(world.parts[schema, WHOLE]["tasks"], context, where)}
    kind = kind_of(schema)
    known = [name for question, name in world.parts if question == kind.question]
    try:
        names = kind.cut.asked(context, known)
    except (KeyError, TypeError):  # the question has another form than any that was answered
        names = []
    if not names:
        raise NoOtherAnswer(f"The library has no answer to {schema} {where} in the form in which it is asked.")
    if missing := [name for name in names if name not in known]:
        what = f"no other answers to {schema} {where}" if known else f"no answer to {schema} {where}"
        named = ", ".join(missing[:_NAMED]) + ", …" * (len(missing) > _NAMED)
        raise NoOtherAnswer(f"The library has {what}" + (f" (asked for: {named})." if known else "."))
    return kind.cut.joined(context, {name: world.parts[kind.question, name] for name in names})


def _tasks(tasks: Sequence[Mapping[str, Any]], context: Context, where: str) -> list[Mapping[str, Any]]:
    """As many as are asked for: of every kind and state in turn, so that fewer are as varied as all."""
    count, states = int(context["count"]), list(context["states"])
    fitting = [task for task in tasks if task["state"] in states]
    if len(fitting) < count:
        raise NoOtherAnswer(f"The library has {len(fitting)} tasks in these states {where}, and {count} are asked for.")
    if len(fitting) == count:
        return fitting
    groups: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for task in fitting:
        groups.setdefault((task["state"], task["kind"]), []).append(task)
    turns = [(turn, number, task) for number, group in enumerate(groups.values()) for turn, task in enumerate(group)]
    chosen = [task["id"] for _, _, task in sorted(turns, key=lambda one: one[:2])[:count]]
    return [task for task in fitting if task["id"] in chosen]
