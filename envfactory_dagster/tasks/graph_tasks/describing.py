"""A walk as wishes of a person: things by their signs, values in the forms they are said in, what is to be told.

Belongs here: from steps to what a model is shown. Does not: the words of the question and its gate (`wording`).
"""

from collections.abc import Collection, Iterator, Sequence

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.graph_tasks import (
    GraphTaskWordingContext,
    SaidSign,
    SaidValue,
    Telling,
    Thing,
    Wish,
)
from envfactory_dagster.contracts.tools import ToolDefinition
from envfactory_dagster.tasks.graph_tasks import steps
from envfactory_dagster.tasks.graph_tasks.choosing import meant, names_of
from envfactory_dagster.tasks.graph_tasks.reading import (
    forms,
    is_id,
    item_noun,
    items_at,
    kind_of,
    name_of,
    noun,
    schema_at,
    words,
)
from envfactory_dagster.tasks.graph_tasks.steps import (
    Chosen,
    Here,
    Item,
    KnownValue,
    Loop,
    LoopCall,
    Shown,
    Sign,
    Walked,
    WalkStep,
)


def context_of(
    bundle: Bundle, walked: Walked, state: str, *, obscured: bool, motive: str = ""
) -> GraphTaskWordingContext:
    return GraphTaskWordingContext(
        service=bundle.theme.description,
        clock=bundle.states[state].clock,
        kind="action" if walked.changes else "information",
        obscured=obscured,
        motive=motive,
        wishes=wishes_of(bundle, walked),
        unspeakable=sorted(_unspeakable(bundle, walked)),
    )


def wishes_of(bundle: Bundle, walked: Walked) -> list[Wish]:
    persons = {tool.name for tool in bundle.tools_of("user")}
    wishing = [step for step in walked.steps if _is_a_wish(walked, step, persons)]
    describer = _Describer(bundle, walked, {step.number: n for n, step in enumerate(wishing, 1)})
    wishes = [describer.wish(step) for step in wishing]
    if walked.loop is not None:
        wishes.append(describer.wish_of_a_loop(walked.loop))
    return wishes


def _is_a_wish(walked: Walked, step: WalkStep, persons: Collection[str]) -> bool:
    """What the person does themselves is none, unless they have to know something for it."""
    if step.tool in persons:
        return any(isinstance(source, KnownValue) for source in step.arguments.values())
    return step.changes or walked.telling_of(step) is not None


def _unspeakable(bundle: Bundle, walked: Walked) -> Iterator[str]:
    """Names with an underscore: of tools, parameters, fields of results, and columns."""
    names = {tool.name for tool in bundle.tools}
    for step in walked.steps:
        names |= {part.removesuffix("[]") for path in step.arguments for part in path.split(".")}
    names |= {sign.field for item in walked.items() for sign in item.signs}
    for one in walked.loop.all() if walked.loop is not None else ():
        names |= {part.removesuffix("[]") for path in one.arguments for part in path.split(".")}
        names |= {one.only.field} if one.only is not None else set()
    names |= {name_of(telling.field or telling.path) for telling in walked.tellings}
    yield from (name for name in names if "_" in name)


class _Describer:
    def __init__(self, bundle: Bundle, walked: Walked, wishes: dict[int, int]) -> None:
        self._tools = {tool.name: tool for tool in bundle.tools}
        self._walked = walked
        self._wishes = wishes

    def wish(self, step: WalkStep) -> Wish:
        telling = self._walked.telling_of(step)
        about_a_list = telling is not None and (telling.item is not None or telling.how != "value")
        return Wish(
            purpose=self._tools[step.tool].description,
            things=[] if about_a_list else self._things(step),
            values=[] if about_a_list else self._values(step),
            telling=None if telling is None else self._telling(step, telling),
            by_person=self._tools[step.tool].principal == "user",
        )

    def wish_of_a_loop(self, loop: Loop) -> Wish:
        """What is found out of all of them, or done to each."""
        things = self._gone_through(loop)
        if loop.deed is None:
            [telling] = [one for one in self._walked.tellings if one.step == loop.number]
            path = telling.field or telling.path
            kind = None if telling.how == "count" else kind_of(path, telling.value)
            told = Telling(what=words(path), kind=kind or "number", how=telling.how, thing=things[-1])
            return Wish(purpose=self._tools[loop.rounds[-1].tool].description, telling=told)
        tool = self._tools[loop.deed.tool]
        return Wish(purpose=tool.description, things=things[-1:], values=self._said_in(loop.deed))

    def _gone_through(self, loop: Loop) -> list[Thing]:
        """The things at each place of a loop; those further in belong to those further out."""
        outer = self._among(self._walked.step(loop.listed), loop.path, [loop.only] if loop.only is not None else [])
        things = [outer.model_copy(update={"every": True})]
        for one in loop.rounds:
            signs = [_said(one.only)] if one.only is not None else []
            above = things[max(here.place for here in one.places())]
            if is_aside(one, loop):
                signs = [each.model_copy(update={"what": f"{each.what} of the {kind_at(one, loop)}"}) for each in signs]
            if not one.path:
                found = above.model_copy(
                    update={"signs": [*above.signs, *signs], "among": [*above.among, *self._said_in(one)]}
                )
            else:
                found = Thing(
                    kind=kind_at(one, loop),
                    signs=signs,
                    among=self._said_in(one),
                    of=[above],
                    listed_by=self._tools[one.tool].description if one.path else "",
                    every=True,
                )
            things.append(found)
        return things

    def _said_in(self, one: LoopCall) -> list[SaidValue]:
        tool = self._tools[one.tool]
        return [_value(tool, path, source) for path, source in one.arguments.items() if isinstance(source, KnownValue)]

    def _telling(self, step: WalkStep, telling: steps.WantedAnswer) -> Telling:
        path = telling.field or telling.path
        if telling.how == "value" and telling.item is None:
            thing = next(iter(self._things(step)), None) or self._around(step, path)
        elif telling.item is not None:
            thing = self._item(telling.item)
        else:
            thing = self._among(step, telling.path, ())
        kind = None if telling.how == "count" else kind_of(path, telling.value)
        return Telling(what=words(path), kind=kind or "number", how=telling.how, thing=thing)

    def _around(self, step: WalkStep, path: str) -> Thing | None:
        """What a plain field belongs to, by the name of what holds it."""
        holder = path.rpartition(".")[0]
        return Thing(kind=noun(holder), listed_by=self._tools[step.tool].description) if holder else None

    # -- things -------------------------------------------------------------------------------------------------------

    def _things(self, step: WalkStep) -> list[Thing]:
        """What a call is about, each once."""
        found: list[Thing] = []
        for path, source in step.arguments.items():
            thing = None
            if isinstance(source, Chosen):
                thing = self._chosen(path, source)
            elif isinstance(source, Shown):
                thing = self._shown(path, source)
            if thing is not None and thing not in found:
                found.append(thing)
        return found

    def _chosen(self, path: str, source: Chosen) -> Thing:
        item = self._item(source.item)
        if not is_id(source.field) or source.field == "id" or noun(source.field) == item.kind:
            return item
        known = [sign for sign in source.item.signs if sign.field == f"{source.field.removesuffix('_id')}_name"]
        if known and len(source.item.signs) == 1:
            return Thing(kind=_kind(path, source.field), signs=[_said(Sign("name", "is", known[0].value))])
        return Thing(kind=_kind(path, source.field), of=[item])

    def _shown(self, path: str, source: Shown) -> Thing:
        step = self._walked.step(source.step)
        if step.changes:
            return Thing(kind=_kind(path, source.path), made_by_wish=self._wishes[step.number])
        return Thing(kind=_kind(path, source.path), of=self._things(step))

    def _item(self, item: Item) -> Thing:
        step = self._walked.step(item.step)
        thing = self._among(step, item.path, item.signs)
        rows = meant(item, items_at(step.result, item.path))
        asked = {one.value for one in self._walked.tellings}
        called = [name for name in names_of(rows[0]) if name not in asked] if len(rows) == 1 else []
        said = {form for sign in thing.signs for form in sign.forms}
        return thing.model_copy(update={"called": [name for name in called if name not in said]})

    def _among(self, step: WalkStep, path: str, signs: Sequence[Sign]) -> Thing:
        among = self._values(step)
        known = {(value.what, value.forms[0]) for value in among}
        said = [_said(sign) for sign in signs]
        return Thing(
            kind=item_noun(path),
            signs=[sign for sign in said if not sign.forms or (sign.what, sign.forms[0]) not in known],
            among=among,
            of=self._things(step),
            listed_by=self._tools[step.tool].description,
        )

    # -- values -------------------------------------------------------------------------------------------------------

    def _values(self, step: WalkStep) -> list[SaidValue]:
        tool = self._tools[step.tool]
        return [_value(tool, path, source) for path, source in step.arguments.items() if isinstance(source, KnownValue)]


def kind_at(one: LoopCall, loop: Loop) -> str:
    """What the place after this call is called: an item of its list, or the thing that the call is about."""
    if one.path:
        return item_noun(one.path)
    parameter, here = _innermost(one)
    about = noun(parameter) if noun(parameter) != "thing" else noun(here.path)
    return about if about != "thing" else kind_of_place(here.place, loop)


def kind_of_place(place: int, loop: Loop) -> str:
    """What a loop is at. What is looked up aside tells something of the thing it is looked up for."""
    if place == 0:
        return item_noun(loop.path)
    one = loop.rounds[place - 1]
    return kind_of_place(_innermost(one)[1].place, loop) if not one.path else kind_at(one, loop)


def is_aside(one: LoopCall, loop: Loop) -> bool:
    """Whether the call is about something else that the row names, not about the row itself."""
    place = _innermost(one)[1].place
    kind = kind_of_place(place, loop)
    return not any(names_itself(here.path, kind) for here in one.places() if here.place == place)


def names_itself(path: str, kind: str) -> bool:
    """Whether a field of a row of this kind names the row itself: `id`, or `loan_id` of a loan."""
    about = noun(path)
    if about == "thing":
        about = noun(path.rpartition(".")[0]) if "." in path else kind
    return kind == about or kind.endswith(f" {about}")


def _innermost(one: LoopCall) -> tuple[str, Here]:
    """A parameter that takes something of the innermost place."""
    here = [(path, source) for path, source in one.arguments.items() if isinstance(source, Here)]
    return max(here, key=lambda pair: pair[1].place)


def _kind(parameter: str, field: str) -> str:
    return noun(field if noun(parameter) == "thing" else parameter)


def _value(tool: ToolDefinition, path: str, source: KnownValue) -> SaidValue:
    schema = schema_at(tool.inputSchema, path)
    yes_or_no = schema.get("type") == "integer" and (schema.get("minimum"), schema.get("maximum")) == (0, 1)
    value = bool(source.value) if yes_or_no else source.value
    return SaidValue(
        what=words(path),
        meaning=schema.get("description", ""),
        kind=kind_of(path, value) or "text",
        forms=forms(path, value),
    )


def _said(sign: Sign) -> SaidSign:
    return SaidSign(
        what=words(sign.field),
        kind=kind_of(sign.field, sign.value) or "text",
        relation=sign.relation,
        forms=forms(sign.field, sign.value) if sign.relation == "is" else [],
    )
