"""From a draft to its proof: a reference solution over the tools, and a verifier that states the goal.

Both are rendered from the same values as the task's words. Belongs here: the form of the two programs. Does not: what
is asked (`tasks`, and the asks of the modules).
"""

import re
import textwrap
from collections.abc import Sequence
from dataclasses import replace

from envfactory_dagster.contracts.truth import Solution, Verifier
from envfactory_dagster.language.embedded.kit import Fact, Goal, Step
from envfactory_dagster.language.embedded.plan import Plan
from envfactory_dagster.language.embedded.tables import columns_of, table_name
from envfactory_dagster.language.embedded.tasks import Draft, Part
from envfactory_dagster.language.embedded.text import fill, identifier

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
NAMES = '''
import re


def names(world, value, others) -> bool:
    """Whether the answer says this, and not merely everything there is to say."""
    listed = [o for o in others if isinstance(o, str) and o not in str(value) and world.mentions(o)]
    numbers = re.findall(r"\\d[\\d.,:/-]*", world.answer or "")
    return world.mentions(value) and len(listed) <= 2 and len(numbers) <= 12
'''
_RECITES = '''
def recites(world) -> bool:
    """Whether the answer goes through the rules, instead of naming the one that counts."""
    said = set(re.findall(r"[a-z]+", (world.answer or "").lower()))
    return sum(len(said.intersection(rule)) >= 0.8 * len(rule) for rule in RULES) >= 3
'''
_COLUMN = re.compile(r"SELECT (?:(\w+)\.)?(\w+) AS value FROM (\w+)")
_SAYS_NO = r"\bnot\b|cannot|n't\b|\bno\b|unable|impossible|refus|reject|declin|den[iy]|forbid|against|only"


def solution(draft: Draft) -> Solution:
    return Solution(task=draft.task.id, source=_program(draft.parts))


def alternatives(draft: Draft) -> list[str]:
    """Programs that come to another end, one for each choice that is left."""
    return [
        _program([_chosen_otherwise(part, *choice) if part is free else part for part in draft.parts])
        for free in draft.parts
        for choice in free.step.otherwise
    ]


def _chosen_otherwise(part: Part, made: str, otherwise: str) -> Part:
    if made not in part.step.solve:
        raise ValueError(f"the program of {part.ask.name} does not say {made!r}")
    return replace(part, step=replace(part.step, solve=part.step.solve.replace(made, otherwise)))


def _program(parts: Sequence[Part]) -> str:
    functions = "\n\n".join(_function(part) for part in parts)
    calls = [f"_{identifier(part.ask.name)}(tools{_literals(part.step)})" for part in parts]
    if len(calls) == 1:
        body = f"    return {calls[0]}\n"
    else:
        said = "".join(f"        {call},\n" for call in calls)
        body = (
            f'    said = [\n{said}    ]\n    return "; ".join(str(part) for part in said if part is not None) or None\n'
        )
    return f"{functions}\n\ndef solve(tools):\n{body}"


def verifier(plan: Plan, draft: Draft) -> Verifier:
    parts = draft.parts
    checks = [_goal(part, goal) for part in parts for goal in part.step.goals]
    checks += [_fact(part, fact) for part in parts for fact in part.step.facts]
    checks += [_reason(part) for part in parts if part.step.reason]
    allowed = _allowed(plan, draft)
    head = ["import re\n", _rules(plan), _RECITES.lstrip()] if draft.task.kind == "refusal" else []
    head += [f"ALLOWED = {{\n{allowed}}}\n"] if allowed else []
    head += [NAMES.lstrip()] if any(part.step.facts for part in parts) else []
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


def _fact(part: Part, fact: Fact) -> str:
    return (
        f"def goal_{identifier(part.ask.name)}_{fact.name}(world) -> bool:\n"
        f'    """Says {fact.name.replace("_", " ")}."""\n'
        f"    row = world.initial.one({_query(part, fact.sql)})\n"
        f"{_others(part, fact)}"
        f'    return row is not None and names(world, row["value"], others)\n'
    )


def _others(part: Part, fact: Fact) -> str:
    """The line that finds what else could be said; nothing where the answer is computed."""
    sql = " ".join(fill(fact.sql, part.binding.words, part.binding.flags).split())
    column = _COLUMN.match(sql)
    if column is None:
        return "    others = []\n"
    named = re.search(rf"(?:FROM|JOIN) (\w+) {column[1]}\b", sql) if column[1] else None
    query = f"SELECT DISTINCT {column[2]} AS value FROM {named[1] if named else column[3]}"
    return f'    others = [other["value"] for other in world.initial.query({query!r})]\n'


def _reason(part: Part) -> str:
    """Who only repeats what was asked gives no reason, unless there is no other word for it."""
    asked = part.words()
    reasons = [word for word in part.step.reason if not re.search(rf"(?<!\w){re.escape(word)}(?!\w)", asked, re.I)]
    named = f"any(world.mentions(word) for word in {tuple(reasons) or part.step.reason!r})"
    return (
        f"def goal_{identifier(part.ask.name)}_says_why(world) -> bool:\n"
        '    """Tells the user that it cannot be done, and why."""\n'
        f"    says_no = re.search({_SAYS_NO!r}, world.answer or '', re.IGNORECASE) is not None\n"
        f"    return says_no and not recites(world) and {named}\n"
    )


def _rules(plan: Plan) -> str:
    """The literal that holds the words of each rule, without the shortest, which stand everywhere."""
    words = [tuple(sorted(set(re.findall(r"[a-z]{4,}", rule.text.lower())))) for rule in plan.rules()]
    return "RULES = (\n" + "".join(f"    {rule!r},\n" for rule in words) + ")\n"


def _query(part: Part, template: str) -> str:
    sql = " ".join(fill(template, part.binding.words, part.binding.flags).split())
    names = set(re.findall(r":([a-z_]+)", sql))
    values = {name: value for name, value in part.step.values.items() if name in names}
    return f"{sql!r}, {values!r}"


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
