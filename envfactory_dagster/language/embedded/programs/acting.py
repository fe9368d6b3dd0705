"""Requests to do something: to all that fit, or to one thing or another as a figure will have it.

Belongs here: the two patterns with a change. Does not: those without one (`asking`), the voices of their parts
(`selections`), the form of programs (`rendering`).
"""

import random
from collections.abc import Iterator, Sequence

from envfactory_dagster.language.embedded import proofs
from envfactory_dagster.language.embedded.programs.practice import Practice
from envfactory_dagster.language.embedded.programs.rendering import (
    done,
    figure_said,
    function,
    program,
    queried,
    wanted,
)
from envfactory_dagster.language.embedded.programs.selections import (
    Figure,
    Order,
    Selection,
    limit,
    measures,
    orders,
    selections,
)
from envfactory_dagster.language.embedded.programs.sketch import Sketch, sketched
from envfactory_dagster.language.embedded.programs.sources import Deed, Sources

MOST_DONE = 6
FIGURES_OF_A_DEED = 4
_TO_ALL = (
    "tell me {0}; then {1} all {2}.",
    "I want to tidy up. Before anything changes, tell me {0}. After that, {1} every one of {2}, and no others.",
    "please {1} {2}, each and every one. I also need to know {0}, counted before you begin.",
)
_DEPENDING = (
    "please find out {0}, and tell me. If it is more than {1}, {2} the {3} {4} among {5}. Otherwise {2} the one {6}.",
    "tell me {0}. Should that be over {1}, then of {5} {2} the {3} {4}; if it is not, {2} the {3} {6} instead.",
)


def for_all(sources: Sources, known: Sequence[Figure], rng: random.Random) -> Iterator[Sketch]:
    """Something is done to all that fit, and a figure is told beside it."""
    for selection, deed in _deeds(sources, rng):
        if 2 <= len(selection.rows) <= MOST_DONE and _can(sources.practice, selection, deed):
            for figure in rng.sample(known, min(FIGURES_OF_A_DEED, len(known))):
                sketch = _done_to_all(sources, rng.choice(_TO_ALL), selection, deed, figure)
                if sketch is not None:
                    yield sketch


def _done_to_all(sources: Sources, wording: str, selection: Selection, deed: Deed, figure: Figure) -> Sketch | None:
    each = f'tools.{deed.tool}({deed.parameter}=row["id"])'
    test = [f"    if {selection.test}:", f"        {each}"] if selection.test else [f"    {each}"]
    loop = "\n".join([f"for row in {selection.fetched}:", *test])
    fact = figure_said("how_it_was", figure)
    told = proofs.returned(["'It is done.'", fact.told])
    body = f'answers = {{"how_it_was": figure(tools)}}\n{loop}\n{told}'
    solution = program([function("figure", figure.code)], body)
    played = sources.practice.play(solution)
    if played is None:
        return None
    meant = [row["id"] for row in selection.rows]
    verifier = done(selection, deed.verb, meant, wanted(selection), played, [fact])
    if verifier is None:
        return None
    noun = selection.listing.things.noun
    text = wording.format(figure.words, deed.verb, selection.words)
    nouns = [noun.one, *figure.nouns]
    name = f"{deed.verb} all {noun.many}"
    return sketched(sources.practice, "for_all", name, text, "action", nouns, [fact.field], solution, verifier)


def depending(sources: Sources, known: Sequence[Figure], rng: random.Random) -> Iterator[Sketch]:
    """Something is done to the first or to the last, as a figure will have it."""
    for selection, deed in _deeds(sources, rng):
        listing = selection.listing
        for order in orders(listing.things, listing.shown):
            values = [row[order.column] for row in selection.rows]
            if None in values or any(values.count(end) > 1 for end in (min(values), max(values))):
                continue
            for figure in rng.sample(known, min(FIGURES_OF_A_DEED, len(known))):
                over = rng.random() < 0.5
                sketch = _done_to_one(sources, rng.choice(_DEPENDING), selection, deed, order, figure, over)
                if sketch is not None:
                    yield sketch


def _done_to_one(
    sources: Sources, wording: str, selection: Selection, deed: Deed, order: Order, figure: Figure, over: bool
) -> Sketch | None:
    border = figure.value - _margin(figure.value) if over else figure.value + _margin(figure.value)
    filtered = f"[row for row in {selection.fetched}{' if ' + selection.test if selection.test else ''}]"
    fact = figure_said("the_figure", figure)
    body = (
        f'told = figure(tools)\nrows = sorted({filtered}, key=lambda row: row["{order.column}"])\n'
        f'chosen = rows[-1] if told > {border} else rows[0]\ntools.{deed.tool}({deed.parameter}=chosen["id"])\n'
        f'answers = {{"the_figure": told}}\n' + proofs.returned(["'It is done.'", fact.told])
    )
    solution = program([function("figure", figure.code)], body)
    played = sources.practice.play(solution)
    if played is None:
        return None
    rows = sorted(selection.rows, key=lambda row: row[order.column])
    meant = [rows[-1 if over else 0]["id"]]
    verifier = done(selection, deed.verb, meant, _either_end(selection, order, figure, border), played, [fact])
    if verifier is None:
        return None
    noun = selection.listing.things.noun.one
    text = wording.format(figure.words, border, deed.verb, noun, order.last, selection.words, order.first)
    name = f"{deed.verb} one {noun} or another"
    nouns = [noun, *figure.nouns]
    return sketched(sources.practice, "depending", name, text, "action", nouns, [fact.field], solution, verifier)


def _either_end(selection: Selection, order: Order, figure: Figure, border: int) -> str:
    """The function of the verifier that finds the one row that was meant."""
    sql = f"SELECT r.id AS id FROM {selection.source} WHERE {selection.where} ORDER BY r.{order.column}"
    body = (
        f"found = {queried('initial', figure.sql, figure.values)}[0]['value']\n"
        f"rows = {queried('initial', sql, selection.values)}\n"
        f"return [rows[-1]['id'] if found > {border} else rows[0]['id']]"
    )
    return function("wanted", body, "world")


def _deeds(sources: Sources, rng: random.Random) -> Iterator[tuple[Selection, Deed]]:
    """Parts of lists that something can be done to; of a list that splits by a number, either side too."""
    found = [
        (part, deed)
        for listing in sources.listings
        for deed in sources.deeds(listing)
        for selection in selections(listing, 2)
        for part in (selection, *_sides(selection, rng))
    ]
    yield from rng.sample(found, len(found))


def _sides(selection: Selection, rng: random.Random) -> Iterator[Selection]:
    listing = selection.listing
    for measure in measures(listing.things, listing.shown):
        values = sorted({row[measure.column] for row in selection.rows})
        if len(values) > 2:
            place = rng.randrange(1, len(values))
            border = (values[place - 1] + values[place] + 1) // 2
            if values[place - 1] < border < values[place]:
                for operator in "<>":
                    yield Selection(listing, (*selection.conditions, limit(measure, operator, border)))


def _can(practice: Practice, selection: Selection, deed: Deed) -> bool:
    return all(practice.call(deed.tool, **{deed.parameter: row["id"]}) is not None for row in selection.rows)


def _margin(value: int) -> int:
    """How far a border lies from the figure: near, and so that it comes out round."""
    step = 10 ** max(0, len(str(value)) - 2)
    return max(1, value % step + step if step > 1 else 1)
