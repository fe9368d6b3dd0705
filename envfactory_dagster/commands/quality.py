"""`envfactory quality`: how good are the environments of a home, and how various?

Belongs here: arguments, and showing the figures. Does not: asking judges and counting (`measuring.quality`).
"""

import asyncio
import sys
from typing import TYPE_CHECKING, Annotated

import orjson
import typer

from envfactory_dagster.commands.options import AsJson
from envfactory_dagster.commands.solver import settings_for
from envfactory_dagster.commands.terminal import say

if TYPE_CHECKING:
    from envfactory_dagster.contracts.quality import Quality


def quality(
    keys: Annotated[
        list[str] | None, typer.Argument(metavar="[KEY]…", help="Environments; by default all that were inspected.")
    ] = None,
    endpoint: Annotated[
        str | None, typer.Option(help="Base URL of an OpenAI-compatible endpoint; by default ENVFACTORY_LLM_BASE_URL.")
    ] = None,
    judges: Annotated[
        list[str] | None,
        typer.Option("--judge", help="A model that rates; may be repeated. By default that of the role judge."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Have judges rate the inspected environments, and count their bugs and how various they are."""
    from envfactory_dagster.measuring.quality import quality as measured
    from envfactory_dagster.store.home import Home

    settings = [settings_for(endpoint, None, judge) for judge in dict.fromkeys(judges or [])]
    settings = settings or [settings_for(endpoint, None)]
    found = asyncio.run(measured(Home.resolve(), settings, keys or [], lambda line: say(line, file=sys.stderr)))
    if as_json:
        say(orjson.dumps(found.model_dump(mode="json")).decode())
    else:
        _print(found)


def _print(found: "Quality") -> None:
    from rich.table import Table

    from envfactory_dagster.commands.console import Console
    from envfactory_dagster.language.prices import cost_in_words
    from envfactory_dagster.truth.inspection.ratings import NAMES

    console = Console()
    table = Table("rated 1 to 5 by", "environments", *(name.replace("_", " ") for name in NAMES), box=None)
    for one in found.judges:
        rated = [one.ratings[name] for name in NAMES if name in one.ratings]
        table.add_row(one.judge, str(one.environments), *(f"{r.mean:.2f} ± {r.deviation:.2f}" for r in rated))
    for two in found.compared:
        apart = [f"{two.difference[name]:.2f} apart" for name in NAMES if name in two.difference]
        table.add_row(" and ".join(two.judges), str(two.environments), *apart)
    console.print(table, markup=False)
    bugs = found.bugs
    console.print(
        f"With failing tools: {bugs.environments_with_bugs:.0%} of {found.environments} environments, {bugs.bugs:.2f} "
        f"tools each; blocked tasks: {bugs.blocked_tasks:.1%}.",
        markup=False, highlight=False, soft_wrap=True,
    )  # fmt: skip
    table = Table("pool of", "apart", "nearest", "categories", box=None)
    for pool in found.diversity:
        table.add_row(str(pool.size), f"{pool.apart:.3f}", f"{pool.nearest:.3f}", f"{pool.categories:.1f}")
    console.print(table, markup=False)
    if cost := cost_in_words(found.spent):
        console.print(f"Cost: {cost}.", markup=False, highlight=False)
