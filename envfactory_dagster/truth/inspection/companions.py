"""Writes that belong together: what all other tools do along with a change, one tool may have forgotten. It may as well
be another matter, so this is a warning.

Belongs here: comparing the statements of tools. Does not: what calls change (`afterwards`).
"""

from collections.abc import Iterator

from envfactory_dagster.contracts.inspection import Finding
from envfactory_dagster.truth.inspection.inspected import Inspected

LEAST_OTHERS = 3
"""How many other tools must do it, all there are."""

Deed = tuple[str, str]
"""Table and kind of a write; of an update, one for each column."""


def findings(inspected: Inspected) -> Iterator[Finding]:
    deeds = {tool: set(_deeds(inspected, tool)) for tool in inspected.tools}
    for tool, own in deeds.items():
        for deed in sorted(own):
            others = [found for name, found in deeds.items() if name != tool and deed in found]
            if len(others) < LEAST_OTHERS:
                continue
            known = {place.partition(".")[0] for place, _ in own}
            missing = (found for found in set.intersection(*others) if found[0].partition(".")[0] not in known)
            for table, kind in sorted(missing):
                message = f"{tool}: all other tools with an {deed[1]} in {deed[0]} make an {kind} in {table} too."
                yield Finding(tool=tool, criterion="state", severity="warning", message=message)


def _deeds(inspected: Inspected, tool: str) -> Iterator[Deed]:
    for write in inspected.facts.tools[tool].writes:
        if write.kind == "update":
            yield from ((f"{write.table}.{column}", "update") for column in write.columns)
        else:
            yield write.table, write.kind
