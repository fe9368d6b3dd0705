"""The environment bundle: the folder users take home, content-hashed, readable without this package.

Belongs here: the manifest, the folder's layout, reading (with every hash checked) and writing. Does not: building the
database images or the stand-alone server (`runtime`), and deciding what may go into a bundle (`authoring`, `truth`).
"""

import hashlib
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, Protocol

import orjson
from pydantic import Field, TypeAdapter, field_validator

from envfactory_dagster.contracts.base import (
    Artifact,
    Contract,
    Identifier,
    Slug,
    content_hash,
    first_problem,
    found_in,
)
from envfactory_dagster.contracts.bundle_texts import check_texts, json_object
from envfactory_dagster.contracts.domain import INITIAL_STATE, Task, Theme
from envfactory_dagster.contracts.errors import EnvironmentFault, UsageError
from envfactory_dagster.contracts.families import TaskFamily
from envfactory_dagster.contracts.file_layout import FilesLayout
from envfactory_dagster.contracts.file_paths import path_problem
from envfactory_dagster.contracts.reports import AnswerForm
from envfactory_dagster.contracts.sources import LeftOutTool, NamedThing
from envfactory_dagster.contracts.synthesis import Conversation, WordsStanding
from envfactory_dagster.contracts.tools import Principal, ToolDefinition, ToolTest

MANIFEST = "manifest.json"
MOST_BYTES = 512 << 20
"""How large all files of a bundle may be together: far more than a session's databases ever take."""
_MOST_MANIFEST_BYTES = 16 << 20
_NAMED_FILES = frozenset(
    {
        "theme.json",
        "tasks.jsonl",
        "schema.sql",
        "seed.sql",
        "initial.sqlite",
        "tools.json",
        "tools.py",
        "tool_tests.json",
        "inspection.json",
        "conversations.jsonl",
        "answer_forms.json",
        "layout.json",
        "words.json",
        "server.py",
        "judge.py",
    }
)
_OF_SERVER = re.compile(r"servers/[a-z][a-z0-9]{0,15}/")
_FILE_OF_ONE = re.compile(
    r"states/NAME\.sqlite|(solutions|verifiers|families)/NAME\.py|families/NAME\.json|published/MODULE\.py".replace(
        "NAME", r"[a-z][a-z0-9_]{0,63}"
    ).replace("MODULE", r"[A-Za-z_][A-Za-z0-9_]{0,63}(\.[A-Za-z_][A-Za-z0-9_]{0,63}){0,9}")
)
_FILE_OF_STATE = re.compile(r"states/(?P<state>[a-z][a-z0-9_]{0,63})/(?P<path>.+)", re.DOTALL)
_TOOLS = TypeAdapter(Annotated[list[ToolDefinition], Field(max_length=1_000)])
_TOOL_TESTS = TypeAdapter(dict[str, ToolTest])
_FORMS = TypeAdapter(dict[Identifier, AnswerForm])
_WORDS = TypeAdapter(dict[Identifier, WordsStanding])


Storage = Literal["sqlite", "object", "files", "workspace"]
"""What a state is: tables of the environment's own, the rows of a Python object (`runtime.object_state`), files, which
are rows as well (`runtime.file_images`), or the tables of all servers of a workspace (`runtime.workspaces`)."""


class StateEntry(Contract):
    """An initial state: its frozen clock, and the file of its database."""

    clock: str
    file: str


class Provenance(Contract):
    """Where the bundle came from, and what it cost."""

    models: list[str] = Field(default_factory=list)
    prompts: dict[str, str] = Field(default_factory=dict)
    """Stage → hash of its prompt."""
    attempts: dict[str, int] = Field(default_factory=dict)
    tokens: dict[str, int] = Field(default_factory=dict)
    parents: dict[str, str] = Field(default_factory=dict)
    """Stage → data version of the artifact that went in."""
    left_out: list[LeftOutTool] = Field(default_factory=list)
    """Tools of the source that are not in the environment, and why."""
    named: list[NamedThing] = Field(default_factory=list, exclude_if=lambda named: not named)
    """Where everything is that a person named who described the environment, and what of it is left out."""


class Manifest(Artifact):
    """Format 1 is read as well: its tasks have no answer forms, and its verifiers are never run."""

    format: int = 2
    key: Slug
    kind: Storage = "sqlite"
    version: str
    """Hash of everything in the bundle but the manifest's own provenance."""
    states: dict[Identifier, StateEntry]
    files: dict[str, str]
    """Path → SHA-256 of every other file of the folder."""
    provenance: Provenance = Field(default_factory=Provenance)

    @field_validator("format")
    @classmethod
    def _is_the_one_that_is_read(cls, found: int) -> int:
        return found if found == 1 else super()._is_the_one_that_is_read(found)


@dataclass(frozen=True, slots=True)
class State:
    """An initial state in memory: a SQLite image and its clock."""

    image: bytes
    clock: str
    parts: Mapping[str, bytes] = field(default_factory=dict)
    """Of a workspace: the images that its servers do not have yet, by prefix."""


class BundleFolder(Protocol):
    """Where the files of a bundle lie. Paths are relative, with `/`, and only ever names that a bundle's files have."""

    def size(self, path: str) -> int | None:
        """Of a regular file; None for a link, a folder, a pipe or a device, and for whatever lies behind a link.
        Without such a file: `FileNotFoundError`."""
        ...

    def read(self, path: str, size: int) -> bytes:
        """At most so many bytes."""
        ...


@dataclass(frozen=True, slots=True)
class LocalFolder:
    root: Path

    def size(self, path: str) -> int | None:
        target = self.root / path
        status = target.lstat()
        behind_link = any(folder.is_symlink() for folder in target.parents if self.root in folder.parents)
        return status.st_size if stat.S_ISREG(status.st_mode) and not behind_link else None

    def read(self, path: str, size: int) -> bytes:
        with open(self.root / path, "rb", opener=_open_what_was_seen) as file:
            return file.read(size)


def _open_what_was_seen(path: str, flags: int) -> int:
    """Should the file have become a link or a pipe since its size was asked, then nothing is followed or awaited."""
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)


@dataclass(frozen=True)
class Bundle:
    """A bundle in memory. Equal versions mean equal environments."""

    theme: Theme
    tasks: list[Task]
    schema_sql: str
    seed_sql: str
    states: dict[str, State]
    tools: list[ToolDefinition]
    tools_source: str
    server_source: str
    storage: Storage = "sqlite"
    layout: FilesLayout | None = None
    """Only where files are stored."""
    state_files: dict[str, dict[str, bytes]] = field(default_factory=dict)
    """By state and path: the files that the images are made from, for people to read."""
    published: dict[str, str] = field(default_factory=dict)
    """By module: code of others, which `tools_source` calls. Only where an object is stored."""
    servers: dict[str, "Bundle"] = field(default_factory=dict)
    """By prefix: the environments of a workspace, which is played in them. Its own states hold all their tables."""
    judge_source: str = ""
    """Of a bundle with verifiers: the script that judges episodes without this package."""
    tool_tests: dict[str, ToolTest] = field(default_factory=dict)
    """By tool."""
    solutions: dict[str, str] = field(default_factory=dict)
    verifiers: dict[str, str] = field(default_factory=dict)
    answer_forms: dict[str, AnswerForm] = field(default_factory=dict)
    """By task: what it asks to be told. Every task that has a verifier has one."""
    families: dict[str, TaskFamily] = field(default_factory=dict)
    """By name: what fresh tasks are drawn from."""
    inspection: dict[str, Any] | None = None
    conversations: dict[str, Conversation] = field(default_factory=dict)
    """By task: how a person brings it up, where it is made for that."""
    words: dict[str, WordsStanding] = field(default_factory=dict)
    """By task: whether its words were proved, and by whom."""
    provenance: Provenance = field(default_factory=Provenance)

    @property
    def key(self) -> str:
        return self.theme.key

    @cached_property
    def version(self) -> str:
        return self.manifest().version

    @property
    def shared_states(self) -> dict[str, State]:
        """The states but those that a task has to itself: such a state is named like its task."""
        own = {task.id for task in self.tasks if task.state == task.id}
        return {name: state for name, state in self.states.items() if name not in own}

    def with_states(self, states: Mapping[str, State]) -> "Bundle":
        """With these states beside its own; the servers of a workspace take their parts of them."""
        servers = {
            prefix: server.with_states(
                {name: State(one.parts[prefix], one.clock) for name, one in states.items() if name not in server.states}
            )
            for prefix, server in self.servers.items()
        }
        return replace(self, states=self.states | dict(states), servers=servers)

    def tools_of(self, principal: Principal) -> list[ToolDefinition]:
        return [tool for tool in self.tools if tool.principal == principal]

    @property
    def made_before_reports(self) -> bool:
        """Whether its verifiers read prose: they are shown and never run."""
        return bool(self.verifiers) and not self.answer_forms

    def answer_form(self, task: str) -> AnswerForm:
        if self.made_before_reports:
            raise UsageError(f"{self.key} was made before reports: rebuild it (`envfactory build {self.key}`).")
        if task not in self.answer_forms:
            raise UsageError(f"{self.key} has no answer form for the task {task!r}.")
        return self.answer_forms[task]

    def files(self) -> dict[str, bytes]:
        """Every file of the folder but the manifest, by path."""
        files = {
            "theme.json": _pretty(self.theme.model_dump(mode="json")),
            "tasks.jsonl": b"".join(orjson.dumps(task.model_dump(mode="json")) + b"\n" for task in self.tasks),
            "schema.sql": self.schema_sql.encode(),
            "seed.sql": self.seed_sql.encode(),
            "tools.json": _pretty(_TOOLS.dump_python(self.tools, mode="json")),
            "tools.py": self.tools_source.encode(),
        }
        files |= {"server.py": self.server_source.encode()} if self.server_source else {}
        files |= {"layout.json": _pretty(self.layout.model_dump(mode="json"))} if self.layout is not None else {}
        files |= {
            f"states/{name}/{path}": data for name, held in self.state_files.items() for path, data in held.items()
        }
        files |= {f"published/{module}.py": source.encode() for module, source in self.published.items()}
        files |= {_state_file(name): state.image for name, state in self.states.items()}
        files |= {f"solutions/{task}.py": source.encode() for task, source in self.solutions.items()}
        files |= {f"verifiers/{task}.py": source.encode() for task, source in self.verifiers.items()}
        files |= {f"families/{name}.py": family.source.encode() for name, family in self.families.items()}
        files |= {f"families/{name}.json": _pretty(family.description()) for name, family in self.families.items()}
        if self.judge_source:
            files["judge.py"] = self.judge_source.encode()
        if self.tool_tests:
            files["tool_tests.json"] = _pretty(_TOOL_TESTS.dump_python(self.tool_tests, mode="json"))
        if self.answer_forms:
            files["answer_forms.json"] = _pretty(_FORMS.dump_python(self.answer_forms, mode="json"))
        if self.words:
            files["words.json"] = _pretty(_WORDS.dump_python(self.words, mode="json"))
        if self.inspection is not None:
            files["inspection.json"] = _pretty(self.inspection)
        if self.conversations:
            lines = [{"task": task} | one.model_dump(mode="json") for task, one in self.conversations.items()]
            files["conversations.jsonl"] = b"".join(orjson.dumps(line) + b"\n" for line in lines)
        for prefix, server in self.servers.items():
            of_server = server.files() | {MANIFEST: _pretty(server.manifest().model_dump(mode="json"))}
            files |= {f"servers/{prefix}/{path}": data for path, data in of_server.items()}
        for path in files:
            _check_name(path, f"bundle {self.key}")
        return files

    def manifest(self) -> Manifest:
        files = {path: hashlib.sha256(data).hexdigest() for path, data in sorted(self.files().items())}
        states = {name: StateEntry(clock=state.clock, file=_state_file(name)) for name, state in self.states.items()}
        identity = _identity(self.key, self.storage, states, files)
        return Manifest(
            key=self.key, kind=self.storage, version=identity, states=states, files=files, provenance=self.provenance
        )

    def write(self, folder: Path) -> Path:
        """Write the folder all at once: a reader sees the old bundle, the new one or none, never half of one."""
        folder.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
        try:
            for path, data in self.files().items():
                target = temporary / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(data)
            (temporary / MANIFEST).write_bytes(_pretty(self.manifest().model_dump(mode="json")))
            temporary.chmod(0o755)
            if os.path.lexists(folder):
                retired = temporary.with_name(temporary.name + "-old")
                os.rename(folder, retired)
                os.rename(temporary, folder)
                if retired.is_symlink():
                    retired.unlink()
                else:
                    shutil.rmtree(retired)
            else:
                os.rename(temporary, folder)
        except BaseException:
            shutil.rmtree(temporary, ignore_errors=True)
            raise
        return folder

    @classmethod
    def read(cls, folder: Path) -> "Bundle":
        """Read a folder and check every hash; whatever is wrong raises `EnvironmentFault` and is named. A folder that
        another version wrote, in another format, raises `UsageError`."""
        return cls.read_from(LocalFolder(folder), folder)

    @classmethod
    def read_from(cls, files: BundleFolder, folder: object) -> "Bundle":
        """The same for a bundle that lies anywhere; messages call its place `folder`."""
        with found_in(f"bundle {folder}"):
            return cls._read(files, folder)

    @classmethod
    def _read(cls, files: BundleFolder, folder: object) -> "Bundle":
        manifest = _read_manifest(files, folder)
        data = _read_files(files, folder, manifest)
        missing = {"theme.json", "tasks.jsonl", "schema.sql", "tools.json", "tools.py"} - data.keys()
        missing |= ({"layout.json"} if manifest.kind == "files" else set()) - data.keys()
        missing |= {state.file for state in manifest.states.values()} - data.keys()
        if missing:
            raise EnvironmentFault(f"bundle {folder}: the manifest does not list {', '.join(sorted(missing))}")
        if manifest.version != _identity(manifest.key, manifest.kind, manifest.states, manifest.files):
            raise EnvironmentFault(f"bundle {folder}: the version in {MANIFEST} is not the hash of its contents")
        try:
            check_texts(data)
            bundle = cls(
                theme=Theme.model_validate_json(data["theme.json"]),
                tasks=[Task.model_validate_json(line) for line in data["tasks.jsonl"].splitlines()],
                schema_sql=data["schema.sql"].decode(),
                seed_sql=data.get("seed.sql", b"").decode(),
                states={
                    name: State(image=data[entry.file], clock=entry.clock) for name, entry in manifest.states.items()
                },
                tools=_TOOLS.validate_json(data["tools.json"]),
                tools_source=data["tools.py"].decode(),
                server_source=data.get("server.py", b"").decode(),
                storage=manifest.kind,
                layout=FilesLayout.model_validate_json(data["layout.json"]) if "layout.json" in data else None,
                state_files=_state_files(data),
                published=_sources(data, "published/"),
                servers=_servers(files, folder, data) if manifest.kind == "workspace" else {},
                judge_source=data.get("judge.py", b"").decode(),
                tool_tests=_TOOL_TESTS.validate_json(data.get("tool_tests.json", b"{}")),
                solutions=_sources(data, "solutions/"),
                verifiers=_sources(data, "verifiers/"),
                answer_forms=_FORMS.validate_json(data.get("answer_forms.json", b"{}")),
                families=_families(data),
                inspection=json_object(data, "inspection.json") if "inspection.json" in data else None,
                conversations=_conversations(data.get("conversations.jsonl", b"")),
                words=_WORDS.validate_json(data.get("words.json", b"{}")),
                provenance=manifest.provenance,
            )
            bundle.files()  # what was read can be written again: no numbers or levels that JSON has no room for
        except (TypeError, ValueError) as error:
            what = first_problem(error)
            raise EnvironmentFault(f"bundle {folder}: a file does not follow its contract: {what}") from error
        if bundle.key != manifest.key:
            raise EnvironmentFault(f"bundle {folder}: the manifest says {manifest.key!r}, the theme {bundle.key!r}")
        return bundle


def _servers(files: BundleFolder, folder: object, data: dict[str, bytes]) -> dict[str, Bundle]:
    prefixes = sorted({path.split("/")[1] for path in data if path.startswith("servers/")})
    if len(prefixes) < 2:
        raise EnvironmentFault(f"bundle {folder}: a workspace has at least two servers, this one has {len(prefixes)}")
    return {
        prefix: Bundle.read_from(_FolderOfServer(files, f"servers/{prefix}"), f"{folder}/servers/{prefix}")
        for prefix in prefixes
    }


@dataclass(frozen=True, slots=True)
class _FolderOfServer:
    """The folder of a server in that of its workspace."""

    files: BundleFolder
    place: str

    def size(self, path: str) -> int | None:
        return self.files.size(f"{self.place}/{path}")

    def read(self, path: str, size: int) -> bytes:
        return self.files.read(f"{self.place}/{path}", size)


def _state_file(name: str) -> str:
    return "initial.sqlite" if name == INITIAL_STATE else f"states/{name}.sqlite"


def _state_files(data: dict[str, bytes]) -> dict[str, dict[str, bytes]]:
    found: dict[str, dict[str, bytes]] = {}
    for path, content in data.items():
        if match := _FILE_OF_STATE.fullmatch(path):
            found.setdefault(match["state"], {})[match["path"]] = content
    return found


def _identity(key: str, storage: Storage, states: dict[str, StateEntry], files: dict[str, str]) -> str:
    clocks = {name: [state.clock, state.file] for name, state in states.items()}
    return content_hash({"key": key, "kind": storage, "states": clocks, "files": files})


def _pretty(value: object) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def _sources(data: dict[str, bytes], folder: str) -> dict[str, str]:
    return {
        path.removeprefix(folder).removesuffix(".py"): text.decode()
        for path, text in data.items()
        if path.startswith(folder) and path.endswith(".py")
    }


def _families(data: dict[str, bytes]) -> dict[str, TaskFamily]:
    """A module without its description is of an older bundle, whose families nobody draws from."""
    sources = _sources(data, "families/")
    described = {
        name: json_object(data, f"families/{name}.json") for name in sources if f"families/{name}.json" in data
    }
    return {name: TaskFamily.model_validate(one | {"source": sources[name]}) for name, one in described.items()}


def _conversations(text: bytes) -> dict[str, Conversation]:
    lines = [json_object({"conversations.jsonl": line}, "conversations.jsonl") for line in text.splitlines()]
    return {line.pop("task", ""): Conversation.model_validate(line) for line in lines}


def _check_name(path: str, place: str) -> None:
    found = _OF_SERVER.match(path)
    name = path[found.end() :] if found is not None else path
    inner = _FILE_OF_STATE.fullmatch(name)
    if inner is not None and path_problem(inner["path"]) is None:
        return
    if name not in _NAMED_FILES and not _FILE_OF_ONE.fullmatch(name) and not (found is not None and name == MANIFEST):
        raise EnvironmentFault(f"{place}: {path!r} is not the name of a file that a bundle has")


def _read_manifest(files: BundleFolder, folder: object) -> Manifest:
    try:
        data = _read_file(files, folder, MANIFEST, _MOST_MANIFEST_BYTES)
        check_texts({MANIFEST: data})
        manifest = Manifest.model_validate_json(data)
    except FileNotFoundError as error:
        raise EnvironmentFault(f"bundle {folder}: there is no {MANIFEST} in it") from error
    except (ValueError, OSError) as error:
        raise EnvironmentFault(f"bundle {folder}: {MANIFEST} cannot be read: {first_problem(error)}") from error
    for path in manifest.files:
        _check_name(path, f"bundle {folder}")
    if INITIAL_STATE not in manifest.states:
        raise EnvironmentFault(f"bundle {folder}: it has no state called {INITIAL_STATE!r}")
    for name, state in manifest.states.items():
        if state.file != _state_file(name):
            raise EnvironmentFault(f"bundle {folder}: {state.file!r} is not the name of the file of the state {name!r}")
    return manifest


def _read_files(files: BundleFolder, folder: object, manifest: Manifest) -> dict[str, bytes]:
    data: dict[str, bytes] = {}
    left = MOST_BYTES
    for path, digest in manifest.files.items():
        try:
            data[path] = _read_file(files, folder, path, left)
        except OSError as error:
            raise EnvironmentFault(f"bundle {folder}: {path} cannot be read: {error.strerror}") from error
        left -= len(data[path])
        if hashlib.sha256(data[path]).hexdigest() != digest:
            raise EnvironmentFault(f"bundle {folder}: {path} does not match the hash in {MANIFEST}")
    return data


def _read_file(files: BundleFolder, folder: object, path: str, most: int) -> bytes:
    size = files.size(path)
    if size is None:
        raise EnvironmentFault(f"bundle {folder}: {path} is no regular file of this folder; links are not followed")
    if size > most:
        limits = f"have {MOST_BYTES >> 20} MiB together, {MANIFEST} {_MOST_MANIFEST_BYTES >> 20}"
        raise EnvironmentFault(f"bundle {folder}: {path} is too large: the files of a bundle may {limits}")
    return files.read(path, size)
