"""Rounds: their keys, and the home that each has below the home.

Belongs here: which round comes after which, and where what belongs to a round lies. Does not: what is in it.

A round has the environments of its draw with tasks of its own. They are released in a home of their own, so that
whatever plays, trains on or looks at released tasks does the same with those of a round:

    arena/ROUND/records/release/KEY   the tasks, in the form of any release
    arena/ROUND/bundles/KEY           the bundle that they are played in
    arena/ROUND/trajectories/KEY      the episodes
    arena/ROUND/targets/VERSION       another home: the tasks that are to be practised after the round
    arena/ROUND/practice/ARM/VERSION  another: the training data of an arm

What the policies of an experiment do with held-out tasks is of all its rounds:

    arena/EXPERIMENT/trajectories/KEY the episodes
"""

import re
from dataclasses import dataclass

from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.evolution import Arm
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.keys import checked_key

_KEY = re.compile(r"(?P<experiment>.+)-r(?P<number>\d\d)")


@dataclass(frozen=True, slots=True)
class ArenaRound:
    experiment: str
    number: int

    @classmethod
    def of_key(cls, key: str) -> "ArenaRound":
        found = _KEY.fullmatch(checked_key(key))
        if found is None:
            raise UsageError(f"{key!r} names no round: an experiment's name with the round's number, as `first-r00`.")
        if _KEY.fullmatch(found["experiment"]):
            raise UsageError(
                f"An experiment cannot be called {found['experiment']!r}: that names a round. Choose another."
            )
        return cls(found["experiment"], int(found["number"]))

    @property
    def key(self) -> str:
        return f"{self.experiment}-r{self.number:02d}"

    @property
    def before(self) -> "list[ArenaRound]":
        """The earlier rounds of the experiment, the first one first."""
        return [ArenaRound(self.experiment, number) for number in range(self.number)]

    @property
    def next(self) -> "ArenaRound":
        return ArenaRound(self.experiment, self.number + 1)

    def home(self, home: Home) -> Home:
        return Home(home.root / "arena" / self.key)

    def targets(self, home: Home, version: str) -> Home:
        return Home(self.home(home).root / "targets" / version)

    def practice(self, home: Home, arm: Arm, version: str) -> Home:
        return Home(self.home(home).root / "practice" / arm / version)

    def held_out(self, home: Home) -> Home:
        return Home(home.root / "arena" / self.experiment)
