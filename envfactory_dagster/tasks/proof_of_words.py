"""The proof of words: a task is only released when somebody who sees nothing but its words comes to the same end.

An agent plays each task twice, and more often where the runs do not all come to the end of the reference solution.
Belongs here: playing the words of any task, whatever made it, and what that says about the task. Does not: the loop
(`rollouts`), judging (`truth`), and what becomes of tasks whose words are not proved (`release`).

A verifier that agrees with its own reference solution may still be wrong about what the words ask for. Where runs agree
with each other on another end, the reference solution is as suspect as they are.

A run breaks off where a model gives no answer. That is the task's own when the model answers something else meanwhile:
its words are unproven then. A model that answers nothing proves nothing of any task, and is told of as a fault.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import get_args

from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.errors import InfrastructureFault, UsageError
from envfactory_dagster.contracts.finish_tool import finish_name
from envfactory_dagster.contracts.reports import Report
from envfactory_dagster.contracts.synthesis import MadeTask, ProofOfWords, ReachedEnd, WordsVerdict
from envfactory_dagster.contracts.trajectory import Trajectory
from envfactory_dagster.contracts.truth import RowChange
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Message, Role
from envfactory_dagster.rollouts.asking import next_message
from envfactory_dagster.rollouts.assignments import Assignment, assignments
from envfactory_dagster.rollouts.endings import WORTH_ANOTHER_TRY, End
from envfactory_dagster.rollouts.engine import Engine
from envfactory_dagster.rollouts.model import GatewayModel, Model
from envfactory_dagster.rollouts.scoring import Rollout
from envfactory_dagster.rollouts.settings import RolloutSettings, Setting
from envfactory_dagster.rollouts.signatures import BySignatures
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.runtime.facts import load_schema
from envfactory_dagster.runtime.facts.schema import Schema
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.tasks.families.drawing import family_of
from envfactory_dagster.truth.changesets import Changeset, Mask, normalize
from envfactory_dagster.truth.execution import run_calls
from envfactory_dagster.truth.protocols import traced
from envfactory_dagster.truth.reports import same_report
from envfactory_dagster.truth.rewards import RewardSettings

AGREEING = 2
"""So many runs have to come to an end before it counts. As many are made at first."""
MOST_RUNS = 5
TRIES = 2
"""So often a run is made that breaks off because a model gives no answer."""
MOST_CHANGES = 100
"""Of an end, so many changes are kept to be read."""

_SEEDS = 1_000
"""The seeds of a proof that is made again begin so far behind those of the one before."""

_ARE_YOU_THERE: Message = {"role": "user", "content": "Are you there? Answer in one word."}

NOT_PLAYED = ProofOfWords(verdict="not_played")
_MALFORMED_CALLS_ARE_TOLD = RewardSettings(format_rules={"native": ("server",)})
"""Words are not at fault for a call of a wrong form: whoever makes one is told and goes on."""


@dataclass(frozen=True, slots=True)
class ProofSettings:
    most_runs: int = MOST_RUNS
    """Of one task. Two that come to the end of its reference solution are enough."""
    release_unproven: bool = False
    """Whether tasks are released on whose end no two runs agree. Those whose runs agree on another end never are."""

    def __post_init__(self) -> None:
        if self.most_runs < AGREEING:
            raise UsageError(f"Words are proved by {AGREEING} runs at least; {self.most_runs} cannot prove any.")


@dataclass(frozen=True, slots=True)
class WordsProver:
    """Whoever proves words: the model of the role `solver`, with that of the role `user` where a person has to do
    something themselves. `store` keeps the runs, apart from those that are made to train on."""

    gateway: Gateway
    runtime: Runtime
    store: TrajectoryStore
    solver: str
    user: str
    settings: ProofSettings = field(default_factory=ProofSettings)

    def settings_hash(self) -> str:
        return content_hash([self.solver, self.user, asdict(self.settings)])

    async def prove(self, stage: str, bundle: Bundle, made: Sequence[MadeTask], redo: int = 0) -> list[ProofOfWords]:
        """Of each task, in the order given. `redo`: how often that was asked for again; each time with fresh runs.

        Of a family one task is played for all: they have the same author and the same program. Where its words are not
        proved, neither are those of the others; where they are, the others are released as not played."""
        agent, user = (
            GatewayModel(self.gateway, Caller(stage, bundle.key, role), name, RolloutSettings().temperature)
            for role, name in ((Role.SOLVER, self.solver), (Role.USER, self.user))
        )
        plays = _Plays(self.runtime, agent, user, self.store, _as_played(bundle, made), redo * _SEEDS)
        played = {_played_as(one): one for one in reversed(made)}
        try:
            proofs = await plays.proofs(list(played.values()), self.settings.most_runs)
        finally:
            self.runtime.retire(plays.bundle)
        found = dict(zip(played, proofs, strict=True))
        return [
            found[name] if played[name] is one else _as_its_family(found[name])
            for name, one in ((_played_as(one), one) for one in made)
        ]


def _played_as(made: MadeTask) -> str:
    """What a task is played as: itself, or its family."""
    return family_of(made.task.id) if made.source == "family" else made.task.id


def _as_its_family(proof: ProofOfWords) -> ProofOfWords:
    return NOT_PLAYED if proof.verdict == "accepted" else proof


def with_words(made: MadeTask, proof: ProofOfWords) -> MadeTask:
    """The task with what came of playing it."""
    measured = {"pass_rate": proof.pass_rate, "solver": proof.solver, "runs": proof.runs}
    return made.model_copy(update={"words": proof, "difficulty": made.difficulty.model_copy(update=measured)})


def words_of(made: MadeTask) -> str:
    """All that the person says, in one message. In a conversation that is every request, and what is said only when
    asked: nobody is there to be asked. Nobody has refused anything yet, so nobody insists."""
    if made.conversation is None:
        return made.task.text
    requests = [turn.request for turn in made.conversation.turns if turn.kind != "insist"]
    return " ".join([*requests, *made.conversation.answers])


def setting_of(made: MadeTask) -> Setting:
    """Nobody is there to be asked, but for a task in which the person has to do something: a simulated user wants what
    the words say, and does it when asked."""
    return "conversation" if any(call.principal == "user" for call in made.solution.calls) else "single"


@dataclass(frozen=True, slots=True)
class _Plays:
    """Where words are played: who plays, in which bundle, and where the runs are kept."""

    runtime: Runtime
    agent: Model
    user: Model
    store: TrajectoryStore
    bundle: Bundle
    seed: int
    """Of the first run."""

    async def proofs(self, made: Sequence[MadeTask], most_runs: int) -> list[ProofOfWords]:
        """The proof of each task, in the order given. Runs that are in the store are not made again, nor are answers
        that the gateway has paid for asked again."""
        solutions = {one.task.id: one.solution for one in made}
        work = assignments(self.bundle, solutions, self.bundle.verifiers, _MALFORMED_CALLS_ARE_TOLD)
        assigned = {one.task.id: one for one in work}
        proofs: dict[str, ProofOfWords] = {}
        undecided, runs = list(made), 0
        while undecided:
            first, runs = runs, max(AGREEING, runs + 1)
            kept = await self._played(undecided, assigned, first, runs)
            for one in undecided:
                rollouts = [rollout for rollout in kept if rollout.trajectory.task == one.task.id]
                reader = _Reader(self.runtime, self.bundle, assigned[one.task.id], one)
                proofs[one.task.id] = await reader.proof(self.agent.name, rollouts)
            undecided = [one for one in undecided if _is_open(proofs[one.task.id]) and runs < most_runs]
        return [proofs[one.task.id] for one in made]

    async def _played(
        self, made: Sequence[MadeTask], assigned: Mapping[str, Assignment], first: int, runs: int
    ) -> list[Rollout]:
        """The first `runs` runs of every task, once these tasks have been played up to there. A run that breaks off is
        made again; all others stay as they are."""
        names, kept = {one.task.id for one in made}, list[Rollout]()
        for _ in range(TRIES):
            for setting in get_args(Setting):
                wanted = [assigned[one.task.id] for one in made if setting_of(one) == setting]
                await self._play(wanted, setting, first, runs)
            kept = self._kept(runs)
            broken_off = [one for one in kept if one.trajectory.task in names and one.cause in WORTH_ANOTHER_TRY]
            if not broken_off:
                break
            await self._check_models(broken_off, some_came_out=any(one.cause not in WORTH_ANOTHER_TRY for one in kept))
        return kept

    def _kept(self, runs: int) -> list[Rollout]:
        seeds = range(self.seed, self.seed + runs)
        kept = [one for one in self.store.read(self.bundle) if one.trajectory.model == self.agent.name]
        return [one for one in kept if one.trajectory.seed in seeds]

    async def _check_models(self, broken_off: Sequence[Rollout], *, some_came_out: bool) -> None:
        """Raises where it is not these runs that models give no answer in: no run at all came to its end, or whoever
        gave none gives none to another question either."""
        last = broken_off[-1]
        if not some_came_out:
            raise _not_played_to_the_end(last, last.detail)
        failing = [self.user for one in broken_off if one.cause == "user_failed"][:1]
        failing += [self.agent for one in broken_off if one.cause != "user_failed"][:1]
        for model in failing:
            seed = time.time_ns() % 2**31  # so that the endpoint answers, not the cache
            answer = await next_message(model, [_ARE_YOU_THERE], [], seed, RolloutSettings().step_seconds)
            if isinstance(answer, End) and answer.cause in WORTH_ANOTHER_TRY:
                raise _not_played_to_the_end(last, answer.detail)

    async def _play(self, work: Sequence[Assignment], setting: Setting, first: int, runs: int) -> None:
        settings = RolloutSettings(setting=setting, candidates=runs - first)
        finish = finish_name({tool.name for tool in self.bundle.tools})
        agent = BySignatures(self.agent, finish)
        async for _ in Engine(self.runtime, agent, settings, self.store, self.user).roll(work, seed=self.seed + first):
            pass


def _not_played_to_the_end(rollout: Rollout, why: str) -> InfrastructureFault:
    return InfrastructureFault(f"the task {rollout.trajectory.task} could not be played to its end: {why}")


def _is_open(proof: ProofOfWords) -> bool:
    """Whether more runs may still prove the words."""
    return proof.verdict != "accepted" and not proof.unanswered


def _as_played(bundle: Bundle, made: Sequence[MadeTask]) -> Bundle:
    """The bundle as the tasks are played in it: its version tells these tasks, with these words and these verifiers,
    from tasks of the same names made another time."""
    return replace(
        bundle,
        tasks=[one.task.model_copy(update={"text": words_of(one)}) for one in made],
        verifiers={one.task.id: one.verifier.verifier.source for one in made},
        answer_forms={one.task.id: one.solution.form for one in made},
        words={},
    )


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads what came of the runs of one task."""

    runtime: Runtime
    bundle: Bundle
    assignment: Assignment
    made: MadeTask

    async def proof(self, solver: str, rollouts: Sequence[Rollout]) -> ProofOfWords:
        unanswered = next((one.detail for one in rollouts if one.cause in WORTH_ANOTHER_TRY), "")
        at_gold = sum(map(_is_at_gold, rollouts))
        elsewhere = [one.trajectory for one in rollouts if one.cause == "answered" and not _is_at_gold(one)]
        ends = await self._other_ends(elsewhere)
        most = max((len(end.seeds) for end in ends), default=0)
        verdict = _verdict(at_gold, most)
        return ProofOfWords(
            verdict=verdict, solver=solver, runs=len(rollouts), at_gold=at_gold, ends=ends, unanswered=unanswered
        )

    async def _other_ends(self, trajectories: Sequence[Trajectory]) -> list[ReachedEnd]:
        """The ends of these runs, each once: two are the same when they leave the same changes and report the same,
        whatever they say beside it."""
        schema = load_schema(self.bundle.schema_sql)
        found: list[tuple[Changeset, ReachedEnd]] = []
        for one in trajectories:
            if one.report is None:
                continue
            changeset, changes = await self._changes(one, one.report, schema)
            same = [end for known, end in found if known == changeset and self._same(end.report, one.report)]
            if same:
                same[0].seeds.append(one.seed)
            else:
                found.append((changeset, _end_of(one, one.report, changes)))
        return sorted((end for _, end in found), key=lambda end: -len(end.seeds))

    async def _changes(self, one: Trajectory, report: Report, schema: Schema) -> tuple[Changeset, list[RowChange]]:
        """What a run changed, made once more: runs are kept as their calls."""
        run = await run_calls(self.runtime, self.bundle, self.assignment.task, traced(one), report)
        return normalize(run.changes, schema, run.clock, Mask.of(self.made.solution)), run.row_changes

    def _same(self, one: Report, other: Report) -> bool:
        return same_report(self.made.solution.form, one, other)


def _end_of(one: Trajectory, report: Report, changes: list[RowChange]) -> ReachedEnd:
    reasons = one.verdict.reasons if one.verdict is not None else []
    return ReachedEnd(
        seeds=[one.seed],
        report=report,
        changes=changes[:MOST_CHANGES],
        changed=len(changes),
        refused=" ".join(reasons) or "the verifier gives no reason",
    )


def _is_at_gold(rollout: Rollout) -> bool:
    verdict = rollout.trajectory.verdict
    return rollout.cause == "answered" and verdict is not None and verdict.score == 1.0


def _verdict(at_gold: int, elsewhere: int) -> WordsVerdict:
    """`elsewhere`: the most runs that came to one and the same other end."""
    if at_gold >= AGREEING and at_gold > elsewhere:
        return "accepted"
    return "disputed" if elsewhere >= AGREEING else "unproven"
