"""`envfactory prune`: give back the room of what nothing refers to.

Belongs here: saying what would go, and asking for it by an option. Does not: deciding what is needed (`store.pruning`).
"""

from collections import Counter
from typing import Annotated

import orjson
import typer

from envfactory_dagster.commands.options import AsJson
from envfactory_dagster.commands.terminal import say

_CALLED = {
    "bundle": "older versions of environments",
    "record": "records that are not the latest",
    "unfinished": "files that were never finished",
}


def prune(
    older_than: Annotated[float, typer.Option(metavar="DAYS", min=0, help="Only what is older than that.")] = 30.0,
    yes: Annotated[bool, typer.Option("--yes", help="Remove it. Without this nothing is removed.")] = False,
    as_json: AsJson = False,
) -> None:
    """Say what ENVFACTORY_HOME keeps that nothing refers to any more: older versions of environments in which nobody
    has played, records that are not the latest, files that were never finished. With --yes it is removed."""
    from envfactory_dagster.store.home import Home
    from envfactory_dagster.store.pruning import remove, unneeded

    found = unneeded(Home.resolve(), older_than)
    if yes:
        remove(found)
    count, size = Counter(one.kind for one in found), Counter[str]()
    for one in found:
        size[one.kind] += one.size
    if as_json:
        kinds = {kind: {"count": count[kind], "bytes": size[kind]} for kind in count}
        say(orjson.dumps({"removed": yes, "kinds": kinds, "paths": [str(one.path) for one in found]}).decode())
        return
    for kind, number in count.items():
        say(f"{number:,} {_CALLED[kind]}: {size[kind] / 1e6:,.1f} MB")
    if not found:
        say("Nothing to remove.")
    else:
        say(
            "Removed."
            if yes
            else "`envfactory prune --yes` removes them. Going back to older settings is paid again then."
        )
