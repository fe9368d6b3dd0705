"""Workspaces over worlds of the library, with task families that need more than one of their servers.

    workspaces/KEY/workspace.json           which worlds, in which states, and what was taken for granted
    workspaces/KEY/families/NAME.json .py   a task family over the tables and tools of all of them

Belongs here: which there are, and reading them. Does not: making their bundles (`runtime.workspaces`) and trying the
families (`tasks.workspaces`).
"""

from dataclasses import dataclass
from pathlib import Path

import orjson
from pydantic import ValidationError

from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.families import TaskFamily
from envfactory_dagster.contracts.workspace import Workspace

SHIPPED = Path(__file__).parent / "workspaces"
_FILE = "workspace.json"


@dataclass(frozen=True, slots=True)
class JointWorld:
    workspace: Workspace
    families: list[TaskFamily]


def names(folder: Path = SHIPPED) -> list[str]:
    return sorted(path.parent.name for path in folder.glob(f"*/{_FILE}"))


def read(name: str, folder: Path = SHIPPED) -> JointWorld:
    """The workspace of a name, or of a folder of its own."""
    place = Path(name).expanduser() if (Path(name).expanduser() / _FILE).is_file() else folder / name
    if not (place / _FILE).is_file():
        raise UsageError(f"There is no workspace {name!r}, and no folder with a {_FILE}. There are: {_known(folder)}.")
    try:
        workspace = Workspace.model_validate_json((place / _FILE).read_bytes())
        families = [_family(path) for path in sorted((place / "families").glob("*.json"))]
    except (ValidationError, OSError) as error:
        raise UsageError(f"The workspace in {place} cannot be read: {error}") from error
    return JointWorld(workspace, families)


def _known(folder: Path) -> str:
    return ", ".join(names(folder)) or "none"


def _family(path: Path) -> TaskFamily:
    source = path.with_suffix(".py").read_text()
    return TaskFamily.model_validate(orjson.loads(path.read_bytes()) | {"source": source})
