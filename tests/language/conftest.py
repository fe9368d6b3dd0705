"""An endpoint and ways to it, for the tests of the language room."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from language_kit import home_at, settings_for
from played_endpoint import PlayedEndpoint, says, served
from upath import UPath

from envfactory_dagster.language import shared_account
from envfactory_dagster.language.gateway import Gateway


@pytest.fixture
def endpoint() -> PlayedEndpoint:
    return PlayedEndpoint(always=says('{"name": "soup", "price": 4}'))


@pytest.fixture(params=["folder", "object store"])
def home(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path | UPath:
    """For tests that must hold wherever the home is."""
    if request.param == "folder":
        return tmp_path
    monkeypatch.setattr(shared_account, "BEAT_S", 0.2)
    monkeypatch.setattr(shared_account, "LAPSES_AFTER_S", 2.0)
    return home_at(f"{request.getfixturevalue('bucket')}/home")


@pytest.fixture
def gateway_to(endpoint: PlayedEndpoint, tmp_path: Path) -> Callable[..., Gateway]:
    """Gateways that share one home and one endpoint, in this process."""

    def build(**changes: Any) -> Gateway:
        return Gateway(settings_for(**changes), tmp_path, app=endpoint.app())

    return build


@pytest.fixture
def url(endpoint: PlayedEndpoint) -> Iterator[str]:
    """The same endpoint behind a real server on a loopback port."""
    with served(endpoint.app()) as address:
        yield address


@pytest.fixture(params=["in process", "over http"])
def gateway(request: pytest.FixtureRequest, endpoint: PlayedEndpoint, tmp_path: Path) -> Callable[..., Gateway]:
    """As `gateway_to`, for tests that must hold on both ways to an endpoint."""
    if request.param == "in process":
        build: Callable[..., Gateway] = request.getfixturevalue("gateway_to")
        return build
    address = request.getfixturevalue("url")
    return lambda **changes: Gateway(settings_for(address, **changes), tmp_path)
