"""The allow-list of tool modules: what goes through, what does not, and that the sentence says why."""

import textwrap

import pytest

from envfactory_dagster.runtime.facade import ALLOWED_IMPORTS, SAFE_BUILTINS
from envfactory_dagster.runtime.facts import screen_tools
from envfactory_dagster.runtime.facts.screen import ALLOWED_BUILTINS

FINE = '''
"""Tools of a library."""

import datetime as dt
import json
from collections import Counter
from math import ceil

MOST_LOANS = 5
_STATES = ("in", "out", ("lost", -1))
BY_ID: str = (
    "SELECT id, title FROM books "
    "WHERE id = ?"
)


def _due(day: str, days: int = MOST_LOANS) -> str:
    return (dt.date.fromisoformat(day) + dt.timedelta(days=days)).isoformat()


def _book(env, book_id, *, states=_STATES):
    row = env.one(BY_ID, [book_id])
    if row is None:
        raise env.Error(f"there is no book {book_id}")
    return row


def borrow(env, *, book_ids: list[int], note: str | None = None) -> dict[str, object]:
    """Borrow several books."""
    books = [_book(env, book_id) for book_id in book_ids]
    by_title = {book["title"]: book for book in books}
    try:
        first, *rest = sorted(by_title, key=lambda title: title.lower())
    except ValueError as error:
        raise env.Error(str(error)) from error
    match note:
        case str() as text if (stripped := text.strip()):
            kept = stripped
        case other:
            kept = other

    def shout(text):
        return text.upper()

    due = _due(env.now[:10])
    env.execute("INSERT INTO changes (what) VALUES (?)", [json.dumps([shout(first), rest, kept, env.user_id])])
    return {"due": due, "pages": ceil(sum(len(t) for t in by_title) / 2), "n": Counter(book_ids).total()}
'''


def test_a_module_that_keeps_to_the_conventions_goes_through() -> None:
    assert screen_tools(FINE) == []


REFUSED = {
    "import os": ("import", "os may not be imported; a tool may import collections, datetime"),
    "import json, time": ("import", "time may not be imported"),
    "import uuid": ("import", "uuid"),
    "import os.path as json": ("import", "os.path"),
    "from random import choice": ("import", "random"),
    "from . import other": ("import", ". may not be imported"),
    "from json import *": ("import", "json.*"),
    "from json import codecs": ("import", "another module"),
    "from json import nothing": ("import", "json has no nothing"),
    "from collections import _sys": ("import", "not a public member"),
    "most_loans = 5": ("module-level", "UPPER_CASE"),
    "CACHE = {}": ("no-state", "cannot change"),
    "NAMES = ['a']": ("no-state", "tuple"),
    "NAMES = ('a', [])": ("no-state", "tuple"),
    "SEEN = set()": ("no-state", "cannot change"),
    "A = 1 + 1": ("no-state", "literal"),
    "A = B = []": ("no-state", "literal"),
    "A: int": ("no-state", "literal"),
    "(A, B) = (1, 2)": ("module-level", "UPPER_CASE"),
    "A = 1\nA = 2": ("duplicate-name", "A is defined twice"),
    "print('hello')": ("module-level", "Only imports"),
    "if True:\n    pass": ("module-level", "Only imports"),
    "'''Doc.'''\n'''Again.'''": ("module-level", "Only imports"),
    "class Thing:\n    pass": ("no-classes", "dicts are enough"),
    "async def tool(env) -> dict:\n    '''Doc.'''\n    return {}": ("no-async", "plain functions"),
    "def _a():\n    pass\ndef _a():\n    pass": ("duplicate-name", "_a is defined twice"),
    "def tool(:": ("python-syntax", "cannot parse"),
    "A = '\0'": ("python-syntax", "null bytes"),
}


@pytest.mark.parametrize(("source", "expected"), REFUSED.items(), ids=REFUSED)
def test_at_module_level_only_imports_constants_and_functions_stand(source: str, expected: tuple[str, str]) -> None:
    rule, words = expected
    problems = screen_tools(source)
    assert {problem.rule for problem in problems} == {rule}
    assert words in problems[-1].sentence


SIGNATURES = {
    "def tool(env, a: int) -> dict:\n    '''Doc.'''": "by keyword only",
    "def tool(*, a: int) -> dict:\n    '''Doc.'''": "takes env",
    "def tool(world, *, a: int) -> dict:\n    '''Doc.'''": "takes env",
    "def tool(env=None) -> dict:\n    '''Doc.'''": "takes env",
    "def tool(env, *rest) -> dict:\n    '''Doc.'''": "no *args",
    "def tool(env, **rest) -> dict:\n    '''Doc.'''": "no **kwargs",
    "def tool(env, *, a) -> dict:\n    '''Doc.'''": "a has no type",
    "def tool(env, *, a: int) -> dict:\n    return {}": "docstring",
    "def tool(env, *, a: int):\n    '''Doc.'''": "-> dict",
    "def tool(env, *, a: int) -> list:\n    '''Doc.'''": "-> dict",
    "def _helper(a, env):\n    return a": "first parameter of a helper",
}


@pytest.mark.parametrize(("source", "words"), SIGNATURES.items(), ids=SIGNATURES)
def test_a_tool_looks_the_same_from_outside_as_every_other(source: str, words: str) -> None:
    (problem,) = screen_tools(source)
    assert problem.rule == "signature"
    assert words in problem.sentence


BODIES = {
    "import time": ("import", "top of the module"),
    "global x\nx = 1": ("no-state", "global"),
    "def inner():\n    nonlocal a\n    a = 1": ("no-state", "nonlocal"),
    "tool.cache = 1": ("no-state", ".cache"),
    "json.loads = None": ("no-state", ".loads"),
    "del env.now": ("no-state", ".now"),
    "yield a": ("no-generators", "does not yield"),
    "return a.__class__": ("private-attribute", "__class__"),
    "return (one for one in ()).gi_frame.f_back": ("private-attribute", "gi_frame"),
    "match a:\n    case object(gi_frame=found):\n        return found": ("private-attribute", "gi_frame"),
    "return env._database": ("private-attribute", "_database"),
    "return ''.__class__.__mro__": ("private-attribute", "private"),
    "match a:\n    case object(__class__=found):\n        return found": ("private-attribute", "__class__"),
    "return string.Formatter().get_field('0.__class__', [a], {})": ("import", "string.Formatter reaches attributes"),
    "return __builtins__": ("unknown-name", "__builtins__"),
    "return __import__('os')": ("forbidden-name", "__import__"),
    "return eval(a)": ("forbidden-name", "eval"),
    "return open(a)": ("forbidden-name", "no files"),
    "return getattr(env, a)": ("forbidden-name", "getattr"),
    "return globals()": ("forbidden-name", "globals"),
    "return id(a)": ("forbidden-name", "another number on every run"),
    "return hash(a)": ("forbidden-name", "another number on every run"),
    "return type('Thing', (), {})": ("forbidden-name", "isinstance"),
    "print(a)": ("forbidden-name", "result only"),
    "return undefined": ("unknown-name", "undefined is not defined"),
    "return json.codecs.open(a)": ("import", "json.codecs is another module"),
    "return json.dump_all(a)": ("import", "json has no dump_all"),
    "return datetime.datetime.now()": ("clock", "env.now"),
    "return datetime.date.today()": ("clock", "env.now"),
    "return env.now()": ("env", "without parentheses"),
    "return env.user_id()": ("env", "without parentheses"),
    "return env.commit()": ("env", "env has no commit; it offers Error, execute"),
    "query = env.query\nreturn query('SELECT 1')": ("env", "do not keep it"),
    "world = env\nreturn world.now": ("env", "handed on"),
    "return [env]": ("env", "handed on"),
    "return a(env)": ("env", "handed on"),
    "return _helper(a, env)": ("env", "first argument"),
    "env = a": ("env", "handed on"),
    "def inner(x=[]):\n    return x": ("no-state", "default"),
    "return (lambda x={}: x)()": ("no-state", "default"),
    "@staticmethod\ndef inner():\n    pass": ("no-decorators", "plain"),
}


@pytest.mark.parametrize(("body", "expected"), BODIES.items(), ids=BODIES)
def test_inside_a_function(body: str, expected: tuple[str, str]) -> None:
    rule, words = expected
    source = (
        "import datetime\nimport json\nimport string\n\n\ndef _helper(env, a):\n    return a\n\n\n"
        'def tool(env, *, a: int) -> dict:\n    """Doc."""\n' + textwrap.indent(body, "    ")
    )
    problems = [problem for problem in screen_tools(source) if problem.rule == rule]
    assert any(words in problem.sentence for problem in problems)
    assert {problem.function for problem in problems} == {"tool"}
    assert all(problem.line >= 11 and problem.snippet for problem in problems)


def test_a_refusal_may_be_caught_and_a_local_name_may_shadow_a_module() -> None:
    source = '''
import json


def tool(env, *, a: dict) -> dict:
    """Doc."""
    try:
        return {"x": json.dumps(a)}
    except env.Error:
        pass


def other(env, *, json: dict) -> dict:
    """Doc."""
    return json.keys_of_mine
'''
    assert screen_tools(source) == []


def test_what_the_screen_allows_the_sandbox_offers() -> None:
    assert set(SAFE_BUILTINS) >= ALLOWED_BUILTINS
    for module in ALLOWED_IMPORTS:
        assert screen_tools(f"import {module}\n") == []


def test_problems_come_in_order_of_lines() -> None:
    lines = [problem.line for problem in screen_tools("import os\nA = []\nprint(1)\nimport sys\n")]
    assert lines == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("name", "body", "rule"),
    [
        ("list", "return {'n': list(range(a))}", ""),
        ("open", "return {'text': open(a)}", "forbidden-name"),
        ("filter", "return filter(env)", "env"),
    ],
)
def test_a_name_of_a_builtin_means_the_builtin_also_where_a_tool_is_called_so(name: str, body: str, rule: str) -> None:
    source = f'def other(env, *, a: int) -> dict:\n    """Doc."""\n    {body}\n\n\n'
    source += f'def {name}(env) -> dict:\n    """Doc."""\n    return {{}}\n'
    assert [problem.rule for problem in screen_tools(source)] == ([rule] if rule else [])


def test_many_faults_in_one_long_line_are_told_with_its_beginning_only() -> None:
    line = "; ".join(f"nobody{n}" for n in range(10_000))
    problems = screen_tools(f"def tool(env, *, x: int) -> dict:\n    {line}\n")
    assert len(problems) > 10_000 and {len(problem.snippet) for problem in problems if problem.line == 2} == {160}


def test_a_source_beyond_the_bounds_is_one_clear_problem() -> None:
    for source in ("a\n" * 500_000, "A = " + "+".join(["1"] * 300)):
        (problem,) = screen_tools(source)
        assert problem.rule == "python-syntax"
