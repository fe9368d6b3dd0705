"""What the solver has read so far: rows that hang together by ids, and how well each fits a request.

Belongs here: following ids from row to row. Does not: taking results apart (`rows`), and deciding what to do with a row
(`binding`, `answering`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from envfactory_dagster.language.embedded.roles.fitting import limited, named, own_fit
from envfactory_dagster.language.embedded.roles.request import Part
from envfactory_dagster.language.embedded.roles.rows import LABELS, Row, Source, taken_apart
from envfactory_dagster.language.embedded.roles.states import is_off
from envfactory_dagster.language.embedded.roles.words import thing_of

_MOST_OF_OTHERS = 2.8
"""So much may one other row that the request names add."""


@dataclass
class Evidence:
    """Every row that can be seen, the latest reading of each thing last."""

    rows: list[Row] = field(default_factory=list)

    def take(self, tool: str, value: Any, asked: Mapping[str, Any], own: bool) -> None:
        known = {name: one for name, one in asked.items() if isinstance(one, str | int)}
        self.rows += taken_apart(value, Source(tool, known, own))

    def linked(self, row: Row) -> Iterator[Row]:
        """The rows that this one names by id, or that it was asked for with."""
        for name, value in [*row.values.items(), *row.source.asked.items()]:
            words = thing_of(name)
            if value is None or isinstance(value, float) or not words:
                continue
            yield from (
                other
                for other in self.rows
                if other is not row and other.identity == value and set(words) <= set(other.about) | {"s"}
            )

    def around(self, row: Row) -> list[Row]:
        """Whatever hangs together with a row, once."""
        near = [*self.linked(row), *self.linking(row), *([row.around] if row.around is not None else [])]
        return list({id(other): other for other in near if other is not row}.values())

    def says(self, value: str) -> bool:
        """Whether anything that was read is called so."""
        folded = value.casefold()
        return any(
            isinstance(one, str) and folded in one.casefold() for row in self.rows for one in row.values.values()
        )

    def is_mine(self, row: Row) -> bool:
        """Whether the person has something of this: a row of their own names it, by id or as it is called."""
        if row.source.own:
            return True
        called = {value for name, value in row.values.items() if name in LABELS and isinstance(value, str)}
        own = (other for other in self.rows if other.source.own and other is not row)
        linking = {id(other) for other in self.linking(row)}
        return any(
            id(other) in linking or called & {value for value in other.values.values() if isinstance(value, str)}
            for other in own
            if not is_off(other)
        )

    def linking(self, row: Row) -> Iterator[Row]:
        """The rows that name this one by id."""
        if row.about and row.has_identity:
            for other in self.rows:
                for name, value in other.values.items():
                    words = thing_of(name)
                    if value == row.identity and words and set(words) <= set(row.about):
                        yield other

    def fit(self, row: Row, part: Part, hint: Sequence[str] = (), used: bool = True) -> float:
        """How well a row fits what a request says of it. `hint`: words of the tool the row is wanted for; `used`:
        whether rows that name this one count."""
        score = own_fit(row, part, hint)
        others = self.around(row) if used else [*self.linked(row), *([row.around] if row.around is not None else [])]
        for other in {id(one): one for one in others}.values():
            score += min(_MOST_OF_OTHERS, 0.6 * max(0.0, named(other, part)))
        for other in self.linked(row):
            score += limited(other, part)
        if part.wants_new and any(self.is_mine(one) for one in [row, *self.linked(row)]):
            score -= 5.0
        return score
