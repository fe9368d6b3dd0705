"""`envfactory study`: a policy trained and evaluated at every level of what varies, with every seed.

Belongs here: arguments, and showing the table. Does not: running it (`measuring.studies`).
"""

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import orjson
import typer

from envfactory_dagster.commands.options import AsJson
from envfactory_dagster.commands.terminal import say

if TYPE_CHECKING:
    from envfactory_dagster.contracts.studies import StudyResult


def study(
    path: Annotated[Path, typer.Argument(metavar="STUDY", help="A YAML file: what varies, its levels, seeds, recipe.")],
    as_json: AsJson = False,
) -> None:
    """Train and evaluate a policy at every level of what varies: one table and one plot. Cells that are finished are
    not done again, one that was cut off is gone on with."""
    from envfactory_dagster.measuring.studies.running import read_study, run_study
    from envfactory_dagster.store.home import Home

    home, asked = Home.resolve(), read_study(path)
    found = asyncio.run(run_study(home, asked, lambda line: say(line, file=sys.stderr)))
    if as_json:
        say(orjson.dumps(found.model_dump(mode="json")).decode())
    else:
        _print(found, home.local / "studies" / asked.name)


def _print(found: "StudyResult", folder: Path) -> None:
    from rich.table import Table

    from envfactory_dagster.commands.console import Console

    title = f"{found.study.name}: held-out tasks passed, {found.study.way}; {found.recipe}"
    table = Table(found.study.varies, "trained on", "passed", "seeds", title=title)
    for one in found.levels:
        each = ", ".join(f"{seed.passed:.1%}" for seed in one.seeds)
        table.add_row(one.label, f"{one.trained_on} environments", f"{one.mean:.1%}", each)
    Console().print(table, markup=False)
    say(f"{folder}/plot.svg")
