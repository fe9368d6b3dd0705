"""What models cost: a table in dollars per million tokens that the user can extend, also with LiteLLM's.

Belongs here: reading the table and multiplying. Does not: who pays and how much is left (`budget`).
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.records import Spent

PACKAGED = Path(__file__).with_name("prices.yaml")

_INPUT, _OUTPUT, _CACHED = "input_cost_per_token", "output_cost_per_token", "cache_read_input_token_cost"
"""Names of LiteLLM's."""

_Dollars = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Price(BaseModel):
    """Dollars per million tokens."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    input: _Dollars
    output: _Dollars
    cached: _Dollars | None = None
    """For prompt tokens that the provider had cached; None: as `input`."""

    def cost(self, tokens_in: int, tokens_out: int, tokens_cached: int = 0) -> float:
        cached = self.input if self.cached is None else self.cached
        fresh = tokens_in - tokens_cached
        return (fresh * self.input + tokens_cached * cached + tokens_out * self.output) / 1_000_000


_TABLE = TypeAdapter(dict[str, Price])


def load_prices(own: Path | None) -> Mapping[str, Price]:
    """The packaged table, overlaid by the user's own."""
    return _read(PACKAGED) | (_read(own) if own else {})


def price_of(model: str, prices: Mapping[str, Price]) -> Price | None:
    """The price of a model; a variant (`name:variant`) that is not listed costs as its name does."""
    return prices.get(model) or prices.get(model.partition(":")[0])


def cost_in_words(spent: Spent) -> str:
    """Dollars where the price is known, tokens where it is not, and nothing where no model was asked."""
    if not spent.calls:
        return "reused" if spent.reused else ""
    if spent.cost_usd is None:
        return f"{spent.tokens_in + spent.tokens_out:,} tokens of unknown price"
    return dollars(spent.cost_usd)


def dollars(usd: float) -> str:
    """To the cent, and what is less than ten cents to the hundredth of a cent."""
    return f"${usd:,.2f}" if usd >= 0.1 or usd == 0 else f"${usd:.4f}"


def _read(path: Path) -> dict[str, Price]:
    try:
        text = path.read_text(encoding="utf-8")
        # YAML would take a JSON file too, and for LiteLLM's half a minute.
        table = json.loads(text) if path.suffix == ".json" else yaml.safe_load(text)
        return _of_litellm(table) if _is_of_litellm(table) else _TABLE.validate_python(table or {})
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise UsageError(
            f"The price table {path} cannot be read: {error}\nIt maps a model's name to dollars per million tokens, "
            "like `my-model: {input: 0.5, output: 1.5, cached: 0.1}`, or is LiteLLM's "
            "model_prices_and_context_window.json."
        ) from error


def _is_of_litellm(table: object) -> bool:
    """It lists thousands of models, some without any price of a token (images, speech)."""
    return isinstance(table, dict) and any(isinstance(one, dict) and _INPUT in one for one in table.values())


def _of_litellm(table: Mapping[str, Any]) -> dict[str, Price]:
    """Dollars per token, as dollars per million. A model that it gives no usable price for is unknown, never free."""
    found = {name: _price_of_litellm(name, entry) for name, entry in table.items() if isinstance(entry, dict)}
    return {name: price for name, price in found.items() if price is not None}


def _price_of_litellm(model: str, entry: Mapping[str, Any]) -> Price | None:
    given = {word: entry.get(word) for word in (_INPUT, _OUTPUT, _CACHED)}
    if entry.get("mode") == "embedding" and _OUTPUT not in entry:
        given[_OUTPUT] = 0
    per_million = [_per_million(model, word, cost) for word, cost in given.items()]
    try:
        return Price(**dict(zip(("input", "output", "cached"), per_million, strict=True)))
    except ValidationError:
        return None


def _per_million(model: str, word: str, per_token: Any) -> Any:
    """Numbers may stand there as text: YAML takes `2e-6` for text, and only `2.0e-6` for a number."""
    if isinstance(per_token, str):
        try:
            per_token = float(per_token)
        except ValueError:
            raise ValueError(f"the {word} of {model} is {per_token!r}, which is no number") from None
    is_number = isinstance(per_token, int | float) and not isinstance(per_token, bool)
    return round(per_token * 1_000_000, 6) if is_number else per_token
