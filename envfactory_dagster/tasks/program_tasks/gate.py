"""What is wrong with a request or its program before anything is run.

Belongs here: questions about the text and the shape of a program. Does not: running it (`stage`), trying its verifier
(`tasks.proving`).
"""

import ast
import re
from collections.abc import Collection, Iterator, Sequence

from envfactory_dagster.authoring import texts
from envfactory_dagster.authoring.texts import FEWEST_WORDS, MOST_WORDS
from envfactory_dagster.contracts.program_tasks import ProgramTaskAnswer
from envfactory_dagster.contracts.records import Fault, Problem
from envfactory_dagster.contracts.text_bounds import TextRefused, python_tree
from envfactory_dagster.contracts.truth import ReferenceSolution
from envfactory_dagster.truth.programs import given_in

EASY = 1
"""At this level it is enough that something is done to all that fit, even where a tool finds them."""
ALIKE = 0.8
_NAME = re.compile(r"\b[A-Za-z]\w*_\w+\b")
_ROW_NUMBER = re.compile(r"\bids?\b\W{0,3}\d+", re.IGNORECASE)
_LOOPS = (ast.For, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_BRANCHES = (ast.If, ast.IfExp, ast.Match)
_AGGREGATES = frozenset(("sum", "max", "min", "len", "sorted", "Counter", "mean", "median", "any", "all", "fsum"))


def problems_of_text(answer: ProgramTaskAnswer, taken: Sequence[str], trade: str) -> list[Problem]:
    """`trade`: the words of the world."""
    plain = texts.unquoted(answer.text)
    problems = [_of_text(sentence, answer) for sentence in texts.out_of_place(answer.text, trade)]
    if found := _NAME.search(plain):
        problems.append(_of_text(f"Nobody says {found.group()!r}: names of tools, tables or fields stay out.", answer))
    if found := _ROW_NUMBER.search(plain):
        problems.append(_of_text(f"Leave out {found.group()!r}: only the service knows the numbers of rows.", answer))
    if not FEWEST_WORDS <= len(answer.text.split()) <= MOST_WORDS:
        many = f"The text has {len(answer.text.split())} words; say what is wanted in {FEWEST_WORDS} to {MOST_WORDS}."
        problems.append(_of_text(many, answer))
    same = next((other for other in taken if texts.alike(answer.text, other) >= ALIKE), None)
    if same is not None:
        problems.append(
            Problem(fault="tasks", message="This is asked for already, almost in these words.", snippet=same)
        )
    return problems


def problems_of_shape(source: str, level: int) -> list[Problem]:
    """Whether the program goes over something, decides or adds up unless it is to be easy, and leaves ids to the
    tools."""
    try:
        tree = python_tree(source)
    except TextRefused as refused:
        return [_of_program(f"The solution is no Python that can be read, line {refused.line}: {refused}")]
    nodes = [*ast.walk(tree)]
    problems = []
    if not any(isinstance(node, _LOOPS) for node in nodes):
        problems.append(_of_program("The program goes over nothing: ask for something that takes a loop."))
    if level > EASY and not any(map(_decides, nodes)):
        hollow = (
            "The program neither decides nor adds anything up: let what is done depend on something that the person "
        )
        problems.append(_of_program(hollow + "has a reason to look at."))
    problems += [
        _of_program("The program writes an id that only a tool can tell: look it up.", call)
        for call in _calls_with_ids(nodes)
    ]
    return problems


def problems_of_size(
    solution: ReferenceSolution, least_calls: int, least_tools: int, others: Collection[str]
) -> list[Problem]:
    """Whether the program is as long as was asked. `others`: tools that are not the assistant's, and that no tool of
    the assistant waits for here."""
    tools = {call.tool for call in solution.calls}
    problems = []
    if len(solution.calls) < least_calls:
        problems.append(
            _of_program(
                f"The program makes {len(solution.calls)} calls, at least {least_calls} are wanted: ask for something "
                "that takes more of them."
            )
        )
    if len(tools) < least_tools:
        few = f"The program uses {len(tools)} different tools, at least {least_tools} are wanted."
        problems.append(_of_program(few, ", ".join(sorted(tools))))
    if not_ours := sorted(tools & set(others)):
        problems.append(_of_program(f"{', '.join(not_ours)}: only the person can do that, not the assistant."))
    return problems


def _decides(node: ast.AST) -> bool:
    if isinstance(node, ast.comprehension):
        return bool(node.ifs)
    if isinstance(node, ast.AugAssign):
        return True
    if isinstance(node, ast.Call):
        return getattr(node.func, "id", getattr(node.func, "attr", "")) in _AGGREGATES
    return isinstance(node, _BRANCHES)


def _calls_with_ids(nodes: Sequence[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            for name, given in given_in(node).items():
                if isinstance(given, ast.Constant) and type(given.value) is int and re.search(r"(^|_)id$", name):
                    yield ast.unparse(node)


def _of_text(message: str, answer: ProgramTaskAnswer) -> Problem:
    return Problem(fault="tasks", message=message, snippet=answer.text)


def _of_program(message: str, snippet: str = "", fault: Fault = "solution") -> Problem:
    return Problem(fault=fault, message=message, snippet=snippet)
