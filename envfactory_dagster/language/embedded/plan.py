"""From a theme to its plan: which modules, which nouns, which options and numbers, which rules.

`plan_for` is a pure function of a theme's key, name, category, entities, size and rules, so that every stage, shown
nothing but its own context, arrives at the same plan. Belongs here: choosing and binding. Does not: recognising domains
in free text (`recognition`), or making anything from the plan (`world`, `compose`, `tasks`).
"""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from envfactory_dagster.contracts.domain import INITIAL_STATE, Rule, Theme
from envfactory_dagster.language.embedded.blueprint import Blueprint
from envfactory_dagster.language.embedded.kit import Entity, Module, Tool
from envfactory_dagster.language.embedded.kit import Rule as ModuleRule
from envfactory_dagster.language.embedded.modules import all_modules
from envfactory_dagster.language.embedded.recognition import blueprint_of, borrowed_nouns
from envfactory_dagster.language.embedded.seeds import rng_of, seed_of
from envfactory_dagster.language.embedded.text import Noun, fill, holds, identifier, sentence

PEOPLE = "people"
LEAST_TABLES = 13
LEAST_TOOLS = 25
LEAST_ASKS = 6
LEAST_RULES = 3
MOST_MODULES = 7
_RESERVED = {"values", "references", "groups", "rows", "indexes", "tables", "columns", "orders_by", "sets", "views"}


@dataclass(frozen=True)
class Binding:
    """A module as one theme uses it."""

    module: Module
    nouns: Mapping[str, Noun]
    """Every role it can name: its own, and those it is linked to."""
    owners: Mapping[str, tuple[str, str]]
    """Role → the module and role that its rows belong to."""
    flags: frozenset[str]
    settings: Mapping[str, int]
    words: Mapping[str, str]
    """What each placeholder of its templates stands for."""

    def entities(self) -> list[Entity]:
        return [entity for entity in self.module.entities if holds(entity.when, self.flags)]

    def tools(self) -> list[Tool]:
        return [tool for tool in self.module.tools if holds(tool.when, self.flags)]

    def prose(self, template: str) -> str:
        return fill(template, self.words, self.flags)


@dataclass(frozen=True)
class Plan:
    """Everything the embedded author decided about one environment."""

    key: str
    seed: int
    size: str
    blueprint: Blueprint
    bindings: tuple[Binding, ...]

    def binding(self, module: str) -> Binding:
        return next(binding for binding in self.bindings if binding.module.name == module)

    def rules(self) -> list[Rule]:
        """Rules that hold here: one of every module, then a second of every module, and so on."""
        offers = self.offered_rules()
        deepest = max(len(offer) for offer in offers)
        ordered = [
            (b, offer[i])
            for i in range(deepest)
            for b, offer in zip(self.bindings, offers, strict=True)
            if i < len(offer)
        ]
        return [Rule(id=rule.id, text=sentence(binding.prose(rule.text))) for binding, rule in ordered]

    def offered_rules(self) -> list[list[ModuleRule]]:
        """By module, the rules that its options allow, in an order of this plan's own: those that somebody may come up
        against first."""
        found = []
        for binding in self.bindings:
            rules = [rule for rule in binding.module.rules if holds(rule.when, binding.flags)]
            met = {ask.rule for ask in binding.module.asks if holds(ask.when, binding.flags)}
            shuffled = rng_of(self.seed, binding.module.name, "rules").sample(rules, len(rules))
            found.append(sorted(shuffled, key=lambda rule: rule.id not in met))
        return found

    def clock(self, state: str) -> datetime:
        """The frozen time of a state: a weekday morning of 2026, weeks apart between states."""
        first = datetime(2026, 2, 2, 9) + timedelta(weeks=self.seed % 30, days=self.seed % 4)
        return first if state == INITIAL_STATE else first + timedelta(weeks=2 + seed_of(self.seed, state) % 8)


def plan_for(theme: Theme) -> Plan:
    """The plan of a theme; its rules are exactly those the theme names (of the ones its modules offer)."""
    return draft_plan(theme.key, theme.name, theme.category, theme.entities, theme.size, {r.id for r in theme.rules})


def draft_plan(
    key: str, name: str, category: str, entities: Sequence[str], size: str, rules: Iterable[str] | None = None
) -> Plan:
    """The plan of a theme that may still lack its rules (None: all rules that its modules offer)."""
    blueprint = blueprint_of(name, category, entities)
    seed = seed_of(key, name, category)
    nouns = borrowed_nouns(blueprint, entities)
    chosen = list(dict.fromkeys([PEOPLE, next(iter(blueprint.uses))]))
    extras = [module for module in blueprint.uses if module not in chosen]
    enough = _is_varied
    if size != "small":
        extras += _extras(blueprint, [*chosen, *extras], seed)
        enough = _large_enough
    plan = Plan(key, seed, size, blueprint, _bind(chosen, blueprint, nouns, size, seed, rules))
    for extra in extras:
        if enough(plan) or len(chosen) >= MOST_MODULES:
            break
        chosen.append(extra)
        plan = Plan(key, seed, size, blueprint, _bind(chosen, blueprint, nouns, size, seed, rules))
    return plan


def _extras(blueprint: Blueprint, chosen: Sequence[str], seed: int) -> list[str]:
    """Further modules in the order this theme takes them: the blueprint's own candidates before all others."""
    rng = rng_of(seed, "extras")
    own = [name for name in sorted(blueprint.may_use) if name in all_modules() and name not in chosen]
    others = [name for name in sorted(all_modules()) if name not in own and name not in chosen]
    return [*rng.sample(own, len(own)), *rng.sample(others, len(others))]


def _is_varied(plan: Plan) -> bool:
    """Whether ten different tasks and a few rules can be made of it."""
    asks = sum(ask.rule is None and holds(ask.when, b.flags) for b in plan.bindings for ask in b.module.asks)
    return asks >= LEAST_ASKS and sum(len(offer) for offer in plan.offered_rules()) >= LEAST_RULES


def _large_enough(plan: Plan) -> bool:
    tables = sum(len(binding.entities()) for binding in plan.bindings)
    tools = sum(len(binding.tools()) for binding in plan.bindings)
    return tables >= LEAST_TABLES + plan.seed % 4 and tools >= LEAST_TOOLS + plan.seed % 5


def _bind(
    chosen: Sequence[str],
    blueprint: Blueprint,
    nouns: Mapping[str, Mapping[str, str]],
    size: str,
    seed: int,
    rules: Iterable[str] | None,
) -> tuple[Binding, ...]:
    active = None if rules is None else set(rules)
    bound: list[Binding] = []
    taken: set[str] = set()
    for module in _providers_first([all_modules()[name] for name in chosen], next(iter(blueprint.uses))):
        rng = rng_of(seed, module.name)
        own = _own_nouns(module, nouns.get(module.name, {}), taken, rng)
        links = _links(module, bound, rng)
        flags = {size, *chosen, *links, *_options(module, blueprint, rng)}
        flags |= {rule.id for rule in module.rules if active is None or rule.id in active}
        settings = {name: rng.choice(numbers) for name, numbers in sorted(module.settings.items())}
        visible = own | {role: noun for role, (_, _, noun) in links.items()}
        words = {name: str(value) for name, value in settings.items()}
        for role, noun in visible.items():
            words |= noun.forms(role)
        owners = {role: (module.name, role) for role in own} | {r: (m, x) for r, (m, x, _) in links.items()}
        bound.append(Binding(module, visible, owners, frozenset(flags), settings, words))
    return tuple(bound)


def _providers_first(modules: list[Module], heart: str) -> list[Module]:
    """Modules after those they link to; the heart as early as that allows. A circle of links is cut at its start."""
    waiting = sorted(modules, key=lambda module: (module.name != PEOPLE, module.name != heart))
    ordered: list[Module] = []
    while waiting:
        ready = [m for m in waiting if not any(set(m.links) & set(o.provides) for o in waiting if o is not m)]
        following = (ready or waiting)[0]
        waiting.remove(following)
        ordered.append(following)
    return ordered


def _links(module: Module, bound: Sequence[Binding], rng: random.Random) -> dict[str, tuple[str, str, Noun]]:
    """Capability → the module, role and noun behind it; people are linked to everything."""
    links: dict[str, tuple[str, str, Noun]] = {}
    for capability in ("person", *module.links):
        providers = [b for b in bound if b.module.provides.get(capability) in {e.role for e in b.entities()}]
        if providers:
            provider = rng.choice(providers)
            role = provider.module.provides[capability]
            links[capability] = (provider.module.name, role, provider.nouns[role])
    return links


def _options(module: Module, blueprint: Blueprint, rng: random.Random) -> set[str]:
    drawn = {option: rng.random() < 0.5 for option in module.options}
    for fixed in blueprint.fixed:
        name, _, option = fixed.removeprefix("!").partition(".")
        if name == module.name:
            drawn[option] = not fixed.startswith("!")
    return {option for option, on in drawn.items() if on}


def _own_nouns(module: Module, wanted: Mapping[str, str], taken: set[str], rng: random.Random) -> dict[str, Noun]:
    """A noun for every role, no two of a plan alike; `taken` is extended."""
    nouns: dict[str, Noun] = {}
    for role, defaults in module.roles.items():
        candidates = [wanted[role]] if role in wanted else []
        candidates += rng.sample(defaults, len(defaults))
        candidates += [f"{module.name.split('_')[0]} {word}" for word in defaults]
        noun = next(noun for noun in map(Noun.parse, candidates) if _is_free(noun, taken))
        taken |= {identifier(noun.one), identifier(noun.many)}
        nouns[role] = noun
    return nouns


def _is_free(noun: Noun, taken: set[str]) -> bool:
    forms = {identifier(noun.one), identifier(noun.many)}
    return len(forms) == 2 and not forms & taken and not forms & _RESERVED
