"""Exporting a released environment: which tasks can be exported, what all forms share, and writing the folder.

Belongs here: `Exportable`, which every form is made from, and `export`. Does not: the files of one form (`forms`), and
code that runs in the other project (`templates`).
"""

import ast
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from string import Template

import orjson

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.dataset import Split
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.finish_tool import FINISH_DESCRIPTION, finish_name, report_schema
from envfactory_dagster.contracts.reports import finish_schema
from envfactory_dagster.contracts.text_bounds import python_tree
from envfactory_dagster.contracts.tools import ToolDefinition
from envfactory_dagster.contracts.truth import TaskGate
from envfactory_dagster.rollouts.prompts import for_agent
from envfactory_dagster.runtime.published_modules import IMPORTABLE

TEMPLATES = Path(__file__).parent / "templates"
Files = dict[str, bytes]
HIDDEN = ("solutions/", "families/", "conversations.jsonl", "words.json", "inspection.json", "tool_tests.json")
"""What neither playing nor judging a task needs."""
OF_THE_JUDGE = ("verifiers/", "judge.py")
OF_PYDANTIC = frozenset(name for name in IMPORTABLE if name.partition(".")[0] not in sys.stdlib_module_names)
"""Pydantic, and what is installed with it, of what published code may import."""


@dataclass(frozen=True, slots=True)
class ReleaseFacts:
    """Facts about an environment that its bundle does not hold."""

    gates: Mapping[str, TaskGate] = field(default_factory=dict)
    """Task → the trials of its verifier."""
    split: Split | None = None


@dataclass(frozen=True, slots=True)
class Exportable:
    """An environment, and those of its tasks that an assistant can do alone."""

    bundle: Bundle
    tasks: list[Task]
    left_out: dict[str, str] = field(default_factory=dict)
    """Task → why it is not exported."""
    known: ReleaseFacts = ReleaseFacts()

    @property
    def is_imported(self) -> bool:
        return self.bundle.theme.source.kind == "import"

    def bundle_files(self, *, with_verifiers: bool = True) -> Files:
        """The folder `bundle/`: what `server.py` needs and, with verifiers, what `judge.py` needs."""
        files = self.bundle.files() | {"manifest.json": self._manifest()}
        hidden = HIDDEN if with_verifiers else (*HIDDEN, *OF_THE_JUDGE)
        return {f"bundle/{path}": data for path, data in files.items() if not path.startswith(hidden)}

    @property
    def needs_pydantic(self) -> bool:
        """Whether `server.py` needs Pydantic, because published code imports it or something that comes with it."""
        trees = [python_tree(source) for source in self.bundle.published.values()]
        return any(OF_PYDANTIC.intersection(_imported(node)) for tree in trees for node in ast.walk(tree))

    def _manifest(self) -> bytes:
        return orjson.dumps(self.bundle.manifest().model_dump(mode="json"), option=orjson.OPT_INDENT_2)

    def solutions(self) -> Files:
        sources = self.bundle.solutions
        return {f"solutions/{task.id}.py": sources[task.id].encode() for task in self.tasks if task.id in sources}

    def prompts(self) -> list[dict[str, Json]]:
        """The system prompt and the request of each task, in order."""
        return [
            {
                "task": task.id,
                "kind": task.kind,
                "system": for_agent(self.bundle, task, "native", "single"),
                "prompt": task.text,
            }
            for task in self.tasks
        ]

    def available_tools(self, task: Task) -> list[ToolDefinition]:
        """The assistant's tools that are available in a task."""
        return [tool for tool in self.bundle.tools_of("assistant") if tool.name not in task.withheld]

    def tools_of(self, task: Task) -> str:
        """The available tools as JSON text, because all rows of a table must have the same type."""
        return orjson.dumps(
            [tool.model_dump(mode="json", exclude_none=True) for tool in self.available_tools(task)]
        ).decode()

    def finish_of(self, task: Task) -> dict[str, Json]:
        """The definition of `finish` for one task, with the answers that it asks for."""
        return self._finish(finish_schema(self.bundle.answer_forms[task.id], self._rules))

    def generic_finish(self) -> dict[str, Json]:
        """The definition of `finish` for all tasks. The prompt has to say which answers a task asks for."""
        schema = report_schema([], self._rules)
        schema["properties"]["answers"] = {
            "type": "object",
            "description": "What the person asked to be told, by field. Give null for a field that is not due.",
        }
        return self._finish(schema)

    def _finish(self, schema: dict[str, Json]) -> dict[str, Json]:
        name = finish_name({tool.name for tool in self.bundle.tools})
        return {"name": name, "description": FINISH_DESCRIPTION, "parameters": schema}

    @property
    def _rules(self) -> list[str]:
        return [rule.id for rule in self.bundle.theme.rules]


def _imported(node: ast.AST) -> list[str]:
    """The packages that a statement imports."""
    names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
    names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
    return [name.partition(".")[0] for name in names]


Form = Callable[[Exportable], Files]
"""The files of one form, by path."""


@dataclass(frozen=True, slots=True)
class Exported:
    folder: Path
    tasks: int
    left_out: dict[str, str]


def exportable(bundle: Bundle, known: ReleaseFacts | None = None) -> Exportable:
    """The environment with its tasks that can be exported. Raises UsageError when it has no verifiers, was made by an
    earlier version, or has no such task."""
    imported = bundle.theme.source.kind == "import"
    if not bundle.verifiers and imported:
        raise UsageError(f"{bundle.key} was imported without verifiers: there is nothing to judge an episode by.")
    if not bundle.verifiers:
        raise UsageError(f"{bundle.key} is not released: it has no verifiers (`envfactory build {bundle.key}`).")
    if bundle.made_before_reports or not bundle.judge_source:
        again = "import it again" if imported else f"rebuild it (`envfactory build {bundle.key}`)"
        raise UsageError(f"{bundle.key} was made by an earlier version: {again}.")
    left_out = {task.id: why for task in bundle.tasks if (why := _why_not(bundle, task))}
    tasks = [task for task in bundle.tasks if task.id not in left_out]
    if not tasks:
        raise UsageError(f"{bundle.key} has no task that can be exported: {next(iter(left_out.values()))}.")
    return Exportable(bundle, tasks, left_out, known or ReleaseFacts())


def _why_not(bundle: Bundle, task: Task) -> str:
    if task.id not in bundle.verifiers or task.id not in bundle.answer_forms:
        return "they have no verifier"
    conversation = bundle.conversations.get(task.id)
    if conversation is not None and (len(conversation.turns) > 1 or conversation.answers):
        return "a person brings them up turn by turn"
    if task.id not in bundle.solutions:
        return "" if not bundle.tools_of("user") else "nothing says whether the person has to call tools in them"
    of_the_person = {tool.name for tool in bundle.tools_of("user")}
    called = {node.attr for node in ast.walk(python_tree(bundle.solutions[task.id])) if isinstance(node, ast.Attribute)}
    if needed := sorted(of_the_person & called):
        return f"the person has to call {', '.join(needed)}"
    return ""


@dataclass(frozen=True, slots=True)
class Prepared:
    """Everything that will be written for one environment."""

    subject: Exportable
    files: Files
    folder: Path

    def write(self) -> Exported:
        """Write the folder in one step."""
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(prefix=f".{self.folder.name}-", dir=self.folder.parent))
        try:
            for path, data in self.files.items():
                target = temporary / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(data)
            temporary.chmod(0o755)
            os.rename(temporary, self.folder)
        except BaseException:
            shutil.rmtree(temporary, ignore_errors=True)
            raise
        return Exported(self.folder, len(self.subject.tasks), self.subject.left_out)


def prepare(bundle: Bundle, form: Form, folder: Path, known: ReleaseFacts | None = None) -> Prepared:
    """Raises UsageError when the folder exists, or the environment cannot be exported in this form."""
    subject = exportable(bundle, known)
    if os.path.lexists(folder):
        raise UsageError(f"{folder} exists: choose another folder, or remove it.")
    return Prepared(subject, form(subject), folder)


def export(bundle: Bundle, form: Form, folder: Path, known: ReleaseFacts | None = None) -> Exported:
    """Prepare the folder and write it."""
    return prepare(bundle, form, folder, known).write()


def template(path: str, **values: str) -> bytes:
    """A file from `templates`. If values are given, `$name` is replaced by the value of `name`."""
    text = (TEMPLATES / path).read_text()
    return (Template(text).substitute(values) if values else text).encode()


def by_reason(left_out: Mapping[str, str]) -> dict[str, list[str]]:
    """Why tasks are left out → which."""
    reasons = dict[str, list[str]]()
    for task, why in left_out.items():
        reasons.setdefault(why, []).append(task)
    return reasons


def left_out_in_words(left_out: Mapping[str, str]) -> str:
    """For a README."""
    if not left_out:
        return "All tasks of the environment are here."
    lines = [f"- {why}: {', '.join(f'`{task}`' for task in tasks)}" for why, tasks in by_reason(left_out).items()]
    return "\n".join([f"{len(left_out)} tasks of the environment are left out:", "", *lines])
