"""Which calls and questions of an episode were not needed, as far as that can be read off it.

Belongs here: the signs of needlessness. Does not: leaving anything out, and the proof that it was needless after all
(`shortening`).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from envfactory_dagster.contracts.base import Json, canonical_json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.synthesis import MadeTask
from envfactory_dagster.contracts.trajectory import Observation, Step, Trajectory
from envfactory_dagster.truth.protocols import CallRequest, turns
from envfactory_dagster.truth.telling import Fact, facts, relies, says

_WORD = re.compile(r"\w+")
_FIGURE = re.compile(r"\d")


@dataclass(frozen=True, slots=True, order=True)
class NeedlessPart:
    """Something that can be left out: one call of a step, or all of a step that asks the person something."""

    step: int
    call: str = ""
    """The id of the call; empty: the whole step."""
    why: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class _Deed:
    """One call of the agent with what came of it."""

    step: int
    id: str
    tool: str
    arguments: dict[str, Json]
    seen: Observation

    @property
    def identity(self) -> bytes:
        return canonical_json([self.tool, self.arguments])

    @property
    def tells(self) -> set[Fact]:
        return {fact for fact in facts(self.seen.value) if fact[1] != 0} if self.seen.outcome == "ok" else set()


def needless(bundle: Bundle, made: MadeTask, trajectory: Trajectory) -> list[NeedlessPart]:
    """Everything that seems needless, the latest first: what was told twice had to be told once."""
    episode = _Episode(bundle, made, trajectory)
    found = []
    for deed in reversed(episode.deeds.copy()):
        why = episode.why_needless(deed)
        if why:
            episode.deeds.remove(deed)
            found.append(NeedlessPart(deed.step, deed.id, why))
    questions = [
        NeedlessPart(step.number, why="asks what was said or is not known") for step in episode.needless_questions()
    ]
    return sorted([*found, *questions], reverse=True)


class _Episode:
    """An episode while it is looked through; `deeds` are those that are still taken to be needed."""

    def __init__(self, bundle: Bundle, made: MadeTask, trajectory: Trajectory) -> None:
        self._task, self._trajectory = made.task, trajectory
        self._read_only = {tool.name for tool in bundle.tools if tool.annotations.readOnlyHint}
        self._gold = {canonical_json([call.tool, call.arguments]) for call in made.solution.calls}
        self._wish = _wish(made)
        self.deeds = list(_deeds(trajectory))

    def why_needless(self, deed: _Deed) -> str:
        """Why this call was not needed, given those that are left; empty when it was."""
        if deed.seen.outcome == "agent":
            return self._why_failure_is(deed)
        if deed.seen.outcome != "ok" or deed.tool not in self._read_only:
            return ""
        if any(self._repeats(deed, earlier) for earlier in self._before(deed)):
            return "was known already"
        if self._task.kind != "action" or deed.identity in self._gold:
            return ""  # What an answer rests on need not be seen in it: that there is none, that it is the only one.
        if not deed.tells:
            again = (later for later in self._after(deed) if later.tool == deed.tool and later.tells)
            return "found nothing and was made again" if next(again, None) is not None else ""
        return "" if self._is_relied_on(deed) else "tells nothing that is used"

    def needless_questions(self) -> Iterator[Step]:
        """Steps that ask the person something and learn nothing new of what they want. Whoever states figures on the
        occasion has told them something."""
        said = _words(self._trajectory.opening)
        for step in self._trajectory.steps[:-1]:
            asks = "?" in step.text and not _FIGURE.search(step.text) and not step.calls and not step.notice
            if asks and step.reply and not (_words(step.reply) & self._wish) - said:
                yield step
            said |= _words(step.reply)

    def _why_failure_is(self, deed: _Deed) -> str:
        if deed.identity in self._gold:
            return ""
        worked = any(later.tool == deed.tool and later.seen.outcome == "ok" for later in self._after(deed))
        return "failed and was made again" if worked else ""

    def _repeats(self, deed: _Deed, earlier: _Deed) -> bool:
        return earlier.identity == deed.identity and earlier.seen.value == deed.seen.value

    def _is_relied_on(self, deed: _Deed) -> bool:
        """Whether a later call or message uses something that this call told. Numbers may mean something else here and
        there, and then count as used; a name that the person said is nobody else's news."""
        later: list[Json] = [dict(one.arguments) for one in self._after(deed)]
        words = "\n".join(step.text for step in self._trajectory.steps[deed.step :] if not _by_agent(step))
        if (report := self._trajectory.report) is not None:
            words += f"\n{report.message}\n{canonical_json(report.answers).decode()}"
        heard = "\n".join([self._trajectory.opening, *(one.reply for one in self._trajectory.steps[: deed.step])])
        return any(
            (relies(later, fact) or says(words, fact)) and not (isinstance(fact[1], str) and says(heard, fact))
            for fact in deed.tells
        )

    def _before(self, deed: _Deed) -> Sequence[_Deed]:
        return self.deeds[: self.deeds.index(deed)]

    def _after(self, deed: _Deed) -> Sequence[_Deed]:
        return self.deeds[self.deeds.index(deed) + 1 :]


def _deeds(trajectory: Trajectory) -> Iterator[_Deed]:
    for turn in turns(trajectory.steps, trajectory.protocol):
        if (
            isinstance(turn.asked, CallRequest)
            and turn.observation is not None
            and turn.request.principal == "assistant"
        ):
            yield _Deed(turn.step, turn.request.id, turn.asked.tool, turn.asked.arguments, turn.observation)


def _by_agent(step: Step) -> bool:
    return any(call.principal == "assistant" for call in step.calls)


def _wish(made: MadeTask) -> set[str]:
    """The words of everything the person wants and knows."""
    said = [made.task.text]
    if made.conversation is not None:
        said += [*made.conversation.answers, *(turn.request for turn in made.conversation.turns)]
    return _words(" ".join(said))


def _words(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text)}
