"""Cuts a walk down to the steps that serve one purpose.

A walk over the tool graph strings unrelated calls together. This keeps the end that needs most steps, with these steps.

Belongs here: which steps serve one purpose. Does not: making them (`walking`), or what is asked for (`asking`).
"""

from collections.abc import Sequence

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.tasks.graph_tasks.steps import Item, Walked, WalkStep, source_step


def of_one_purpose(bundle: Bundle, steps: Sequence[WalkStep], most_ends: int) -> list[WalkStep]:
    """Keep the end that needs most steps, further ends (at most `most_ends` in all) that are about one of the same
    items, and the steps that these need."""
    led_to = {step.number: _steps_behind(bundle, step, steps) for step in _ends(steps)}
    if not led_to:
        return []
    first, *others = sorted(led_to, key=lambda number: -len(led_to[number]))
    kept, ends = led_to[first], 1
    for number in others:
        if ends < most_ends and _items(steps, led_to[number]) & _items(steps, kept):
            kept, ends = kept | led_to[number], ends + 1
    return [step for step in steps if step.number in kept]


def _ends(steps: Sequence[WalkStep]) -> list[WalkStep]:
    """The steps that change something, and those whose results no later step uses."""
    used = Walked(tuple(steps), ()).used()
    return [step for step in steps if step.changes or step.number not in used]


def _steps_behind(bundle: Bundle, end: WalkStep, steps: Sequence[WalkStep]) -> frozenset[int]:
    """The numbers of the steps that this end needs, itself included: those it takes values from, the confirmations by
    the person that its tool waits for, and the steps that these need."""
    numbered = {step.number: step for step in steps}
    waits_for = {tool.name: set(tool.confirmed_by) for tool in bundle.tools}
    found, ahead = set[int](), [end]
    while ahead:
        step = ahead.pop()
        if step.number in found:
            continue
        found.add(step.number)
        sources = {source_step(source) for source in step.arguments.values()}
        ahead += [numbered[number] for number in sources if number in numbered]
        ahead += [one for one in steps if one.number < step.number and one.tool in waits_for[step.tool]]
    return frozenset(found)


def _items(steps: Sequence[WalkStep], numbers: frozenset[int]) -> set[Item]:
    return set(Walked(tuple(step for step in steps if step.number in numbers), ()).items())
