"""Requests that only ask: figures that are compared, things that are gone through one by one.

Belongs here: the two patterns without a change. Does not: those with one (`acting`), the voices of their parts
(`selections`), the form of programs (`rendering`).
"""

import random
from collections.abc import Iterator, Sequence
from itertools import combinations

from envfactory_dagster.contracts.reports import AnswerField
from envfactory_dagster.language.embedded import proofs
from envfactory_dagster.language.embedded.programs.rendering import (
    Said,
    figure_said,
    function,
    informed,
    number_field,
    program,
    queried,
)
from envfactory_dagster.language.embedded.programs.selections import (
    Figure,
    Measure,
    Selection,
    each_part,
    measures,
    name_column,
    of_details,
    of_extreme,
    of_list,
    part_value,
    selections,
)
from envfactory_dagster.language.embedded.programs.sketch import Sketch, sketched
from envfactory_dagster.language.embedded.programs.sources import Detail, Sources, words

MOST_GONE_THROUGH = 9
_COMPARED = (
    "please find out {0}, and {1}. Tell me both numbers and by how much they differ. If the first one is larger, tell "
    "me also {2}; otherwise tell me {3}.",
    "I want to compare two things: {0}, and {1}. What are the two figures, and what is the difference? Should the "
    "first be larger, I also need to know {2}. Should it not, then {3}.",
    "for my records, tell me {0}. Beside that, {1}. Say also how far apart they are. In case the first is larger, add "
    "{2}; in the other case add {3}.",
)
_GONE_THROUGH = (
    "please tell me {1}; go through {0} one by one. Tell me also how large the largest single share of it is{2}.",
    "I would like to know {1}, looking at {0} one after the other. What is it in all, how much does the largest one "
    "contribute{2}?",
)


def figures(sources: Sources) -> list[Figure]:
    """Every number worth asking for."""
    found = []
    for listing in sources.listings:
        known = measures(listing.things, listing.shown)
        for selection in selections(listing, 2):
            sums = [measure for measure in known if measure.additive and listing.mine]
            found += [of_list(selection, measure) for measure in (None, *sums)]
            found += [of_extreme(selection, measure) for measure in known]
            for detail in sources.details(listing) if len(selection.rows) <= MOST_GONE_THROUGH else ():
                found += [of_details(selection, detail, measure) for measure in _added(detail)]
    return [figure for figure in found if figure.value > 1]


def across_lists(sources: Sources, known: Sequence[Figure], rng: random.Random) -> Iterator[Sketch]:
    """Two figures are compared, and what else is asked depends on which is larger."""
    comparable = [
        pair for pair in combinations(known, 2) if pair[0].kind == pair[1].kind and pair[0].tools != pair[1].tools
    ]
    for first, second in rng.sample(comparable, len(comparable)):
        rest = [figure for figure in known if figure not in (first, second)]
        if len(rest) < 2:
            return
        then, otherwise = rng.sample(rest, 2)
        told = (then if first.value > second.value else otherwise).value
        asked = [first.value, second.value, abs(first.value - second.value), told]
        if 0 not in asked and len(set(asked)) == len(asked):
            yield _compared(sources, rng.choice(_COMPARED), first, second, then, otherwise)


def _compared(sources: Sources, wording: str, first: Figure, second: Figure, then: Figure, otherwise: Figure) -> Sketch:
    four = (first, second, then, otherwise)
    helpers = [function(f"figure_{n}", figure.code) for n, figure in enumerate(four, 1)]
    both = (
        f"first = {queried('initial', first.sql, first.values)}[0]['value']\n"
        f"second = {queried('initial', second.sql, second.values)}[0]['value']\n"
    )
    facts = [
        figure_said("the_first", first),
        figure_said("the_second", second),
        Said(
            number_field("the_difference", "by how much the two differ", first.kind),
            f"{both}value = abs(first - second)",
        ),
        _said_if("if_larger", "if the first is larger", then, f"{both}if not first > second:\n    value = None"),
        _said_if(
            "if_not_larger", "if the first is not larger", otherwise, f"{both}if first > second:\n    value = None"
        ),
    ]
    told = [*(fact.told for fact in facts[:3]), f"({facts[3].told}) if first > second else ({facts[4].told})"]
    body = (
        "first, second = figure_1(tools), figure_2(tools)\n"
        'answers = {"the_first": first, "the_second": second, "the_difference": abs(first - second)}\n'
        'answers["if_larger"] = figure_3(tools) if first > second else None\n'
        'answers["if_not_larger"] = None if first > second else figure_4(tools)\n'
    ) + proofs.returned(told)
    nouns = [noun for figure in four for noun in figure.nouns]
    name = f"{first.nouns[-1]} against {second.nouns[-1]}"
    text = wording.format(*(figure.words for figure in four))
    form, solution = [fact.field for fact in facts], program(helpers, body)
    return sketched(sources.practice, "across_lists", name, text, "information", nouns, form, solution, informed(facts))


def _said_if(name: str, when: str, figure: Figure, otherwise: str) -> Said:
    """What is told in one case only; `otherwise`: sets `value` to None in the other."""
    field = number_field(name, f"{figure.words}, {when}", figure.kind)
    return Said(field, f"{figure_said(name, figure).body}\n{otherwise}")


def each_one(sources: Sources, known: Sequence[Figure], rng: random.Random) -> Iterator[Sketch]:
    """The parts of each of several things are added up: how many in all, and which has the most?"""
    choices = [
        (selection, detail, measure)
        for listing in sources.listings
        for detail in sources.details(listing)
        for measure in _added(detail)
        for selection in selections(listing, 2)
        if len(selection.rows) <= MOST_GONE_THROUGH
    ]
    for selection, detail, measure in rng.sample(choices, len(choices)):
        figure = of_details(selection, detail, measure)
        shares = sorted(_share(detail, measure, row["id"]) for row in selection.rows)
        if shares[-1] != shares[-2] and 0 < shares[-1] < figure.value:
            yield _gone_through(sources, rng.choice(_GONE_THROUGH), selection, detail, measure, figure)


def _added(detail: Detail) -> list[Measure | None]:
    return [None, *(measure for measure in measures(detail.parts, detail.shown) if measure.additive)]


def _share(detail: Detail, measure: Measure | None, key: int) -> int:
    parts = [row for row in detail.parts.rows if row[detail.key] == key]
    return len(parts) if measure is None else sum(part[measure.column] for part in parts)


def _gone_through(
    sources: Sources,
    wording: str,
    selection: Selection,
    detail: Detail,
    measure: Measure | None,
    figure: Figure,
) -> Sketch:
    listing, parts = selection.listing, detail.parts.noun
    thing = listing.things.noun
    named = name_column(listing.things, listing.shown, selection.rows)
    key = named or "id"
    body = (
        "shares = {}\n"
        + each_part(selection, detail, f'shares[row["{key}"]] = {part_value(measure)}')
        + "largest = max(shares, key=shares.get)\n"
        + 'answers = {"how_much": sum(shares.values()), "the_largest_share": shares[largest]}\n'
        + ('answers["which_has_the_most"] = largest\n' if named else "")
    )
    aggregate = "count(*)" if measure is None else f"sum(p.{measure.column})"
    top = (
        f"SELECT r.{key} AS name, {aggregate} AS share FROM {detail.parts.table} p JOIN {selection.source}"
        f" ON p.{detail.key} = r.id WHERE {selection.where} GROUP BY r.id ORDER BY share DESC LIMIT 1"
    )
    found = f"top = {queried('initial', top, selection.values)}[0]\n"
    facts = [
        figure_said("how_much", figure),
        Said(
            number_field("the_largest_share", "how large the largest single share of it is", figure.kind),
            f"{found}value = top['share']",
        ),
    ]
    which = ""
    if named is not None:
        most = f"most {parts.many}" if measure is None else f"highest {measure.called} of its {parts.many} together"
        asked = f"the {words(named)} of the {thing.one} that has the {most}"
        which = f", and {asked}"
        field = AnswerField(name="which_has_the_most", type="text", description=asked)
        facts.append(Said(field, f"{found}value = top['name']"))
    text = wording.format(selection.words, figure.words, which)
    name = f"{parts.many} of each {thing.one}"
    form = [fact.field for fact in facts]
    solution = program([], body + proofs.returned([fact.told for fact in facts]))
    return sketched(
        sources.practice, "each_one", name, text, "information", figure.nouns, form, solution, informed(facts)
    )
