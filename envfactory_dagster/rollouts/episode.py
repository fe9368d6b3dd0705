"""One episode: the agent's messages, the calls they ask for, and what it is told, until there is an end.

Belongs here: the loop, for both protocols and both settings. Does not: asking models (`asking`), the user's side
(`user`), or what the episode was worth (`scoring`).
"""

import time
from dataclasses import dataclass, field

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.trajectory import Step, Timing
from envfactory_dagster.language.messages import Message
from envfactory_dagster.rollouts import calls, prompts
from envfactory_dagster.rollouts.asking import next_message
from envfactory_dagster.rollouts.endings import End, Remark
from envfactory_dagster.rollouts.history import History
from envfactory_dagster.rollouts.model import Model
from envfactory_dagster.rollouts.reading import Said, read
from envfactory_dagster.rollouts.settings import RolloutSettings
from envfactory_dagster.rollouts.tools import offered, tool_message
from envfactory_dagster.rollouts.user import SimulatedUser
from envfactory_dagster.runtime.session import Session
from envfactory_dagster.truth.format_rules import FormatRules
from envfactory_dagster.truth.withholding import tools_left


@dataclass(frozen=True, slots=True)
class Played:
    """What was said and done in an episode."""

    opening: str
    """The first message to the agent."""
    steps: list[Step]
    end: End
    remarks: list[Remark] = field(default_factory=list)


class Episode:
    """One agent at one task, in a session of its own."""

    def __init__(
        self,
        bundle: Bundle,
        task: Task,
        session: Session,
        agent: Model,
        form: FormatRules,
        settings: RolloutSettings,
        seed: int,
        user: SimulatedUser | None = None,
    ) -> None:
        self._bundle, self._task, self._session, self._user = bundle, task, session, user
        self._agent, self._form, self._settings, self._seed = agent, form, settings, seed
        self._tools = offered(tools_left(session.tools(), task), settings.protocol)
        self._steps: list[Step] = []
        self._remarks: list[Remark] = []
        self._written = 0

    async def play(self) -> Played:
        opening = await self._opening()
        if isinstance(opening, End):
            return self._played("", opening)
        system = prompts.for_agent(self._bundle, self._task, self._settings.protocol, self._settings.setting)
        begin: list[Message] = [{"role": "system", "content": system}, {"role": "user", "content": opening}]
        history = History(begin, self._settings.window)
        for _ in range(self._settings.most_steps):
            end = await self._step(history)
            if end is not None:
                return self._played(opening, end)
        return self._played(opening, End("step_limit", f"no end after {self._settings.most_steps} steps"))

    async def _opening(self) -> str | End:
        if self._user is None:
            return self._task.text
        reply = await self._user.reply(prompts.GREETING, 0)
        if reply.end is not None and reply.end.cause == "answered":
            return End("user_silent", "the user ended the conversation before it began")
        return reply.end or reply.text

    async def _step(self, history: History) -> End | None:
        """One message of the agent and what comes of it; the end, where that is one."""
        number, started = len(self._steps), time.perf_counter()
        limit = self._settings.step_seconds
        answer = await next_message(self._agent, history.shown(), self._tools, self._seed, limit)
        if isinstance(answer, End):
            return answer
        said = read(answer, number, earlier={call.id for step in self._steps for call in step.calls})
        answered = time.perf_counter()
        self._written += said.written
        if said.oddity is not None:
            self._remarks.append(said.oddity)
        seen = await calls.make(self._session, self._task, said.calls, self._settings.protocol) if said.calls else []
        if isinstance(seen, End):
            return seen
        timing = Timing(model_s=answered - started, tools_s=time.perf_counter() - answered)
        step = Step(
            number=number,
            reasoning=said.reasoning,
            text=said.text,
            calls=said.calls,
            observations=seen,
            tokens=said.tokens,
            timing=timing,
        )
        self._steps.append(step)
        return await self._after(step, said, history)

    async def _after(self, step: Step, said: Said, history: History) -> End | None:
        if said.calls:
            told = [tool_message(one, what) for one, what in zip(step.calls, step.observations, strict=True)]
            history.add([said.message, *told])
        breach = self._form.breach(self._steps, finished=False, must_call=False)
        if breach is not None:
            return End("format" if breach.of_agent else "environment", breach.message)
        if not said.calls:
            end = await self._answered(step, said, history)
            if end is not None:
                return end
        if self._written > self._settings.most_tokens:
            return End("token_limit", f"more than {self._settings.most_tokens} tokens written")
        return None

    async def _answered(self, step: Step, said: Said, history: History) -> End | None:
        """The agent spoke: to nobody, or to the user, who may go on."""
        if self._user is None:
            return End("answered")
        reply = await self._user.reply(said.text or "(says nothing)", step.number)
        self._steps[-1] = step.model_copy(
            update={"reply": reply.text, "calls": reply.requests, "observations": reply.observations}
        )
        history.add([said.message, {"role": "user", "content": reply.text}])
        return reply.end

    def _played(self, opening: str, end: End) -> Played:
        remarks = [*self._remarks, *(self._user.remarks if self._user is not None else [])]
        return Played(opening, self._steps, end, list(dict.fromkeys(remarks)))
