"""What the tests of the language room share: a caller, an answer's shape, quick settings, and the usual question."""

from pathlib import Path
from typing import Any

from pydantic import BaseModel
from upath import UPath

from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Answer, Caller, Role
from envfactory_dagster.language.settings import LanguageSettings, LimitSettings
from envfactory_dagster.store.home import Home

KEY = "sk-test-4f9d2a7c81e65b30"


class Dish(BaseModel):
    """What the played models are asked for."""

    name: str
    price: int


CALLER = Caller(asset="menu", partition="corner-cafe", role=Role.AUTHOR)


def home_at(location: str) -> Path | UPath:
    """As a gateway takes it: a folder, or a URL of an object store."""
    return Home.resolve(location).root


def settings_for(url: str = "http://played/v1", **changes: Any) -> LanguageSettings:
    quick = {"backoff_s": 0.001, "timeout_s": 5.0, **changes.pop("limits", {})}
    given = {
        "base_url": url,
        "api_key": KEY,
        "models": dict.fromkeys(Role, "played"),
        "limits": LimitSettings(**quick),
        **changes,
    }
    return LanguageSettings(**given)


async def ask(gateway: Gateway, dish: str = "soup", **changes: Any) -> Answer[Dish]:
    given = {
        "caller": CALLER,
        "schema_name": "dish",
        "answer": Dish,
        "instructions": "Invent a dish.",
        "context": {"kind": dish},
        **changes,
    }
    return await gateway.ask(**given)
