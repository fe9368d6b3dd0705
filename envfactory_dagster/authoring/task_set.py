"""The task set: what people would ask of the world, before there is a database or a tool.

Belongs here: the prompt for it and its gate. Does not: solving or verifying tasks (`truth`).
"""

from envfactory_dagster.authoring import source_document as sources
from envfactory_dagster.authoring import texts
from envfactory_dagster.authoring.loop import Question, author, outcome
from envfactory_dagster.authoring.mining import given
from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.base import Json, content_hash, repeated
from envfactory_dagster.contracts.domain import Task, TaskKind, TaskSet, Theme
from envfactory_dagster.contracts.records import Problem
from envfactory_dagster.contracts.requests import TaskSetAnswer, TaskSetContext
from envfactory_dagster.contracts.sources import SourceDocument
from envfactory_dagster.contracts.stages import MINED_DATA, SOURCE_DOCUMENT, StageInput, StageOutcome
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role

FEWEST_WORDS, MOST_WORDS = 6, 200
"""Of a request."""
INSTRUCTIONS = f"""\
You write the requests that one person, user 1 of the service described by `theme`, brings to an assistant.

Write exactly `count` tasks. For each:
- `id`: snake_case, short, telling.
- `text`: two to five sentences, {FEWEST_WORDS} to {MOST_WORDS} words in all, in the person's own voice.
  Concrete: names, dates, amounts, limits. Most need several steps: look something up, compare, decide, then change
  something. Say what is wanted, never how; no identifiers that only the service knows, no names of tools, tables or
  fields.
- `kind`: `action` when records must change; `information` when only an answer is wanted, which takes more than
  one look-up to find; `refusal` when a rule of the theme forbids what is asked. Write no task of the kinds
  `unable` (what is asked for is possible, and the tool for it is taken away), `no_tool` (the answer is known without
  any tool) and `underspecified` (something that only the person knows is missing): they are made out of these later.
- `rule`: for a refusal the id of that rule, otherwise null. The request must clearly fall under the rule.
- `withheld`: the tools that are taken away. Here none are, so it is an empty list.
- `state`: the initial state the task starts in, one of `states`. Spread the tasks over all of them. Each is the same
  service with another person as the user, other records and another date of today, which all of its tasks have in
  common. Give each of these persons a part of their own (where clubs, schools and families come, one is a club's
  treasurer and the next a parent): all tasks of a state are what that one person could want within a few weeks.
- `entities`: which kinds of records the task touches.

At least one task is a refusal and at least one asks for information. At least one in six leaves a choice ("any
free place on Friday", "whichever is cheaper"). Together the tasks should use nearly everything the service
does, and the persons of all states be all that its customers are. No two tasks are variations of each other.
Nothing about accounts, passwords or signing in; nothing about screens or buttons.
"""

ALIKE = 0.7
KEPT = 0.6
"""A task of a source counts as kept when this share of its words is found again. Authors add names and dates to it."""
KINDS: tuple[TaskKind, ...] = ("action", "information", "refusal")
"""Those that can be written before there is a tool. The others are made out of these later."""


class TaskSetStage:
    name = "task_set"
    upstream = ("theme", SOURCE_DOCUMENT, MINED_DATA)
    code_version = content_hash(INSTRUCTIONS)[:12]

    def __init__(self, gateway: Gateway, settings: AuthoringSettings) -> None:
        self._gateway = gateway
        self._settings = settings

    def settings_hash(self) -> str:
        return self._settings.hash_for(self.name)

    async def make(self, stage_input: StageInput) -> StageOutcome:
        theme = Theme.model_validate(stage_input.artifact("theme"))
        settings = self._settings
        source = sources.shown_to(stage_input)
        document = sources.document_of(stage_input)
        mined = given.given_in(stage_input).shown()
        context = TaskSetContext(
            theme=theme, count=settings.tasks, states=list(settings.states), source=source, mined=mined
        )
        instructions = sources.with_source(INSTRUCTIONS, source, sources.FOR_TASKS) + (given.FOR_TASKS if mined else "")

        async def gate(answer: TaskSetAnswer) -> list[Problem]:
            return problems_of(answer.tasks, theme, settings, only_reads=sources.only_reads(document))

        authored = await author(
            self._gateway,
            Caller(self.name, stage_input.partition, Role.AUTHOR),
            Question("task_set", TaskSetAnswer, instructions, context),
            gate,
            attempts=settings.attempts,
        )
        if authored.value is None:
            return outcome(authored, None)
        tasks = authored.value.tasks
        return outcome(
            authored,
            TaskSet(tasks=tasks),
            tasks=[{"id": task.id, "kind": task.kind, "state": task.state, "text": task.text} for task in tasks],
            **_kept(tasks, document),
        )


def _kept(tasks: list[Task], document: SourceDocument | None) -> dict[str, Json]:
    """How many tasks of the source are among these, in nearly their own words."""
    if document is None or not document.tasks:
        return {}
    asked = [texts.words(given.text) for given in document.tasks]
    kept = sum(any(len(words & texts.words(task.text)) >= KEPT * len(words) for task in tasks) for words in asked)
    return {"source_tasks": len(document.tasks), "source_tasks_kept": kept}


def problems_of(
    tasks: list[Task], theme: Theme, settings: AuthoringSettings, *, only_reads: bool = False
) -> list[Problem]:
    problems = [_problem(f"{settings.tasks} tasks were asked for, there are {len(tasks)}.")] * (
        len(tasks) != settings.tasks
    )
    problems += [_problem(f"Two tasks have the id {name!r}.") for name in repeated(task.id for task in tasks)]
    if len(tasks) > 2 * settings.tasks:  # each is compared with all others
        return problems
    for task in tasks:
        problems += _problems_of_one(task, theme, settings)
    for kind, what in (("information", "asks for information"), ("refusal", "must be refused"), ("action", "changes")):
        if not any(task.kind == kind for task in tasks) and not (only_reads and kind == "action"):
            problems.append(_problem(f"No task {what}."))
    unused = set(settings.states) - {task.state for task in tasks}
    problems += [_problem(f"No task starts in the state {state!r}.") for state in sorted(unused)]
    by_id = {task.id: task.text for task in tasks}
    for one, other in texts.near_duplicates(by_id, ALIKE):
        problems.append(_problem(f"The tasks {one} and {other} are almost the same.", by_id[other]))
    return problems


def _problems_of_one(task: Task, theme: Theme, settings: AuthoringSettings) -> list[Problem]:
    problems = []
    if task.kind not in KINDS:
        problems.append(_problem(f"Task {task.id} is of kind {task.kind!r}; the kinds are {', '.join(KINDS)}."))
    if task.withheld:
        problems.append(_problem(f"Task {task.id} withholds tools; leave `withheld` empty, every tool is there."))
    if task.rule is not None and task.rule not in {rule.id for rule in theme.rules}:
        known = ", ".join(rule.id for rule in theme.rules)
        problems.append(_problem(f"Task {task.id} rests on a rule {task.rule!r}; the rules are: {known}."))
    if task.state not in settings.states:
        problems.append(_problem(f"Task {task.id} starts in {task.state!r}; the states are: {list(settings.states)}."))
    out_of_place = texts.out_of_place(task.text, texts.trade_of(theme))
    problems += [_problem(f"Task {task.id}: {sentence}", task.text) for sentence in out_of_place]
    many = len(task.text.split())
    if not FEWEST_WORDS <= many <= MOST_WORDS:
        limits = f"{FEWEST_WORDS} to {MOST_WORDS}"
        problems.append(_problem(f"Task {task.id} has {many} words; say what is wanted in {limits}."))
    return problems


def _problem(message: str, snippet: str = "") -> Problem:
    return Problem(fault="tasks", message=message, snippet=snippet)
