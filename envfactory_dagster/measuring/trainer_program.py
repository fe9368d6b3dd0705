"""The trainer as a program: where it lies, and how a process of it is started.

Belongs here: its place, and what besides its arguments decides what it makes. Does not: what it does, which nothing
here imports, and how it ended (`trained`).

In a checkout it is the folder `trainer` beside this package. Installed from an index it is the package
`envfactory_trainer`, since others may have one that is called `trainer`.
"""

import os
import sys
from importlib.util import find_spec
from pathlib import Path

from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.language.messages import Role
from envfactory_dagster.language.settings import LanguageSettings

_CHECKOUT = Path(__file__).resolve().parents[2]
_FOLDER, _PACKAGE = "trainer", "envfactory_trainer"
CODE_VERSION = "11"
"""Of the trainer: another makes other policies of the same data and recipe, and does not go on with runs of before."""


def is_in_a_checkout() -> bool:
    return (_CHECKOUT / _FOLDER / "recipes").is_dir()


def recipes() -> Path:
    """The folder of those that are shipped."""
    if is_in_a_checkout():
        return _CHECKOUT / _FOLDER / "recipes"
    found = find_spec(_PACKAGE)
    assert found is not None and found.origin is not None, "the wheel holds both"
    return Path(found.origin).parent / "recipes"


def known_recipes() -> list[str]:
    return sorted(one.stem for one in recipes().glob("*.yaml"))


def recipe_at(name: str) -> Path:
    """One that is shipped, by its name, or a file."""
    shipped = recipes() / f"{name}.yaml"
    path = shipped if shipped.is_file() else Path(name).expanduser()
    if not path.is_file():
        raise UsageError(f"There is no recipe {name!r}: neither a file nor one of {', '.join(known_recipes())}.")
    return path.resolve()


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", _FOLDER if is_in_a_checkout() else _PACKAGE, *map(str, arguments)]


def models_beside() -> list[str]:
    """The models that play the person and judge while a policy plays. With other models it is another run."""
    settings = LanguageSettings.from_environment()
    return [settings.chosen(role) or "nobody" for role in (Role.USER, Role.JUDGE)]


def environment() -> dict[str, str]:
    """What a process of it needs to find it, whatever folder it starts in."""
    if not is_in_a_checkout():
        return {}
    return {"PYTHONPATH": os.pathsep.join(filter(None, [str(_CHECKOUT), os.environ.get("PYTHONPATH", "")]))}
