"""Playing the tasks of the hand-written bundle: by their solutions, or call by call."""

from envfactory_dagster import examples
from tests.support.inline_runtime import Environment, Row, Session

TASKS = {task.id: task for task in examples.load("alpine_huts").tasks}


def solved(environment: Environment, task: str) -> tuple[Session, Row]:
    """A session in which the reference solution has run, and its report."""
    session = Session(environment, TASKS[task].state)
    return session, session.solve(environment.bundle.solutions[task])


def replayed(environment: Environment, task: str, calls: list[Row]) -> Session:
    """The calls one by one, going on after a refusal as somebody would who does not look."""
    session = Session(environment, TASKS[task].state)
    for call in calls:
        try:
            session.call(call["tool"], **call["arguments"])
        except Session.Error:
            continue
    return session


def writes(session: Session) -> list[int]:
    """Which calls of the session were commands that succeeded."""
    return [
        i
        for i, call in enumerate(session.calls)
        if call["outcome"] == "ok" and call["tool"] not in session.environment.read_only
    ]
