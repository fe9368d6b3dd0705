"""From what a request asks to its two programs: the solution over the tools, and the verifier over the database.

Belongs here: the form of the two. Does not: what is asked (`asking`, `acting`).
"""

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from envfactory_dagster.contracts.reports import AnswerField
from envfactory_dagster.language.embedded import proofs
from envfactory_dagster.language.embedded.kit import Row
from envfactory_dagster.language.embedded.programs.practice import Played
from envfactory_dagster.language.embedded.programs.selections import Figure, Selection

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True)
class Said:
    """One thing that is to be told: a field of the answer form, and a check by itself."""

    field: AnswerField
    body: str
    """Of a function of `world`: finds `value`."""

    @property
    def told(self) -> str:
        """The expression for the sentence that tells it, in a program with `answers`."""
        return proofs.telling(self.field, f"answers[{self.field.name!r}]")


def figure_said(name: str, figure: Figure) -> Said:
    body = f"value = {queried('initial', figure.sql, figure.values)}[0]['value']"
    return Said(number_field(name, figure.words, figure.kind), body)


def number_field(name: str, words: str, kind: str) -> AnswerField:
    """The field for a number of this kind of `Figure`."""
    is_money = kind.endswith("cents")
    return AnswerField(
        name=name,
        type="money" if is_money else "integer",
        description=words.replace(", in cents", ""),
        unit=proofs.CURRENCY if is_money else "",
    )


def queried(database: str, sql: str, values: Sequence[object]) -> str:
    bound = f", {list(values)!r}" if values else ""
    return f"world.{database}.query({sql!r}{bound})"


def function(name: str, body: str, parameters: str = "tools") -> str:
    return f"def {name}({parameters}):\n{textwrap.indent(body.strip(), '    ')}\n"


def goal(name: str, about: str, body: str) -> str:
    return function(f"goal_{name}", f'"""{about}"""\n{body}', "world")


def program(helpers: Sequence[str], body: str) -> str:
    return "\n\n".join([*helpers, function("solve", body)])


def informed(facts: Sequence[Said]) -> str:
    """The verifier of a request that only asks."""
    return "\n\n".join([*map(_said, facts), proofs.GUARD_DONE.lstrip(), proofs.GUARD_NOTHING.lstrip()])


def _said(fact: Said) -> str:
    about = f"Says {fact.field.description}."
    return goal(f"says_{fact.field.name}", about, f"{fact.body}\nreturn world.report.says({fact.field.name!r}, value)")


def wanted(selection: Selection, order: str = "") -> str:
    """The function that says which rows something is to be done to; `order`: only to the first in it."""
    sql = f"SELECT r.id AS id FROM {selection.source} WHERE {selection.where}{order}"
    found = queried("initial", sql, selection.values)
    return function("wanted", f"return [row['id'] for row in {found}]", "world")


def done(
    selection: Selection, verb: str, meant: Sequence[int], wanted_by: str, played: Played, facts: Sequence[Said]
) -> str | None:
    """The verifier of a request to do something to the rows that are `meant`, which its function `wanted` finds, from
    what doing it came to; None where that is no change of exactly these rows that tells it from other deeds."""
    table = selection.listing.things.table
    before, after = played.before[table], played.after[table]
    changed = [key for key in before if before[key] != after.get(key)]
    if sorted(changed) != sorted(meant) or after.keys() - before.keys():
        return None
    gone = [key for key in changed if key not in after]
    if gone and gone != changed:
        return None
    test, columns = ("not rows", frozenset[str]()) if gone else _traces(selection, played, changed)
    if not test:
        return None
    body = (
        f"meant = wanted(world)\nfor key in meant:\n"
        f"    rows = world.final.query('SELECT * FROM {table} WHERE id = ?', [key])\n"
        f"    if not ({test}):\n        return False\nreturn bool(meant)"
    )
    created, moved = _consequences(played, table)
    checks = [
        goal("done", f"Did what was asked ({verb}) to each that was meant.", body),
        *map(_said, facts),
        proofs.GUARD_DONE.lstrip(),
        _GUARD.format(table=table, columns=tuple(sorted(columns)), created=created, moved=moved),
    ]
    return "\n\n".join([wanted_by, *checks])


def _consequences(played: Played, table: str) -> tuple[dict[str, int], dict[tuple[str, int], Row]]:
    """What the service itself does in other tables: new rows, and what changes in rows that were there."""
    created: dict[str, int] = {}
    moved: dict[tuple[str, int], Row] = {}
    for other in played.before:
        before, after = played.before[other], played.after[other]
        if other != table and before != after:
            created |= {other: len(new)} if (new := after.keys() - before.keys()) else {}
            for key, row in before.items():
                now = after.get(key, {})
                if differing := {name: now.get(name) for name in row if row[name] != now.get(name)}:
                    moved[other, key] = differing
    return created, moved


def _traces(selection: Selection, played: Played, changed: Sequence[int]) -> tuple[str, frozenset[str]]:
    """The test that a row shows the deed, and the columns that it changes."""
    table = selection.listing.things.table
    pairs = [(played.before[table][key], played.after[table][key]) for key in changed]
    columns = frozenset(name for before, after in pairs for name in before if before[name] != after[name])
    for name in sorted(columns, key=lambda name: not selection.listing.things.column(name).values):
        values = {after[name] for _, after in pairs}
        fixed = not any(_DAY.match(str(value)) for value in values)
        if fixed and len(values) == 1 and all(before[name] not in values for before, _ in pairs):
            return f"rows and rows[0][{name!r}] == {values.pop()!r}", columns
    return "", columns


_GUARD = '''\
def guard_changes_nothing_else(world) -> bool:
    """Touched no other row and no other column, but what the service does by itself."""
    meant, new = wanted(world), {created!r}
    for change in world.changes:
        table, before, after = change["table"], change["before"], change["after"]
        if before is None:
            new[table] = new.get(table, 0) - 1
            allowed = new[table] >= 0
        elif table == {table!r}:
            allowed = before["id"] in meant and (
                after is None or all(before[c] == after[c] for c in before if c not in {columns!r})
            )
        else:
            due = {moved!r}.get((table, before["id"]), dict())
            allowed = after is not None and all(after[c] == due.get(c, before[c]) for c in before)
        if not allowed:
            return False
    return True
'''
