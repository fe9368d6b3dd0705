"""Which models are used, where they are reached, and within which limits.

Belongs here: typed settings and reading them from the environment. Does not: acting on them (`gateway`).
"""

import os
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Self
from urllib.parse import unquote, urlsplit, urlunsplit

from pydantic import (
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    PositiveFloat,
    PositiveInt,
    SecretStr,
    ValidationError,
    field_validator,
    model_validator,
)

from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.language.messages import Role

BUILT_IN_MODEL = "built-in"
"""The model that is used when no endpoint is set, for all roles but the players."""

REFERENCE = "reference"
"""The policy that plays solver and user when no endpoint is set. It is no model: it is given the solution.
`reference:…` names one that makes mistakes."""

SIMULATED_LEARNER = "simulated_learner"
"""The reference policy with mistakes, fewer of them the more tasks its name says it was trained on. It learns nothing:
it is there to try rounds of training without a model."""

PLAYERS = (Role.SOLVER, Role.USER)

DEFAULT_MODEL_VARIABLE = "ENVFACTORY_MODEL"

SENTENCE_TRANSFORMERS = "sentence-transformers:"


class _Settings(BaseModel):
    # Inputs are hidden because a validation error would otherwise print the key beside the wrong field.
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class LimitSettings(_Settings):
    """How hard an endpoint may be driven by this process, and how patiently a failing one is tried again."""

    concurrency: PositiveInt = 16
    requests_per_minute: PositiveInt | None = None
    tokens_per_minute: PositiveInt | None = None
    attempts: PositiveInt = 6
    timeout_s: PositiveFloat = 300.0
    """Until the first word of an answer; until its last one where the endpoint does not stream."""
    idle_s: PositiveFloat = 60.0
    """Between two words of an answer that streams."""
    backoff_s: PositiveFloat = 0.5
    """The first wait between attempts; it doubles each time."""
    longest_wait_s: PositiveFloat = 120.0
    """No wait is longer. An endpoint that asks for more is taken to be down."""
    max_output_tokens: PositiveInt = 32_768


class BudgetSettings(_Settings):
    """What may be spent in this home since a moment. `since` None: since the gateway opened."""

    usd: Annotated[float, Field(ge=0)] | None = None
    tokens: Annotated[int, Field(ge=0)] | None = None
    since: AwareDatetime | None = None


class LanguageSettings(_Settings):
    """Everything the gateway has to know."""

    base_url: str | None = None
    """None: the built-in model, in this process. A `user:password@` part is moved to `login`."""
    api_key: SecretStr | None = None
    login: SecretStr | None = None
    default_model: str | None = None
    """For every role but the embedder that names no model of its own."""
    models: dict[Role, str] = Field(default_factory=dict)
    limits: LimitSettings = LimitSettings()
    budget: BudgetSettings = BudgetSettings()
    prices_path: Path | None = None
    """A price table of the user's own, or LiteLLM's; its entries win over the packaged `prices.yaml`."""

    @model_validator(mode="before")
    @classmethod
    def _take_login_out_of_url(cls, given: Any) -> Any:
        if not isinstance(given, dict) or not isinstance(given.get("base_url"), str):
            return given
        url, login = split_login(given["base_url"])
        return {**given, "base_url": url} | ({"login": login} if login else {})

    @field_validator("base_url")
    @classmethod
    def _is_a_plain_web_address(cls, url: str | None) -> str | None:
        if url is None:
            return None
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
            raise ValueError("must look like https://host/v1, without a query")
        return url.rstrip("/")

    @field_validator("api_key", "login")
    @classmethod
    def _fits_into_a_header(cls, secret: SecretStr | None) -> SecretStr | None:
        if secret is not None and not (secret.get_secret_value().isascii() and secret.get_secret_value().isprintable()):
            raise ValueError("contains characters that no HTTP header can carry (a line end, or not ASCII)")
        return secret

    @model_validator(mode="after")
    def _each_plays_what_it_can(self) -> Self:
        """The built-in model plays no episodes, and the reference policy does nothing else."""
        named: dict[str, tuple[Role | None, str]] = {
            variable(role): (role, model) for role, model in self.models.items()
        }
        if self.default_model is not None:
            named[DEFAULT_MODEL_VARIABLE] = None, self.default_model
        for setting, (role, model) in named.items():
            if role not in PLAYERS and is_reference(model):
                raise ValueError(f"{setting} names {model!r}, which plays episodes and does nothing else")
            if role is Role.USER and is_reference(model) and model != REFERENCE:
                raise ValueError(
                    f"{setting} names {model!r}; for the role {role}, only plain {REFERENCE!r} can be set, without a "
                    "competence or mistakes"
                )
        return self

    @model_validator(mode="after")
    def _built_in_is_meant(self) -> Self:
        if self.base_url is not None:
            return self
        if self.api_key is not None:
            raise ValueError("an API key is set but no base URL: set ENVFACTORY_LLM_BASE_URL, or unset the key")
        named = {variable(role): model for role, model in self.models.items() if role is not Role.EMBEDDER}
        if self.default_model is not None:
            named[DEFAULT_MODEL_VARIABLE] = self.default_model
        embedder = self.models.get(Role.EMBEDDER)
        if embedder is not None and not local_embedder(embedder):
            named[variable(Role.EMBEDDER)] = embedder
        for setting, model in named.items():
            if model != BUILT_IN_MODEL and not is_reference(model):
                raise ValueError(
                    f"the model {model!r} needs an endpoint: set ENVFACTORY_LLM_BASE_URL, or unset {setting}"
                )
        return self

    def model(self, role: Role) -> str:
        """The model for a role. The built-in one is the embedder unless another is named; without an endpoint it is
        everything, but for the players: these are the reference policy."""
        name = self.chosen(role)
        if name is None:
            raise UsageError(self._without_a_model([role]))
        return name

    def require(self, *roles: Role) -> None:
        """Refuse to begin, before anything is paid for, when one of these roles has no model."""
        if missing := [role for role in roles if self.chosen(role) is None]:
            raise UsageError(self._without_a_model(missing))

    def chosen(self, role: Role) -> str | None:
        """As `model`; None where none is set."""
        default = BUILT_IN_MODEL if self.base_url is None or role is Role.EMBEDDER else None
        if role is not Role.EMBEDDER:
            default = self.default_model or default
        chosen = self.models.get(role) or default
        return REFERENCE if role in PLAYERS and chosen == BUILT_IN_MODEL else chosen

    def reads_words(self) -> bool:
        """Whether a language model is set for the judge. The built-in judge reads no words."""
        return self.chosen(Role.JUDGE) not in (None, BUILT_IN_MODEL)

    def _without_a_model(self, roles: Sequence[Role]) -> str:
        noun = "role" if len(roles) == 1 else "roles"
        return (
            f"No model is set for the {noun} {', '.join(roles)}: set {DEFAULT_MODEL_VARIABLE} to a model of "
            f"{self.base_url} for all roles, or {', '.join(map(variable, roles))}."
        )

    def counting_from(self, moment: datetime | None) -> Self:
        """With a budget that counts from this moment, unless it names one itself."""
        since = self.budget.since or moment
        return self.model_copy(update={"budget": self.budget.model_copy(update={"since": since})})

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> Self:
        """Settings from `ENVFACTORY_…` variables; an empty variable counts as unset."""
        given = {name: value.strip() for name, value in environ.items() if value.strip()}
        try:
            return cls.model_validate(_pick(given, _VARIABLES) | {"models": _models(given)})
        except ValidationError as error:
            raise UsageError(_explain(error)) from None


_VARIABLES: dict[str, Any] = {
    "base_url": "ENVFACTORY_LLM_BASE_URL",
    "api_key": "ENVFACTORY_LLM_API_KEY",
    "default_model": DEFAULT_MODEL_VARIABLE,
    "prices_path": "ENVFACTORY_PRICES",
    "limits": {
        "concurrency": "ENVFACTORY_LLM_CONCURRENCY",
        "requests_per_minute": "ENVFACTORY_LLM_REQUESTS_PER_MINUTE",
        "tokens_per_minute": "ENVFACTORY_LLM_TOKENS_PER_MINUTE",
        "attempts": "ENVFACTORY_LLM_ATTEMPTS",
        "timeout_s": "ENVFACTORY_LLM_TIMEOUT_S",
        "idle_s": "ENVFACTORY_LLM_IDLE_S",
        "max_output_tokens": "ENVFACTORY_LLM_MAX_OUTPUT_TOKENS",
    },
    "budget": {
        "usd": "ENVFACTORY_BUDGET_USD",
        "tokens": "ENVFACTORY_BUDGET_TOKENS",
        "since": "ENVFACTORY_BUDGET_SINCE",
    },
}
"""Which variable sets which field: the same shape as the settings."""


def variable(role: Role) -> str:
    return f"ENVFACTORY_{role.upper()}_MODEL"


def is_reference(model: str) -> bool:
    """Whether this is the reference policy, or a variant of it: no model."""
    return model.partition(":")[0] == REFERENCE or is_simulated_learner(model)


def is_simulated_learner(model: str) -> bool:
    return model.partition(":")[0] == SIMULATED_LEARNER


def local_embedder(model: str) -> str | None:
    """The sentence-transformers model or folder that an embedder setting names, or None if it names an endpoint's."""
    if model.startswith(SENTENCE_TRANSFORMERS):
        return model.removeprefix(SENTENCE_TRANSFORMERS)
    return model if os.sep in model and Path(model).expanduser().is_dir() else None


def split_login(url: str) -> tuple[str, str | None]:
    """An address without its `user:password@` part, and that part decoded."""
    parts = urlsplit(url)
    if "@" not in parts.netloc:
        return url, None
    login, _, host = parts.netloc.rpartition("@")
    return urlunsplit(parts._replace(netloc=host)), unquote(login)


def _pick(given: Mapping[str, str], variables: Mapping[str, Any]) -> dict[str, Any]:
    picked: dict[str, Any] = {}
    for field, name in variables.items():
        if isinstance(name, dict):
            picked[field] = _pick(given, name)
        elif name in given:
            picked[field] = given[name]
    return picked


def _models(given: Mapping[str, str]) -> dict[Role, str]:
    return {role: given[variable(role)] for role in Role if variable(role) in given}


def _explain(error: ValidationError) -> str:
    """One sentence per wrong variable, naming it and never showing its value."""
    sentences = []
    for problem in error.errors(include_input=False, include_url=False, include_context=False):
        place: Any = _VARIABLES
        for step in problem["loc"]:
            place = place[step] if isinstance(place, dict) and step in place else place
        name = place if isinstance(place, str) else "The model settings"
        sentences.append(f"{name}: {problem['msg'].removeprefix('Value error, ')}.")
    return " ".join(sentences)
