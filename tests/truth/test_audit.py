"""An audit finds what is wrong with tasks that others made, and nothing where nothing is."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio
from typer.testing import CliRunner
from upath import UPath

from envfactory_dagster import examples
from envfactory_dagster.cli import app
from envfactory_dagster.contracts.audit import Audit, AuditFinding
from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.inspection import Finding
from envfactory_dagster.exchange.importing import bfcl, envscaler, tau2
from envfactory_dagster.exchange.importing.building import build
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.truth.audit import audit
from envfactory_dagster.truth.programs import calls_of, program_of
from envfactory_dagster.truth.repair import repair
from tests.language.language_kit import settings_for
from tests.language.played_endpoint import PlayedEndpoint, says, served

pytestmark = pytest.mark.long

PUBLISHED = Path(__file__).parent.parent / "exchange" / "published"
CLOSES = "multi_turn_base_0"
ASKS_FOR_NOTHING = """
def goal_anything(world) -> bool:
    return True
"""
OVERLOOKS_A_ROW = """
def goal_printer_is_closed(world) -> bool:
    row = world.final.one("SELECT value FROM state WHERE path = './TicketAPI/queue'")
    return '"closed"' in row["value"]
"""
FAILS_ON_WRONG_ENDS = """
def goal_printer_is_closed(world) -> bool:
    row = world.final.one("SELECT value FROM state WHERE path = './TicketAPI/queue'")
    return world.changes != [] and {True: True}['"closed"' in row["value"]]
"""
COUNTS_CALLS = """
def goal_makes_three_calls(world) -> bool:
    return len(world.trajectory) == 3 and world.changes != []
"""
HOLDS_AT_THE_START = """
def goal_has_a_desk(world) -> bool:
    return world.final.one("SELECT value FROM state WHERE path = './TicketAPI'") is not None


def goal_changes_something(world) -> bool:
    return world.changes != []
"""


@pytest_asyncio.fixture(scope="module")
async def desk(runtime: Runtime) -> Bundle:
    [read] = bfcl.read(PUBLISHED).values()
    return (await build(runtime, read())).bundle


@pytest_asyncio.fixture(scope="module")
async def library(runtime: Runtime) -> Bundle:
    return (await build(runtime, tau2.read(PUBLISHED / "tau2")["tau2-library"]())).bundle


async def findings(runtime: Runtime, bundle: Bundle, task: str = CLOSES) -> list[AuditFinding]:
    found = await audit(runtime, bundle, [one for one in bundle.tasks if one.id == task])
    return found.tasks[0].findings


async def kinds(runtime: Runtime, bundle: Bundle, task: str = CLOSES) -> list[str]:
    return [finding.kind for finding in await findings(runtime, bundle, task)]


def judged_by(bundle: Bundle, source: str, task: str = CLOSES) -> Bundle:
    return replace(bundle, verifiers=bundle.verifiers | {task: source})


async def test_nothing_is_wrong_with_a_task_of_ours(runtime: Runtime) -> None:
    huts = examples.load("alpine_huts")
    assert await findings(runtime, huts, "nephew_alone") == []


async def test_published_tasks(runtime: Runtime, desk: Bundle) -> None:
    found = await audit(runtime, desk, desk.tasks)
    told = {one.task: [finding.kind for finding in one.findings] for one in found.tasks}
    assert told == {
        CLOSES: [],
        "multi_turn_base_1": [],
        "multi_turn_base_2": ["gold_raises", "no_op_passes"],
        "multi_turn_base_3": [],
    }
    assert found.counts() == {"gold_raises": 1, "no_op_passes": 1} and not found.clean
    assert found.tasks[0].trials > 10
    used = {use.tool: (use.worked, use.refused) for use in found.tools}
    assert used["list_tickets"] == (2, 0) and used["wait_forever"] == (0, 0)


async def test_a_check_that_asks_for_nothing_is_told(runtime: Runtime, library: Bundle) -> None:
    assert await kinds(runtime, library, "task_0") == []
    assert await kinds(runtime, library, "task_1") == ["gold_raises", "no_op_passes"]


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        (ASKS_FOR_NOTHING, "no_op_passes"),
        (OVERLOOKS_A_ROW, "accepts_mutants"),
        (COUNTS_CALLS, "refuses_variants"),
        (HOLDS_AT_THE_START, "seed_satisfies"),
        ("import os", "verifier_breaks"),
        ("def goal_never(world): return getattr(world, 'report') is None", "verifier_breaks"),
        ("def goal_never(world): return False", "gold_refused"),
        (FAILS_ON_WRONG_ENDS, "verifier_breaks"),
    ],
)
async def test_bad_verifiers(runtime: Runtime, desk: Bundle, source: str, kind: str) -> None:
    found = await kinds(runtime, judged_by(desk, source), CLOSES)
    assert kind in found


async def test_what_only_published_code_knows_is_no_wrong_end(runtime: Runtime, desk: Bundle) -> None:
    """Drawing a ticket moves a generator of numbers on, in an attribute that nobody sees."""
    closes = desk.tasks[0].model_copy(update={"withheld": []})
    draws = closes.model_copy(update={"id": "draws", "text": "Draw one."})
    with_draws = replace(
        desk,
        tasks=[closes, *desk.tasks[1:], draws],
        solutions=desk.solutions | {"draws": program_of([("draw_ticket", {}), ("close_ticket", {"number": 1})])},
    )
    assert await kinds(runtime, with_draws) == []


async def test_a_refusal_in_other_fields_makes_no_text_unknowable(runtime: Runtime, desk: Bundle) -> None:
    [(module, source)] = [(name, text) for name, text in desk.published.items() if name.endswith("ticket_api")]
    refuses = source.replace(
        "ticket = self._open(title)\n        return",
        "if len(title) > 12:\n            return {'number': 0, 'error': 'Too long.'}\n"
        "        ticket = self._open(title)\n        return",
    )
    assert refuses != source
    vague = [one.model_copy(update={"text": "Close the first and open a new one."}) for one in desk.tasks]
    strict = replace(desk, tasks=vague, published=desk.published | {module: refuses})
    assert await kinds(runtime, strict) == []


async def test_words_that_leave_open_what_is_asked_for(runtime: Runtime, desk: Bundle) -> None:
    vague = [one.model_copy(update={"text": "Close the first and open a new one."}) for one in desk.tasks]
    found = await findings(runtime, replace(desk, tasks=vague))
    assert [finding.kind for finding in found] == ["ambiguous"]
    assert "title of create_ticket" in found[0].detail and "'No paper'" in found[0].detail


async def test_two_tasks_that_say_the_same(runtime: Runtime, desk: Bundle) -> None:
    twin = desk.tasks[0].model_copy(update={"id": "twin"})
    twins = replace(
        desk,
        tasks=[*desk.tasks, twin],
        solutions=desk.solutions | {"twin": program_of([("close_ticket", {"number": 2})])},
    )
    assert "The task twin says the same" in (await findings(runtime, twins))[0].detail


async def test_without_a_solution_or_a_verifier(runtime: Runtime, desk: Bundle) -> None:
    bare = replace(desk, solutions={}, verifiers={}, answer_forms={})
    found = (await audit(runtime, bare, bare.tasks)).tasks[0]
    assert (found.has_solution, found.has_verifier, found.findings) == (False, False, [])
    choir = (await build(runtime, envscaler.read(PUBLISHED / "envscaler")["envscaler-env-7"]())).bundle
    assert await kinds(runtime, choir, "scenario_1") == ["seed_satisfies"]


@pytest.mark.parametrize(
    "calls", [[], [("a", {})], [("a", {"x": 1, "y": [None, True, {"k": 'it\'s "quoted"\n'}]}), ("b", {"z": -0.5})]]
)
def test_programs_of_calls(calls: list[tuple[str, dict[str, Json]]]) -> None:
    assert calls_of(program_of(calls)) == calls


@pytest.mark.parametrize(
    "source",
    ["def solve(tools):\n  if tools.a(): tools.b()", "def solve(tools):\n  tools.a(*x)", "x = 1", "def (", "(" * 900],
)
def test_programs_that_do_more(source: str) -> None:
    assert calls_of(source) is None


# -- repairing ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def author(tmp_path: Path) -> Callable[[str], Gateway]:
    """A model that writes this verifier, whatever it is asked."""

    def gateway(source: str) -> Gateway:
        answer = says(json.dumps({"verifiers": [{"task": CLOSES, "source": source}]}))
        return Gateway(settings_for(), tmp_path, app=PlayedEndpoint(answer).app())

    return gateway


async def test_a_better_verifier_is_taken(runtime: Runtime, desk: Bundle, author: Callable[[str], Gateway]) -> None:
    bad = judged_by(desk, OVERLOOKS_A_ROW)
    found = await audit(runtime, bad, bad.tasks[:1])
    async with author(desk.verifiers[CLOSES]) as gateway:
        mended = await repair(gateway, runtime, bad, found, attempts=1)
    assert mended.bundle.verifiers[CLOSES].strip() == desk.verifiers[CLOSES].strip() and not mended.given_up
    assert mended.audit.tasks[0].repaired and mended.audit.clean
    assert await kinds(runtime, mended.bundle) == []


async def test_one_that_is_no_better_is_not(runtime: Runtime, desk: Bundle, author: Callable[[str], Gateway]) -> None:
    bad = judged_by(desk, OVERLOOKS_A_ROW)
    found = await audit(runtime, bad, bad.tasks[:1])
    async with author(COUNTS_CALLS) as gateway:
        mended = await repair(gateway, runtime, bad, found, attempts=2)
    assert mended.bundle is bad and list(mended.given_up) == [CLOSES]
    assert not mended.audit.tasks[0].repaired and not mended.audit.clean


async def test_what_no_verifier_can_help_is_not_asked_for(runtime: Runtime, library: Bundle, tmp_path: Path) -> None:
    found = await audit(runtime, library, library.tasks)
    endpoint = PlayedEndpoint(says("nothing"))
    async with Gateway(settings_for(), tmp_path, app=endpoint.app()) as gateway:
        mended = await repair(gateway, runtime, library, found, attempts=1)
    assert "changes nothing" in mended.given_up["task_1"] and endpoint.calls == 0


# -- the command -------------------------------------------------------------------------------------------------------


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENVFACTORY_HOME", str(tmp_path))
    monkeypatch.delenv("ENVFACTORY_LLM_BASE_URL", raising=False)
    runner = CliRunner()
    assert runner.invoke(app, ["import", str(PUBLISHED), "--from", "bfcl"]).exit_code == 0
    done = runner.invoke(app, ["audit", "bfcl-multi-turn", "--task", "multi_turn_base_2"])
    assert done.exit_code == 1 and "gold raises: close_ticket {'number': 9}: There is no ticket 9." in done.output
    assert "Tools that worked: " in done.output and "Tools that nobody called: " in done.output
    clean = runner.invoke(app, ["audit", "bfcl-multi-turn", "--task", CLOSES, "--json"])
    assert clean.exit_code == 0 and json.loads(clean.output)["tasks"][0]["findings"] == []
    inspected = runner.invoke(app, ["inspect", "bfcl-multi-turn"])
    assert isinstance(inspected.exception, UsageError) and "envfactory audit" in str(inspected.exception)
    for arguments, told in ((["--task", "nothing"], "no task 'nothing'"), (["--repair"], "needs a language model")):
        refused = runner.invoke(app, ["audit", "bfcl-multi-turn", *arguments])
        assert isinstance(refused.exception, UsageError) and told in str(refused.exception)


def test_an_import_without_tasks_is_inspected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENVFACTORY_HOME", str(tmp_path))
    runner = CliRunner()
    published = str(PUBLISHED / "envs" / "tools" / "ToolShed.py")
    assert runner.invoke(app, ["import", published, "--from", "envfactory"]).exit_code == 0
    [key] = BundleStore(Home.resolve(tmp_path)).keys()
    done = runner.invoke(app, ["audit", key])
    assert done.exit_code == 0, done.output
    assert f"{key}: there are no tasks; " in done.output
    worked = next(line for line in done.output.splitlines() if line.startswith("Tools that worked: "))
    assert "list_tools" in worked


async def test_a_tool_that_breaks_is_told_where_there_are_no_tasks(runtime: Runtime, desk: Bundle) -> None:
    found = await audit(runtime, replace(desk, tasks=[], solutions={}, verifiers={}, answer_forms={}), [])
    assert not found.clean and found.tasks == []
    told = {finding.tool: finding.message for finding in found.inspection}
    assert "It breaks when it is called without arguments: " in told["break_down"]


def test_what_fails_in_the_inspection_is_wrong_too() -> None:
    sound = Audit(bundle="1", tasks=[])
    finding = Finding(tool="a", criterion="results", severity="warning", message="It may be wrong.")
    assert sound.model_copy(update={"inspection": [finding]}).clean
    assert not sound.model_copy(update={"inspection": [finding.model_copy(update={"severity": "fail"})]}).clean


def test_a_repair_is_paid_from_the_books_of_its_home_wherever_they_are(
    bucket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    huts = examples.load("alpine_huts")
    [task] = [task for task in huts.tasks if task.id == "call_it_off"]
    folder = replace(judged_by(huts, ASKS_FOR_NOTHING, task.id), tasks=[task]).write(tmp_path / "huts")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ENVFACTORY_HOME", bucket)
    monkeypatch.setenv("ENVFACTORY_MODEL", "test-model")
    endpoint = PlayedEndpoint(says("nothing of use"))
    with served(endpoint.app()) as url:
        monkeypatch.setenv("ENVFACTORY_LLM_BASE_URL", url)
        told = CliRunner().invoke(app, ["audit", str(folder), "--repair", "--json"])
    assert list(json.loads(told.output)["given_up"]) == [task.id] and endpoint.calls
    assert [*UPath(bucket).glob("language/**/*")]
    assert not (tmp_path / ".envfactory" / "language").exists()
