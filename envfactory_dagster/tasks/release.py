"""The stage `release`: the sealed bundle, which is the environment with every task that has its truth.

Belongs here: gathering the tasks of all sources under names of their own, trying each once more on the bundle as it is
sealed, having its words played, and keeping that. Does not: making any task, finding masks (`masking`), and playing
words (`proof_of_words`).

Where the inspection mended the tools, the mended ones are released, and every task has to prove itself again on them:
a truth holds for the tools it was established on.
"""

import asyncio
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from envfactory_dagster.authoring.named_things import as_metadata, still_there
from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.base import Json, content_hash
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.contracts.families import TaskFamilies, TaskFamily
from envfactory_dagster.contracts.inspection import Inspection
from envfactory_dagster.contracts.records import Problem
from envfactory_dagster.contracts.reports import Report
from envfactory_dagster.contracts.stages import StageInput, StageOutcome
from envfactory_dagster.contracts.synthesis import MadeTask, MadeTasks, ReachedEnd, Release
from envfactory_dagster.contracts.truth import Dropped, ReferenceSolution, SolutionSet, VerifierSet
from envfactory_dagster.runtime.bundle_scripts import judge_source
from envfactory_dagster.runtime.facts import analyze_tools, load_schema
from envfactory_dagster.runtime.facts.schema import Schema
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.tasks import proving
from envfactory_dagster.tasks.authored import authored_tasks
from envfactory_dagster.tasks.families.drawing import own_states
from envfactory_dagster.tasks.masking import masked_arguments
from envfactory_dagster.tasks.naming import under_names_of_their_own
from envfactory_dagster.tasks.proof_of_words import NOT_PLAYED, WordsProver, with_words, words_of
from envfactory_dagster.truth.changesets import Changeset, ChangesetWrite, Mask, normalize
from envfactory_dagster.truth.execution import run_calls, run_solution
from envfactory_dagster.truth.verdicts import Remembers, TaskChecks, judge_surely

SEAL = 4
"""Raised when tasks are sealed in another way, so that releases are made anew."""
SOURCES = ("graph_tasks", "program_tasks", "conversations")
_MOST_SHOWN = 5
"""Of an end, so many writes are told of."""


class ReleaseStage:
    name = "release"
    upstream = ("environment", "reference_solutions", "verifiers", "inspection", "task_families", *SOURCES)
    code_version = content_hash([SEAL, judge_source()])[:12]

    def __init__(
        self, runtime: Runtime, settings: AuthoringSettings, bundles: BundleStore, prover: WordsProver | None = None
    ) -> None:
        """`prover`: who plays the words; None: nobody, and every task is released as one that was not played."""
        self._runtime = runtime
        self._settings = settings
        self._bundles = bundles
        self._prover = prover

    def settings_hash(self) -> str:
        prover = None if self._prover is None else self._prover.settings_hash()
        return content_hash([self._settings.hash_for(self.name), prover])

    async def make(self, stage_input: StageInput) -> StageOutcome:
        version = stage_input.artifact("environment")["version"]
        base = await asyncio.to_thread(self._bundles.load, stage_input.partition, version)
        inspection = Inspection.model_validate(stage_input.artifact("inspection"))
        mended = inspection.revised_source is not None
        bundle = replace(base, tools_source=inspection.revised_source or base.tools_source)
        made, given_up = _gathered(stage_input, base)
        bundle, refused = await self._with_own_states(bundle, made)
        made = [one for one in made if one.task.id not in refused]
        given_up += [Dropped(task=name, reason=reason, stage=self.name) for name, reason in refused.items()]
        sealing = Sealing(self._runtime, replace(bundle, tasks=[one.task for one in made]), mended)
        try:
            for one in made:
                await sealing.take(one)
        finally:
            self._runtime.retire(sealing.bundle)
        dropped = [*given_up, *sealing.dropped]
        if not sealing.tasks:
            return StageOutcome(None, reason="no task is left that has its truth", metadata=_shown([], [], dropped))
        played = await played_words(self._prover, self.name, bundle, sealing.tasks, stage_input.redo)
        tasks = [one for one in played if is_released(one, self._prover)]
        held_back = [one for one in played if not is_released(one, self._prover)]
        shown = _shown(tasks, held_back, dropped) | _words_shown(bundle, played)
        if not tasks:
            return StageOutcome(None, reason="no task is left whose words are proved", metadata=shown)
        families = TaskFamilies.model_validate(stage_input.artifact("task_families")).families
        released = {*base.states, *(one.task.state for one in tasks)}
        bundle = replace(bundle, states={name: bundle.states[name] for name in bundle.states if name in released})
        whole = sealed_bundle(bundle, tasks, inspection, [record.family for record in families])
        sealed = _with_parents(whole, stage_input)
        await asyncio.to_thread(self._bundles.keep, sealed)
        release = Release(version=sealed.version, tasks=tasks, held_back=held_back, dropped=dropped)
        shown = {
            "version": sealed.version[:16],
            "mended_tools": mended,
            **shown,
            **as_metadata(sealed.provenance.named),
        }
        return StageOutcome(release.model_dump(mode="json"), metadata=shown)

    async def _with_own_states(self, bundle: Bundle, made: Sequence[MadeTask]) -> tuple[Bundle, dict[str, str]]:
        """The bundle with the states of the tasks that have rows of their own; by task, why a state cannot be made."""
        own_rows = {one.task.id: one.own_rows for one in made if one.own_rows is not None}
        states, refused = await own_states(self._runtime, bundle, own_rows)
        return bundle.with_states(states), refused


async def played_words(
    prover: WordsProver | None, stage: str, bundle: Bundle, tasks: Sequence[MadeTask], redo: int = 0
) -> list[MadeTask]:
    """The tasks with what came of playing their words. What was claimed of them before was of other words."""
    if prover is None:
        return [with_words(one, NOT_PLAYED) for one in tasks]
    proofs = await prover.prove(stage, bundle, tasks, redo)
    return [with_words(one, proof) for one, proof in zip(tasks, proofs, strict=True)]


def is_released(one: MadeTask, prover: WordsProver | None) -> bool:
    """Words that nobody was there to play are released as such; words that were played have to be proved."""
    verdict = one.words.verdict if one.words is not None else "not_played"
    if verdict == "unproven":
        return prover is not None and prover.settings.release_unproven
    return verdict != "disputed"


def _gathered(stage_input: StageInput, base: Bundle) -> tuple[list[MadeTask], list[Dropped]]:
    """The tasks of every source, and what the sources gave up."""
    solved = SolutionSet.model_validate(stage_input.artifact("reference_solutions"))
    verified = VerifierSet.model_validate(stage_input.artifact("verifiers"))
    facts = analyze_tools(base.tools_source, base.schema_sql)
    groups = [authored_tasks(base, solved.solutions, verified.verifiers, facts)]
    dropped = list(verified.dropped)
    for source in SOURCES:
        more = MadeTasks.model_validate(stage_input.artifact(source))
        groups.append(more.tasks)
        dropped += more.dropped
    families = TaskFamilies.model_validate(stage_input.artifact("task_families"))
    groups.append(families.tasks)
    dropped += families.dropped
    return under_names_of_their_own(groups), dropped


@dataclass
class Sealing:
    """The tasks that held on the bundle as it is released, one after the other, and those that did not."""

    runtime: Runtime
    bundle: Bundle
    mended: bool
    """Whether the tools are others than those the tasks were made on."""
    tasks: list[MadeTask] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)

    async def take(self, one: MadeTask) -> None:
        try:
            held = await self._proved_again(one) if self.mended else one
            reason = held if isinstance(held, str) else await self._fault_of(held)
            if not isinstance(held, str) and not reason:
                verifier = held.verifier.verifier.source
                masked = await masked_arguments(self.runtime, self.bundle, held.task, held.solution, verifier)
                self.tasks.append(held.model_copy(update={"masked": masked}))
                return
        except Remembers as fault:
            reason = str(fault)
        except EnvironmentFault as fault:
            reason = f"the environment broke under it: {fault}"
        self.dropped.append(Dropped(task=one.task.id, reason=reason, stage=ReleaseStage.name))

    async def _proved_again(self, one: MadeTask) -> MadeTask | str:
        """The task with the truth it has on these tools; or why it has none."""
        kept, task = one.solution, one.task
        solution = await proving.solve(self.runtime, self.bundle, task, kept.source, kept.form, kept.alternatives)
        if isinstance(solution, list):
            return _on_mended_tools(solution)
        if one.conversation is not None and len(solution.calls) != len(kept.calls):
            return "on the mended tools its solution makes other calls than its conversation leads to"
        source = one.verifier.verifier.source
        verifier = await proving.verify(self.runtime, self.bundle, task, solution, source)
        if isinstance(verifier, list):
            return _on_mended_tools(verifier)
        return one.model_copy(update={"solution": solution, "verifier": verifier})

    async def _fault_of(self, one: MadeTask) -> str:
        """Why a task cannot be sealed: its solution comes to another end, or its verifier is wrong about that or about
        somebody who does nothing and reports that all is done. Empty when it can."""
        kept = one.solution
        gold = await run_solution(self.runtime, self.bundle, one.task, kept.source, kept.form)
        if gold.error is not None:
            return f"its solution fails: {gold.error}"
        if (gold.state_hash, gold.report) != (kept.state_hash, kept.report):
            return "its solution comes to another end than the one that was kept"
        nothing = await run_calls(self.runtime, self.bundle, one.task, [], _claiming(kept))
        checks = TaskChecks(one.task, one.verifier.verifier.source, kept.form)
        done, untouched = await judge_surely(self.runtime, checks, [gold, nothing])
        if done.score < 1.0:
            return f"its verifier gives the solution {done.score:g}: {' '.join(done.reasons)}"
        earned = untouched.score == 1.0 or (untouched.score > 0.0 and not _may_leave_out(kept))
        return f"its verifier gives {untouched.score:g} where nothing was done" if earned else ""


def _claiming(gold: ReferenceSolution) -> Report:
    """What somebody reports who has done nothing and found nothing out, and claims that it is done."""
    empty: dict[str, Json] = {field.name: None for field in gold.form.fields}
    return Report(outcome="done", answers=empty, message="It is done.")


def _may_leave_out(gold: ReferenceSolution) -> bool:
    """Whether leaving a field empty is right: whoever answers nothing has that much of it."""
    answers = gold.report.answers
    return gold.report.outcome == "done" and any(answers.get(field.name) is None for field in gold.form.fields)


def sealed_bundle(
    bundle: Bundle, tasks: Sequence[MadeTask], inspection: Inspection, families: Sequence[TaskFamily] = ()
) -> Bundle:
    """The bundle with these tasks and no others, and everything that says what they are worth."""
    named = still_there(bundle.provenance.named, bundle.tools, [one.task for one in tasks])
    return replace(
        bundle,
        provenance=bundle.provenance.model_copy(update={"named": named}),
        judge_source=judge_source(),
        tasks=[one.task for one in tasks],
        solutions={one.task.id: one.solution.source for one in tasks},
        verifiers={one.task.id: one.verifier.verifier.source for one in tasks},
        answer_forms={one.task.id: one.solution.form for one in tasks},
        families={family.name: family for family in families},
        inspection=inspection.model_dump(mode="json"),
        conversations={one.task.id: one.conversation for one in tasks if one.conversation is not None},
        words={one.task.id: one.words.standing for one in tasks if one.words is not None},
    )


def _with_parents(bundle: Bundle, stage_input: StageInput) -> Bundle:
    versions = {name: record.version for name, record in stage_input.parents.items()}
    parents = bundle.provenance.parents | versions
    return replace(bundle, provenance=bundle.provenance.model_copy(update={"parents": parents}))


def _on_mended_tools(problems: Iterable[Problem]) -> str:
    return f"on the mended tools: {next(iter(problems)).message}"


# -- what a person sees ------------------------------------------------------------------------------------------------


def _shown(tasks: Sequence[MadeTask], held_back: Sequence[MadeTask], dropped: Sequence[Dropped]) -> dict[str, Json]:
    kinds = Counter((one.source, one.task.kind) for one in tasks)
    return {
        "tasks": len(tasks),
        "held_back": len(held_back),
        "by_source": [{"source": source, "kind": kind, "tasks": n} for (source, kind), n in sorted(kinds.items())],
        "difficulty": _difficulty_table(tasks),
        "masked": [
            {"task": one.task.id, "tool": tool, "arguments": ", ".join(names)}
            for one in tasks
            for tool, names in one.masked.items()
        ],
        "dropped": [one.model_dump(mode="json") for one in dropped],
    }


def _words_shown(bundle: Bundle, played: Sequence[MadeTask]) -> dict[str, Json]:
    """How many words were proved, and every task on whose end the runs disagree with the solution, with both ends."""
    schema = load_schema(bundle.schema_sql)
    counted = Counter(one.words.verdict for one in played if one.words is not None)
    findings: list[Json] = []
    for one in played:
        if one.words is None or one.words.verdict not in ("unproven", "disputed"):
            continue
        proof = one.words
        row: dict[str, Json] = {
            "task": one.task.id,
            "verdict": proof.verdict,
            "at_gold": f"{proof.at_gold} of {proof.runs} runs",
            "words": words_of(one),
        }
        if proof.unanswered:
            row["unanswered"] = proof.unanswered
        for end in proof.ends[:1]:
            row |= _both_ends(one, end, schema, bundle.states[one.task.state].clock)
        findings.append(row)
    return {
        "words": [{"verdict": verdict, "tasks": number} for verdict, number in sorted(counted.items())],
        "solver": next((one.words.solver for one in played if one.words is not None), None) or "nobody",
        "doubtful_words": findings,
    }


def _both_ends(one: MadeTask, end: ReachedEnd, schema: Schema, clock: str) -> dict[str, Json]:
    """What the solution and the runs reported, and what either changed that the other did not."""
    mask = Mask.of(one.solution)
    gold, other = (normalize(changes, schema, clock, mask) for changes in (one.solution.changes, end.changes))
    return {
        "gold": f"{_reported(one.solution.report)}; it alone changes: {_alone(gold, other)}",
        "other_end": f"{_reported(end.report)}; it alone changes: {_alone(other, gold)}",
        "runs_there": len(end.seeds),
        "refused": end.refused,
    }


def _reported(report: Report) -> str:
    answers = ", ".join(f"{name} = {value!r}" for name, value in report.answers.items() if value is not None)
    return "; ".join(filter(None, [report.outcome, report.reason and f"by the rule {report.reason}", answers]))


def _alone(one: Changeset, other: Changeset) -> str:
    """The first writes that have no equal in the other changeset. Ids that a run made up are left out of account."""
    left = Counter(map(_content, other.writes))
    found = []
    for write in one.writes:
        left[_content(write)] -= 1
        if left[_content(write)] < 0:
            found.append(write.text)
    more = [f"{len(found) - _MOST_SHOWN} more"] if len(found) > _MOST_SHOWN else []
    return "; ".join([*found[:_MOST_SHOWN], *more]) or "nothing"


def _content(write: ChangesetWrite) -> tuple[object, ...]:
    return write.kind, write.table, write.key, write.column, write.fact.fixed


def _difficulty_table(tasks: Sequence[MadeTask]) -> list[Json]:
    """A row for every source and level: how many tasks, and what they take on average."""
    groups: dict[tuple[str, int], list[MadeTask]] = {}
    for one in tasks:
        groups.setdefault((one.source, one.difficulty.level), []).append(one)
    return [
        {
            "source": source,
            "level": level,
            "tasks": len(group),
            "calls": round(sum(one.difficulty.calls for one in group) / len(group), 1),
            "tools": round(sum(one.difficulty.tools for one in group) / len(group), 1),
            "tables": round(sum(one.difficulty.tables for one in group) / len(group), 1),
        }
        for (source, level), group in sorted(groups.items())
    ]
