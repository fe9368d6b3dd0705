"""Doing without the tools that fail for good, as Agent-World does: what is left is the environment.

Belongs here: which tasks go with them, and the bundle that is left. Does not: which tools fail, and
whether enough is left (both `inspector`).
"""

import ast
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.text_bounds import python_tree
from envfactory_dagster.contracts.tools import ToolTest
from envfactory_dagster.contracts.truth import Dropped
from envfactory_dagster.truth.inspection.exploration import SolutionTrace


def tasks_of(tools: Collection[str], traces: Mapping[str, SolutionTrace], stage: str) -> Iterator[Dropped]:
    """The tasks whose solution calls one of the tools."""
    for task, trace in traces.items():
        needed = sorted({step.tool for step in trace.steps} & set(tools))
        if needed:
            yield Dropped(task=task, reason=f"it needs {', '.join(needed)}, which fails its tests", stage=stage)


def without(bundle: Bundle, tools: Collection[str], tasks: Collection[str]) -> Bundle:
    tests = {name: _without_calls(test, tools) for name, test in bundle.tool_tests.items() if name not in tools}
    return replace(
        bundle,
        tools=[tool for tool in bundle.tools if tool.name not in tools],
        tools_source=without_functions(bundle.tools_source, tools),
        tool_tests={name: test for name, test in tests.items() if test is not None},
        tasks=[task for task in bundle.tasks if task.id not in tasks],
        solutions={task: source for task, source in bundle.solutions.items() if task not in tasks},
        verifiers={task: source for task, source in bundle.verifiers.items() if task not in tasks},
        conversations={task: one for task, one in bundle.conversations.items() if task not in tasks},
    )


def without_functions(source: str, names: Collection[str]) -> str:
    """The module without these tools; their helpers stay, for others may use them."""
    lines = source.splitlines(keepends=True)
    for node in reversed(python_tree(source).body):
        if isinstance(node, ast.FunctionDef) and node.name in names:
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            del lines[first - 1 : node.end_lineno]
    return "".join(lines)


def _without_calls(test: ToolTest, tools: Collection[str]) -> ToolTest | None:
    """What an author said of a tool, as far as it can be tried without the others."""
    if any(call.tool in tools for call in test.before):
        return None
    edges = [edge for edge in test.edges if not any(call.tool in tools for call in edge.before)]
    return test.model_copy(update={"edges": edges})
