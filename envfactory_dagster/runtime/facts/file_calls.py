"""Calls of `env.files` as the SQL that they come to, so that every fact about SQL is one about files too.

Belongs here: rewriting the syntax of a module, for reading only. Does not: what such a call does (`env_files`). Which
file a table is, and which field a column, stands in the comments of the schema that `file_images` wrote.
"""

import ast
import json
import re
from dataclasses import dataclass
from typing import TypeGuard

from envfactory_dagster.runtime.facts.results import CodeProblem
from envfactory_dagster.runtime.facts.schema import Schema, SchemaTable

FILE_METHODS = frozenset(
    (
        *("paths", "exists", "read_text", "read_data", "records", "count", "get", "sample", "search"),
        *("append", "update", "remove", "write_text", "write_data"),
    )
)
_OF_RECORDS = frozenset(("records", "count", "get", "sample", "append", "update"))
_TABLE, _COLUMN = re.compile(r"^CREATE TABLE (\w+) \( -- (\".*\")$"), re.compile(r"^    (\w+) .* -- (\".*\")$")
_WRITE_DOCUMENT = (
    "INSERT INTO documents (path, text) VALUES (?, ?) ON CONFLICT (path) DO UPDATE SET text = excluded.text"
)


@dataclass(frozen=True, slots=True)
class _File:
    table: str
    key: str
    columns: dict[str, str]
    """By field."""

    def selection(self) -> str:
        names = {column: name.replace('"', '""') for name, column in self.columns.items()}
        columns = ", ".join(f'{column} AS "{name}"' for column, name in names.items())
        return f"SELECT {columns} FROM {self.table}"


def with_sql_for_files(tree: ast.Module, schema: Schema) -> tuple[ast.Module, list[CodeProblem]]:
    """The module with those calls replaced, and what is wrong with any of them."""
    files = {path: file for table in schema.tables.values() for path, file in _file_of(table)}
    if not files and "documents" not in schema.tables:
        return tree, []
    writer = _Writer(files)
    made = writer.visit(tree)
    assert isinstance(made, ast.Module)
    return ast.fix_missing_locations(made), writer.problems


def path_of(table: SchemaTable) -> str | None:
    """The file that a table is kept in, where it is."""
    lines = table.sql.splitlines()
    head = _TABLE.match(lines[0]) if lines else None
    if head is None or len(table.primary_key) != 1:
        return None
    path: str = json.loads(head[2])
    return path


def _file_of(table: SchemaTable) -> list[tuple[str, _File]]:
    path, lines = path_of(table), table.sql.splitlines()
    if path is None:
        return []
    spelled = {found[1]: json.loads(found[2]) for line in lines if (found := _COLUMN.match(line))}
    columns = {spelled.get(column.name, column.name): column.name for column in table.columns}
    return [(path, _File(table.name, table.primary_key[0], columns))]


def path_of_records(node: ast.Call) -> ast.expr | None:
    """The path in a call of `env.files` that is about records; None in every other call."""
    if not _is_of_files(node.func):
        return None
    is_of_one = node.func.attr == "remove" and _argument(node, 1, "key") is not None
    return _argument(node, 0, "path") if is_of_one or node.func.attr in _OF_RECORDS else None


def _is_of_files(called: ast.expr) -> TypeGuard[ast.Attribute]:
    return (
        isinstance(called, ast.Attribute)
        and isinstance(called.value, ast.Attribute)
        and called.value.attr == "files"
        and isinstance(called.value.value, ast.Name)
        and called.value.value.id == "env"
    )


class _Writer(ast.NodeTransformer):
    def __init__(self, files: dict[str, _File]) -> None:
        self._files = files
        self._function = ""
        self.problems: list[CodeProblem] = []

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self._function, outside = self._function or node.name, self._function
        self.generic_visit(node)
        self._function = outside
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        called = node.func
        if isinstance(called, ast.Name) and called.id == "open":
            made = self._opened(node)
            return node if made is None else ast.copy_location(made, node)
        if not _is_of_files(called):
            return node
        path = _argument(node, 0, "path")
        literal = path.value if isinstance(path, ast.Constant) and isinstance(path.value, str) else None
        file = self._files.get(literal) if literal is not None else None
        if file is None and literal is not None and called.attr in _OF_RECORDS:
            known = ", ".join(sorted(self._files)) or "none"
            sentence = f"There are no records in a file {literal!r}; there are some in: {known}."
            self._note(node, "no-such-file", sentence)
        made = self._of_file(node, called.attr, file) if file else _of_documents(node, called.attr, path)
        return node if made is None else ast.copy_location(made, node)

    def _note(self, node: ast.expr, rule: str, sentence: str) -> None:
        self.problems.append(CodeProblem(node.lineno, rule, sentence, ast.unparse(node)[:160], self._function))

    def _opened(self, node: ast.Call) -> ast.expr | None:
        """What is read or written by `open`, where its path is written out."""
        path, mode = _argument(node, 0, "file"), _argument(node, 1, "mode")
        if not isinstance(path, ast.Constant) or not isinstance(path.value, str):
            return None
        file = self._files.get(path.value.removeprefix("/app/database/").removeprefix("./"))
        writes = isinstance(mode, ast.Constant) and "r" not in str(mode.value)
        return self._of_file(node, "write_text" if writes else "read_text", file) if file is not None else None

    def _of_file(self, node: ast.Call, method: str, file: _File) -> ast.expr | None:
        second, third = _argument(node, 1, _SECOND.get(method, "")), _argument(node, 2, _THIRD.get(method, ""))
        if method in ("records", "sample", "count"):
            where, values = self._condition(second if method != "sample" else third, file)
            if method != "count":
                return _call("query", file.selection() + where, values)
            return _item(_call("one", f"SELECT count(*) AS n FROM {file.table}{where}", values), "n")
        if method in ("read_data", "read_text"):
            return _call("query", file.selection(), [])
        if method == "get" and second is not None:
            return _call("one", f"{file.selection()} WHERE {file.key} = ?", [second])
        if method == "append" and second is not None:
            named = self._fields(second, file)
            columns, values = [*named], [*named.values()]
            if not columns:
                return None
            if third is not None:
                columns, values = [file.key, *columns], [third, *values]
            places = ", ".join("?" * len(columns))
            return _call("insert", f"INSERT INTO {file.table} ({', '.join(columns)}) VALUES ({places})", values)
        if method == "update" and second is not None and third is not None:
            named = {column: value for column, value in self._fields(third, file).items() if column != file.key}
            columns = [f"{column} = ?" for column in named]
            if not columns:
                return None
            sql = f"UPDATE {file.table} SET {', '.join(columns)} WHERE {file.key} = ?"
            return _call("execute", sql, [*named.values(), second])
        if method == "remove" and second is not None:
            return _call("execute", f"DELETE FROM {file.table} WHERE {file.key} = ?", [second])
        if method in ("write_text", "write_data"):
            return _call("execute", f"DELETE FROM {file.table}", [])
        return None

    def _condition(self, given: ast.expr | None, file: _File) -> tuple[str, list[ast.expr]]:
        if not isinstance(given, ast.Dict):
            return "", []
        named = self._fields(given, file)
        return " WHERE " + " AND ".join(f"{column} = ?" for column in named) if named else "", [*named.values()]

    def _fields(self, given: ast.expr, file: _File) -> dict[str, ast.expr]:
        """Column → value, of a dictionary that is written out; else of whatever fields it may have."""
        if not isinstance(given, ast.Dict):
            known = file.columns.items()
            return {column: _item(given, name) for name, column in known if column != file.key or name == column}
        named: dict[str, ast.expr] = {}
        for name, value in zip(given.keys, given.values, strict=True):
            if not isinstance(name, ast.Constant) or not isinstance(name.value, str):
                continue
            if name.value in file.columns:
                named[file.columns[name.value]] = value
            else:
                sentence = f"A record of {file.table} has no field {name.value!r}; it has {', '.join(file.columns)}."
                self._note(given, "no-such-field", sentence)
        return named


_SECOND = {
    **dict.fromkeys(("records", "count"), "where"), **dict.fromkeys(("get", "update", "remove"), "key"),
    "append": "record",
}  # fmt: skip
_THIRD = {"sample": "where", "append": "key", "update": "changes"}


def _of_documents(node: ast.Call, method: str, path: ast.expr | None) -> ast.expr | None:
    if method == "search":
        return _call("query", "SELECT path, 1 AS line, text FROM documents", [])
    if method == "paths":
        row = ast.Name("row", ast.Load())
        each = ast.comprehension(ast.Name("row", ast.Store()), _call("query", "SELECT path FROM documents", []), [], 0)
        return ast.ListComp(_item(row, "path"), [each])
    if path is None:
        return None
    if method == "exists":
        found = _call("one", "SELECT path FROM documents WHERE path = ?", [path])
        return ast.Compare(found, [ast.IsNot()], [ast.Constant(None)])
    if method in ("read_text", "read_data"):
        return _item(_call("one", "SELECT text FROM documents WHERE path = ?", [path]), "text")
    if method == "remove":
        return _call("execute", "DELETE FROM documents WHERE path = ?", [path])
    if method in ("write_text", "write_data") and (text := _argument(node, 1, _WRITTEN[method])) is not None:
        return _call("execute", _WRITE_DOCUMENT, [path, text])
    return None


_WRITTEN = {"write_text": "text", "write_data": "value"}


def _argument(node: ast.Call, position: int, name: str) -> ast.expr | None:
    if len(node.args) > position:
        return node.args[position]
    return next((keyword.value for keyword in node.keywords if keyword.arg == name), None)


def _call(method: str, sql: str, values: list[ast.expr]) -> ast.Call:
    called = ast.Attribute(ast.Name("env", ast.Load()), method, ast.Load())
    given: list[ast.expr] = [ast.Constant(sql)]
    return ast.Call(called, [*given, ast.Tuple(values, ast.Load())] if values else given, [])


def _item(owner: ast.expr, name: str) -> ast.Subscript:
    return ast.Subscript(owner, ast.Constant(name), ast.Load())
