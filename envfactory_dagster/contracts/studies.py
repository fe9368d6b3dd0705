"""Studies: what varies, at which levels, with how many seeds, and what came of every cell.

Belongs here: a study as a person writes it, and its result. Does not: running it (`measuring.studies`).
"""

from typing import Literal, Self

from pydantic import Field, model_validator

from envfactory_dagster.contracts.base import Contract, Json, NonEmpty, Slug, unique

Half = Literal["top", "bottom", "random"]

Trains = Literal["grpo", "sft"]

Varies = Literal["environments", "similarity", "home", "policy"]
"""`environments`: how many are trained on, each level with those of the level below. `similarity`: the half of them
that is most like what is held out (`top`), the half that is least, or a random one. `home`: a home each, whose
`rl_dataset` or `sft_dataset` was made with other settings. `policy`: what training begins with."""


class Study(Contract):
    """One figure of a paper: a policy trained and evaluated at every level with every seed."""

    name: Slug
    recipe: NonEmpty
    """One that is shipped, or a file. Every cell takes as many steps as it says."""
    trains: Trains = "grpo"
    """By `grpo` on tasks of `rl_dataset`, or by `sft` on rows of `sft_dataset`."""
    varies: Varies | str
    """One of these, or a field of the recipe, such as `grpo.window`."""
    levels: list[Json] = Field(min_length=2)
    """Numbers, halves, or values of the field; for `home` and `policy` folders."""
    labels: list[NonEmpty] = Field(default_factory=list)
    """What levels are called; empty: as they are written."""
    seeds: list[int] = Field(default=[0, 1, 2], min_length=1)
    k: int = Field(default=8, ge=1)
    """How often each held-out task is played."""
    way: Literal["greedy", "sampled"] = "sampled"
    """Which episodes count."""

    @model_validator(mode="after")
    def _cells_are_told_apart(self) -> Self:
        unique([str(seed) for seed in self.seeds], "seeds")
        if self.labels and len(self.labels) != len(self.levels):
            raise ValueError(f"there are {len(self.labels)} labels for {len(self.levels)} levels")
        unique(self.named, "labels")
        return self

    @property
    def named(self) -> list[str]:
        return self.labels or [level if isinstance(level, str) else repr(level) for level in self.levels]


class SeedResult(Contract):
    """What came of one cell."""

    seed: int
    passed: float
    """The mean rate of the held-out tasks."""
    tasks: int
    folder: str


class LevelResult(Contract):
    label: NonEmpty
    trained_on: int
    """Environments."""
    mean: float
    low: float
    """The lowest of the seeds."""
    high: float
    seeds: list[SeedResult]


class StudyResult(Contract):
    study: Study
    recipe: str
    """Its name and the hash of its text."""
    levels: list[LevelResult]
