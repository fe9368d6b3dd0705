"""What an environment is about: its theme with the domain's rules, and the tasks people would bring to it."""

from typing import Literal, Self

from pydantic import Field, model_validator

from envfactory_dagster.contracts.base import Artifact, Contract, Identifier, NonEmpty, Slug, ToolName, unique
from envfactory_dagster.contracts.sources import FolderKind

TaskKind = Literal["action", "information", "refusal", "unable", "no_tool", "underspecified"]
"""An action changes the database, an information task is verified by its answer, a refusal must change nothing because
a rule forbids it. `unable`: no tool that is offered can do it, and the answer says so. `no_tool`: the answer is known
without any call. `underspecified`: the request leaves out what only the person knows, and nobody can be asked."""

Size = Literal["small", "full"]

ThemeOrigin = Literal[FolderKind, "expansion", "user", "hand", "import", "data"]
"""Where a theme can come from: a source folder, or elsewhere. `expansion`: a model invented it. `user`: somebody typed
it. `hand`: somebody wrote the environment. `import`: others published it. `data`: it is mined from documents."""

StateStorage = Literal["sqlite", "files"]
"""What the state of an environment is, that a theme asks for."""

INITIAL_STATE = "initial"


class Rule(Contract):
    """One rule of the domain: enforced by the tools, shown to the agent, ground of tasks that must be refused."""

    id: Identifier
    text: NonEmpty


class ThemeSource(Contract):
    """Where a theme came from: the kind of its origin, and which file, entry or request it was."""

    kind: ThemeOrigin
    reference: str = ""


class Theme(Artifact):
    """A world in a few sentences."""

    key: Slug
    name: NonEmpty
    category: NonEmpty
    description: NonEmpty
    entities: list[NonEmpty] = Field(min_length=1)
    rules: list[Rule] = Field(min_length=1, max_length=36)
    """An environment has a dozen at most, a workspace those of all its servers."""
    size: Size = "full"
    source: ThemeSource
    storage: StateStorage = Field(default="sqlite", exclude_if=lambda storage: storage == "sqlite")

    @model_validator(mode="after")
    def _rule_ids_are_unique(self) -> Self:
        unique([rule.id for rule in self.rules], "rule ids")
        return self


class Task(Contract):
    """One request of user 1, phrased as a person would, about one named initial state."""

    id: Identifier
    text: NonEmpty
    kind: TaskKind
    state: Identifier = INITIAL_STATE
    entities: list[NonEmpty] = Field(default_factory=list)
    rule: Identifier | None = None
    """The rule a refusal rests on."""
    withheld: list[ToolName] = Field(default_factory=list)
    """Tools of the environment that are not there for this task."""

    @model_validator(mode="after")
    def _a_refusal_names_its_rule(self) -> Self:
        if (self.kind == "refusal") != (self.rule is not None):
            raise ValueError("a refusal task names the rule it rests on, and no other task does")
        return self


class TaskSet(Artifact):
    tasks: list[Task] = Field(min_length=1)

    @model_validator(mode="after")
    def _task_ids_are_unique(self) -> Self:
        unique([task.id for task in self.tasks], "task ids")
        return self
