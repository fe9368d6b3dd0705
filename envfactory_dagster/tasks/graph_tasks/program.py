"""The reference solution of a walk, as a program: it looks up each item by its signs, and no number of a row is in it.

Belongs here: writing the program. Does not: running it (`tasks.proving`).
"""

from typing import Any

from envfactory_dagster.tasks.graph_tasks.reading import kind_of, placed, words
from envfactory_dagster.tasks.graph_tasks.steps import Chosen, Item, Said, Shown, Sign, Source, Telling, Walked

DONE = "It is done."


class _Code(str):
    """An expression, as it stands."""

    def __repr__(self) -> str:
        return str(self)


def program(walked: Walked) -> str:
    """A module with `solve(tools)`."""
    names = {item: f"item_{number}" for number, item in enumerate(walked.items(), 1)}
    lines: list[str] = []
    for step in walked.steps:
        given: Any = placed({path: _expression(source, names) for path, source in step.arguments.items()})
        listed = ", ".join(f"{name}={value!r}" for name, value in given.items())
        lines.append(f"shown_{step.number} = tools.{step.tool}({listed})")
        lines += [f"{name} = {_found(item)}" for item, name in names.items() if item.step == step.number]
    lines.append(f"return {_answer(walked, names)}")
    return "def solve(tools):\n" + "".join(f"    {line}\n" for line in lines)


def _expression(source: Source, names: dict[Item, str]) -> Any:
    if isinstance(source, Said):
        return source.value
    if isinstance(source, Chosen):
        return _Code(f"{names[source.item]}[{source.field!r}]")
    return _Code(_at(f"shown_{source.step}", source.path)) if isinstance(source, Shown) else None


def _at(variable: str, path: str) -> str:
    return variable + "".join(f"[{part!r}]" for part in path.split("."))


def _found(item: Item) -> str:
    items = _at(f"shown_{item.step}", item.path)
    if item.signs[0].relation != "is":
        function = "min" if item.signs[0].relation == "least" else "max"
        return f"{function}({items}, key=lambda item: item[{item.signs[0].field!r}])"
    return f"next(item for item in {items} if {' and '.join(map(_condition, item.signs))})"


def _condition(sign: Sign) -> str:
    return f"item[{sign.field!r}] == {sign.value!r}"


def _answer(walked: Walked, names: dict[Item, str]) -> str:
    if not walked.tellings:
        return repr(DONE)
    parts = [_part(telling, names) for telling in walked.tellings]
    return f'"; ".join([{", ".join(parts)}])'


def _part(telling: Telling, names: dict[Item, str]) -> str:
    if is_money(telling):
        return f"{label(telling) + ': {} cents'!r}.format({_said(telling, names)})"
    return f"{label(telling) + ': {}'!r}.format({_said(telling, names)})"


def label(telling: Telling) -> str:
    what = words(telling.field or telling.path)
    return {"value": what, "count": f"number of {what}", "total": f"{what} altogether"}[telling.how]


def _said(telling: Telling, names: dict[Item, str]) -> str:
    result = _at(f"shown_{telling.step}", telling.path)
    if telling.how == "count":
        return f"len({result})"
    if telling.how == "total":
        return f"sum(item[{telling.field!r}] for item in {result})"
    return result if telling.item is None else f"{names[telling.item]}[{telling.field!r}]"


def is_money(telling: Telling) -> bool:
    return telling.how != "count" and kind_of(telling.field or telling.path, telling.value) == "money"
