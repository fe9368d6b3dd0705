"""The checks of one episode in the sandbox, for a bundle's `judge.py --sandbox`.

Belongs here: from what `judge.py` read to a runtime's answer. Does not: the verdict (`standalone_judge`).
"""

import asyncio
from collections.abc import Mapping
from typing import Any

from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.contracts.reports import AnswerForm, Report
from envfactory_dagster.runtime.runtime import Case, Runtime

Said = list[tuple[str, object, str | None]]


def run_in_sandbox(
    source: str,
    images: tuple[bytes, bytes],
    report: Mapping[str, Any] | None,
    fields: list[dict[str, Any]],
    calls: list[dict[str, Any]],
) -> Said | str:
    """What each check said: its name, its value and what is wrong with it; or why none could be run."""
    told = None if report is None else Report.model_validate(report)
    case = Case(*images, told, AnswerForm.model_validate({"fields": fields}), calls)
    return asyncio.run(_run(source, case))


async def _run(source: str, case: Case) -> Said | str:
    async with Runtime() as runtime:
        [found] = await runtime.run_verifier_many(source, [case])
    if isinstance(found, EnvironmentFault):
        return str(found)
    return [(signal.name, signal.value, signal.error) for signal in found]
