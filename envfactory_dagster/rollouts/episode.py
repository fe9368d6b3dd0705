"""One episode: the agent's messages, the calls they ask for, and what it is told, until its report ends it. Of a single
turn of a conversation, until it answers.

Belongs here: the loop, for both protocols and both settings, and asking for the report. Does not: asking models
(`asking`), the user's side (`user`), or what the episode was worth (`scoring`).
"""

import time
from dataclasses import dataclass, field, replace

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.reports import AnswerForm, Report
from envfactory_dagster.contracts.trajectory import Observation, Protocol, Step, Timing, ToolRequest, Trajectory
from envfactory_dagster.language.messages import Message
from envfactory_dagster.rollouts import calls, prompts
from envfactory_dagster.rollouts.asking import next_message
from envfactory_dagster.rollouts.assignments import SingleTurn
from envfactory_dagster.rollouts.endings import ENDING_OF, End, Remark
from envfactory_dagster.rollouts.history import History, exchange
from envfactory_dagster.rollouts.model import Model, Tools
from envfactory_dagster.rollouts.reading import Said, as_message, read
from envfactory_dagster.rollouts.reporting import Desk
from envfactory_dagster.rollouts.settings import RolloutSettings
from envfactory_dagster.rollouts.tools import offered
from envfactory_dagster.rollouts.user import Person
from envfactory_dagster.runtime.session import Callee
from envfactory_dagster.truth.format_rules import FormatRules
from envfactory_dagster.truth.protocols import with_reports_marked
from envfactory_dagster.truth.withholding import tools_left

MOST_REPORTS = 3
"""So many reports of one episode may be refused once they are due; then it ends without one."""


@dataclass(frozen=True, slots=True)
class Played:
    """What was said and done in an episode."""

    opening: str
    """The first message to the agent."""
    steps: list[Step]
    end: End
    remarks: list[Remark] = field(default_factory=list)
    report: Report | None = None

    def trajectory(
        self, bundle: Bundle, task: Task, *, protocol: Protocol, model: str, seed: int, state_hash: str
    ) -> Trajectory:
        """The episode as it is kept, not judged yet."""
        return Trajectory(
            environment=bundle.key,
            bundle_version=bundle.version,
            task=task.id,
            state=task.state,
            clock=bundle.states[task.state].clock,
            protocol=protocol,
            model=model,
            seed=seed,
            withheld=task.withheld,
            opening=self.opening,
            steps=self.steps,
            ending=ENDING_OF[self.end.cause],
            report=self.report,
            state_hash=state_hash,
        )


class Episode:
    """One agent at one task, in a session of its own or with whoever stands in for its tools."""

    def __init__(
        self,
        bundle: Bundle,
        task: Task,
        answers: AnswerForm,
        session: Callee,
        agent: Model,
        rules: FormatRules,
        settings: RolloutSettings,
        most_steps: int,
        seed: int,
        user: Person | None = None,
        turn: SingleTurn | None = None,
    ) -> None:
        self._bundle, self._task, self._session, self._user, self._turn = bundle, task, session, user, turn
        self._agent, self._rules, self._settings, self._seed = agent, rules, settings, seed
        self._most_steps = most_steps
        self._desk = Desk(bundle, answers, is_open=user is None and turn is None)
        self._without_report: End | None = None
        """How the episode ends if the report that the agent was asked for does not come; None while it was not."""
        self._steps: list[Step] = []
        self._remarks: list[Remark] = []
        self._written = 0
        self._worked = 0
        """Messages that handed in no report, or one while the person had still something to say."""

    async def play(self) -> Played:
        opening = await self._opening()
        if isinstance(opening, End):
            return self._played("", opening)
        history = History(self._begin(opening), self._settings.window)
        end = await self._done_before() if self._turn is not None else None
        while end is None:
            end = await self._step(history)
        return self._played(opening, end)

    def _begin(self, opening: str) -> list[Message]:
        if self._turn is not None:
            return list(self._turn.messages)
        settings = self._settings
        system = prompts.for_agent(
            self._bundle, self._task, settings.protocol, settings.setting, window=settings.window
        )
        return [{"role": "system", "content": system}, {"role": "user", "content": opening}]

    async def _done_before(self) -> End | None:
        """Make the calls of the turns before this one."""
        assert self._turn is not None
        for call in self._turn.calls:
            request = ToolRequest(id="before", name=call.tool, arguments=call.arguments, principal=call.principal)
            seen = await calls.make(self._session, self._task, [request], "native")
            if isinstance(seen, End):
                return seen
            if (seen[0].outcome, seen[0].value) != (call.outcome, call.value):
                return End("environment", f"{call.tool}, called before this turn, answers otherwise than it did")
        return None

    async def _opening(self) -> str | End:
        if self._turn is not None:
            return str(self._turn.messages[-1]["content"])
        if self._user is None:
            return self._task.text
        reply = await self._user.reply(prompts.GREETING, 0)
        if reply.end is not None and reply.end.cause == "answered":
            return End("user_silent", "the user ended the conversation before it began")
        return reply.end or reply.text

    async def _step(self, history: History) -> End | None:
        """One message of the agent and what comes of it; the end, where that is one."""
        number, started = len(self._steps), time.perf_counter()
        shown, limit = history.shown(with_talk=self._without_report is not None), self._settings.step_seconds
        answer = await next_message(self._agent, shown, self._offered(), self._seed, limit)
        if isinstance(answer, End):
            return answer
        said = self._heard(read(answer, number, earlier={call.id for step in self._steps for call in step.calls}))
        answered = time.perf_counter()
        seen = await self._called(said) if said.calls else []
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
        end = await self._after(step, said)
        history.add(exchange(self._steps[-1]))
        return end

    def _offered(self) -> Tools:
        """Nothing but the report once it is asked for, and no report while a person has still something to say."""
        if self._without_report is not None:
            return [self._desk.tool]
        tools = tools_left(self._session.tools(), self._task)
        return offered(tools, self._settings.protocol, self._desk.tool if self._desk.is_open else None)

    def _heard(self, said: Said) -> Said:
        """The message with its reports marked, and counted. Calls of what is not offered any more are none."""
        requests = with_reports_marked(said.calls, self._desk.name, self._settings.protocol)
        if self._without_report is not None:
            requests = [request for request in requests if request.is_report]
        if not self._desk.is_open or not any(request.is_report for request in requests):
            self._written += said.written
            self._worked += 1
        if said.oddity is not None:
            self._remarks.append(said.oddity)
        return replace(said, calls=requests, message=as_message(said.text, requests))

    async def _called(self, said: Said) -> list[Observation] | End:
        return await calls.make(self._session, self._task, said.calls, self._settings.protocol, self._desk)

    async def _after(self, step: Step, said: Said) -> End | None:
        breach = self._rules.breach(self._steps, finished=False, must_call=False)
        if breach is not None:
            return End("format" if breach.of_agent else "environment", breach.message)
        if self._desk.report is not None:
            return End("answered")
        if len(self._desk.refused) >= MOST_REPORTS:
            return self._without_report or End("answered", f"no report was taken: {self._desk.refused[-1]}")
        if not said.calls:
            end = await self._answered(step, said)
            if end is not None:
                return end
        if self._written > self._settings.most_tokens:
            return End("token_limit", f"more than {self._settings.most_tokens} tokens written")
        if self._worked >= self._most_steps and self._without_report is None:
            without = End("step_limit", f"no end after {self._most_steps} steps")
            if self._turn is not None:
                return without
            self._ask_for_report(without)
        return None

    async def _answered(self, step: Step, said: Said) -> End | None:
        """The agent spoke instead of calling: to nobody, or to the user, who may go on."""
        if self._without_report is not None:
            return self._without_report
        if self._turn is not None:
            return End("answered")
        if self._user is not None:
            reply = await self._user.reply(said.text or "(says nothing)", step.number)
            self._steps[-1] = step.model_copy(
                update={"reply": reply.text, "calls": reply.requests, "observations": reply.observations}
            )
            if reply.end is None or reply.end.cause != "answered":
                return reply.end
        self._ask_for_report(End("answered", "the agent handed in no report"))
        return None

    def _ask_for_report(self, without: End) -> None:
        self._desk.is_open, self._without_report = True, without
        notice = prompts.report_due(self._desk.name)
        self._steps[-1] = self._steps[-1].model_copy(update={"notice": notice})

    def _played(self, opening: str, end: End) -> Played:
        remarks = [*self._remarks, *(self._user.remarks if self._user is not None else [])]
        return Played(opening, self._steps, end, list(dict.fromkeys(remarks)), self._desk.report)
