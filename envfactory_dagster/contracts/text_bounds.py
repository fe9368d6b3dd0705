"""How long and how deep a text of somebody else's may be, before anything in this process parses it.

A parser takes up to a thousand bytes and some microseconds for every word, and many of them go down one call for every
level. Belongs here: the limits, and the one place where Python that others wrote is parsed. Does not: limits of one
kind of text, such as a statement of SQL, which stand beside its parser.
"""

import ast
import re
import threading

from envfactory_dagster.contracts.errors import EnvironmentFault

MOST_CHARACTERS = 600_000
MOST_WORDS = 200_000
"""Words and signs in a text: its parts, whatever its language. The largest module of tools in the library
has 76,000."""
MOST_LEVELS = 100
"""How deep the tree of a source may be. Every `elif` of a chain and every `+` of a sum is a level of its own."""
_MOST_BITS = 1_000
"""Of a whole number in a source: much longer ones are no floats, and Python does not write them out."""

one_parser = threading.RLock()
"""Python 3.11 and 3.12 count the depth of a tree for all threads together: when garbage is collected in one parse and
another thread parses meanwhile, the first ends with a SystemError."""
_WORD = re.compile(r"\w+|[^\w ]")


class TextRefused(EnvironmentFault):
    """A text that is not parsed, or cannot be; the message says why."""

    def __init__(self, message: str, line: int = 1) -> None:
        super().__init__(message)
        self.line = line


def beyond_bounds(text: str, times: int = 1) -> str | None:
    """Say which limit a text passes, as the rest of a sentence; None if it passes none. `times` multiplies them."""
    if len(text) > MOST_CHARACTERS * times:
        return f"it has {len(text):,} characters, and {MOST_CHARACTERS * times:,} is the most"
    if len(text) > MOST_WORDS * times and sum(1 for _ in _WORD.finditer(text)) > MOST_WORDS * times:
        return f"it has more than {MOST_WORDS * times:,} words and signs"
    return None


def python_tree(source: str) -> ast.Module:
    """The tree of a module. Raises TextRefused."""
    tree = _parsed(source, "exec")
    assert isinstance(tree, ast.Module)
    return tree


def python_expression(source: str) -> ast.expr:
    """The tree of a single expression. Raises TextRefused."""
    tree = _parsed(source, "eval")
    assert isinstance(tree, ast.Expression)
    return tree.body


def _parsed(source: str, mode: str) -> ast.AST:
    if (too_much := beyond_bounds(source)) is not None:
        raise TextRefused(f"This source is not parsed: {too_much}; write less.")
    try:
        with one_parser:
            tree: ast.AST = ast.parse(source, mode=mode)
    except SyntaxError as error:
        raise TextRefused(f"Python cannot parse this: {error.msg}.", error.lineno or 1) from error
    except (RecursionError, MemoryError) as error:
        raise _too_deep(1) from error
    except ValueError as error:
        raise TextRefused("This source is no text that Python can parse.") from error
    _check_depth(tree)
    return tree


def _check_depth(tree: ast.AST) -> None:
    depth, level = 0, [tree]
    while level:
        depth += 1
        if depth > MOST_LEVELS:
            raise _too_deep(next((node.lineno for node in level if isinstance(node, ast.expr | ast.stmt)), 1))
        for node in level:
            if isinstance(node, ast.Constant) and type(node.value) is int and node.value.bit_length() > _MOST_BITS:
                raise TextRefused("There is a number of more than 300 digits here; write a smaller one.", node.lineno)
        level = [child for node in level for child in ast.iter_child_nodes(node)]


def _too_deep(line: int) -> TextRefused:
    return TextRefused(
        f"This source is nested more than {MOST_LEVELS} levels deep; split it up. Every elif of a chain and every + "
        "of a sum is a level.",
        line,
    )
