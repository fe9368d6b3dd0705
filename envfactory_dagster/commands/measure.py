"""`envfactory measure`: what a model behind an endpoint does on a benchmark.

Belongs here: arguments, and showing the result. Does not: measuring (`measuring`).
"""

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import orjson
import typer

from envfactory_dagster.commands.options import AsJson
from envfactory_dagster.commands.solver import people_beside, settings_for
from envfactory_dagster.commands.terminal import say
from envfactory_dagster.contracts.benchmarks import BenchmarkName, Decoding

if TYPE_CHECKING:
    from envfactory_dagster.contracts.benchmarks import BenchmarkResult, Scores


def measure(
    on: Annotated[BenchmarkName, typer.Option("--on", help="The benchmark.")],
    endpoint: Annotated[
        str | None, typer.Option(help="Base URL of an OpenAI-compatible endpoint; by default ENVFACTORY_LLM_BASE_URL.")
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="The model to be measured; by default that of the role solver.")
    ] = None,
    k: Annotated[int, typer.Option(min=1, help="How often each task is tried.")] = 1,
    categories: Annotated[
        list[str] | None, typer.Option("--category", help="Only this part; may be repeated. By default all.")
    ] = None,
    temperature: Annotated[float | None, typer.Option(min=0.0, help="By default the endpoint's own.")] = None,
    top_p: Annotated[float | None, typer.Option(min=0.0, max=1.0, help="By default the endpoint's own.")] = None,
    top_k: Annotated[int | None, typer.Option(min=1, help="By default the endpoint's own.")] = None,
    as_json: AsJson = False,
) -> None:
    """Measure a model on a benchmark: mean score, pass^k and max@k with intervals. What is cut off is gone on with by
    the same command, and no figure is told before the set is complete."""
    from envfactory_dagster.measuring.running import BenchmarkWish, run_measurement
    from envfactory_dagster.store.home import Home

    wish = BenchmarkWish(on, Decoding(temperature=temperature, top_p=top_p, top_k=top_k), k, categories or ())
    settings = settings_for(endpoint, model)
    people = people_beside(settings)
    found = run_measurement(Home.resolve(), settings, people, wish, lambda line: say(line, file=sys.stderr))
    result, folder = asyncio.run(found)
    if as_json:
        say(orjson.dumps(result.model_dump(mode="json") | {"folder": str(folder)}).decode())
    else:
        _print(result, folder)


def _print(result: "BenchmarkResult", folder: Path) -> None:
    from rich.table import Table

    from envfactory_dagster.commands.console import Console
    from envfactory_dagster.language.prices import cost_in_words

    setup, console = result.setup, Console()
    how = ", ".join(f"{name} {value}" for name, value in setup.decoding.model_dump().items() if value is not None)
    person = f"; {setup.user_model} plays the person" if setup.user_model else ""
    console.print(
        f"{setup.model} on {setup.benchmark} {setup.version}, {setup.tries} tries of each task, "
        f"{how or 'decoding as the endpoint does'}{person}",
        markup=False, highlight=False, soft_wrap=True,
    )  # fmt: skip
    columns = ["", "tasks", "score", "of 95 %", *(f"pass^{j}" for j in _shown(setup.tries))]
    table = Table(*columns, *(f"max@{j}" for j in _shown(setup.tries)[1:]), box=None, pad_edge=False)
    for name, scores in result.scores.items():
        table.add_row(name.replace("_", " "), *_row(scores, setup.tries))
    console.print(table, markup=False)
    for name, value in result.aggregates.items():
        console.print(f"{name}: {value:.2f}", markup=False, highlight=False)
    if result.missing:
        console.print(f"Not measured: {', '.join(result.missing)}.", markup=False, highlight=False, soft_wrap=True)
    cost = cost_in_words(result.spent) or "no model was asked"
    console.print(f"Cost: {cost}. Every try: {folder}/tries.jsonl", markup=False, highlight=False, soft_wrap=True)


def _shown(tries: int) -> list[int]:
    """Which k a person is shown: the first and the last; all are in the result."""
    return [1] if tries == 1 else [1, tries]


def _row(scores: "Scores", tries: int) -> list[str]:
    passed = [f"{scores.pass_all[k].mean:.1%}" for k in _shown(tries)]
    best = [f"{scores.best[k].mean:.3f}" for k in _shown(tries)[1:]]
    score = scores.score
    return [str(scores.tasks), f"{score.mean:.3f}", f"{score.low:.3f} to {score.high:.3f}", *passed, *best]
