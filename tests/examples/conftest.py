"""The hand-written bundle, loaded once for all tests about it."""

import pytest

from envfactory_dagster import examples
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.runtime.facts.analysis import analyze_tools
from envfactory_dagster.runtime.facts.results import ToolFacts
from tests.support.inline_runtime import Environment


@pytest.fixture(scope="session")
def huts() -> Bundle:
    return examples.load("alpine_huts")


@pytest.fixture(scope="session")
def environment(huts: Bundle) -> Environment:
    return Environment.of(huts)


@pytest.fixture(scope="session")
def facts(huts: Bundle) -> ToolFacts:
    return analyze_tools(huts.tools_source, huts.schema_sql)
