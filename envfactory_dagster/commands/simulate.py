"""`envfactory simulate`: how well does a language model play the tools of an environment?

Belongs here: arguments, and showing the figures. Does not: playing and counting (`measuring.simulation`).
"""

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import orjson
import typer

from envfactory_dagster.commands.options import AsJson
from envfactory_dagster.commands.solver import settings_for
from envfactory_dagster.commands.terminal import say

if TYPE_CHECKING:
    from envfactory_dagster.contracts.simulation import SimulationResult


def simulate(
    keys: Annotated[
        list[str] | None, typer.Argument(metavar="[KEY]…", help="Environments; by default all that are released.")
    ] = None,
    endpoint: Annotated[
        str | None, typer.Option(help="Base URL of an OpenAI-compatible endpoint; by default ENVFACTORY_LLM_BASE_URL.")
    ] = None,
    simulator: Annotated[
        str | None,
        typer.Option(help="The model that answers in place of the tools; by default that of the role judge."),
    ] = None,
    agent: Annotated[
        str,
        typer.Option(
            help="Who calls the tools: a model of the endpoint, `reference` (the calls of the solutions) or "
            "`inspection` (those that the inspection tried the tools with)."
        ),
    ] = "reference",
    tasks: Annotated[
        int | None, typer.Option(min=1, help="So many tasks, or sessions of the inspection, of each environment.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Have a language model answer every call of some episodes in place of the tools, and compare it with what the
    executed tools answer: how often it is right, and what it costs."""
    from envfactory_dagster.language.messages import Role
    from envfactory_dagster.language.settings import REFERENCE, is_reference
    from envfactory_dagster.measuring.simulation import simulate as play
    from envfactory_dagster.store.home import Home

    settings = settings_for(endpoint, agent, simulator)
    if is_reference(agent):
        settings = settings.model_copy(update={"models": {**settings.models, Role.USER: REFERENCE}})
    done = play(Home.resolve(), settings, keys or [], tasks, lambda line: say(line, file=sys.stderr))
    result, folder = asyncio.run(done)
    if as_json:
        say(orjson.dumps(result.model_dump(mode="json") | {"folder": str(folder)}).decode())
    else:
        _print(result, folder)


def _print(result: "SimulationResult", folder: Path) -> None:
    from typing import get_args

    from rich.table import Table

    from envfactory_dagster.commands.console import Console
    from envfactory_dagster.contracts.simulation import Difference
    from envfactory_dagster.language.prices import cost_in_words, dollars

    console = Console()
    console.print(
        f"{result.simulator} in place of the tools of {result.environments} environments, called by {result.agent} in "
        f"{result.episodes} episodes",
        markup=False, highlight=False, soft_wrap=True,
    )  # fmt: skip
    differences = [one for one in get_args(Difference) if one != "none"]
    table = Table("calls", "", "same", "of 95 %", *(one.replace("_", " ") for one in differences), box=None)
    for share, found in result.calls.items():
        same = found.same
        rates = ("", "") if same is None else (f"{same.mean:.1%}", f"{same.low:.1%} to {same.high:.1%}")
        counts = [str(found.differences.get(one, 0)) for one in differences]
        table.add_row(share, str(found.calls), *rates, *counts)
    console.print(table, markup=False)
    spent, asked = result.spent, max(1, result.spent.calls)
    each = f"{(spent.tokens_in + spent.tokens_out) // asked:,} tokens a call"
    each += f", {dollars(spent.cost_usd / asked)}" if spent.cost_usd else ""
    passed = f" Passed: {result.passed}." if result.passed is not None else ""
    for line in (
        f"Same throughout: {result.same_throughout} of {result.episodes} episodes.{passed}",
        f"Results that break the output schema: {result.broken_schema}. States shown in part: {result.in_part} calls.",
        f"Cost: {cost_in_words(spent) or 'no model was asked'}, {each}. Every call: {folder}/calls.jsonl",
    ):
        console.print(line, markup=False, highlight=False, soft_wrap=True)
