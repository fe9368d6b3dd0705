"""Tools are known by what they do, not by what they are called."""

import ast
import re

import pytest

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.datasets.bodies import bodies, fingerprint
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.workspaces import workspace_bundle
from tests.support.workspaces import BAKER, SHOPS, workspace

LIST = '''
def list_orders(env, *, status: str | None = None) -> dict:
    """List the orders, newest first."""
    rows = env.query(
        "SELECT id, code, status FROM orders WHERE (:status IS NULL OR status = :status) ORDER BY id DESC",
        {"status": status},
    )
    return {"orders": rows, "total": len(rows)}
'''


def body(source: str) -> str:
    functions = {node.name: node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}
    return fingerprint(list(functions.values())[-1], functions)


def test_new_names_make_no_new_tool():
    renamed = re.sub(r"\borders\b", "loans", LIST).replace("list_orders", "list_loans").replace("status", "phase")
    assert renamed != LIST and body(renamed) == body(LIST)


def test_more_columns_make_no_new_tool():
    assert body(LIST.replace("id, code, status FROM", "id, code, status, paid_on, o.cents FROM")) == body(LIST)


def test_another_docstring_makes_no_new_tool():
    assert body(LIST.replace("newest first", "latest first")) == body(LIST)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("ORDER BY id DESC", "ORDER BY id"),
        ("IS NULL OR", "IS NULL AND"),
        ("FROM orders", "FROM orders JOIN users ON user_id = id"),
        ('"total": len(rows)', '"total": sum(rows)[0]'),
        ("rows = env", "if status is None:\n        raise env.Error('no')\n    rows = env"),
    ],
)
def test_another_deed_makes_another_tool(before: str, after: str):
    assert before in LIST
    assert body(LIST.replace(before, after)) != body(LIST)


def test_a_helper_is_part_of_the_tools_that_call_it():
    helper = "def _rows(env):\n    return env.query('SELECT a FROM b')\n"
    other = "def _rows(env):\n    return env.query('SELECT a FROM b LIMIT 1')\n"
    tool = "def tool(env):\n    return {'rows': _rows(env)}\n"
    assert body(helper + tool) != body(other + tool)


def test_the_tools_of_an_environment_differ_from_each_other(huts: Bundle):
    found = bodies(huts)
    assert found.keys() == {tool.name for tool in huts.tools_of("assistant")}
    assert len(set(found.values())) == len(found)


async def test_the_tools_of_a_workspace_have_the_bodies_of_its_servers(runtime: Runtime):
    both = await workspace_bundle(runtime, workspace(), SHOPS)
    assert bodies(both) == {f"{p}_{tool}": body for p in ("beer", "bread") for tool, body in bodies(BAKER).items()}
