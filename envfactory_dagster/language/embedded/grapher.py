"""Reading a tool graph over: what is cut off gets its place in the order of work, mere texts pass nothing.

Belongs here: the answer to `tool_graph_refinement`, judged by names alone, as a reader would who sees nothing else.
Does not: anything the author knows about an environment; no code is shared with it.
"""

from collections.abc import Iterator

from envfactory_dagster.contracts.graph import (
    GraphEdge,
    GraphTool,
    MisjudgedParameter,
    MissingEdge,
    ParameterLink,
    SpuriousEdge,
    ToolGraphRefinementAnswer,
    ToolGraphRefinementContext,
)

_FREE_TEXT = frozenset({"note", "notes", "comment", "message", "body", "text", "reason", "description", "title"})
"""What people write down: stored, shown, and never needed to find anything."""
_VERBS_THAT_SHOW = frozenset({"list", "get", "find", "search", "show", "check", "view"})


def refine(context: ToolGraphRefinementContext, seed: int) -> ToolGraphRefinementAnswer:
    tools = [shown.tool for shown in context.tools]
    return ToolGraphRefinementAnswer(
        missing=list(_places_for_the_isolated(tools, context.edges)),
        spurious=[
            SpuriousEdge(source=edge.source, target=edge.target, reason="nothing of use passes, only words look alike")
            for edge in context.edges
            if edge.links and all(_only_looks_alike(link) for link in edge.links)
        ],
        misjudged=list(_numbers_nobody_knows(tools, context.edges)),
    )


def _only_looks_alike(link: ParameterLink) -> bool:
    """Whether the link rests on names, and they are those of a text, or of fields that have no word in common."""
    output, parameter = _field(link.output), _field(link.parameter)
    shared = set(output.split("_")) & set(parameter.split("_"))
    return link.evidence == "semantic" and (parameter in _FREE_TEXT or not shared)


def _field(path: str) -> str:
    return path.removesuffix("[]").rsplit(".", 1)[-1]


def _places_for_the_isolated(tools: list[GraphTool], edges: list[GraphEdge]) -> Iterator[MissingEdge]:
    """For a tool no edge touches: look at the things it is about, then use it; or use it, then look."""
    joined = {name for edge in edges for name in (edge.source, edge.target)}
    for tool in tools:
        if tool.name in joined:
            continue
        others = [other for other in tools if other.name != tool.name and _things(other) & _things(tool)]
        looking = [other for other in others if other.read_only and other.principal == tool.principal]
        if looking:
            first, then = (tool, looking[0]) if tool.read_only else (looking[0], tool)
            thing = min(_things(first) & _things(then))
            reason = f"both are about the {thing}: one looks before going on"
            yield MissingEdge(source=first.name, target=then.name, reason=reason)


def _things(tool: GraphTool) -> set[str]:
    """The words of the name that are not what is done."""
    verb, *things = tool.name.split("_")
    words = [verb, *things] if not things and verb not in _VERBS_THAT_SHOW else things
    return {word.removesuffix("s") for word in words if len(word) > 3}


def _numbers_nobody_knows(tools: list[GraphTool], edges: list[GraphEdge]) -> Iterator[MisjudgedParameter]:
    """Parameters called ids that are held to be known to people, although a tool of the assistant tells them."""
    assistants = {tool.name for tool in tools if tool.principal == "assistant"}
    told = {(edge.target, link.parameter) for edge in edges if edge.source in assistants for link in edge.links}
    for tool in tools:
        for parameter in tool.parameters:
            called_id = _field(parameter.name).endswith("_id")
            if called_id and not parameter.internal and (tool.name, parameter.name) in told:
                yield MisjudgedParameter(
                    tool=tool.name, parameter=parameter.name, internal=True, reason="an id that a tool tells"
                )
