"""`envfactory export`: environments in the form of another project.

Belongs here: reading the command, saying what was left out. Does not: forms and files (`exchange`).
"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import orjson
import typer

from envfactory_dagster.commands.options import KEY_HELP, AsJson
from envfactory_dagster.commands.terminal import how_many, say
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.loading import load_bundle

if TYPE_CHECKING:
    from envfactory_dagster.store.home import Home


def export(
    keys: Annotated[list[str], typer.Argument(metavar="KEY…", help=KEY_HELP)],
    to: Annotated[str, typer.Option("--to", metavar="FORM", help="The form: see docs/guides/exchange.md for each.")],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Each environment becomes a folder DIR/KEY.")],
    as_json: AsJson = False,
) -> None:
    """Write released environments in the form of another project. What is written needs nothing of this package."""
    from envfactory_dagster.exchange.exporting import by_reason, prepare
    from envfactory_dagster.exchange.forms import FORMS
    from envfactory_dagster.exchange.origins import known_of
    from envfactory_dagster.store.home import Home

    if to not in FORMS:
        raise UsageError(f"There is no form {to!r}. There are: {', '.join(sorted(FORMS))}.")
    home = Home.resolve()
    bundles = {bundle.key: bundle for bundle in (_released(home, key) for key in keys)}
    prepared = {  # all of them, before the first is written
        key: prepare(bundle, FORMS[to], out.expanduser() / key, known_of(home, bundle))
        for key, bundle in bundles.items()
    }
    written = {key: one.write() for key, one in prepared.items()}
    if as_json:
        found = {
            key: {"folder": str(one.folder), "tasks": one.tasks, "left_out": one.left_out}
            for key, one in written.items()
        }
        say(orjson.dumps(found).decode())
        return
    for key, one in written.items():
        say(f"{key}: {how_many(one.tasks, 'task')} in {one.folder}")
        for why, tasks in by_reason(one.left_out).items():
            say(f"  left out, {why}: {', '.join(tasks)}")


def _released(home: "Home", key: str) -> Bundle:
    """Raises UsageError that says why, for an environment that was rejected."""
    from envfactory_dagster.exchange.origins import rejection_of

    rejected = rejection_of(home, key) if key == Path(key).name else None
    try:
        bundle = load_bundle(key)
    except UsageError as missing:
        raise UsageError(rejected) if rejected else missing from None
    if rejected and not bundle.verifiers:
        raise UsageError(rejected)
    return bundle
