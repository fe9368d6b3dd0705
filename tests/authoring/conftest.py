"""The alpine huts for the gates, and the line ready to run."""

import pytest
import pytest_asyncio

from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.authoring.trials.gate import CodeBasis
from envfactory_dagster.contracts.pool import PooledProposal
from envfactory_dagster.runtime.facts import Schema, load_schema
from envfactory_dagster.runtime.runtime import Runtime
from tests.authoring.line_kit import proposal_of
from tests.support import alpine_author as alpine


@pytest.fixture(scope="session")
def schema() -> Schema:
    return load_schema(alpine.schema_sql())


@pytest_asyncio.fixture(scope="session")
async def basis(runtime: Runtime, schema: Schema) -> CodeBasis:
    return await CodeBasis.of(runtime, alpine.huts().theme, schema, alpine.seed(), alpine.huts().tools)


@pytest.fixture(scope="session")
def settings() -> AuthoringSettings:
    return AuthoringSettings(states=alpine.STATES, rules_asked=alpine.RULES)


@pytest.fixture(scope="session")
def proposal() -> PooledProposal:
    return proposal_of("alpine-huts", "Hut network", "Travel", "Mountain huts that hikers sleep in.")
