"""Faults of artifacts: small mistakes applied to a correct answer, each of a kind that models really make.

A mutation takes the answer as JSON and returns it changed, with a sentence on what was done; or None when the answer
offers no place for it. Belongs here: nothing but the mistakes. Does not: when they happen (`faults`).
"""

import ast
import copy
import random
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Mutated:
    answer: Json
    detail: str


Source = Callable[[str, random.Random], str | None]


def mutate(
    kind: str, schema: str, context: Mapping[str, Any], answer: Mapping[str, Any], rng: random.Random
) -> Mutated | None:
    changed = copy.deepcopy(dict(answer))
    if schema == "seed_rows" and kind in _ROWS:
        return _ROWS[kind](changed, context, rng)
    if schema == "database_schema" and kind == "unknown_column":
        return _unknown_parent_column(changed, rng)
    if schema == "server_code" and kind in _CODE:
        return _in_some_function(kind, changed, rng)
    if kind in (programs := _PROGRAMS.get(schema, {})):
        return _in_some_program(kind, programs[kind], changed, rng)
    return None


# -- rows and schema ---------------------------------------------------------------------------------------------------


def _unknown_parent_column(answer: Json, rng: random.Random) -> Mutated | None:
    tables = [table for table in answer["tables"] if "REFERENCES" in table["ddl"]]
    if not tables:
        return None
    table = rng.choice(tables)
    table["ddl"] = re.sub(r"(REFERENCES \w+) ?\(\w+\)", r"\1 (ref_no)", table["ddl"], count=1)
    return Mutated(answer, f"a foreign key of {table['name']} refers to a column that does not exist")


def _unknown_column(answer: Json, context: Mapping[str, Any], rng: random.Random) -> Mutated | None:
    table = rng.choice([table for table in answer["tables"] if table["rows"]])
    index = rng.randrange(1, len(table["columns"]))
    old = table["columns"][index]
    table["columns"][index] = f"{old}_value"
    return Mutated(answer, f"rows of {table['table']} fill {old}_value, which is no column")


def _broken_constraint(answer: Json, context: Mapping[str, Any], rng: random.Random) -> Mutated | None:
    """A NULL where none may be, or a parent that does not exist."""
    ddl = {table["name"]: table["ddl"] for table in context["tables"]}
    places = [
        (table, index, column, "REFERENCES" in line)
        for table in answer["tables"]
        if table["rows"]
        for index, column in enumerate(table["columns"])
        for line in ddl.get(table["table"], "").splitlines()
        if line.split()[:1] == [column] and "NOT NULL" in line
    ]
    if not places:
        return None
    table, index, column, is_parent = rng.choice(places)
    rng.choice(table["rows"])[index] = 99_999 if is_parent else None
    what = "refers to a row that does not exist" if is_parent else "is NULL"
    return Mutated(answer, f"{table['table']}.{column} {what}")


_ROWS: Mapping[str, Callable[[Json, Mapping[str, Any], random.Random], Mutated | None]] = {
    "unknown_column": _unknown_column,
    "broken_constraint": _broken_constraint,
}

# -- tool code ---------------------------------------------------------------------------------------------------------


def _in_some_function(kind: str, answer: Json, rng: random.Random) -> Mutated | None:
    functions = list(answer["functions"])
    rng.shuffle(functions)
    for function in functions:
        source = _CODE[kind](function["source"], rng)
        if source is not None and source != function["source"]:
            function["source"] = source
            return Mutated(answer, f"{function['name']}: {kind.replace('_', ' ')}")
    return None


def _replace_one(source: str, pattern: str, replacement: str, rng: random.Random) -> str | None:
    """One of the places where the pattern matches, replaced."""
    found = list(re.finditer(pattern, source))
    if not found:
        return None
    match = rng.choice(found)
    return source[: match.start()] + match.expand(replacement) + source[match.end() :]


def _after_docstring(source: str, line: str) -> str | None:
    """A statement at the start of the function's body."""
    end = source.find('"""', source.find('"""') + 3)
    return None if end < 0 else f"{source[: end + 3]}\n    {line}{source[end + 3 :]}"


def _code_unknown_column(source: str, rng: random.Random) -> str | None:
    return _replace_one(source, r"\bWHERE (\w+\.)?id\b", r"WHERE \g<1>record_no", rng) or _replace_one(
        source, r"\bSELECT (\w+\.)?id\b", r"SELECT \g<1>record_no", rng
    )


def _wrong_column(source: str, rng: random.Random) -> str | None:
    """Writes the right value into another column of the statement."""
    match = re.search(r"UPDATE \w+ SET (\w+) = (?:\?|:\w+|'\w+'), (\w+) = ", source)
    if match is None:
        return None
    first, second = match[1], match[2]
    swapped = match[0].replace(f"SET {first} =", "SET \0 =").replace(f", {second} =", f", {first} =")
    return source.replace(match[0], swapped.replace("\0", second))


def _missing_where(source: str, rng: random.Random) -> str | None:
    """An UPDATE or DELETE that reaches every row."""
    return _replace_one(
        source,
        r"((?:UPDATE|DELETE)[^\"]*?) WHERE id = \?(\",\s*\[[^\]]*?),? ?[^,\[\]]+(?:\[[^\]]*\])?\]",
        r"\1\2]",
        rng,
    )


def _off_by_one(source: str, rng: random.Random) -> str | None:
    return (
        _replace_one(source, r" >= ", " > ", rng)
        or _replace_one(source, r" <= ", " < ", rng)
        or _replace_one(source, r"([+-]) 1\b", r"\1 2", rng)
    )


def _wrong_owner(source: str, rng: random.Random) -> str | None:
    """Looks at, or acts for, another person than the one signed in."""
    return _replace_one(source, r"\benv\.user_id\b", "env.user_id + 1", rng)


def _exception(source: str, rng: random.Random) -> str | None:
    return _after_docstring(source, 'total = {}["total"]')


def _infinite_loop(source: str, rng: random.Random) -> str | None:
    return _after_docstring(source, "while env.now:\n        pass")


_CODE: Mapping[str, Source] = {
    "unknown_column": _code_unknown_column,
    "wrong_column": _wrong_column,
    "missing_where": _missing_where,
    "off_by_one": _off_by_one,
    "wrong_owner": _wrong_owner,
    "exception": _exception,
    "infinite_loop": _infinite_loop,
}

# -- solutions and verifiers -------------------------------------------------------------------------------------------


def _in_some_program(kind: str, source: Source, answer: Json, rng: random.Random) -> Mutated | None:
    (programs,) = answer.values()
    for program in rng.sample(programs, len(programs)):
        changed = source(program["source"], rng)
        if changed is not None and changed != program["source"]:
            program["source"] = changed
            return Mutated(answer, f"{program['task']}: {kind.replace('_', ' ')}")
    return None


def _unknown_tool(source: str, rng: random.Random) -> str | None:
    return _replace_one(source, r"\btools\.([a-z]\w*)\(", r"tools.\1_now(", rng)


def _skipped_call(source: str, rng: random.Random) -> str | None:
    """Leaves out a call whose result nothing depends on, as nearly every change is."""
    tree = ast.parse(source)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)]
    if not calls:
        return None
    skipped = rng.choice(calls)
    skipped.value = ast.Constant(None)
    return ast.unparse(tree)


def _first_line(line: str) -> Source:
    """A statement at the start of some function."""
    return lambda source, rng: _replace_one(source, r"(def \w+\([^)]*\)[^:]*:\n)", rf"\1    {line}\n", rng)


def _wrong_outcome(source: str, rng: random.Random) -> str | None:
    return _replace_one(source, r'"outcome": [^,]+', '"outcome": "impossible"', rng)


def _no_answer(source: str, rng: random.Random) -> str | None:
    """Finds the answers out and leaves them out of the report."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            for place, key in enumerate(node.keys):
                if isinstance(key, ast.Constant) and key.value == "answers":
                    node.values[place] = ast.Dict([], [])
                    return ast.unparse(tree)
    return None


def _no_guard(source: str, rng: random.Random) -> str | None:
    return _replace_one(source, r"return False|return not world\.changes", "return True", rng)


def _any_outcome(source: str, rng: random.Random) -> str | None:
    return _replace_one(source, r'return world\.report\.outcome in \(None, "done"\)', "return True", rng)


def _any_answer(source: str, rng: random.Random) -> str | None:
    """Takes whatever was answered for right."""
    return _replace_one(source, r"world\.report\.says\([^\n]+\)", "world.report.outcome is not None", rng)


def _reads_initial(source: str, rng: random.Random) -> str | None:
    return _replace_one(source, r"\bworld\.final\b", "world.initial", rng)


def _expects_one_more(source: str, rng: random.Random) -> str | None:
    return _replace_one(source, r"== 1\b", "== 2", rng)


def _unknown_status(source: str, rng: random.Random) -> str | None:
    return _replace_one(source, r"\bstatus = ", "state_now = ", rng)


_PROGRAMS: Mapping[str, Mapping[str, Source]] = {
    "reference_solutions": {
        "exception": _first_line('total = {}["total"]'),
        "infinite_loop": _first_line("while tools: pass"),
        "no_answer": _no_answer,
        "skipped_call": _skipped_call,
        "unknown_tool": _unknown_tool,
        "wrong_outcome": _wrong_outcome,
    },
    "verifiers": {
        "any_answer": _any_answer,
        "any_outcome": _any_outcome,
        "exception": _first_line('total = {}["total"]'),
        "no_guard": _no_guard,
        "off_by_one": _expects_one_more,
        "reads_initial": _reads_initial,
        "unknown_column": _unknown_status,
    },
}
_KINDS: Mapping[str, Iterable[str]] = {
    "seed_rows": _ROWS,
    "database_schema": ("unknown_column",),
    "server_code": _CODE,
    **_PROGRAMS,
}
MUTATIONS = tuple(sorted({kind for kinds in _KINDS.values() for kind in kinds}))


def kinds_for(schema: str) -> tuple[str, ...]:
    """The mistakes that answers to this schema can have."""
    return tuple(sorted(_KINDS.get(schema, ())))
