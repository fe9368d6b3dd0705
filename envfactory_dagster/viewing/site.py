"""The site: which page goes where, and the data that its searches and filters read.

Belongs here: writing the folder. Does not: what stands on a page (`pages`, `templates`).

    index.html, index-2.html …          every environment, 60 to a page
    unfinished.html                     what was proposed and came to no environment
    episodes.html                       every episode, with filters (data/episodes.js)
    environments/KEY/index.html         the card of an environment
    environments/KEY/play.html          to take the agent's place, where a server runs the environment
    environments/KEY/tasks/TASK.html    a task, how it is judged, and everybody who tried it
    environments/KEY/episodes/*.html    an episode, turn by turn
"""

import asyncio
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from importlib import resources
from pathlib import Path
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined

from envfactory_dagster.contracts.domain import ThemeOrigin
from envfactory_dagster.contracts.reports import AnswerForm
from envfactory_dagster.contracts.synthesis import MadeTask
from envfactory_dagster.language.settings import is_reference
from envfactory_dagster.rollouts.endings import Cause
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.viewing import text
from envfactory_dagster.viewing.folders import replacing
from envfactory_dagster.viewing.gathering import SiteEpisode, SiteWorld, Unfinished, of_models, outcomes, pass_rate
from envfactory_dagster.viewing.pages import (
    ShownEpisode,
    ShownTask,
    WorldFacts,
    check_in_words,
    compared,
    compared_reference,
    facts_of,
    parameters,
    shown_episode,
    shown_tasks,
)
from envfactory_dagster.viewing.rows import Replaying, calls_made

_TEMPLATES = resources.files(__package__).joinpath("templates")
_ASSETS = ("viewer.css", "viewer.js", "play.js")
CARDS_ON_A_PAGE = 60

OUTCOME_WORDS = {
    "completed": "passed",
    "partially_completed": "partly done",
    "agent_error": "failed",
    "environment_error": "spoiled",
    "unread": "not judged",
}
_OUTCOME_MARKS = {
    "completed": "✓",
    "partially_completed": "◐",
    "agent_error": "✗",
    "environment_error": "!",
    "unread": "?",
}
_FAULT_WORDS = {
    "agent": "refused",
    "environment": "the environment broke",
    "infrastructure": "the machine failed",
    "unanswered": "unanswered",
}
_CAUSE_WORDS: dict[Cause, str] = {
    "answered": "The agent said that it was finished",
    "step_limit": "It had written as many messages as it may",
    "token_limit": "It had written as much as it may",
    "context_limit": "The model could take no more text",
    "format": "It broke a rule of form that ends an episode",
    "agent_loops": "It said the same again and again",
    "environment": "The environment broke",
    "model_timeout": "The model did not answer in time",
    "model_failed": "The model could not be asked",
    "user_loops": "The simulated person said the same again and again",
    "user_silent": "The simulated person said nothing",
    "user_failed": "The simulated person could not be asked",
}
_NO_MODEL = "This is no model but a policy that is given each solution: it does not show how hard the task is."
ORIGIN_WORDS: dict[ThemeOrigin, str] = {
    "name_seed": "Thought up from a name",
    "mcp_spec": "Made after the tools of an MCP server",
    "tool_docs": "Made after the documents of tools",
    "prd": "Made after a document about a product",
    "task_set": "Made after a set of tasks",
    "expansion": "Thought up to be unlike the worlds there were",
    "user": "Asked for in somebody's own words",
    "hand": "Written by hand",
    "import": "Published by others and imported",
    "data": "Mined from documents",
}
_SOURCE_WORDS = {
    "task_set": "the author's own list",
    "graph": "a walk over the tool graph",
    "program": "a program",
    "family": "a task family",
    "conversation": "a conversation about",
}


@dataclass(frozen=True, slots=True)
class Written:
    folder: Path
    environments: int
    episodes: int
    pages: int
    bytes: int


async def write_site(
    worlds: Iterable[SiteWorld], unfinished: Sequence[Unfinished], out: Path, runtime: Runtime, today: date
) -> Written:
    """Write the whole site, and put it in the place of an earlier one when it is finished."""
    with replacing(out) as folder:
        writing = _Writing(folder, runtime)
        for world in worlds:
            await writing.world(world)
        writing.finish(unfinished, today)
    return Written(out, len(writing.cards), len(writing.episodes), writing.pages, writing.bytes)


@dataclass
class _Writing:
    folder: Path
    runtime: Runtime
    pages: int = 0
    bytes: int = 0
    cards: list[dict[str, Any]] = field(default_factory=list)
    episodes: list[list[Any]] = field(default_factory=list)
    """What the list of all episodes shows of each, as `viewer.js` reads it."""
    found: list[list[str]] = field(default_factory=list)
    """What the search finds: what it is, its text, the page."""
    outcomes: Counter[str] = field(default_factory=Counter)
    outcomes_of_models: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.templates = _templates()

    async def world(self, world: SiteWorld) -> None:
        replaying = Replaying(self.runtime, world.bundle)
        episodes = await _shown(world, replaying)
        references = await _references(world, replaying)
        tasks = shown_tasks(world, episodes)
        facts = facts_of(world, tasks)
        here = f"environments/{world.key}"
        user_tools = len(world.bundle.tools_of("user"))
        self._page(f"{here}/index.html", "environment", facts=facts, user_tools=user_tools)
        texts = {task.id: task.text for task in world.bundle.tasks}
        self._page(f"{here}/play.html", "play", facts=facts, texts=texts)
        for one in tasks:
            given = {"one": one, "facts": facts, "conversation": world.bundle.conversations.get(one.task.id)}
            pair = [*references.get(one.task.id, []), *map(compared, one.episodes)]
            self._page(f"{here}/tasks/{one.task.id}.html", "task", compared=pair, **given)
            for number, episode in enumerate(one.episodes):
                self._episode(here, world, one, number, episode)
        self._remember(here, facts)
        self.runtime.retire(world.bundle)

    def _episode(self, here: str, world: SiteWorld, one: ShownTask, number: int, episode: ShownEpisode) -> None:
        names = [other.name for other in one.episodes]
        self._page(
            f"{here}/episodes/{episode.name}.html",
            "episode",
            world=world,
            task=one.task,
            one=episode,
            names=_descriptions(world.bundle.answer_forms.get(one.task.id)),
            before=names[number - 1] if number else None,
            after=names[number + 1] if number + 1 < len(names) else None,
            other="reference" if one.made else next((name for name in names if name != episode.name), None),
        )
        trajectory, rollout = episode.trajectory, episode.episode.rollout
        self.episodes.append(
            [
                world.key,
                one.task.id,
                episode.name,
                trajectory.model,
                trajectory.outcome or "unread",
                trajectory.verdict.score if trajectory.verdict else None,
                len(trajectory.steps),
                rollout.cause,
                one.task.kind,
                one.made.difficulty.level if one.made else None,
                episode.failed_calls,
                text.beginning(_why(episode), 160),
            ]
        )

    def _remember(self, here: str, facts: WorldFacts) -> None:
        bundle, theme = facts.world.bundle, facts.world.bundle.theme
        first, _, _ = theme.description.partition(". ")
        self.outcomes += outcomes(facts.world.episodes)
        self.outcomes_of_models += outcomes(of_models(facts.world.episodes))
        self.cards.append(
            {
                "key": theme.key,
                "name": theme.name,
                "category": theme.category,
                "about": text.beginning(f"{first.rstrip('.')}.", 240),
                "standing": facts.world.standing,
                "tables": facts.tables,
                "tools": len(bundle.tools),
                "rules": len(theme.rules),
                "tasks": len(bundle.tasks),
                "players": facts.players,
            }
        )
        page = f"{here}/index.html"
        self.found.append(["environment", f"{theme.name}. {theme.category}. {theme.description}", page])
        self.found += [["rule", rule.text, f"{page}#rule-{rule.id}"] for rule in theme.rules]
        self.found += [["tool", f"{one.name}: {one.description}", f"{page}#tool-{one.name}"] for one in bundle.tools]
        self.found += [["task", task.text, f"{here}/tasks/{task.id}.html"] for task in bundle.tasks]

    def finish(self, unfinished: Sequence[Unfinished], today: date) -> None:
        totals = {
            "tasks": sum(card["tasks"] for card in self.cards),
            "episodes": len(self.episodes),
            "outcomes": self.outcomes,
            "of_models": self.outcomes_of_models.total(),
            "pass_rate": pass_rate(self.outcomes_of_models),
        }
        starts = range(0, max(len(self.cards), 1), CARDS_ON_A_PAGE)
        indexes = ["index.html", *(f"index-{number}.html" for number in range(2, len(starts) + 1))]
        given = {"environments": len(self.cards), "unfinished": len(unfinished), "totals": totals, "made_on": today}
        for path, start in zip(indexes, starts, strict=True):
            cards = self.cards[start : start + CARDS_ON_A_PAGE]
            self._page(path, "index", worlds=cards, indexes=indexes, here=path, **given)
        if unfinished:
            self._page("unfinished.html", "unfinished", unfinished=unfinished)
        self._page("episodes.html", "episodes")
        names = {card["key"]: card["name"] for card in self.cards}
        words = {"outcomes": OUTCOME_WORDS, "causes": _CAUSE_WORDS, "environments": names}
        self._write("data/episodes.js", f"viewer.episodes = {text.data({'words': words, 'rows': self.episodes})};\n")
        self._write("data/search.js", f"viewer.found = {text.data(self.found)};\n")
        for name in _ASSETS:
            self._write(name, _TEMPLATES.joinpath(name).read_text(encoding="utf-8"))

    def _page(self, path: str, template: str, **given: Any) -> None:
        root = "../" * path.count("/")
        page = self.templates.get_template(f"{template}.html.jinja").render(root=root, page=template, **given)
        self._write(path, page)
        self.pages += 1

    def _write(self, path: str, content: str) -> None:
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        self.bytes += target.write_bytes(content.encode())


async def _shown(world: SiteWorld, replaying: Replaying) -> list[ShownEpisode]:
    tasks = {task.id: task for task in world.bundle.tasks}

    async def shown(one: SiteEpisode) -> ShownEpisode:
        trajectory = one.rollout.trajectory
        calls = list(calls_made(trajectory).values())
        return shown_episode(one, await replaying.rows(tasks[trajectory.task], calls))

    return await asyncio.gather(*map(shown, world.episodes))


async def _references(world: SiteWorld, replaying: Replaying) -> dict[str, list[dict[str, Any]]]:
    """By task, to compare episodes with: its reference solution."""

    async def reference(made: MadeTask) -> list[dict[str, Any]]:
        return [compared_reference(made, await replaying.rows(made.task, made.solution.calls))]

    return dict(zip(world.made, await asyncio.gather(*map(reference, world.made.values())), strict=True))


def _templates() -> Environment:
    def load(name: str) -> str:
        return _TEMPLATES.joinpath(name).read_text(encoding="utf-8")

    templates = Environment(
        loader=FunctionLoader(load),
        autoescape=True,
        finalize=text.shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters |= {
        "beginning": text.beginning,
        "check": check_in_words,
        "data": text.data,
        "descriptions": _descriptions,
        "is_reference": is_reference,
        "one_line": text.one_line,
        "parameters": parameters,
        "plural": _plural,
        "words": lambda name: str(name).replace("_", " "),
    }
    templates.globals |= {
        "outcome_words": OUTCOME_WORDS,
        "outcome_marks": _OUTCOME_MARKS,
        "fault_words": _FAULT_WORDS,
        "cause_words": _CAUSE_WORDS,
        "source_words": _SOURCE_WORDS,
        "origin_words": ORIGIN_WORDS,
        "no_model": _NO_MODEL,
    }
    return templates


def _plural(number: int, noun: str) -> str:
    if number != 1:
        noun = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {noun}"


def _descriptions(form: AnswerForm | None) -> dict[str, str]:
    return {one.name: one.description for one in form.fields} if form else {}


def _why(episode: ShownEpisode) -> str:
    """Why it is not more, in a line: the verdict's reasons, else how it ended."""
    verdict, rollout = episode.trajectory.verdict, episode.episode.rollout
    reasons = verdict.reasons if verdict else []
    return "; ".join(reasons) or rollout.detail or ", ".join(rollout.remarks)
