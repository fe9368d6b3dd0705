"""`envfactory export`: environments in the form of another project.

Belongs here: reading the command, saying what was left out. Does not: forms and files (`exchange`).
"""

from pathlib import Path
from typing import Annotated

import orjson
import typer

from envfactory_dagster.commands.options import KEY_HELP, AsJson
from envfactory_dagster.commands.terminal import say
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.loading import load_bundle


def export(
    keys: Annotated[list[str], typer.Argument(metavar="KEY…", help=KEY_HELP)],
    to: Annotated[str, typer.Option("--to", metavar="FORM", help="The form: see docs/guides/exchange.md for each.")],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Each environment becomes a folder DIR/KEY.")],
    as_json: AsJson = False,
) -> None:
    """Write released environments in the form of another project. What is written needs nothing of this package."""
    from envfactory_dagster.exchange.exporting import by_reason
    from envfactory_dagster.exchange.exporting import export as write
    from envfactory_dagster.exchange.forms import FORMS

    if to not in FORMS:
        raise UsageError(f"There is no form {to!r}. There are: {', '.join(sorted(FORMS))}.")
    bundles = [load_bundle(key) for key in keys]
    written = {bundle.key: write(bundle, FORMS[to], out.expanduser() / bundle.key) for bundle in bundles}
    if as_json:
        found = {
            key: {"folder": str(one.folder), "tasks": one.tasks, "left_out": one.left_out}
            for key, one in written.items()
        }
        say(orjson.dumps(found).decode())
        return
    for key, one in written.items():
        say(f"{key}: {one.tasks} tasks in {one.folder}")
        for why, tasks in by_reason(one.left_out).items():
            say(f"  left out, {why}: {', '.join(tasks)}")
