"""The REST side against its own OpenAPI description, with requests that nobody here thought of."""

from collections.abc import Iterator

import httpx2
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi.checks import allow_header_conformance

from envfactory_dagster.runtime.gateway.app import create_app
from envfactory_dagster.runtime.gateway.mcp_http import McpEndpoint
from envfactory_dagster.runtime.gateway.service import Service
from envfactory_dagster.runtime.runtime import Runtime
from tests.gateway.process import started
from tests.support.tiny import tiny

_SERVICE = Service(Runtime(), [tiny()])
described = schemathesis.openapi.from_dict(create_app(_SERVICE, McpEndpoint(_SERVICE)).openapi())


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tiny().write(tmp_path_factory.mktemp("bundles") / "tiny-shop")
    with started(folder, "--max-sessions", "100000") as (_, ready):
        yield ready["url"]


@pytest.fixture(scope="module")
def session(url: str) -> str:
    opened = httpx2.post(f"{url}/sessions", json={"environment": "tiny-shop"})
    return str(opened.json()["id"])


@described.parametrize()
@settings(max_examples=20, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_every_answer_is_one_that_is_described(case: schemathesis.Case, url: str, session: str) -> None:
    if "session_id" in case.path_parameters and case.operation.method == "post":
        case.path_parameters["session_id"] = session
    # Starlette's 405 names the methods of one route only, not of all that share its path.
    answer = case.call_and_validate(base_url=url, excluded_checks=[allow_header_conformance])
    assert answer.status_code < 500


def test_every_operation_says_what_it_is_for(url: str) -> None:
    paths = httpx2.get(f"{url}/openapi.json").json()["paths"]
    operations = [operation for path in paths.values() for operation in path.values()]
    assert len(operations) == 11
    assert all(operation["summary"] for operation in operations)
    forbidden = [path for path in paths if "reset" in path or "verify" in path or "verdict" in path]
    assert forbidden == [], "those who act in an environment may neither reset nor judge it"
