"""Figures of reports: what forms tell, what attacks on reports earn, and which rewards can be earned at all.

Belongs here: guessing outcomes from forms, reports that are handed in without knowing or meaning them, and playing
tasks rightly and wrongly under every reward. Does not: the gate's own mutants of reports, or other figures (`truth`).
"""

import math
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any

import orjson

from benchmarks.made_worlds import Made
from envfactory_dagster.contracts.base import Json, content_hash
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.contracts.reports import AnswerField, AnswerForm, Report
from envfactory_dagster.contracts.synthesis import Difficulty, MadeTask, Release
from envfactory_dagster.contracts.truth import ReferenceSolution, TracedStep
from envfactory_dagster.datasets.assigned import load_tasks, read_tasks
from envfactory_dagster.datasets.rows import RlSettings, Source, rl_rows
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import ChatAnswer, ChatChoice, Message, Usage
from envfactory_dagster.language.settings import LanguageSettings
from envfactory_dagster.rollouts.assignments import Assignment, assignments
from envfactory_dagster.rollouts.engine import Engine
from envfactory_dagster.rollouts.model import Tools
from envfactory_dagster.rollouts.settings import RolloutSettings
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.runtime.facts import analyze_tools
from envfactory_dagster.runtime.reports import read_report
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore
from envfactory_dagster.truth.execution import run_calls
from envfactory_dagster.truth.judging import Judge
from envfactory_dagster.truth.reward_basis import RewardBasis
from envfactory_dagster.truth.rewards import RewardSettings, reward
from envfactory_dagster.truth.verdicts import TaskChecks, judge_many
from tests.truth.episodes import recorded

Figures = dict[str, Any]
_CONFIDENCE = 1.96
_TRIED_BY_REWARD = 4
"""Tasks of an environment that are played under every reward: of each kind as long as there are any."""

# -- what forms tell ---------------------------------------------------------------------------------------------------

Labelled = tuple[list[str], str]
"""The visible features of an answer form, and the outcome of its task."""


def measure_form_leak(environments: Sequence[Made]) -> Figures:
    """How often somebody guesses the outcome of a task who sees the form of its answers only and knows all other
    environments; beside it, who always says what is most frequent in those."""
    labelled = [
        (place, _seen(gold.form), gold.report.outcome)
        for place, made in enumerate(environments)
        for gold in made.solutions.values()
    ]
    guessed, said = [], []
    for place in range(len(environments)):
        known = [(seen, outcome) for other, seen, outcome in labelled if other != place]
        guess = _guesser(known) if known else None
        for _, seen, outcome in (one for one in labelled if one[0] == place and guess is not None):
            assert guess is not None
            guessed.append(guess(seen) == outcome)
            said.append(guess([]) == outcome)
    if not guessed:
        return {"form_leak": None}
    low, high = interval(sum(guessed), len(guessed))
    base = fmean(said)
    return {
        "form_leak": {
            "guessed": round(fmean(guessed), 4),
            "interval": [round(low, 4), round(high, 4)],
            "base_rate": round(base, 4),
            "tasks": len(guessed),
            "outcomes": dict(Counter(outcome for _, _, outcome in labelled)),
            "no_better_than_the_base_rate": low <= base,
        }
    }


def _seen(form: AnswerForm) -> list[str]:
    """How many fields there are, of which types, and the words they are named and described with."""
    found = [f"{len(form.fields)} fields"]
    for field in form.fields:
        found += [f"type {field.type}", *(["many"] if field.many else [])]
        found += [f"word {word}" for word in f"{field.name.replace('_', ' ')} {field.description}".lower().split()]
    return sorted(set(found))


def _guesser(known: Sequence[Labelled]) -> Callable[[Sequence[str]], str]:
    """Naive Bayes. Who sees nothing says the most frequent outcome."""
    outcomes = Counter(outcome for _, outcome in known)
    times = {outcome: Counter(one for seen, of in known if of == outcome for one in seen) for outcome in outcomes}

    def guess(seen: Sequence[str]) -> str:
        def weight(outcome: str) -> float:
            chances = ((times[outcome][one] + 1) / (outcomes[outcome] + 2) for one in seen)
            return math.log(outcomes[outcome]) + sum(map(math.log, chances))

        return max(sorted(outcomes), key=weight)

    return guess


def interval(part: int, whole: int) -> tuple[float, float]:
    """Wilson's, of 95 %."""
    share, square = part / whole, _CONFIDENCE**2
    middle = (share + square / (2 * whole)) / (1 + square / whole)
    half = _CONFIDENCE / (1 + square / whole) * math.sqrt(share * (1 - share) / whole + square / (4 * whole**2))
    return middle - half, middle + half


# -- attacks -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Attack:
    """Calls, and what is handed in after them; it need not be a report."""

    calls: Sequence[TracedStep]
    handed_in: dict[str, Any]


def recites(made: Made, task: str) -> Iterator[Attack]:
    """Without having looked: all there is to choose from or to read of in texts, and a number where one is due."""
    texts = " ".join(str(value) for text in _texts(made, task) for value in text)[:900]
    answers = {field.name: _recited(field, texts) for field in made.solutions[task].form.fields}
    if answers:
        yield Attack([], _handed_in("done", answers, f"Everything there is: {texts}"))


def hedges(made: Made, task: str) -> Iterator[Attack]:
    """After the right calls, of a task that asks for nothing but answers: the right value, or else another one."""
    gold = made.solutions[task]
    answered = {name: value for name, value in gold.report.answers.items() if value is not None}
    if answered and not gold.changes:
        hedged: dict[str, Json] = {name: f"{value} or {_another(value)}" for name, value in answered.items()}
        yield Attack(gold.calls, _handed_in(gold.report.outcome, gold.report.answers | hedged, "It is one of these."))


def lies(made: Made, task: str) -> Iterator[Attack]:
    """Does nothing, and reports that everything is done; where that is right, that it is impossible."""
    gold = made.solutions[task]
    outcome = "done" if gold.changes or gold.report.outcome != "done" else "impossible"
    yield Attack([], _handed_in(outcome, dict.fromkeys(gold.report.answers), "Everything is settled."))


def lies_and_answers(made: Made, task: str) -> Iterator[Attack]:
    """The same of a task that wants something done and something told, by somebody who knows what is to be told."""
    gold = made.solutions[task]
    if gold.changes and any(value is not None for value in gold.report.answers.values()):
        yield Attack([], _handed_in("done", gold.report.answers, "Everything is settled."))


def names_all_rules(made: Made, task: str) -> Iterator[Attack]:
    """A refusal by all rules at once, and by each that is not the reason."""
    rules, empty = [rule.id for rule in made.bundle.theme.rules], dict.fromkeys(made.solutions[task].report.answers)
    for reason in [", ".join(rules), *(rule for rule in rules if rule != made.solutions[task].report.reason)]:
        calls = made.solutions[task].calls if made.solutions[task].report.reason else []
        yield Attack(calls, _handed_in("refused", empty, "A rule forbids it.", reason))


ATTACKS: Mapping[str, Callable[[Made, str], Iterator[Attack]]] = {
    attack.__name__: attack for attack in (recites, hedges, lies, lies_and_answers, names_all_rules)
}


async def measure_attacks(runtime: Runtime, environments: Sequence[Made]) -> Figures:
    """What each kind of attack earns: by the default reward, and by the checks, which pay for goals one by one."""
    earned: dict[str, list[Mapping[str, float]]] = defaultdict(list)
    unreadable, paid = Counter[str](), list[str]()
    for made in environments:
        facts = analyze_tools(made.bundle.tools_source, made.bundle.schema_sql)
        settings = RewardSettings(weights={"outcome": 1.0, "checks": 1.0})
        for task, gated in made.verifiers.items():
            gold, given = made.solutions[task], made.task(task)
            basis = RewardBasis(made.bundle, given, gold, facts, settings)
            checks = TaskChecks(given, gated.verifier.source, gold.form)
            for name, attack in ATTACKS.items():
                for one in attack(made, task):
                    report = read_report(one.handed_in, gold.form, [rule.id for rule in made.bundle.theme.rules])
                    if not isinstance(report, Report):
                        unreadable[name] += 1
                        earned[name].append({})
                        continue
                    run = await run_calls(runtime, made.bundle, given, one.calls, report)
                    [verdict] = await judge_many(runtime, checks, [run])
                    known = basis.known(recorded(made.bundle, given, run), run, verdict=verdict)
                    earned[name].append(dict(reward(settings, known).components))
                    if any(earned[name][-1].values()):
                        paid.append(f"{made.bundle.key}/{task}: {name}: {orjson.dumps(one.handed_in).decode()[:300]}")
        runtime.retire(made.bundle)
    return {
        "attacks": {
            name: {
                "reward": round(fmean(one.get("outcome", 0.0) for one in each), 4),
                "checks": round(fmean(one.get("checks", 0.0) for one in each), 4),
                "paid": sum(any(one.values()) for one in each),
                "tried": len(each),
                "not_taken": unreadable[name],
            }
            for name, each in earned.items()
        },
        "attacks_paid": paid,
    }


def _handed_in(outcome: str, answers: Mapping[str, Json], message: str, reason: str | None = None) -> dict[str, Any]:
    return {"outcome": outcome, "answers": dict(answers), "reason": reason, "message": message}


def _recited(field: AnswerField, texts: str) -> Json:
    choices = " or ".join(field.choices)
    values: dict[str, Json] = {"choice": choices, "text": texts, "yes_no": True, "date": "2026-06-01", "time": "09:00"}
    value = values.get(field.type, 1)
    return [value] if field.many else value


def _another(value: Json) -> Json:
    return value + 1 if isinstance(value, int | float) and not isinstance(value, bool) else "another one"


def _texts(made: Made, task: str) -> Iterator[list[str]]:
    for rows in made.tables(made.bundle.states[made.task(task).state].image).values():
        for row in rows.values():
            yield [value for value in row.values() if isinstance(value, str)]


# -- rewards -----------------------------------------------------------------------------------------------------------

KINDS: Mapping[str, RewardSettings] = {
    "outcome by code": RewardSettings(),
    "outcome by code and judge": RewardSettings(strategy="code_augmented"),
    "outcome by judge": RewardSettings(strategy="judge_only"),
    "checks": RewardSettings(weights={"checks": 1.0}),
    "validator": RewardSettings(weights={"validator": 1.0}),
    "rubric": RewardSettings(weights={"rubric": 1.0}),
    "path_and_state": RewardSettings(weights={"path_and_state": 1.0}),
}
End = Callable[[ReferenceSolution], tuple[Sequence[TracedStep], Report]]


@dataclass(frozen=True, slots=True)
class Follows:
    """Plays a task to an end that is worked out from its reference solution. `solutions`: by the text of the task."""

    solutions: Mapping[str, ReferenceSolution]
    end: End
    name: str

    async def answer(self, messages: Sequence[Message], tools: Tools, seed: int) -> ChatAnswer:
        calls, report = self.end(self.solutions[str(messages[1]["content"])])
        made = sum(message["role"] == "tool" for message in messages)
        finish: Any = tools[-1]["function"]
        name, arguments = finish["name"], report.model_dump(mode="json")
        if made < len(calls):
            name, arguments = calls[made].tool, dict(calls[made].arguments)
        function = {"name": name, "arguments": orjson.dumps(arguments).decode()}
        asked = [{"id": f"c{made}", "type": "function", "function": function}]
        message: dict[str, Any] = {"role": "assistant", "content": "", "tool_calls": asked}
        return ChatAnswer((ChatChoice(message, "stop", None, None),), None, Usage(), False, self.name)


def rightly(gold: ReferenceSolution) -> tuple[Sequence[TracedStep], Report]:
    return gold.calls, gold.report


def wrongly(gold: ReferenceSolution) -> tuple[Sequence[TracedStep], Report]:
    """Nothing is done where something was to be done, and nothing is told; a refusal is reported as done."""
    outcome = "done" if gold.report.outcome == "refused" or gold.changes else "impossible"
    report = Report.model_validate({"outcome": outcome, "answers": dict.fromkeys(gold.report.answers),
                                    "message": "That is how it is."})  # fmt: skip
    return [], report


async def measure_rewards(runtime: Runtime, environments: Sequence[Made], folder: Path) -> Figures:
    """Each kind played through an engine, with the built-in judge where one is needed: as trajectories are, and a row
    of `rl_dataset` as the trainer plays it. Is gold paid 1, and the mutant less?"""
    found: dict[str, dict[str, list[bool]]] = {name: {"gold_paid_1": [], "mutant_paid_less": []} for name in KINDS}
    async with Gateway(LanguageSettings(), folder) as gateway:
        for made in environments:
            judge = Judge(gateway, "trajectories", made.bundle.key)
            for name, settings in KINDS.items():
                for play in (_played, _played_by_the_trainer):
                    gold = await play(runtime, made, settings, judge, rightly, folder)
                    mutant = await play(runtime, made, settings, judge, wrongly, folder)
                    for task, earned in gold.items():
                        other = mutant.get(task)
                        is_less = earned is not None and other is not None and other < earned
                        found[name]["gold_paid_1"].append(earned == 1.0)
                        found[name]["mutant_paid_less"].append(is_less)
            runtime.retire(made.bundle)
    shares = {name: {what: round(fmean(each), 4) for what, each in one.items() if each} for name, one in found.items()}
    reachable = [bool(one) and min(one.values()) == 1.0 for one in shares.values()]
    return {"reward_kinds_reachable": round(fmean(reachable), 4), "reward_kinds": shares}


async def _played(
    runtime: Runtime, made: Made, settings: RewardSettings, judge: Judge, end: End, folder: Path
) -> dict[str, float | None]:
    """Task → what it earned; None where there was no reward."""
    verifiers = {name: gated.verifier.source for name, gated in made.verifiers.items()}
    work = assignments(made.bundle, made.solutions, verifiers, settings)
    chosen = {task.id for task in _of_each_kind([one.task for one in work])}
    work = [one for one in work if one.task.id in chosen]
    return await _rolled(runtime, made, work, RolloutSettings(reward=settings), judge, end, folder)


async def _played_by_the_trainer(
    runtime: Runtime, made: Made, settings: RewardSettings, judge: Judge, end: End, folder: Path
) -> dict[str, float | None]:
    """The same of one task, released: its row of `rl_dataset`, and the reward that stands in the row, go through the
    trainer's own reading and its settings of GRPO."""
    from trainer.playing import rollout_settings
    from trainer.recipe import Grpo

    home = Home.resolve(tempfile.mkdtemp(dir=folder))
    [row] = read_tasks(_rows(home, made, settings, folder))
    how = rollout_settings(Grpo(reward=RewardSettings.model_validate(row.reward)))
    alone = replace(how, candidates=1, token_ids=False)
    return await _rolled(runtime, made, load_tasks([row], home, how.reward), alone, judge, end, folder)


def _rows(home: Home, made: Made, settings: RewardSettings, folder: Path) -> Path:
    """A file of the rows of a release with one task, which no person has a part in."""
    task = next(
        task
        for task in _of_each_kind(made.bundle.tasks)
        if task.id in made.verifiers and all(call.principal == "assistant" for call in made.solutions[task.id].calls)
    )
    gold, gated = made.solutions[task.id], made.verifiers[task.id]
    difficulty = Difficulty(level=1, calls=len(gold.calls), tools=len({call.tool for call in gold.calls}))
    one = MadeTask(task=task, source="task_set", solution=gold, verifier=gated, difficulty=difficulty)
    forms, verifiers = {task.id: gold.form}, {task.id: gated.verifier.source}
    sealed = replace(made.bundle, tasks=[task], answer_forms=forms, verifiers=verifiers)
    BundleStore(home).keep(sealed)
    release = Release(version=sealed.version, tasks=[one]).model_dump(mode="json")
    version = content_hash(release)
    RecordStore(home).keep(
        StageRecord(
            stage="release", partition=sealed.key, status="ok", inputs=version, version=version, artifact=release
        )
    )
    rows, _ = rl_rows(Source(sealed, {task.id: one}, "rl"), RlSettings(reward=settings))
    path = Path(tempfile.mkdtemp(dir=folder)) / "rows.jsonl"
    path.write_text("\n".join(row.model_dump_json() for row in rows))
    return path


async def _rolled(
    runtime: Runtime,
    made: Made,
    work: Sequence[Assignment],
    settings: RolloutSettings,
    judge: Judge,
    end: End,
    folder: Path,
) -> dict[str, float | None]:
    agent = Follows({one.task.text: made.solutions[one.task.id] for one in work}, end, end.__name__)
    rollout = replace(settings, window=None, most_steps=80, most_tokens=1_000_000)
    store = TrajectoryStore(Home.resolve(tempfile.mkdtemp(dir=folder)))
    engine = Engine(runtime, agent, rollout, store, judge=judge)
    played = [one.trajectory async for one in engine.roll(work)]
    return {one.task: one.reward.total if one.reward is not None else None for one in played}


def _of_each_kind(tasks: Sequence[Task]) -> list[Task]:
    """The first of each kind, then the others; as many as are tried."""
    first = {task.kind: task for task in reversed(tasks)}
    chosen = list(first.values())
    return (chosen + [task for task in tasks if task not in chosen])[:_TRIED_BY_REWARD]
