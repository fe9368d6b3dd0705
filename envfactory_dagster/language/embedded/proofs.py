"""From a draft to its proof: a reference solution over the tools, and a verifier that states the goal.

Both are rendered from the same values as the task's words. Belongs here: the form of the two programs. Does not: what
is asked (`tasks`, and the asks of the modules).
"""

import re
import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from envfactory_dagster.contracts.reports import AnswerField, AnswerForm, AnswerType
from envfactory_dagster.contracts.truth import Solution, Verifier
from envfactory_dagster.language.embedded.compose import rows, tables
from envfactory_dagster.language.embedded.kit import Fact, Goal, Step
from envfactory_dagster.language.embedded.plan import Plan
from envfactory_dagster.language.embedded.rehearsal import database_of
from envfactory_dagster.language.embedded.tables import columns_of, table_name
from envfactory_dagster.language.embedded.tasks import Draft, Part
from envfactory_dagster.language.embedded.text import fill, identifier, sentence
from envfactory_dagster.language.embedded.world import build_world

GUARD_NOTHING = '''
def guard_changes_nothing(world) -> bool:
    """Left every row as it was."""
    return not world.changes
'''
GUARD_ALLOWED = '''
def guard_changes_nothing_else(world) -> bool:
    """Changed no row, and no column, beyond what was asked."""
    seen = {}
    for change in world.changes:
        before, after = change["before"], change["after"]
        kind = "created" if before is None else "deleted" if after is None else "changed"
        allowed = ALLOWED.get((change["table"], kind))
        if allowed is None:
            return False
        seen[change["table"], kind] = seen.get((change["table"], kind), 0) + 1
        if seen[change["table"], kind] > allowed["most"]:
            return False
        if before is not None and allowed["ids"] is not None and before["id"] not in allowed["ids"]:
            return False
        if kind == "changed" and any(before[c] != after[c] for c in before if c not in allowed["columns"]):
            return False
    return True
'''
GUARD_DONE = '''
def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
'''
_REFUSED = '''
def goal_refuses_it_by_the_rule(world) -> bool:
    """Reports that the rule forbids it."""
    return world.report.outcome == "refused" and world.report.reason == "RULE"


def guard_reports_a_refusal(world) -> bool:
    """Reports that it is refused."""
    return world.report.outcome in (None, "refused")


def guard_names_no_other_rule(world) -> bool:
    """Gives no other rule as reason."""
    return world.report.reason in (None, "RULE")
'''
CURRENCY = "EUR"
_CENTS = re.compile(r"SELECT\b[^,]*cents\b.* AS value\b")
_DATE, _TIME = re.compile(r"\d{4}-\d{2}-\d{2}"), re.compile(r"\d{2}:\d{2}")
_FORMATS = re.compile(r",? ?\(?\b(?:in cents|(?:as )?YYYY-MM-DD|as HH:MM)\)?")
"""Said in the words of a task, and said again by the type of the field."""

_DICTATED = re.compile(r"((?:\w+\.)?\w+) = :([a-z_]+)")


def solution(plan: Plan, draft: Draft) -> Solution:
    form = AnswerForm(fields=_form(plan, draft))
    return Solution(task=draft.task.id, source=_program(draft.parts, form), form=form)


def alternatives(plan: Plan, draft: Draft) -> list[str]:
    """Programs that come to another end, one for each choice that is left."""
    form = AnswerForm(fields=_form(plan, draft))
    return [
        _program([_chosen_otherwise(part, *choice) if part is free else part for part in draft.parts], form)
        for free in draft.parts
        for choice in free.step.otherwise
    ]


def _chosen_otherwise(part: Part, made: str, otherwise: str) -> Part:
    if made not in part.step.solve:
        raise ValueError(f"the program of {part.ask.name} does not say {made!r}")
    return replace(part, step=replace(part.step, solve=part.step.solve.replace(made, otherwise)))


def _program(parts: Sequence[Part], form: AnswerForm) -> str:
    """Every part is a function; `solve` puts what they return into one report."""
    fields = iter(form.fields)
    lines, said, rule = [], [], None
    for part in parts:
        call = f"_{identifier(part.ask.name)}(tools{_literals(part.step)})"
        told = [next(fields) for _ in part.step.facts]
        if part.ask.rule:
            rule, call = part.ask.rule, f"refused = {call}"
        elif told:
            call = f"{', '.join(f'answers[{field.name!r}]' for field in told)} = {call}"
        lines.append(call)
        said += [telling(field, f"answers[{field.name!r}]") for field in told]
    if rule:
        outcome, reason = '"refused" if refused else "done"', f'"{rule}" if refused else None'
        said.append("refused or 'It is done.'")
    else:
        outcome, reason = '"done"', "None"
        said[:0] = [] if all(part.kind == "information" for part in parts) else ["'It is done.'"]
    body = "\n".join(["answers = {}", *lines, returned(said, outcome, reason)])
    functions = "\n\n".join(_function(part) for part in parts)
    return f"{functions}\n\ndef solve(tools):\n{textwrap.indent(body, '    ')}\n"


def returned(said: Sequence[str], outcome: str = '"done"', reason: str = "None") -> str:
    """The end of a program that has filled in `answers`; `said`: expressions, one for each sentence."""
    sentences = "".join(f"    {one},\n" for one in said)
    return (
        f"message = [\n{sentences}]\n"
        f'return {{"outcome": {outcome}, "answers": answers, "reason": {reason}, "message": " ".join(message)}}'
    )


def telling(field: AnswerField, value: str) -> str:
    """The expression for the sentence that tells a value."""
    shown = f'format({value} / 100, ".2f") + {f" {field.unit}"!r}' if field.type == "money" else f"str({value})"
    return f'{f"{sentence(field.description)}: "!r} + {shown} + "."'


def _form(plan: Plan, draft: Draft) -> list[AnswerField]:
    """What a draft asks to be told, fact by fact. The type of an answer is that of the value it has in this world."""
    names = _field_names(draft.parts)
    if not names:
        return []
    database = database_of(tables(plan), rows(build_world(plan, draft.task.state)))
    fields = []
    for part in draft.parts:
        wish = _FORMATS.sub("", part.words().rpartition("tell me ")[2])
        for fact in part.step.facts:
            sql, values = _bound(part, fact.sql)
            [[value]] = database.execute(sql, values).fetchall()
            about = wish if len(part.step.facts) == 1 else f"{fact.name.replace('_', ' ')} ({wish})"
            fields.append(
                AnswerField(
                    name=names[part.ask.name, fact.name],
                    type="money" if _CENTS.match(sql) else _type_of(value),
                    description=about,
                    unit=CURRENCY if _CENTS.match(sql) else "",
                )
            )
    return fields


def _field_names(parts: Sequence[Part]) -> dict[tuple[str, str], str]:
    """The field of each fact, by the names of ask and fact: short where no other part asks for the like."""
    short = {
        (part.ask.name, fact.name): re.sub(r"^(?:the|its|their)_", "", fact.name)
        for part in parts
        for fact in part.step.facts
    }
    alike = Counter(short.values())
    return {
        (ask, fact): f"{identifier(ask)}_{name}" if alike[name] > 1 else name for (ask, fact), name in short.items()
    }


def _type_of(value: object) -> AnswerType:
    if isinstance(value, int | float):
        return "integer" if isinstance(value, int) else "number"
    text = str(value)
    return "date" if _DATE.fullmatch(text) else "time" if _TIME.fullmatch(text) else "text"


def verifier(plan: Plan, draft: Draft) -> Verifier:
    parts, names = draft.parts, _field_names(draft.parts)
    rule = draft.task.rule
    checks = [_goal(part, goal) for part in parts for goal in part.step.goals]
    checks += [_fact(part, fact, names[part.ask.name, fact.name]) for part in parts for fact in part.step.facts]
    checks.append((_REFUSED.replace("RULE", rule) if rule else GUARD_DONE).lstrip())
    allowed = _allowed(plan, draft)
    head = [f"ALLOWED = {{\n{allowed}}}\n"] if allowed else []
    guard = GUARD_ALLOWED if allowed else GUARD_NOTHING
    return Verifier(task=draft.task.id, source="\n\n".join([*head, *checks, guard.lstrip()]))


def _function(part: Part) -> str:
    parameters = "".join(f", {name}" for name in part.step.values)
    body = fill(textwrap.dedent(part.step.solve).strip(), part.binding.words, part.binding.flags)
    return f"def _{identifier(part.ask.name)}(tools{parameters}):\n{textwrap.indent(body, '    ')}\n"


def _literals(step: Step) -> str:
    return "".join(f", {name}={value!r}" for name, value in step.values.items())


def _goal(part: Part, goal: Goal) -> str:
    return (
        f"def goal_{identifier(part.ask.name)}_{goal.name}(world) -> bool:\n"
        f'    """Reached: {goal.name.replace("_", " ")}."""\n'
        f"    row = world.final.one({_query(part, goal.sql)})\n"
        f'    return row["n"] == {goal.equals}\n'
    )


def _fact(part: Part, fact: Fact, field: str) -> str:
    return (
        f"def goal_{identifier(part.ask.name)}_{fact.name}(world) -> bool:\n"
        f'    """Says {fact.name.replace("_", " ")}."""\n'
        f"    row = world.initial.one({_query(part, fact.sql)})\n"
        f'    return row is not None and world.report.says({field!r}, row["value"])\n'
    )


def _lenient(found: re.Match[str], values: Mapping[str, object]) -> str:
    """Words that the person says are compared as words; days, codes and kinds as they stand."""
    value = values.get(found[2])
    if isinstance(value, str) and not re.search(r"\d|_", value):
        return f"same_text({found[1]}, :{found[2]})"
    return found[0]


def _query(part: Part, template: str) -> str:
    sql, values = _bound(part, template)
    sql = _DICTATED.sub(lambda found: _lenient(found, part.step.values), sql)
    return f"{sql!r}, {values!r}"


def _bound(part: Part, template: str) -> tuple[str, dict[str, Any]]:
    sql = " ".join(fill(template, part.binding.words, part.binding.flags).split())
    names = set(re.findall(r":([a-z_]+)", sql))
    values = {name: value for name, value in part.step.values.items() if name in names}
    return sql, values


def _allowed(plan: Plan, draft: Draft) -> str:
    """The literal that says which changes the steps may leave behind."""
    lines = []
    for part in draft.parts:
        for allow in part.step.allows:
            module, role = part.binding.owners[allow.role]
            owner = plan.binding(module)
            entity = next(entity for entity in owner.entities() if entity.role == role)
            names = {column.key: column.name for column in columns_of(owner, entity)}
            columns = tuple(names[key] for key in allow.columns if key in names)
            for kind, most in (("created", allow.created), ("changed", allow.changed), ("deleted", allow.deleted)):
                if most:
                    ids = None if kind == "created" else allow.ids
                    entry = {"most": most, "ids": ids, "columns": columns}
                    lines.append(f"    ({table_name(owner, role)!r}, {kind!r}): {entry!r},\n")
    return "".join(lines)
