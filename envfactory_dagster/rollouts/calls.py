"""Making the calls of a step in a session, under either protocol.

Belongs here: one observation for each request, in order, or that there is no environment left to ask. Does not:
reading requests (`truth.protocols`), or whether the episode may go on (`episode`).
"""

from collections.abc import Sequence

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.calls import CallResult
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.errors import EnvironmentFault, InfrastructureFault
from envfactory_dagster.contracts.trajectory import Observation, Protocol, ToolRequest
from envfactory_dagster.rollouts.endings import End
from envfactory_dagster.rollouts.reporting import Desk
from envfactory_dagster.runtime.session import Callee
from envfactory_dagster.truth.protocols import CallRequest, FinishRequest, ListRequest, UnreadableRequest, asked, listed
from envfactory_dagster.truth.withholding import call_many, tools_left


async def make(
    session: Callee, task: Task, requests: Sequence[ToolRequest], protocol: Protocol, desk: Desk | None = None
) -> list[Observation] | End:
    """What came back for each request. All of one step go to the environment in one message, in the order written;
    tools that the task withholds are as unknown as any that never were. Reports go to the desk; a simulated user, who
    has none, hands in no reports."""
    meant = [asked(request, protocol) for request in requests]
    wanted: list[tuple[str, dict[str, Json]]] = [
        (one.tool, one.arguments) for one in meant if isinstance(one, CallRequest)
    ]
    principal = requests[0].principal if requests else "assistant"
    try:
        results = iter(await call_many(session, task, wanted, principal) if wanted else [])
    except (EnvironmentFault, InfrastructureFault) as fault:
        return End("environment", str(fault))
    observations = []
    for request, one in zip(requests, meant, strict=True):
        if isinstance(one, ListRequest):
            observations.append(
                Observation(call=request.id, outcome="ok", value=listed(tools_left(session.tools(), task)))
            )
        elif isinstance(one, FinishRequest):
            assert desk is not None, "only the agent's requests are marked as reports"
            observations.append(desk.hand_in(request, one, alone=len(requests) == 1))
        elif isinstance(one, UnreadableRequest):
            observations.append(Observation(call=request.id, outcome="agent", error=one.problem))
        else:
            observations.append(_observed(request, next(results)))
    return observations


def _observed(request: ToolRequest, result: CallResult) -> Observation:
    return Observation(
        call=request.id, outcome=result.outcome, value=result.value, error=result.error, note=result.note
    )
