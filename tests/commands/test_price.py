"""What models will cost is told before anything is paid, and what they did cost afterwards."""

import json
import os
import pty
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.commands.terminal import ENVFACTORY, Said, Terminal
from tests.language.played_endpoint import PlayedEndpoint, fails, served

pytestmark = pytest.mark.long

PRICES = {"priced": {"mode": "chat", "input_cost_per_token": 1e-06, "output_cost_per_token": 1e-05}}
CATALOGUE = "model_prices_and_context_window.json"


@pytest.fixture
def endpoint() -> PlayedEndpoint:
    return PlayedEndpoint(always=fails(401, "no"))


@pytest.fixture
def models(endpoint: PlayedEndpoint, tmp_path: Path) -> Iterator[Callable[[str], dict[str, str]]]:
    """Settings for one model that plays every role, at an endpoint that refuses to answer."""
    (tmp_path / CATALOGUE).write_text(json.dumps(PRICES))
    with served(endpoint.app()) as url:
        yield lambda model: {
            "ENVFACTORY_LLM_BASE_URL": url,
            "ENVFACTORY_MODEL": model,
            "ENVFACTORY_PRICES": str(tmp_path / CATALOGUE),
        }


@pytest.fixture
def type_with(
    models: Callable[[str], dict[str, str]],
    type_here: Callable[..., Said],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[..., Said]:
    def typed(model: str, *arguments: str) -> Said:
        for name, value in models(model).items():
            monkeypatch.setenv(name, value)
        return type_here(tmp_path / "home", *arguments)

    return typed


def test_a_check_says_what_environments_will_cost_stage_by_stage(type_with: Callable[..., Said]) -> None:
    told = [json.loads(type_with("priced", "model", "check", "--environments", n, "--json").out) for n in ("1", "3")]
    one, three = (said["estimate"] for said in told)
    assert three["calls"] == 3 * one["calls"] > 300
    assert one["cost_usd"] == pytest.approx(one["tokens_in"] * 1e-06 + one["tokens_out"] * 1e-05)
    assert sum(stage["cost_usd"] for stage in three["stages"]) == pytest.approx(three["cost_usd"])
    assert {"theme_pool", "server_code", "inspection", "conversations"} < {stage["stage"] for stage in one["stages"]}
    (model, embedder) = told[0]["models"]
    assert (model["usable"], "it refuses the key" in model["problem"], embedder["usable"]) == (False, True, True)


def test_what_has_no_known_price_is_told_in_tokens_and_never_as_nothing(type_with: Callable[..., Said]) -> None:
    said = type_with("unheard-of", "model", "check")
    assert said.status == 1
    assert "tokens in and" in said.out and "the price of unheard-of is not known" in said.out
    assert "$" not in said.out


def test_without_an_endpoint_a_check_says_who_answers(type_here: Callable[..., Said], tmp_path: Path) -> None:
    said = type_here(tmp_path / "home", "model", "check")
    assert (said.status, said.out) == (
        0,
        "No endpoint is set: the library, the built-in model and the reference policy answer, at no cost.\n",
    )


def test_an_inspection_says_its_price_before_it_asks(type_with: Callable[..., Said], endpoint: PlayedEndpoint) -> None:
    said = type_with("priced", "inspect", "alpine_huts", "--rounds", "6")
    assert said.status == 2
    assert re.match(
        r"Inspecting alpine-huts takes about \d+ calls, [\d,]+ tokens in and [\d,]+ out, \$0\.\d\d\.\n", said.err
    )
    assert endpoint.calls > 0


def test_a_build_says_its_price_and_asks_only_whoever_sits_at_a_terminal(
    fresh: Terminal, models: Callable[[str], dict[str, str]], endpoint: PlayedEndpoint
) -> None:
    large = models("priced") | {"ENVFACTORY_SIZE": "full"}
    asked, answered = pty.openpty()
    os.write(asked, b"n\n")
    command = [*ENVFACTORY, "build"]
    expensive = large | {"ENVFACTORY_PRICES": str(_expensive(Path(large["ENVFACTORY_PRICES"])))}
    environment = os.environ | {"ENVFACTORY_HOME": str(fresh.home), "COLUMNS": "200"} | expensive
    declined = subprocess.run(command, stdin=answered, stderr=answered, capture_output=False, env=environment)
    os.close(answered)
    shown = os.read(asked, 10_000).decode()
    os.close(asked)
    assert declined.returncode == 0
    assert "2 environments to build: about" in shown and "Nothing was built" in shown
    assert endpoint.calls == 0

    unasked = fresh.factory("build", **expensive)
    assert "2 environments to build: about" in unasked.err and "Build?" not in unasked.err
    assert endpoint.calls > 0, "without a terminal it goes on"


def _expensive(prices: Path) -> Path:
    costly = {name: one | {"input_cost_per_token": 1e-3} for name, one in PRICES.items()}
    path = prices.with_name("costly.json")
    path.write_text(json.dumps(costly))
    return path
