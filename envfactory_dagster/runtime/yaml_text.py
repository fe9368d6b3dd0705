"""A YAML file with records in it, taken apart as `file_text` takes other formats apart.

Belongs here: block lists and mappings without anchors, tags or several documents. Dates stay text, and only `true`,
`false`, `null` and plain numbers are more than that: what YAML 1.1 makes of `no` and `12:30` surprises everybody.
"""

import re
from typing import Any

import yaml

from envfactory_dagster.runtime.file_text import MOST_DEPTH, MOST_RECORDS, Piece, Pieces, check_depth, with_mark

_BREAKS = "\r\n\x85\u2028\u2029"
_LINE = re.compile(f"[^{_BREAKS}]*(?:\r\n|[{_BREAKS}])|[^{_BREAKS}]+")
_COMMENT = re.compile(r"[ \t]*(#.*)?")
_TAG = "tag:yaml.org,2002:"


class _Loader(yaml.SafeLoader):
    """With what JSON has, and nothing more."""


_Loader.yaml_implicit_resolvers = {}
for _name, _pattern, _first in (
    ("null", r"~|null|", ["~", "n", ""]),
    ("bool", r"true|false", ["t", "f"]),
    ("int", r"-?(0|[1-9][0-9]{0,18})", list("-0123456789")),
    ("float", r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?", list("-0123456789")),
):
    _Loader.add_implicit_resolver(_TAG + _name, re.compile(f"^(?:{_pattern})$"), _first)


def read_yaml_pieces(text: str) -> Pieces:
    """`ValueError` says what is wrong with the text. Joined, the pieces are the text."""
    try:
        return with_mark(_read, text)
    except yaml.YAMLError as error:
        raise ValueError(f"it is no YAML: {' '.join(str(error).split())[:300]}") from None
    except RecursionError:
        raise ValueError(f"it is nested deeper than {MOST_DEPTH} levels") from None


def _read(text: str) -> Pieces:
    _refuse_what_is_not_plain(text)
    root = yaml.compose(text, Loader=_Loader)
    if not isinstance(root, yaml.CollectionNode) or (root.flow_style and root.value):
        raise ValueError("it is neither a block list nor a block mapping")
    return _pieces(text, root)


def _refuse_what_is_not_plain(text: str) -> None:
    """Before anything is made of it: an alias can make a small file large."""
    depth = documents = 0
    event: Any
    for event in yaml.parse(text, Loader=_Loader):
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise ValueError(f"line {event.start_mark.line + 1}: anchors and aliases are not read")
        if getattr(event, "tag", None) not in (None, "!"):
            raise ValueError(f"line {event.start_mark.line + 1}: tags are not read")
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MOST_DEPTH:
            raise ValueError(f"it is nested deeper than {MOST_DEPTH} levels")
    if documents != 1:
        raise ValueError(f"it has {documents} documents; one is read")


def _pieces(text: str, root: yaml.CollectionNode) -> Pieces:
    lines = _LINE.findall(text)
    is_list = isinstance(root, yaml.SequenceNode)
    if not root.value:
        return _of_nothing(text, root, "list" if is_list else "map")
    column = root.start_mark.column
    nodes = [(None, node) if is_list else node for node in root.value]
    starts = [_start(lines, (key or node).start_mark.line, column, is_list) for key, node in nodes]
    if len(set(starts)) != len(starts) or len(nodes) > MOST_RECORDS:
        raise ValueError(f"its records do not begin on lines of their own, or there are more than {MOST_RECORDS}")
    ends = [*starts[1:], len(lines)]
    items: list[Piece] = []
    keys = set[str]()
    rest = ""
    for (key, node), start, end in zip(nodes, starts, ends, strict=True):
        name = None if key is None else _key(key)
        if name in keys:
            raise ValueError(f"line {start + 1}: the key {name!r} stands twice")
        keys |= {name} if name is not None else set()
        last = end
        while last > start + 1 and _is_between(lines[last - 1], column):
            last -= 1
        whole = "".join(lines[start:last])
        content = whole.rstrip(_BREAKS)
        gap = rest + content[:column] if items else ""
        items.append(Piece(gap, "", content[column:], name, _value(node)))
        rest = whole[len(content) :] + "".join(lines[last:end])
    head = "".join(lines[: starts[0]]) + " " * column
    return Pieces("list" if is_list else "map", head, items, rest, [])


def _of_nothing(text: str, root: yaml.CollectionNode, shape: str) -> Pieces:
    opening = root.start_mark.index if root.start_mark is not None else 0
    if not all(_is_between(line, 0) for line in _LINE.findall(text[:opening])):
        raise ValueError("an empty file of records is [] or {}, with nothing but comments before it")
    return Pieces(shape, text[:opening], [], text[opening:], [])


def _start(lines: list[str], line: int, column: int, is_list: bool) -> int:
    """The line a record begins on: a dash may stand on a line of its own before it."""
    while is_list and line > 0 and not lines[line][column:].startswith("-"):
        line -= 1
    if lines[line][:column].strip(" ") or (is_list and not lines[line][column:].startswith("-")):
        raise ValueError(f"line {line + 1}: a record does not begin here as the others do")
    return line


def _is_between(line: str, column: int) -> bool:
    """A line that is empty, or a comment no further in than the records."""
    content = line.rstrip(_BREAKS)
    indented = len(content) - len(content.lstrip(" "))
    return not content.strip() or (indented <= column and _COMMENT.fullmatch(content) is not None)


def _key(node: yaml.Node) -> str:
    if not isinstance(node, yaml.ScalarNode):
        raise ValueError(f"line {node.start_mark.line + 1}: a key is a text")
    return str(node.value)


def _value(node: yaml.Node) -> Any:
    loader = _Loader("")
    try:
        value = _plain(node, loader)
    finally:
        loader.dispose()
    check_depth(value, MOST_DEPTH)
    return value


def _plain(node: yaml.Node, loader: _Loader) -> Any:
    if isinstance(node, yaml.SequenceNode):
        return [_plain(item, loader) for item in node.value]
    if isinstance(node, yaml.MappingNode):
        made = {_key(key): _plain(item, loader) for key, item in node.value}
        if len(made) != len(node.value):
            raise ValueError(f"line {node.start_mark.line + 1}: an object has a key twice")
        return made
    value = loader.construct_object(node, deep=True)
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        raise ValueError(f"line {node.start_mark.line + 1}: a number is too large")
    return value
