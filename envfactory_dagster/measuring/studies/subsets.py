"""Which environments a cell of a study is trained on.

Belongs here: nested subsets, and halves by their likeness to what is held out. Does not: training (`running`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.studies import Half
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role

CALLER = "study"


def nested(keys: Sequence[str], count: int, seed: int) -> list[str]:
    """So many of the environments, by chance. With the same seed a larger number has all of a smaller one."""
    if not 1 <= count <= len(keys):
        raise UsageError(f"There are {len(keys)} environments to train on; a level asks for {count}.")
    return Random(f"nested {seed}").sample(sorted(keys), len(keys))[:count]


def half(likeness: dict[str, float], which: Half, seed: int) -> list[str]:
    """Half of the environments: `top`, those with most likeness, `bottom`, those with least, or a random half. Of an
    odd number, the one in the middle is in neither `top` nor `bottom`."""
    order = sorted(likeness, key=lambda key: (-likeness[key], key))
    count = len(order) // 2
    if not count:
        raise UsageError("There is one environment to train on, which has no halves.")
    if which == "random":
        return Random(f"half {seed}").sample(sorted(order), count)
    return order[:count] if which == "top" else order[-count:]


@dataclass(frozen=True, slots=True)
class HeldOutLikeness:
    """How like an environment is to those that are held out: the mean cosine of what they say of themselves."""

    gateway: Gateway

    async def of(self, trained: Sequence[Bundle], held_out: Sequence[Bundle]) -> dict[str, float]:
        caller = Caller(CALLER, "", Role.EMBEDDER)
        vectors = await self.gateway.embed(caller=caller, texts=[text_of(one) for one in (*trained, *held_out)])
        ours, theirs = vectors[: len(trained)], vectors[len(trained) :]
        return {
            one.key: sum(_cosine(vector, other) for other in theirs) / len(theirs)
            for one, vector in zip(trained, ours, strict=True)
        }


def text_of(bundle: Bundle) -> str:
    tools = " ".join(f"{tool.name} {tool.description}" for tool in bundle.tools)
    return f"{bundle.theme.name}. {bundle.theme.description} {tools}"


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    lengths = sum(x * x for x in one) ** 0.5 * sum(y * y for y in other) ** 0.5
    return sum(x * y for x, y in zip(one, other, strict=True)) / lengths if lengths else 0.0
