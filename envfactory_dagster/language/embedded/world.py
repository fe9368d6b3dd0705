"""The rows of one state of a plan, and the view a module has of them.

`build_world` is a pure function of plan and state. Belongs here: growing and reading rows. Does not: their vocabulary
(`vocabulary`), or their form in an artifact (`compose`).
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from envfactory_dagster.language.embedded import vocabulary
from envfactory_dagster.language.embedded.kit import Row
from envfactory_dagster.language.embedded.plan import Binding, Plan
from envfactory_dagster.language.embedded.seeds import rng_of
from envfactory_dagster.language.embedded.tables import Column, columns_of, known_keys
from envfactory_dagster.language.embedded.text import sentence

Where = Callable[[Row], bool]


@dataclass
class World:
    plan: Plan
    state: str
    clock: datetime
    tables: dict[tuple[str, str], list[Row]] = field(default_factory=dict)
    """(module, role) → rows."""
    columns: dict[tuple[str, str], list[Column]] = field(default_factory=dict)

    def view(self, binding: Binding, *purpose: object) -> "View":
        """A module's view, with a random stream of its own for a purpose."""
        return View(self, binding, rng_of(self.plan.seed, self.state, binding.module.name, *purpose))


def build_world(plan: Plan, state: str) -> World:
    world = World(plan, state, plan.clock(state))
    for binding in plan.bindings:
        for entity in binding.entities():
            world.tables[binding.module.name, entity.role] = []
            world.columns[binding.module.name, entity.role] = columns_of(binding, entity)
        binding.module.generate(world.view(binding, "rows"))
    return world


class View:
    """What a module sees of a world: its own roles and those it is linked to, names written without `$`."""

    def __init__(self, world: World, binding: Binding, rng: random.Random) -> None:
        self._world = world
        self._binding = binding
        self.rng = rng
        self.state = world.state
        self.now = world.clock.isoformat()
        self.today = self.now[:10]

    # -- what kind of world this is

    def has(self, flag: str) -> bool:
        """Whether an option, a rule, a linked capability, a module or a size (`full`, `small`) is on."""
        return flag in self._binding.flags

    def setting(self, name: str) -> int:
        return self._binding.settings[name]

    def size(self, small: int, full: int) -> int:
        """How many rows to make."""
        return full if self.has("full") else small

    # -- time, relative to the clock of this world

    def moment(self, days: int, hour: int = 9, minute: int = 0) -> str:
        at = (self._world.clock + timedelta(days=days)).replace(hour=hour, minute=minute)
        return at.isoformat()

    def day(self, days: int) -> str:
        return (self._world.clock + timedelta(days=days)).date().isoformat()

    def days_until(self, moment: str) -> int:
        """Whole days from today to the day of a moment; negative in the past."""
        return (datetime.fromisoformat(moment).date() - self._world.clock.date()).days

    # -- rows

    def add(self, role: str, **values: object) -> int:
        """Append a row and return its id. Columns that the options left out are dropped, absent ones are NULL."""
        binding, own_role = self._owner(role)
        entity = next(entity for entity in binding.module.entities if entity.role == own_role)
        unknown = values.keys() - known_keys(entity)
        if unknown:
            raise KeyError(f"{binding.module.name}.{own_role} has no column {', '.join(sorted(unknown))}")
        rows, columns = self.rows(role), self._world.columns[binding.module.name, own_role]
        row: Row = {column.key: values.get(column.key) for column in columns}
        row["id"] = len(rows) + 1
        rows.append(row)
        return len(rows)

    def rows(self, role: str) -> list[Row]:
        """Every row of a role, oldest first; changing a row changes the world (generators only)."""
        binding, own_role = self._owner(role)
        return self._world.tables[binding.module.name, own_role]

    def row(self, role: str, row_id: int) -> Row:
        return self.rows(role)[row_id - 1]

    def mine(self, role: str, where: Where = lambda row: True) -> list[Row]:
        """The rows of user 1."""
        return [row for row in self.rows(role) if row["person_id"] == 1 and where(row)]

    def select(self, role: str, where: Where = lambda row: True) -> list[Row]:
        return [row for row in self.rows(role) if where(row)]

    def pick(self, role: str, where: Where = lambda row: True) -> Row | None:
        """A random row that fits, or None."""
        found = self.select(role, where)
        return self.rng.choice(found) if found else None

    def need(self, role: str, where: Where = lambda row: True) -> Row:
        """The first row that fits; for calls that the generator guarantees a row for."""
        found = self.select(role, where)
        if not found:
            raise LookupError(f"the world has no {role} that fits; the generator must always make one")
        return found[0]

    def missing(self, role: str) -> int:
        """An id no row of this role has."""
        return len(self.rows(role)) + 9000

    def person(self) -> int:
        """A random person, user 1 more often than the others."""
        return 1 if self.rng.random() < 0.3 else self.rng.randint(1, len(self.rows("person")))

    # -- vocabulary

    def noun(self, role: str) -> str:
        """What the theme calls one of a role."""
        return self._binding.nouns[role].one

    def names(self, role: str, count: int, others: Sequence[str] = ()) -> list[str]:
        """Different names for rows of a role: the blueprint's, then the module's, then made from the theme's noun."""
        pool = list(self._world.plan.blueprint.names.get(role, ()))
        if len(pool) < count:
            pool = list(dict.fromkeys([*pool, *others]))
        for name in vocabulary.thing_names(self._binding.nouns[role].one, self.rng):
            if len(pool) >= count:
                break
            pool.append(sentence(name))
        return self.rng.sample(pool, count)

    def person_name(self) -> str:
        return vocabulary.person_name(self.rng)

    def _owner(self, role: str) -> tuple[Binding, str]:
        module, own_role = self._binding.owners[role]
        return self._world.plan.binding(module), own_role
