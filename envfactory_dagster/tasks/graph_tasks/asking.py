"""What is to be told in the end: of every result that nothing else was made of a value, or a total.

Belongs here: choosing what is asked for, and leaving out the steps that serve nothing. Does not: the calls (`walking`).
"""

from collections.abc import Iterator, Sequence
from random import Random

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.tasks.graph_tasks.choosing import choose, fields_of, meant, speakable
from envfactory_dagster.tasks.graph_tasks.dial import Dial
from envfactory_dagster.tasks.graph_tasks.reading import (
    is_id,
    is_whole,
    item_noun,
    items_at,
    kind_of,
    lists,
    scalars,
    value_at,
)
from envfactory_dagster.tasks.graph_tasks.steps import Item, KnownValue, Walked, WalkStep, WantedAnswer

PAGES = frozenset({"limit", "offset", "page", "page_size", "per_page", "max_results", "first", "top"})
_LEAST_TO_ADD_UP = 2


def asked(bundle: Bundle, steps: Sequence[WalkStep], dial: Dial, chance: Random) -> Walked:
    """The steps that serve something, each with what it is to tell."""
    kept = list(steps)
    tellings: dict[int, WantedAnswer] = {}
    for step in reversed(steps):
        serves = step.changes or step.number in Walked(tuple(kept), ()).used()
        if serves:
            continue
        telling = _telling(bundle, step, dial, chance, _known(kept, tellings))
        if telling is None:
            kept.remove(step)
        else:
            tellings[step.number] = telling
    return Walked(tuple(kept), tuple(tellings[number] for number in sorted(tellings)))


def _telling(bundle: Bundle, step: WalkStep, dial: Dial, chance: Random, said: Sequence[Json]) -> WantedAnswer | None:
    for found in (
        _totals(bundle, step) if dial.totals and step.arguments else iter(()),
        _of_items(step, dial, chance),
        iter(()) if _is_narrowed(bundle, step) else _of_result(step),
    ):
        lasting = [telling for telling in found if telling.value not in said and _lasts(telling, step)]
        if lasting:
            telling_much = [telling for telling in lasting if not _is_state(telling)]
            return chance.choice(telling_much or lasting)
    return None


def _is_state(telling: WantedAnswer) -> bool:
    """One of a few words: easily guessed, and there are few ways to say it wrong."""
    return isinstance(telling.value, str) and telling.value.replace("_", "").isalpha() and telling.value.islower()


def _is_narrowed(bundle: Bundle, step: WalkStep) -> bool:
    """Whether the person says more than the tool must be told: it is about the list then."""
    tool = next(tool for tool in bundle.tools if tool.name == step.tool)
    needed = tool.inputSchema.get("required", [])
    return any(isinstance(source, KnownValue) and name not in needed for name, source in step.arguments.items())


def _lasts(telling: WantedAnswer, step: WalkStep) -> bool:
    """Whether it is as true in the end as at the start: nobody says at what time they ask."""
    if not telling.field and telling.how == "value":
        return value_at(step.afterwards, telling.path) == telling.value
    items = items_at(step.afterwards, telling.path)
    if telling.how == "count":
        return len(items) == telling.value
    if telling.how == "total":
        return sum(value for item in items if isinstance(value := item.get(telling.field), int)) == telling.value
    values = [] if telling.item is None else [row.get(telling.field) for row in meant(telling.item, items)]
    return values == [telling.value]


def _totals(bundle: Bundle, step: WalkStep) -> Iterator[WantedAnswer]:
    """How many there are, and what their amounts add up to. Of a page of a list nobody can tell."""
    tool = next(tool for tool in bundle.tools if tool.name == step.tool)
    if PAGES & tool.inputSchema.get("properties", {}).keys():
        return
    for path, items in lists(step.result):
        if len(items) < _LEAST_TO_ADD_UP or not is_whole(step.result, items) or "entry" in item_noun(path).split():
            continue
        yield WantedAnswer(step.number, "count", path, "", None, len(items))
        for field in items[0]:
            values = [item.get(field) for item in items]
            if speakable(items, field) and kind_of(field, values[0]) == "money":
                yield WantedAnswer(
                    step.number, "total", path, field, None, sum(v for v in values if isinstance(v, int))
                )


def _of_items(step: WalkStep, dial: Dial, chance: Random) -> Iterator[WantedAnswer]:
    for path, items in lists(step.result):
        chosen = choose(items, dial.obscured and is_whole(step.result, items), chance)
        if chosen is None:
            continue
        row, signs = chosen
        for field in fields_of(items):
            if field not in {sign.field for sign in signs}:
                yield WantedAnswer(step.number, "value", path, field, Item(step.number, path, signs), row[field])


def _of_result(step: WalkStep) -> Iterator[WantedAnswer]:
    for path, value in scalars(step.result):
        if not is_id(path) and kind_of(path, value) not in (None, "flag") and value not in (0, 1):
            yield WantedAnswer(step.number, "value", path, "", None, value)


def _known(steps: Sequence[WalkStep], tellings: dict[int, WantedAnswer]) -> list[Json]:
    """What the person says, what is found on the way and what is asked for already is not worth a question."""
    arguments = [source.value for step in steps for source in step.arguments.values()]
    found = [value for row in _spoken_of(steps) for value in row.values()]
    return [*arguments, *found, *(telling.value for telling in tellings.values())]


def _spoken_of(steps: Sequence[WalkStep]) -> Iterator[dict[str, Json]]:
    """The items that calls are about, as they were listed: what stands there need not be looked up again."""
    shown = {step.number: step.result for step in steps}
    for item in Walked(tuple(steps), ()).items():
        yield from meant(item, items_at(shown[item.step], item.path))
