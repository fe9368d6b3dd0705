"""The model that somebody wants to know something about, as commands name it.

Belongs here: settings of the environment with an endpoint and models that were given. Does not: what is asked of them.
"""

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from envfactory_dagster.language.settings import LanguageSettings

BASE_URL = "ENVFACTORY_LLM_BASE_URL"


def settings_for(endpoint: str | None, model: str | None, judge: str | None = None) -> "LanguageSettings":
    """The model plays the simulated user, too, unless another one is named for that."""
    from envfactory_dagster.language.messages import Role
    from envfactory_dagster.language.settings import (
        DEFAULT_MODEL_VARIABLE,
        REFERENCE,
        LanguageSettings,
        is_reference,
        variable,
    )

    given = {BASE_URL: endpoint, variable(Role.SOLVER): model, variable(Role.JUDGE): judge}
    environ = os.environ | {name: value for name, value in given.items() if value is not None}
    if (solver := environ.get(variable(Role.SOLVER))) and not environ.get(DEFAULT_MODEL_VARIABLE):
        environ = {variable(Role.USER): REFERENCE if is_reference(solver) else solver} | environ
    return LanguageSettings.from_environment(environ)


def people_beside(settings: "LanguageSettings") -> "LanguageSettings":
    """The settings for whoever plays simulated persons: those of the variables, if they name a model for it and an
    endpoint, otherwise these."""
    from envfactory_dagster.language.messages import Role
    from envfactory_dagster.language.settings import DEFAULT_MODEL_VARIABLE, LanguageSettings, variable

    names_one = os.environ.get(variable(Role.USER)) or os.environ.get(DEFAULT_MODEL_VARIABLE)
    return LanguageSettings.from_environment() if names_one and os.environ.get(BASE_URL) else settings
