"""Figures of the tool graph: how well its edges agree with those that people labelled by hand.

    python -m benchmarks.graph [--json] [--threshold 0.7] [--refined]

Ten environments written by hand (`tests/tasks/labelled`); every figure is over all their ordered pairs of tools.
`graph_f1_lineage`: edges by SQL lineage alone; `graph_f1_embeddings`: by the likeness of names alone, with the embedder
of the environment variables; `graph_f1_both`: lineage, and likeness where it is silent; `graph_f1_refined`, with
`--refined`: that, after the refinement by the author model of the environment variables. `precision_…` and `recall_…`
belong to each. `internal_right_…`: the share of parameters rightly told to be internal or external.
"""

import argparse
import asyncio
import json
import tempfile
from collections import Counter
from pathlib import Path

from envfactory_dagster.authoring.loop import context_block
from envfactory_dagster.contracts.domain import Rule, Theme, ThemeSource
from envfactory_dagster.contracts.graph import ToolGraph, ToolGraphRefinementAnswer
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.language.settings import LanguageSettings
from envfactory_dagster.runtime.facts import analyze_tools, load_schema
from envfactory_dagster.tasks.graph.draft import GraphDraft
from envfactory_dagster.tasks.graph.evidence import by_both, by_facts, by_likeness
from envfactory_dagster.tasks.graph.lineage import Lineage
from envfactory_dagster.tasks.graph.refinement import INSTRUCTIONS, SCHEMA, context_of, problems_of, refined
from envfactory_dagster.tasks.graph.semantics import Likeness, semantic_links
from tests.tasks import labelled

Figures = dict[str, float]


async def figures(gateway: Gateway, threshold: float, refine: bool = False) -> Figures:
    counts: dict[str, Counter[str]] = {}
    for name in labelled.names():
        environment = labelled.load(name)
        found = await drafts(gateway, environment, threshold)
        if refine:
            found["refined"] = await after_refinement(gateway, environment, found["both"])
        for way, draft in found.items():
            counts.setdefault(way, Counter()).update(compared(draft.graph(), environment))
    measured: Figures = {}
    for way, count in counts.items():
        precision = count["right"] / max(1, count["found"])
        recall = count["right"] / count["labelled"]
        measured[f"graph_f1_{way}"] = 2 * count["right"] / (count["found"] + count["labelled"])
        measured[f"precision_{way}"] = precision
        measured[f"recall_{way}"] = recall
        measured[f"internal_right_{way}"] = count["judged_right"] / count["parameters"]
    return {key: round(value, 3) for key, value in measured.items()}


async def drafts(gateway: Gateway, environment: labelled.Labelled, threshold: float) -> dict[str, GraphDraft]:
    """The graph by each way that needs no author."""
    tools = environment.tools
    facts = analyze_tools(environment.source, environment.schema_sql)
    lineage = Lineage(tools, facts, load_schema(environment.schema_sql))
    alike = await semantic_links(gateway, Caller("benchmark", environment.name, Role.EMBEDDER), tools, threshold)
    return {
        "lineage": by_facts(tools, lineage),
        "embeddings": by_likeness(tools, alike),
        "both": by_both(tools, lineage, alike),
    }


async def after_refinement(gateway: Gateway, environment: labelled.Labelled, draft: GraphDraft) -> GraphDraft:
    """One answer of the author, which counts if it passes the gate."""
    answer = await gateway.ask(
        caller=Caller("benchmark", environment.name, Role.AUTHOR),
        schema_name=SCHEMA,
        answer=ToolGraphRefinementAnswer,
        instructions=INSTRUCTIONS,
        context=context_block(context_of(_theme(environment), draft)),
    )
    return draft if problems_of(draft, answer.value) else refined(draft, answer.value)


def compared(graph: ToolGraph, environment: labelled.Labelled) -> Counter[str]:
    found = {(edge.source, edge.target) for edge in graph.edges}
    judged = {(tool.name, each.name): each.internal for tool in graph.tools for each in tool.parameters}
    return Counter(
        found=len(found),
        labelled=len(environment.edges),
        right=len(found & environment.edges),
        parameters=len(judged),
        judged_right=sum(internal == (key in environment.internal) for key, internal in judged.items()),
    )


def _theme(environment: labelled.Labelled) -> Theme:
    name = environment.name.replace("_", " ")
    return Theme(
        key=environment.name.replace("_", "-"),
        name=name,
        category="By hand",
        description=f"The desk of a {name}.",
        entities=[name],
        rules=[Rule(id="own", text="People change only what is theirs.")],
        source=ThemeSource(kind="hand"),
    )


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--threshold", type=float, default=Likeness().threshold, help="least cosine of an edge")
    parser.add_argument("--refined", action="store_true", help="also ask the author model to refine each graph")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        async with Gateway(LanguageSettings.from_environment(), Path(folder)) as gateway:
            measured = await figures(gateway, options.threshold, options.refined)
    if options.json:
        print(json.dumps(measured))
    else:
        print("\n".join(f"{key:28} {value}" for key, value in measured.items()))


if __name__ == "__main__":
    asyncio.run(main())
