"""How the policy of a recipe plays: the protocol and the window that it is trained with.

Belongs here: reading these, for code that does not import the trainer. Does not: the schema of recipes
(`trainer.recipe`). A recipe without them has the trainer's defaults, and the trainer refuses a recipe that is wrong.
"""

from pathlib import Path
from typing import Any

import yaml

from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.rollouts.settings import AgentView


def view_of(recipe: Path) -> AgentView:
    grpo = read_recipe(recipe).get("grpo")
    if not isinstance(grpo, dict):
        return AgentView()
    window = grpo.get("window")
    return AgentView(
        protocol="meta_tools" if grpo.get("protocol") == "meta_tools" else "native",
        window=window if isinstance(window, int) else None,
    )


def read_recipe(path: Path) -> dict[str, Any]:
    try:
        found = yaml.safe_load(path.read_text())
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise UsageError(f"The recipe {path} cannot be read: {error}") from error
    if not isinstance(found, dict):
        raise UsageError(f"The recipe {path} is not one: it has no fields.")
    return found
