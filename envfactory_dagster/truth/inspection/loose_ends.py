"""What tool code begins and does not end: values nobody uses, filters that choose nothing, absences nobody notices.

Belongs here: signs of a forgotten step that can be read off the source. Does not: what the gate reads off it already
(`authoring.trials.reading`), and bounds (`bounds`).
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from envfactory_dagster.contracts.inspection import Finding
from envfactory_dagster.contracts.sources import FolderKind
from envfactory_dagster.runtime.facts import USER, Statement
from envfactory_dagster.truth.inspection.inspected import Inspected
from envfactory_dagster.truth.inspection.lookups import lookups, parsed

KINDS_THAT_GIVE_PARAMETERS: tuple[FolderKind, ...] = ("mcp_spec", "tool_docs")
"""Kinds of source that say which parameters tools have."""


def findings(inspected: Inspected) -> Iterator[Finding]:
    shapes = Counter(look.shape for tool in inspected.tools for look in lookups(inspected.functions(tool)))
    judged = {column for tool in inspected.tools for column in _judged(inspected, tool)}
    given_by_source = inspected.bundle.theme.source.kind in KINDS_THAT_GIVE_PARAMETERS
    for tool in inspected.tools:
        yield from _of_the_user(inspected, tool)
        yield from _of_sums_never_stored(inspected, tool)
        for function in inspected.functions(tool):
            yield from _of_unused_locals(tool, function, given_by_source)
            yield from _of_idle_values(tool, function)
        for statement in inspected.facts.tools[tool].statements:
            yield from _of_idle_filters(tool, statement)
        for look in lookups(inspected.functions(tool)):
            is_any = look.by_key(inspected.keys) and _gets_any_key(inspected, tool, look.function)
            if is_any and not look.absence_is_noticed:
                message = f"{tool}: nothing happens when {look.name} is not there; refuse, or return, when it is None."
                yield _finding(tool, "results", message, look.sql)
            unused = look.only_unused if shapes[look.shape] == 1 else None
            if unused is not None and (look.table, unused) in judged and _tells_a_state(inspected, look.table, unused):
                message = f"{tool}: it looks up {look.name} with its {unused}, and never looks at that."
                yield _finding(tool, "results", message, look.sql)


def _gets_any_key(inspected: Inspected, tool: str, function: ast.FunctionDef) -> bool:
    """Whether the key may be whatever the caller says: in the tool's own function, or in a helper that it gives a
    parameter of its own to, without a look at a row before. Keys of rows that were found or made are there."""
    main = next(one for one in inspected.functions(tool) if one.name == tool)
    if function is main:
        return True
    parameters = {argument.arg for argument in main.args.kwonlyargs}
    given = [
        argument.id
        for node in ast.walk(main)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == function.name
        for argument in (*node.args, *(keyword.value for keyword in node.keywords))
        if isinstance(argument, ast.Name)
    ]
    return not parameters.isdisjoint(given) and not any(other.is_asked for other in lookups([main]))


def _tells_a_state(inspected: Inspected, table: str, name: str) -> bool:
    """A text or a flag; numbers are looked up for more reasons than one."""
    found = inspected.schema.tables[table].column(name)
    return found is not None and (found.type == "TEXT" or f"{name} IN (0, 1)" in inspected.schema.tables[table].sql)


def _judged(inspected: Inspected, tool: str) -> Iterator[tuple[str, str]]:
    """Tables and columns that the tool refuses something by."""
    for function in inspected.functions(tool):
        tests = [n.test for n in ast.walk(function) if isinstance(n, ast.If) and isinstance(n.body[-1], ast.Raise)]
        for look in lookups([function]):
            for node in (node for test in tests for node in ast.walk(test)):
                if isinstance(node, ast.Subscript) and ast.unparse(node.value) == look.name:
                    yield look.table, str(ast.literal_eval(node.slice)) if isinstance(node.slice, ast.Constant) else ""


def _of_the_user(inspected: Inspected, tool: str) -> Iterator[Finding]:
    """The user's id is stored where ids of people are."""
    for use in inspected.facts.tools[tool].uses:
        if use.source == USER and use.use == "value" and use.exact and not inspected.keys.refers(use.column):
            yield _finding(
                tool, "state", f"{tool}: it stores the user's id in {use.column}, which holds no people.", ""
            )


def _of_sums_never_stored(inspected: Inspected, tool: str) -> Iterator[Finding]:
    """A command that shows a new total, and leaves the column of that name as it is, where others keep it up. A word,
    as of a status, may stand for what several columns say."""
    fact, kept_up = inspected.facts.tools[tool], inspected.written("update")
    written = {(write.table, column) for write in fact.writes for column in write.columns}
    tables = {write.table for write in fact.writes}
    for output in fact.outputs if fact.writes else ():
        homes = [
            c
            for c in output.columns
            if c.column == output.path
            and (c.table, c.column) in kept_up - written
            and (found := inspected.schema.tables[c.table].column(c.column)) is not None
            and found.type != "TEXT"
        ]
        if homes and not output.exact and not any((table, output.path) in written for table in tables):
            yield _finding(
                tool, "state", f"{tool}: it shows a new {output.path} and does not store it in {homes[0]}.", ""
            )


def _of_unused_locals(tool: str, function: ast.FunctionDef, given_by_source: bool) -> Iterator[Finding]:
    """A value that is worked out and then forgotten: a check or a write is missing. `given_by_source`: whether a source
    says which parameters there are. An unused one is a warning then: a database may have no use for it."""
    assigned = [node.targets[0] for node in ast.walk(function) if isinstance(node, ast.Assign)]
    stored = {target.id: target for target in assigned if isinstance(target, ast.Name)}
    loaded = {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    for name in sorted(stored.keys() - loaded):
        if not name.startswith("_"):
            yield _finding(tool, "results", f"{tool}: {name} is worked out and never used; a step is missing.", name)
    asked = {argument.arg for argument in function.args.kwonlyargs}
    for name in sorted(asked - loaded):
        unused = _finding(tool, "interface", f"{tool}: the parameter {name} is never used.", name)
        yield unused.model_copy(update={"severity": "warning"}) if given_by_source else unused


def _of_idle_values(tool: str, function: ast.FunctionDef) -> Iterator[Finding]:
    """A value that is bound by a name the statement does not mention."""
    asked = {argument.arg for argument in function.args.kwonlyargs}
    for node in ast.walk(function):
        if not isinstance(node, ast.Call) or len(node.args) != 2 or not isinstance(node.args[1], ast.Dict):
            continue
        of_files = ast.unparse(node.func).startswith("env.files.")
        sql = node.args[0].value if isinstance(node.args[0], ast.Constant) and not of_files else None
        for key, value in zip(node.args[1].keys, node.args[1].values, strict=True):
            name = key.value if isinstance(key, ast.Constant) else None
            is_given = isinstance(name, str) and {n.id for n in ast.walk(value) if isinstance(n, ast.Name)} & asked
            if isinstance(sql, str) and is_given and not re.search(rf":{name!s}\b", sql):
                yield _finding(tool, "results", f"{tool}: it binds {name!s}, and no row is chosen by it.", sql)


def _of_idle_filters(tool: str, statement: Statement) -> Iterator[Finding]:
    """`:x IS NULL OR …` where nothing else asks for `:x`: the filter lets everything pass."""
    from sqlglot import exp

    tree: Any = parsed(statement.sql)
    uses: dict[str, list[bool]] = {}
    for placeholder in tree.find_all(exp.Placeholder):
        if placeholder.name:
            uses.setdefault(placeholder.name, []).append(_is_asked_for_null(placeholder))
    for name, only_for_null in uses.items():
        if all(only_for_null):
            message = f"{tool}: {name} is only asked whether it is NULL; no row is chosen by it."
            yield _finding(tool, "results", message, statement.sql)


def _is_asked_for_null(placeholder: Any) -> bool:
    from sqlglot import exp

    return isinstance(placeholder.parent, exp.Is) and isinstance(placeholder.parent.expression, exp.Null)


def _finding(tool: str, criterion: Any, message: str, snippet: str) -> Finding:
    return Finding(tool=tool, criterion=criterion, severity="fail", message=message, snippet=" ".join(snippet.split()))
