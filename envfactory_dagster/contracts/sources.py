"""Sources: the kinds there are, and the document that an entry of any kind is normalized to.

Belongs here: kinds, the document, and what of it is left out. Does not: reading files (`authoring.discovery`), or
how much of a document a prompt shows (`authoring.source_document`).
"""

from typing import Any, Literal

from pydantic import Field

from envfactory_dagster.contracts.base import Artifact, Contract, Identifier, Json, NonEmpty, ToolName

FolderKind = Literal["name_seed", "mcp_spec", "tool_docs", "prd", "task_set"]
"""A kind of source that discovery reads from a folder of its own."""

DocumentKind = Literal["none", "mcp_spec", "tool_docs", "prd", "task_set", "data", "typed"]
"""What a document was read from. A name has no document. `none`: the theme has no source, or no more than a name.
`data`: documents that a world is mined from. `typed`: what somebody wrote after `expand --theme`."""

MirrorReason = Literal["live_data", "files_or_media", "computation_only", "identity", "administration"]
"""Why a database cannot stand in for a tool. `live_data`: it needs the outside world as it is now, such as a web
search. `files_or_media`: it works on files, images or sound. `computation_only`: it keeps and reads no records.
`identity`: accounts, passwords, tokens; the person is known. `administration`: only staff or machines use it."""

AuthorReason = MirrorReason | Literal["outside_theme"]
"""Why an author leaves a tool out. `outside_theme`: the world leaves out the part of the service it belongs to."""

UnusableReason = Literal["name", "repeated_name", "schema", "recursive_schema"]
"""Why a tool cannot be offered at all. `name`: no function, or no parameter of one, can be called so. `repeated_name`:
another tool has it already. `schema`: calls cannot be checked with it. `recursive_schema`: it leads back to itself."""

LeftOut = AuthorReason | UnusableReason | Literal["not_shown"]
"""Why a tool of a source is not in the environment. `not_shown`: the source was too long to be shown whole."""

NotThere = Literal["no_table", "no_tool", "given_up"]
"""Why something that a person named is not in the world. `no_table`: no table holds what it takes. `no_tool`: a tool
over the tables could offer it, and none does. `given_up`: the tools and tasks that had it were given up later."""


class SourceTool(Contract):
    """A tool of an MCP server, a function of a task set, or an operation of an API."""

    name: NonEmpty
    """As the source spells it."""
    description: str = ""
    inputSchema: dict[str, Any]
    outputSchema: dict[str, Any] | None = None
    annotations: dict[str, Json] = Field(default_factory=dict)
    """The hints that the source gives."""
    operation: str = ""
    """Method and path, of an operation."""
    loosened: list[str] = Field(default_factory=list)
    """What the schemas ask for and is not checked here, with its place. Kept are names, `required`, types, enums."""


class SourceSection(Contract):
    """A part of a text under its heading."""

    title: str
    text: str


class SourceTask(Contract):
    """A request that somebody wrote down, and what the source says of where it belongs."""

    text: NonEmpty
    place: dict[str, str] = Field(default_factory=dict)


class LeftOutTool(Contract):
    name: NonEmpty
    reason: LeftOut
    detail: str = ""


class LeftOutByAuthor(Contract):
    name: NonEmpty
    reason: AuthorReason
    detail: str


class LeftOutOfMirror(Contract):
    name: NonEmpty
    reason: MirrorReason
    detail: str


class NamedThing(Contract):
    """Something that a person named who described a world, and where it is in the world made from their words."""

    words: NonEmpty
    """As they stand in the description."""
    tables: list[str] = Field(default_factory=list)
    """Tables, and columns as `table.column`."""
    tools: list[ToolName] = Field(default_factory=list)
    tasks: list[Identifier] = Field(default_factory=list)
    left_out: NotThere | None = None
    """None: it is there."""


class SourceDocument(Artifact):
    """An entry of a source, whole. Of task sets: all tasks that one world was proposed for."""

    kind: DocumentKind = "none"
    reference: str = ""
    """The file and the entry in it; of a mirror the service, of `data` the folder."""
    title: str = ""
    description: str = ""
    tools: list[SourceTool] = Field(default_factory=list)
    sections: list[SourceSection] = Field(default_factory=list)
    tasks: list[SourceTask] = Field(default_factory=list)
    things: dict[str, Json] = Field(default_factory=dict)
    """The named schemas of an API document."""
    mirror: bool = False
    """The environment is to have exactly these tools."""
    unusable: list[LeftOutTool] = Field(default_factory=list)
    """Tools of the source that no environment can offer as they are."""
    snapshot: str = Field(default="", exclude_if=lambda name: not name)
    """Of `data`: the name of the copy of the documents, under `snapshots`."""
    words: str = ""
    """Hash of the prompt texts about sources, and of how much they show; of a world of files, of those about files too.
    A change rebuilds what used them."""


class SourceShown(Contract):
    """A document as a prompt shows it: whole parts as far as there is room, and in words what was left out."""

    kind: DocumentKind
    title: str
    description: str
    mirror: bool = False
    tools: list[dict[str, Json]] = Field(default_factory=list)
    sections: list[SourceSection] = Field(default_factory=list)
    tasks: list[SourceTask] = Field(default_factory=list)
    things: dict[str, Json] = Field(default_factory=dict)
    not_shown: list[str] = Field(default_factory=list)
