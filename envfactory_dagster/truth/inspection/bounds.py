"""Whether a bound is drawn where the words around it say: just before its value, or just after.

Names and words only suggest what is meant, so what is read here is a warning: the author judges it, and no tool fails
for it alone. It is a failure where a call shows it (`of_what_grows`). Belongs here: comparisons in tool code and in its
SQL, held against rules, names and the other tools. Does not: bounds that a call can show by itself
(`authoring.trials.answers`, `limits`).
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from envfactory_dagster.contracts.inspection import Finding
from envfactory_dagster.truth.inspection.exploration import Called, Exploration
from envfactory_dagster.truth.inspection.inspected import Inspected
from envfactory_dagster.truth.inspection.lookups import parsed

LEAST_OTHERS = 2
"""How many other tools must draw a bound alike before one that does not is taken to be wrong."""

_OPERATORS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
_OPPOSITE = {"<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_COUNTS = re.compile(r"^(n|count|number|taken|times)$|_(used|count|taken)$|^len\(|^sum\(|count\(")
_TOO_MUCH = re.compile(
    r"\b(at most|no more than|not more than|within|up to|more than|above|over|beyond|for)\b (?:\w+ )??$"
)
_TOO_LITTLE = re.compile(r"\b(at least|no less than|fewer than|less than|under|below|once in|every)\b (?:\w+ )??$")
_LEAST = re.compile(r"(^|_)(least|min|minimum)(_|$)")
_UNITS = ("minutes", "hours", "days", "weeks")
_TELLING, _CERTAIN = 4, 10
"""Below `_TELLING` a number of a rule is met by chance; below `_CERTAIN` it counts only where its unit stands beside
it."""
_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_DATE = re.compile(
    rf"\b\d{{1,2}}(?:st|nd|rd|th)? (?:of )?(?:{_MONTHS})\b(?: \d{{4}}\b)?|\b(?:{_MONTHS}) \d{{1,2}}\b(?:,? \d{{4}}\b)?"
)
"""A day of the calendar is no number of anything."""
_AGE = re.compile(r"(\b|_)age(_|\b)")
"""Counts years: "under 15" is no slip of a rule's 14 days."""
_UNTIL = re.compile(r"(^|_)(until|deadline|latest|due)(_|$|\b)")
_MOST = re.compile(r"(^|_)(most|max|maximum|limit|capacity|seats|stock|spare|free|left|available|balance)(_|$)")


@dataclass(frozen=True, slots=True)
class Bound:
    """`left operator right` as the condition under which something is refused or left out."""

    tool: str
    left: str
    operator: str
    right: str
    text: str

    def turned(self) -> "Bound":
        return Bound(self.tool, self.right, _MIRRORED[self.operator], self.left, self.text)


def findings(inspected: Inspected) -> Iterator[Finding]:
    bounds = list(dict.fromkeys(bound for tool in inspected.tools for bound in _bounds(inspected, tool)))
    rules = _DATE.sub("that day", " . ".join(rule.text for rule in inspected.bundle.theme.rules).lower())
    for bound in bounds:
        wanted = _by_rule(bound, rules) or _by_name(bound)
        if wanted is not None and wanted != bound.operator:
            yield _finding(
                bound, f"refuses when {bound.text}, where its words mean {bound.left} {wanted} {bound.right}"
            )
    yield from _by_the_others(bounds)
    for tool in inspected.tools:
        yield from _beside_a_rule(inspected, tool, rules)


def _by_rule(bound: Bound, rules: str) -> str | None:
    """The operator that a rule with this very number asks for."""
    if not re.fullmatch(r"\d+", bound.right):
        return None
    for number in re.finditer(rf"\b{bound.right}\b", rules):
        before = rules[: number.start()]
        if _TOO_LITTLE.search(before) and bound.operator in ("<", "<="):
            return "<"
        if _TOO_MUCH.search(before) and bound.operator in (">", ">="):
            is_count = _COUNTS.search(bound.left) or rules[number.end() :].startswith((" times", " time "))
            return ">=" if is_count else ">"
    return None


def _by_name(bound: Bound) -> str | None:
    """`value < least` and `value > most`: what is named a bound is still within; so is the day until which it is so."""
    if _UNTIL.search(bound.left) and bound.right == "now" and bound.operator in _OPERATORS.values():
        return bound.operator[0]
    if _LEAST.search(bound.right) and bound.operator in ("<", "<="):
        return "<"
    if _MOST.search(bound.right) and bound.operator in (">", ">=") and not _COUNTS.search(bound.left):
        return ">"
    return None


def _by_the_others(bounds: list[Bound]) -> Iterator[Finding]:
    """Whether the very moment or amount counts: for the same two things, all tools say the same."""
    alike: dict[tuple[str, str], Counter[str]] = {}
    for bound in bounds:
        alike.setdefault((bound.left, bound.right), Counter())[_strictness(bound.operator)] += 1
    for bound in (bound for bound in bounds if bound.right != "?"):
        counted = alike[bound.left, bound.right]
        mine = _strictness(bound.operator)
        other = sum(count for strictness, count in counted.items() if strictness != mine)
        if counted[mine] == 1 and other >= LEAST_OTHERS:
            yield _finding(bound, f"draws the bound at {bound.text} on the other side than {other} other places do")


def _beside_a_rule(inspected: Inspected, tool: str, rules: str) -> Iterator[Finding]:
    """25 hours, where a rule says 24."""
    ruled = {int(number): unit for number, unit in re.findall(r"\b(\d+) (\w+)", rules)}
    for function in inspected.functions(tool):
        for node in ast.walk(function):
            value: ast.expr | None = None
            if isinstance(node, ast.keyword) and node.arg in _UNITS:
                value = node.value
            elif isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _OPERATORS:
                # The number of a day of the week counts nothing, whatever number a rule has.
                value = None if "weekday()" in ast.unparse(node.left) else node.comparators[0]
            number = value.value if isinstance(value, ast.Constant) and type(value.value) is int else None
            if number is None or number in ruled:
                continue
            beside = {number - 1, number + 1} & ruled.keys()
            about = _ruled(_said(node.left), rules) if isinstance(node, ast.Compare) else set()
            text = ast.unparse(node)
            if isinstance(node, ast.Compare) and _AGE.search(ast.unparse(node.left)):
                beside = {n for n in beside if ruled[n].startswith("year")}
            near = [
                n for n in sorted(beside) if n in about or n >= _CERTAIN or (n >= _TELLING and ruled[n][:3] in text)
            ]
            if near and (not isinstance(node, ast.keyword) or ruled[near[0]] == node.arg):
                message = f"{tool}: {text} stands where a rule says {near[0]} {ruled[near[0]]}."
                yield Finding(tool=tool, criterion="results", severity="warning", message=message, snippet=text)


def _ruled(name: str, rules: str) -> set[int]:
    """The numbers of the rules that speak of what is so called: "paused at most 3 times" of `pauses_used`."""
    about = _beginnings(name)
    spoken = [rule for rule in rules.split(" . ") if about & _beginnings(rule)]
    return {int(number) for rule in spoken for number in re.findall(r"\d+", rule)}


def _beginnings(text: str) -> set[str]:
    """Of its longer words: `pauses` and `paused` begin alike."""
    return {word[:4] for word in re.findall("[a-z]{4,}", text.replace("_", " "))}


def of_what_grows(inspected: Inspected, exploration: Exploration) -> Iterator[Finding]:
    """What there has to be enough of does not grow when it is taken: a failure once a call is seen to do so."""
    from sqlglot import exp

    for tool in inspected.tools:
        scarce = {
            bound.right
            for bound in _bounds(inspected, tool)
            if bound.operator in (">", ">=") and _MOST.search(bound.right)
        }
        for statement in inspected.facts.tools[tool].statements:
            tree: Any = parsed(statement.sql)
            for part in tree.expressions if isinstance(tree, exp.Update) else ():
                column, value = part.this.name, part.expression
                if isinstance(value, exp.Add) and column in scarce and value.this.name == column:
                    is_seen = any(_grows(call, tree.this.name, column) for call in exploration.good(tool))
                    yield Finding(
                        tool=tool,
                        criterion="state",
                        severity="fail" if is_seen else "warning",
                        message=f"{tool}: it asks that there is enough {column}, and then adds to it.",
                        snippet=part.sql(),
                    )


def _grows(call: Called, table: str, column: str) -> bool:
    for change in call.changes:
        if change.table == table and change.before and change.after:
            before, after = change.before[column], change.after[column]
            if isinstance(before, int | float) and isinstance(after, int | float) and after > before:
                return True
    return False


def _strictness(operator: str) -> str:
    """Which side the very value falls on: `x > y` and not `x <= y` are one bound."""
    return "above" if operator in (">=", "<") else "below"


# -- reading -----------------------------------------------------------------------------------------------------------


def _bounds(inspected: Inspected, tool: str) -> Iterator[Bound]:
    for function in inspected.functions(tool):
        for node in ast.walk(function):
            if isinstance(node, ast.If) and isinstance(node.body[-1], ast.Raise):
                yield from _in_python(tool, node.test)
    for statement in inspected.facts.tools[tool].statements:
        yield from _in_sql(tool, statement.sql)


def _in_python(tool: str, test: ast.expr) -> Iterator[Bound]:
    for node in ast.walk(test):
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _OPERATORS:
            sides = _said(node.left), _said(node.comparators[0])
            yield _ordered(Bound(tool, sides[0], _OPERATORS[type(node.ops[0])], sides[1], ast.unparse(node)))


def _in_sql(tool: str, sql: str) -> Iterator[Bound]:
    """A row is left out when the condition does not hold."""
    from sqlglot import exp

    kinds = {exp.LT: "<", exp.LTE: "<=", exp.GT: ">", exp.GTE: ">="}
    tree: Any = parsed(sql)
    for node in tree.find_all(*kinds):
        where = node.find_ancestor(exp.Where)
        if where is not None:
            sides = _said_in_sql(node.left), _said_in_sql(node.right)
            yield _ordered(Bound(tool, sides[0], _OPPOSITE[kinds[type(node)]], sides[1], node.sql(dialect="sqlite")))


def _ordered(bound: Bound) -> Bound:
    """What is measured on the left, what it is held against on the right."""
    is_turned = bound.left == "now" or bound.left.isdigit() or _is_a_limit(bound.left) > _is_a_limit(bound.right)
    return bound.turned() if is_turned and bound.right != "now" else bound


def _is_a_limit(name: str) -> bool:
    return bool(_LEAST.search(name) or _MOST.search(name))


def _said(node: ast.expr) -> str:
    """A side of a comparison in a word: a column, a name, the clock."""
    text = ast.unparse(node)
    if text.startswith("env.now") or text in ("today", "now"):
        return "now"
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        return _said(node.value)
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        return str(node.slice.value)
    return text


def _said_in_sql(node: Any) -> str:
    from sqlglot import exp

    if isinstance(node, exp.Column | exp.Placeholder) and node.name:
        return str(node.name)
    columns = list(node.find_all(exp.Column)) if isinstance(node, exp.Substring) else []
    return str(columns[0].name) if columns else str(node.sql(dialect="sqlite"))


def _finding(bound: Bound, what: str) -> Finding:
    return Finding(
        tool=bound.tool,
        criterion="results",
        severity="warning",
        message=f"{bound.tool}: it {what}.",
        snippet=bound.text,
    )
