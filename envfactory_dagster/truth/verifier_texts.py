"""What the checks of a verifier say that they are for.

Belongs here: reading that out of the source. Does not: running checks (`runtime`), and what they come to (`verdicts`).
"""

import ast

from envfactory_dagster.contracts.text_bounds import TextRefused, python_tree
from envfactory_dagster.runtime.checks import GOAL, GUARD


def meanings(verifier: str) -> dict[str, str]:
    """Check → what its docstring says, or else its name in words. A module nobody can read has no checks."""
    try:
        module = python_tree(verifier)
    except TextRefused:
        return {}
    functions = [node for node in module.body if isinstance(node, ast.FunctionDef)]
    checks = [node for node in functions if node.name.startswith((GOAL, GUARD))]
    return {node.name: ast.get_docstring(node) or node.name.replace("_", " ") for node in checks}
