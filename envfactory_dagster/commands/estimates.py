"""What asking models will come to, before anything is asked.

Belongs here: the measured figures, and multiplying them by prices. Does not: what was spent (`language.ledger`), and
asking whether to go on (`build`).
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from envfactory_dagster.contracts.domain import Size
from envfactory_dagster.contracts.stages import MINED_DATA
from envfactory_dagster.language.messages import Role
from envfactory_dagster.language.prices import dollars, load_prices, price_of
from envfactory_dagster.language.settings import BUILT_IN_MODEL, LanguageSettings, is_reference

MEASURED = Path(__file__).with_name("measured_tokens.yaml")

DISCOVERY = "theme_pool"


@dataclass(frozen=True, slots=True)
class StageEstimate:
    """One stage of so many environments."""

    stage: str
    model: str
    calls: int
    tokens_in: int
    tokens_out: int
    cost_usd: float | None
    """None: the price of the model is unknown."""


@dataclass(frozen=True, slots=True)
class Estimate:
    stages: tuple[StageEstimate, ...]

    @property
    def calls(self) -> int:
        return sum(one.calls for one in self.stages)

    @property
    def tokens_in(self) -> int:
        return sum(one.tokens_in for one in self.stages)

    @property
    def tokens_out(self) -> int:
        return sum(one.tokens_out for one in self.stages)

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out

    @property
    def unpriced(self) -> list[str]:
        """The models whose price is unknown."""
        return sorted({one.model for one in self.stages if one.cost_usd is None})

    @property
    def cost_usd(self) -> float | None:
        """None: not all of it has a known price."""
        return None if self.unpriced else sum(one.cost_usd or 0.0 for one in self.stages)

    def as_json(self) -> dict[str, Any]:
        sums = {"calls": self.calls, "tokens_in": self.tokens_in, "tokens_out": self.tokens_out}
        return {
            **sums,
            "cost_usd": self.cost_usd,
            "unpriced": self.unpriced,
            "stages": [asdict(s) for s in self.stages],
        }

    def __str__(self) -> str:
        used = f"about {self.calls:,} calls, {_rounded(self.tokens_in)} tokens in and {_rounded(self.tokens_out)} out"
        if self.cost_usd is not None:
            return f"{used}, {dollars(self.cost_usd)}"
        return f"{used}; the price of {', '.join(self.unpriced)} is not known (ENVFACTORY_PRICES names a price table)"


def estimate(settings: LanguageSettings, size: Size, environments: Mapping[str, float]) -> Estimate | None:
    """For so many environments at each stage; None where the built-in model does it all, which costs nothing. Stages
    that ask no model are left out."""
    if settings.base_url is None:
        return None
    prices, found = load_prices(settings.prices_path), list[StageEstimate]()
    for stage, measured in _measured()[size].items():
        number = environments.get(stage, 0)
        if not number:
            continue
        model = settings.model(Role(measured["role"]))
        if model == BUILT_IN_MODEL or is_reference(model):
            continue
        price = price_of(model, prices)
        calls, tokens_in, tokens_out = (round(number * measured[name]) for name in ("calls", "in", "out"))
        cost = price.cost(tokens_in, tokens_out) if price else None
        found.append(StageEstimate(stage, model, calls, tokens_in, tokens_out, cost))
    return Estimate(tuple(found))


def whole_line(size: Size, environments: int) -> dict[str, int]:
    """All stages, discovery included, of so many environments that are not mined from documents."""
    return dict.fromkeys(_measured()[size].keys() - {MINED_DATA}, environments)


@cache
def _measured() -> dict[Size, dict[str, dict[str, Any]]]:
    measured: dict[Size, dict[str, dict[str, Any]]] = yaml.safe_load(MEASURED.read_text())
    return measured


def _rounded(tokens: int) -> str:
    return f"{round(tokens, -3):,}" if tokens >= 10_000 else f"{tokens:,}"
