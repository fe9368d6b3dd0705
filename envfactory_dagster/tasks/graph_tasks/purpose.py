"""The part of a walk that somebody would want as one thing: what it ends in, with all that leads there.

Belongs here: which steps serve one purpose. Does not: making them (`walking`), or what is asked for (`asking`).
"""

from collections.abc import Sequence

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.tasks.graph_tasks.steps import Item, Step, Walked, source_step


def of_one_purpose(bundle: Bundle, steps: Sequence[Step], most_ends: int) -> list[Step]:
    """The steps behind the end to which most steps lead, and behind others that are about the same thing."""
    led_to = {step.number: _steps_behind(bundle, step, steps) for step in _ends(steps)}
    if not led_to:
        return []
    first, *others = sorted(led_to, key=lambda number: -len(led_to[number]))
    kept, ends = led_to[first], 1
    for number in others:
        if ends < most_ends and _items(steps, led_to[number]) & _items(steps, kept):
            kept, ends = kept | led_to[number], ends + 1
    return [step for step in steps if step.number in kept]


def _ends(steps: Sequence[Step]) -> list[Step]:
    """What changes something, and what nothing else is made of."""
    used = Walked(tuple(steps), ()).used()
    return [step for step in steps if step.changes or step.number not in used]


def _steps_behind(bundle: Bundle, end: Step, steps: Sequence[Step]) -> frozenset[int]:
    """It, the steps that it gets values from, what the person does for it, and the steps behind these."""
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


def _items(steps: Sequence[Step], numbers: frozenset[int]) -> set[Item]:
    return set(Walked(tuple(step for step in steps if step.number in numbers), ()).items())
