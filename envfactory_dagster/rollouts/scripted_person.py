"""The person of a conversation without a language model: says the turns in order, does their part, and stops.

Belongs here: one side of a conversation that understands nothing of what it is told. Does not: a person who listens
(`user`), and the reference policy that it speaks with (`reference`).
"""

from envfactory_dagster.contracts.trajectory import ToolRequest
from envfactory_dagster.contracts.truth import TracedStep
from envfactory_dagster.rollouts import calls
from envfactory_dagster.rollouts.assignments import Assignment
from envfactory_dagster.rollouts.endings import End, Remark
from envfactory_dagster.rollouts.script import parts
from envfactory_dagster.rollouts.user import Reply
from envfactory_dagster.runtime.session import Callee

_MOST_TRIES = 3


class ScriptedPerson:
    """Whatever the assistant says, the next thing follows: the calls of this turn that are the person's own, else the
    next turn, else the end. A question (what ends with a question mark) is first answered with what the person says
    only when asked."""

    def __init__(self, assignment: Assignment, session: Callee) -> None:
        self._task, self._session = assignment.task, session
        self._ahead = parts(assignment)
        self._answers = list(assignment.conversation.answers) if assignment.conversation is not None else []
        self._own: list[list[TracedStep]] = []
        """The calls of the person in the turn that was said last, run by run."""
        self._begun = False
        self._tries = 0
        self.remarks: list[Remark] = ["user_scripted"]

    async def reply(self, heard: str, step: int) -> Reply:
        if self._begun and heard.rstrip().endswith("?") and (answer := self._answer()):
            return Reply(answer)
        if self._own:
            return await self._do(self._own[0], step)
        if not self._ahead:
            return Reply("", End("answered"))
        return Reply(self._next())

    def _answer(self) -> str:
        """What was kept back; a detail before everything else. Empty: there is nothing."""
        if self._ahead and self._ahead[0].kind == "detail":
            return self._next()
        told, self._answers = " ".join(self._answers), []
        return told

    def _next(self) -> str:
        part = self._ahead.pop(0)
        self._begun = True
        self._own += [run for run in part.runs if run[0].principal == "user"]
        return part.request

    async def _do(self, run: list[TracedStep], step: int) -> Reply:
        """Calls that come to something else than they should are tried again when the assistant has said more."""
        requests = [
            ToolRequest(id=f"user_{step}_{place}", name=one.tool, arguments=one.arguments, principal="user")
            for place, one in enumerate(run)
        ]
        seen = await calls.make(self._session, self._task, requests, "native")
        if isinstance(seen, End):
            return Reply("", seen)
        self._tries += 1
        came_out = [one.outcome for one in seen] == [one.outcome for one in run]
        if came_out or self._tries == _MOST_TRIES:
            self._own.pop(0)
            self._tries = 0
        return Reply("I have done that." if came_out else "I tried that, and it did not work.", None, requests, seen)
