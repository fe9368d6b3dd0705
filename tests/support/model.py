"""Models without a key for tests: the library as the author, and the same with faults, in process or over HTTP."""

from pathlib import Path

from pydantic import SecretStr

from envfactory_dagster.contracts.domain import Size
from envfactory_dagster.language.built_in.app import create_app
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Role
from envfactory_dagster.language.settings import LanguageSettings
from envfactory_dagster.language.wire import AsgiApp
from envfactory_dagster.library.app import LibraryApp
from envfactory_dagster.library.collection import Library
from tests.language.played_endpoint import served
from tests.support.faults import FaultyModel, Profile

__all__ = ["library_gateway", "library_model", "library_models", "model_variables", "served"]


def library_model(profile: Profile | None = None, size: Size | None = None) -> AsgiApp:
    """What answers without an endpoint; with a profile, a share of the answers is faulty."""
    right = LibraryApp(Library(), create_app(), size=size)
    return right if profile is None else FaultyModel(right, profile).app()


def model_variables(url: str) -> dict[str, str]:
    """The environment of somebody whose endpoint is such a model."""
    return {
        "ENVFACTORY_LLM_BASE_URL": url,
        "ENVFACTORY_LLM_API_KEY": "none",
        "ENVFACTORY_AUTHOR_MODEL": "library",
        "ENVFACTORY_MODEL": "built-in",
    }


def library_models() -> LanguageSettings:
    """The library as the author and the built-in model in every other role, whatever the environment variables say."""
    return LanguageSettings(
        base_url="http://model/v1",
        api_key=SecretStr("none"),
        default_model="built-in",
        models={Role.AUTHOR: "library"},
    )


def library_gateway(folder: Path) -> Gateway:
    return Gateway(library_models(), folder, app=library_model())
