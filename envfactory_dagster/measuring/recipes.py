"""How the policy of a recipe plays: the protocol and the window that it is trained with.

Belongs here: reading these, for code that does not import the trainer. Does not: the schema of recipes
(`trainer.recipe`). A recipe without them has the trainer's defaults, and the trainer refuses a recipe that is wrong.
"""

from pathlib import Path
from typing import Any, get_args

import yaml

from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.trajectory import Protocol
from envfactory_dagster.rollouts.settings import AgentView


def view_of(recipe: Path) -> AgentView:
    grpo = read_recipe(recipe).get("grpo")
    if not isinstance(grpo, dict):
        return AgentView()
    protocol, window = grpo.get("protocol"), grpo.get("window")
    return AgentView(
        protocol=next((name for name in get_args(Protocol) if name == protocol), "native"),
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
