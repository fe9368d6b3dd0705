"""From a plan to its tasks: which steps go together, and how the user words them.

Drafts are made one after the other and each is a pure function of plan, states and the drafts before it, so that asking
for more tasks, or for the solution of one, never changes the others. Belongs here: choosing and wording. Does not: the
programs and checks of a draft (`proofs`).
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from envfactory_dagster.contracts.domain import INITIAL_STATE, Task, TaskKind
from envfactory_dagster.language.embedded.kit import Ask, Step
from envfactory_dagster.language.embedded.plan import Binding, Plan
from envfactory_dagster.language.embedded.seeds import rng_of
from envfactory_dagster.language.embedded.text import holds, identifier, sentence
from envfactory_dagster.language.embedded.world import World, build_world

_KINDS: Sequence[TaskKind] = (
    "refusal", "information", "action", "action", "action", "information", "action", "refusal", "action", "action",
)  # fmt: skip
_TRIES = 16
"""Drafts for every task that is wanted: some turn out like one that is there already."""
_MOST_ALIKE, _MOST_ALIKE_WHEN_FEW = 0.64, 0.69
_WORD = re.compile(r"[a-z0-9]+")
_LEAVES_A_CHOICE = (3, 9)
"""Of every ten drafts, those that are open-ended where the world allows it."""
_CALL = re.compile(r"\btools\.[a-z$]")
_WORDINGS = {
    1: ("{0}. That is all for today.", "please {0}; there is nothing else.", "I need your help: {0}."),
    2: ("please {0}, and then {1}.", "I need two things: {0}; also {1}.", "{0}. After that, {1}."),
    3: (
        "please {0}. Then {1}, and finally {2}.",
        "three things today: {0}; {1}; and {2}.",
        "{0}. Once that is done, {1}. Lastly, {2}.",
    ),
    4: ("please {0}, {1}, then {2}, and finally {3}.", "here is my list: {0}; {1}; {2}; and {3}."),
}


@dataclass(frozen=True)
class Part:
    """One step of a draft, with the module and the ask it came from."""

    binding: Binding
    ask: Ask
    step: Step

    @property
    def kind(self) -> TaskKind:
        return "refusal" if self.ask.rule else "action" if self.step.goals else "information"

    def calls(self) -> int:
        """Calls its program makes, as far as the text tells."""
        return len(_CALL.findall(self.step.solve))

    def changes(self) -> set[tuple[str, str]]:
        return {self.binding.owners[allow.role] for allow in self.step.allows}

    def words(self) -> str:
        return self.binding.prose(self.step.text).format(**self.step.values)

    def roles(self) -> list[str]:
        """Roles that its program or its checks name."""
        checks = [goal.sql for goal in self.step.goals] + [fact.sql for fact in self.step.facts]
        named = " ".join([*checks, self.step.solve])
        left_out = {entity.role for entity in self.binding.module.entities} - {e.role for e in self.binding.entities()}
        there = [role for role in self.binding.nouns if role not in left_out]
        return [role for role in there if re.search(rf"\${role}s?(?![a-zA-Z])", named)]

    def uses(self) -> set[tuple[str, str]]:
        return {self.binding.owners[role] for role in self.roles()}

    def entities(self) -> list[str]:
        return [self.binding.nouns[role].one for role in self.roles()]


@dataclass(frozen=True)
class Draft:
    """A task and the steps it is made of."""

    task: Task
    parts: tuple[Part, ...]

    def words(self) -> str:
        """What it asks for, without the wording around it."""
        return " ".join(part.words() for part in self.parts)


def draft_tasks(plan: Plan, states: Sequence[str], count: int) -> list[Draft]:
    worlds = {state: build_world(plan, state) for state in states}
    used: Counter[str] = Counter()
    drafts: list[Draft] = []
    for number in range(1, _TRIES * count + 1):
        limit = _MOST_ALIKE if number <= 8 * count else _MOST_ALIKE_WHEN_FEW
        draft = _draft(plan, worlds, number, len(drafts), used)
        if draft is None or any(_alike(draft, other) > limit for other in drafts):
            continue
        used.update(part.ask.name for part in draft.parts)
        drafts.append(draft)
        if len(drafts) == count:
            break
    return drafts


def _alike(one: Draft, other: Draft) -> float:
    """The share of words that two tasks have in common, with the wording around what they ask for or without it."""
    return max(_shared(one.words(), other.words()), _shared(one.task.text, other.task.text))


def _shared(one: str, other: str) -> float:
    first, second = set(_WORD.findall(one.lower())), set(_WORD.findall(other.lower()))
    return len(first & second) / len(first | second)


def _draft(plan: Plan, worlds: dict[str, World], number: int, made: int, used: Counter[str]) -> Draft | None:
    kind = _KINDS[(number - 1) % len(_KINDS)]
    others = [state for state in worlds if state != INITIAL_STATE]
    state = others[number // 3 % len(others)] if others and number % 3 == 0 else INITIAL_STATE
    parts = _parts(plan, worlds[state], kind, number, used)
    if parts and kind not in {part.kind for part in parts}:
        kind = parts[-1].kind
    if not parts:
        return None
    rng = rng_of(plan.seed, "wording", number)
    wording = rng.choice(_WORDINGS[len(parts)])
    text = ". ".join(map(sentence, wording.format(*(part.words() for part in parts)).split(". ")))
    task = Task(
        id=f"t{made + 1:02d}_{identifier(parts[-1].ask.name)}",
        text=sentence(text),
        kind=kind,
        state=state,
        entities=list(dict.fromkeys(entity for part in parts for entity in part.entities())),
        rule=next((part.ask.rule for part in parts if part.ask.rule), None),
    )
    return Draft(task, parts)


def _parts(plan: Plan, world: World, kind: TaskKind, number: int, used: Counter[str]) -> tuple[Part, ...]:
    """Steps that fit together, the one that gives the task its kind last; least used asks first."""
    few = (3, 2) if number <= len(_KINDS) else (5, 3)
    enough, most = few if plan.size == "small" else (7, 4)
    candidates = _candidates(plan, world, number, used)
    fitting = [part for part in candidates if part.kind == kind] or candidates
    if number % len(_KINDS) in _LEAVES_A_CHOICE:
        fitting = sorted(fitting, key=lambda part: not part.step.otherwise)
    if not fitting:
        return ()
    main = fitting[0]
    chosen = [main]
    for part in candidates:
        if len(chosen) == most or sum(p.calls() for p in chosen) >= enough:
            break
        if _fits(part, chosen, main.kind):
            chosen.append(part)
    order: Sequence[TaskKind] = ("information", "action", "refusal")
    rest = sorted(chosen[1:], key=lambda part: order.index(part.kind))
    return (*rest, main)


def _fits(part: Part, chosen: Sequence[Part], kind: TaskKind) -> bool:
    """Whether a further step leaves the others' answers and checks as they are."""
    if part.kind == "refusal" or (part.kind == "action" and kind != "action"):
        return False
    if any(part.ask is other.ask for other in chosen):
        return False
    if part.kind == "action":
        return not any(
            part.binding is other.binding or part.changes() & other.uses() or other.changes() & part.uses()
            for other in chosen
            if other.kind != "information"
        )
    return True


def _candidates(plan: Plan, world: World, number: int, used: Counter[str]) -> list[Part]:
    asks = [
        (binding, ask)
        for binding in plan.bindings
        for ask in binding.module.asks
        if holds(ask.when, binding.flags) and (ask.rule is None or ask.rule in binding.flags)
    ]
    rng = rng_of(plan.seed, world.state, "order", number)
    asks.sort(key=lambda pair: (used[pair[1].name], rng.random()))
    parts = []
    for binding, ask in asks:
        step = ask.make(world.view(binding, ask.name, number))
        if step is not None:
            parts.append(Part(binding, ask, step))
    return parts
