"""The model's part in a tool graph: edges that facts and names do not show, and edges that make no sense.

Belongs here: the prompt for it, its gate, and how an answer changes the draft. Does not: the evidence before it.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from envfactory_dagster.contracts.domain import Theme
from envfactory_dagster.contracts.graph import (
    MisjudgedParameter,
    MissingEdge,
    ToolGraph,
    ToolGraphRefinementAnswer,
    ToolGraphRefinementContext,
    ToolShown,
)
from envfactory_dagster.contracts.records import Problem
from envfactory_dagster.tasks.graph.draft import GraphDraft, GraphLink, Pair

SCHEMA = "tool_graph_refinement"

INSTRUCTIONS = """\
You know how people work with the tools of the service that `theme` describes. `tools` lists them with their parameters
and the fields of their results. `edges` says what is known so far of their dependencies: what `source` answers is of
use to `target`. `links` name the values that pass; an edge without links is only an order of work.

Say what has to change, and only that:
- `missing`: edges that are not there. Either a value passes: name `output` and `parameter`, both exactly as they stand
  in `tools`. That can be a figure that was computed, or a name that stands for a record. Or no value passes, but
  people look at `source` before they call `target`, as with tools that have no parameters: leave both null. Never from
  a tool to itself; never an edge whose value `source` had to be given itself.
- `spurious`: edges by which nothing useful passes, as when two different things have a `name`, or a text that is only
  stored. Facts (`lineage`) are rarely wrong, likeness of names (`semantic`) is more often so. Never take away the only
  edge that tells a required internal parameter.
- `misjudged`: parameters whose `internal` is wrong. Internal is what only the service knows: numbers of records, codes
  it made up. External is what a person knows and says: names, dates, amounts, codes that stand on a card or a letter.
  A parameter can only be internal if some tool of the assistant tells its value.

Give a short `reason` for each. All three may be empty.
"""


def context_of(theme: Theme, draft: GraphDraft) -> ToolGraphRefinementContext:
    graph = draft.graph()
    described = {tool.name: tool.description for tool in draft.tools}
    shown = [ToolShown(description=described[tool.name], tool=tool) for tool in graph.tools]
    return ToolGraphRefinementContext(theme=theme, tools=shown, edges=graph.edges)


def refined(draft: GraphDraft, answer: ToolGraphRefinementAnswer) -> GraphDraft:
    """The draft with the changes of an answer that passed the gate."""
    spurious = {(edge.source, edge.target) for edge in answer.spurious}
    links = [link for link in draft.links if link.pair not in spurious]
    orders = {pair: reason for pair, reason in draft.orders.items() if pair not in spurious}
    for edge in answer.missing:
        if edge.output is not None and edge.parameter is not None:
            links.append(GraphLink(edge.source, edge.output, edge.target, edge.parameter, "logical"))
        orders[edge.source, edge.target] = edge.reason
    internal = set(draft.internal)
    for judged in answer.misjudged:
        changed = internal.add if judged.internal else internal.discard
        changed((judged.tool, judged.parameter))
    return replace(draft, links=links, orders=orders, internal=frozenset(internal))


def problems_of(draft: GraphDraft, answer: ToolGraphRefinementAnswer) -> list[Problem]:
    graph = draft.graph()
    edges = {(edge.source, edge.target): edge for edge in graph.edges}
    sentences = [sentence for edge in answer.missing for sentence in _wrong_with_missing(edge, graph)]
    for spurious in answer.spurious:
        if (spurious.source, spurious.target) not in edges:
            sentences.append(f"There is no edge from {spurious.source} to {spurious.target} that could be spurious.")
    for judged in answer.misjudged:
        sentences += _wrong_with_judgement(judged, graph)
    added = [(edge.source, edge.target, edge.output, edge.parameter) for edge in answer.missing]
    sentences += [
        f"The missing edge from {key[0]} to {key[1]} is given twice."
        for key, times in Counter(added).items()
        if times > 1
    ]
    if not sentences:
        sentences = list(_lost(draft, answer, graph))
    return [Problem(fault="answer", message=sentence) for sentence in sentences]


def _wrong_with_missing(edge: MissingEdge, graph: ToolGraph) -> Iterator[str]:
    tools = {tool.name: tool for tool in graph.tools}
    unknown = [name for name in (edge.source, edge.target) if name not in tools]
    if unknown:
        yield f"There is no tool {unknown[0]!r}; the tools are: {', '.join(tools)}."
        return
    if edge.source == edge.target:
        yield f"An edge joins two different tools; {edge.source} cannot depend on itself."
        return
    existing = next((e for e in graph.edges if (e.source, e.target) == (edge.source, edge.target)), None)
    linked = {(link.output, link.parameter) for link in existing.links} if existing else set()
    if edge.output is None or edge.parameter is None:
        if existing is not None:
            yield f"The edge from {edge.source} to {edge.target} is there already."
        return
    if edge.output not in tools[edge.source].outputs:
        yield f"{edge.source} has no output {edge.output!r}; it has: {', '.join(tools[edge.source].outputs)}."
    if tools[edge.target].parameter(edge.parameter) is None:
        known = ", ".join(parameter.name for parameter in tools[edge.target].parameters) or "none"
        yield f"{edge.target} has no parameter {edge.parameter!r}; it has: {known}."
    if (edge.output, edge.parameter) in linked:
        yield f"{edge.target}.{edge.parameter} is already linked to {edge.output} of {edge.source}."


def _wrong_with_judgement(judged: MisjudgedParameter, graph: ToolGraph) -> Iterator[str]:
    tool = next((tool for tool in graph.tools if tool.name == judged.tool), None)
    parameter = tool.parameter(judged.parameter) if tool else None
    if parameter is None:
        yield f"There is no parameter {judged.parameter!r} of a tool {judged.tool!r} to be judged."
    elif parameter.internal == judged.internal:
        yield f"{judged.tool}.{judged.parameter} is held to be {_said(judged.internal)} already."


def _lost(draft: GraphDraft, answer: ToolGraphRefinementAnswer, before: ToolGraph) -> Iterator[str]:
    """What the answer would leave without any tool to tell it."""
    after = _internal(refined(draft, answer).graph())
    judged = {(parameter.tool, parameter.parameter): parameter.internal for parameter in answer.misjudged}
    for tool, name in sorted(_internal(before) - after):
        if judged.get((tool, name), True):
            yield f"Without the spurious edges nothing tells {tool}.{name}, which is internal; keep one of them."
    for tool, name in sorted(pair for pair, internal in judged.items() if internal and pair not in after):
        yield f"No tool of the assistant tells {tool}.{name}: it cannot be internal, or an edge is missing."


def _internal(graph: ToolGraph) -> set[Pair]:
    return {(tool.name, parameter.name) for tool in graph.tools for parameter in tool.parameters if parameter.internal}


def _said(internal: bool) -> str:
    return "internal" if internal else "external"
