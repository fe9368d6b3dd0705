"""Environments written by hand, complete with tasks, solutions and verifiers. They need no model.

Belongs here: a folder for each example, in the files an author would write, and the loader that makes a bundle of one.
Does not: environments that a model wrote, or code that only one example needs.
"""

import json
from pathlib import Path

from pydantic import TypeAdapter

from envfactory_dagster.contracts.bundle import Bundle, State
from envfactory_dagster.contracts.database import InitialState, SeedRows
from envfactory_dagster.contracts.domain import INITIAL_STATE, Task, TaskSet, Theme
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.families import TaskFamily
from envfactory_dagster.contracts.reports import AnswerForm
from envfactory_dagster.contracts.tools import ToolDefinition, ToolSpec
from envfactory_dagster.runtime.bundle_scripts import judge_source, server_source
from envfactory_dagster.runtime.images import build_image, seed_sql

_HERE = Path(__file__).parent
_FORMS = TypeAdapter(dict[str, AnswerForm])
_TOOLS = TypeAdapter(list[ToolDefinition])


def names() -> list[str]:
    """The examples there are."""
    return sorted(theme.parent.name for theme in _HERE.glob("*/theme.json"))


def load(name: str) -> Bundle:
    """Make a bundle of an example."""
    if name not in names():
        raise UsageError(f"There is no example called {name!r}; there are: {', '.join(names())}.")
    folder = _HERE / name
    schema = (folder / "schema.sql").read_text()
    seed = SeedRows(states=[_state(path) for path in sorted(folder.glob("seed/*.json"))])
    initial = next(state for state in seed.states if state.name == INITIAL_STATE)
    return Bundle(
        theme=Theme.model_validate_json((folder / "theme.json").read_bytes()),
        tasks=_tasks(folder / "tasks.jsonl").tasks,
        schema_sql=schema,
        seed_sql=seed_sql(initial.tables),
        states={state.name: State(build_image(schema, state.tables), state.clock) for state in seed.states},
        tools=ToolSpec(tools=_TOOLS.validate_json((folder / "tools.json").read_bytes())).tools,
        tools_source=(folder / "tools.py").read_text(),
        server_source=server_source(),
        judge_source=judge_source(),
        solutions=_sources(folder / "solutions"),
        verifiers=_sources(folder / "verifiers"),
        families=_families(folder / "families"),
        answer_forms=_FORMS.validate_json((folder / "answer_forms.json").read_bytes()),
    )


def _families(folder: Path) -> dict[str, TaskFamily]:
    """Each a module with its description beside it."""
    described = {path.stem: json.loads(path.read_bytes()) for path in sorted(folder.glob("*.json"))}
    sources = _sources(folder)
    return {name: TaskFamily.model_validate(one | {"source": sources[name]}) for name, one in described.items()}


def _state(path: Path) -> InitialState:
    return InitialState.model_validate_json(path.read_bytes())


def _tasks(path: Path) -> TaskSet:
    return TaskSet(tasks=[Task.model_validate_json(line) for line in path.read_bytes().splitlines()])


def _sources(folder: Path) -> dict[str, str]:
    return {path.stem: path.read_text() for path in sorted(folder.glob("*.py"))}
