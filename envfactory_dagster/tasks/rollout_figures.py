"""What came of playing, in figures that a person looks at.

Belongs here: counting. Does not: playing (`playing`), and how figures are shown (`assets`).
"""

from collections import Counter
from dataclasses import dataclass, field

from envfactory_dagster.contracts.base import Json, content_hash
from envfactory_dagster.contracts.synthesis import MadeTask
from envfactory_dagster.rollouts.scoring import Rollout
from envfactory_dagster.tasks.playing import PlayedEnvironment, Unplayable

Row = dict[str, Json]
GROUPS = ("model", "source", "kind", "level", "setting")


@dataclass(slots=True)
class _Rate:
    played: int = 0
    passed: int = 0

    def add(self, passed: bool) -> None:
        self.played += 1
        self.passed += passed

    def row(self) -> Row:
        return {"rollouts": self.played, "passed": round(self.passed / self.played, 3)}


@dataclass(slots=True)
class RolloutFigures:
    """Grows with every environment that was played."""

    new: int = 0
    environments: int = 0
    unplayable: list[Row] = field(default_factory=list)
    _all: _Rate = field(default_factory=_Rate)
    _by: dict[tuple[str, str], _Rate] = field(default_factory=dict)
    _outcomes: Counter[str] = field(default_factory=Counter)
    _causes: Counter[str] = field(default_factory=Counter)
    _remarks: Counter[str] = field(default_factory=Counter)
    _calls: int = 0
    _tools_s: float = 0.0
    _seen: list[Json] = field(default_factory=list)

    def add(self, played: PlayedEnvironment | Unplayable) -> None:
        if isinstance(played, Unplayable):
            self.unplayable.append({"environment": played.key, "reason": played.reason})
            return
        self.new += played.new
        self.environments += 1
        made = {one.task.id: one for one in played.release.tasks}
        for rollout in played.rollouts:
            self._count(rollout, made[rollout.trajectory.task])

    @property
    def version(self) -> str:
        """Of the trajectories themselves: another one when any of them is another, or one more is there."""
        return content_hash(sorted(self._seen, key=str))

    def rows(self, group: str) -> list[Row]:
        """The pass rate of each model that played, source, kind, level or setting."""
        return [{group: name, **rate.row()} for (of, name), rate in sorted(self._by.items()) if of == group]

    def facts(self) -> dict[str, Json]:
        return {
            "rollouts": self._all.played,
            "new": self.new,
            "environments": self.environments,
            "pass_rate": self._all.row()["passed"] if self._all.played else None,
            "ms_per_call_with_all_in_flight": round(1000 * self._tools_s / self._calls, 3) if self._calls else None,
            "calls_per_rollout": round(self._calls / self._all.played, 1) if self._all.played else None,
            "outcomes": _table("outcome", self._outcomes),
            "causes": _table("cause", self._causes),
            "remarks": _table("remark", self._remarks),
            **{f"by_{group}": list[Json](self.rows(group)) for group in GROUPS},
            "unplayable": list[Json](self.unplayable),
        }

    def _count(self, rollout: Rollout, made: MadeTask) -> None:
        one = rollout.trajectory
        passed = one.outcome == "completed"
        self._all.add(passed)
        groups = {
            "model": one.model,
            "source": made.source,
            "kind": made.task.kind,
            "level": str(made.difficulty.level),
            "setting": rollout.setting,
        }
        for pair in groups.items():
            self._by.setdefault(pair, _Rate()).add(passed)
        self._outcomes[one.outcome or "none"] += 1
        self._causes[rollout.cause] += 1
        self._remarks.update(rollout.remarks)
        for step in one.steps:
            if step.timing is not None and step.calls:
                self._calls += len(step.calls)
                self._tools_s += step.timing.tools_s
        key: list[Json] = [one.environment, one.bundle_version, one.task, rollout.setting, one.protocol, one.model]
        self._seen.append([*key, one.seed, rollout.cause, one.state_hash])


def _table(name: str, counts: Counter[str]) -> list[Json]:
    return [{name: value, "rollouts": number} for value, number in counts.most_common()]
