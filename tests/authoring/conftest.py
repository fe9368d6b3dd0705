"""The alpine huts as grounds for the gates, and the line ready to run."""

import pytest

from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.authoring.trials.gate import Grounds
from envfactory_dagster.contracts.pool import PooledProposal
from envfactory_dagster.runtime.facts import Schema, load_schema
from tests.authoring.line_kit import proposal_of
from tests.support import alpine_author as alpine


@pytest.fixture(scope="session")
def schema() -> Schema:
    return load_schema(alpine.schema_sql())


@pytest.fixture(scope="session")
def grounds(schema: Schema) -> Grounds:
    return Grounds.of(alpine.huts().theme, schema, alpine.seed(), alpine.huts().tools)


@pytest.fixture(scope="session")
def settings() -> AuthoringSettings:
    return AuthoringSettings(states=alpine.STATES, rules_asked=alpine.RULES)


@pytest.fixture(scope="session")
def proposal() -> PooledProposal:
    return proposal_of("alpine-huts", "Hut network", "Travel", "Mountain huts that hikers sleep in.")
