"""The other forms: domains of tau2-bench, servers of EnvFactory, classes of EnvScaler."""

import ast
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.errors import EnvironmentFault, UsageError
from envfactory_dagster.contracts.reports import Report
from envfactory_dagster.contracts.truth import TracedStep
from envfactory_dagster.exchange.importing import envfactory, envscaler, tau2
from envfactory_dagster.exchange.importing.building import ImportedEnvironment, build
from envfactory_dagster.exchange.importing.forms import READERS
from envfactory_dagster.exchange.importing.reading import parsed
from envfactory_dagster.exchange.importing.signatures import arguments_schema
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.execution import run_calls, run_solution
from envfactory_dagster.truth.verdicts import TaskChecks, judge

PUBLISHED = Path(__file__).parent / "published"
DONE = Report(outcome="done", message="It is done.")


def one(found: dict[str, Callable[[], ImportedEnvironment]], key: str) -> ImportedEnvironment:
    return found[key]()


async def score(runtime: Runtime, bundle: Bundle, task_id: str, calls: list[TracedStep]) -> float:
    task = next(task for task in bundle.tasks if task.id == task_id)
    checks = TaskChecks(task, bundle.verifiers[task_id], bundle.answer_forms[task_id])
    return (await judge(runtime, checks, await run_calls(runtime, bundle, task, calls, DONE))).score


# -- tau2-bench --------------------------------------------------------------------------------------------------------


async def test_a_domain_of_tau2(runtime: Runtime) -> None:
    made = await build(runtime, one(tau2.read(PUBLISHED / "tau2"), "tau2-library"))
    bundle = made.bundle
    tools = {tool.name: tool for tool in bundle.tools}
    assert set(tools) == {"find_book", "lend", "transfer_to_human_agents", "take_note"}
    assert tools["find_book"].annotations.readOnlyHint and not tools["lend"].annotations.readOnlyHint
    assert tools["take_note"].principal == "user"
    assert tools["lend"].inputSchema["properties"]["book_ids"] == {"type": "array", "items": {"type": "string"}}
    assert tools["lend"].inputSchema["required"] == ["book_ids", "reader"]
    assert tools["find_book"].inputSchema["properties"]["book_id"]["description"] == "Its number, such as 'B1'."
    assert [rule.text for rule in bundle.theme.rules] == ["# Library policy\n\nWorn books stay in the house."]
    assert bundle.tasks[0].text == "You want to borrow The Tide Tables.\n\nYou are Ana.\n\nBe brief."
    assert made.left_out == {"task_spoken": "it begins in the middle of a conversation"}
    assert list(made.unclean) == ["task_1"] and "Book not found" in made.unclean["task_1"]
    for task in (bundle.tasks[0], bundle.tasks[2]):
        checks = TaskChecks(task, bundle.verifiers[task.id], bundle.answer_forms[task.id])
        run = await run_solution(runtime, bundle, task, bundle.solutions[task.id], checks.form)
        assert (await judge(runtime, checks, run)).score == 1.0
    assert await score(runtime, bundle, "task_0", []) == 0.0
    assert await score(runtime, bundle, "task_1", []) == 1.0, "their check asks for nothing there"


async def test_a_state_of_tau2_is_readable(runtime: Runtime) -> None:
    bundle = (await build(runtime, one(tau2.read(PUBLISHED / "tau2"), "tau2-library"))).bundle
    async with await runtime.open(bundle, state="task_noted") as session:
        assert (await session.call("find_book", {"book_id": "B1"})).value == {
            "title": "The Tide Tables",
            "lent_to": None,
            "condition": "worn",
        }
        assert (await session.call("take_note", {"subject": "a", "text": "b"})).outcome == "agent"
        noted = await session.call("take_note", {"subject": "a", "text": "b"}, principal="user")
        assert noted.value == {"result": "Noted"}
        [change, keys] = sorted(await session.changes(), key=lambda change: -len(change.key[0] or ""))  # type: ignore[arg-type]
        assert (change.key, change.after) == (("./user/notes/a",), {"path": "./user/notes/a", "value": '"b"'})
        assert keys.key == ("./user/notes",)
        broken = await session.call("lend", {"book_ids": ["B9"], "reader": "ana"})
        assert broken.outcome == "environment" and "KeyError" in str(broken.error)


async def test_tau2_without_its_parts(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="name the root of tau2-bench"):
        tau2.read(tmp_path)
    root = shutil.copytree(PUBLISHED / "tau2", tmp_path / "tau2")
    (root / "data/tau2/domains/library/db.json").unlink()
    with pytest.raises(UsageError, match=r"db\.json cannot be read"):
        one(tau2.read(root), "tau2-library")
    (root / "src/tau2/domains/library/environment.py").write_text("class E:\n    def sync_tools(self): pass\n")
    with pytest.raises(UsageError, match="write into each other's"):
        one(tau2.read(root), "tau2-library")


async def test_a_folder_of_a_domain_cannot_lead_out(runtime: Runtime, tmp_path: Path) -> None:
    root = shutil.copytree(PUBLISHED / "tau2", tmp_path / "tau2")
    (root / "data/tau2/domains/library").rename(tmp_path / "elsewhere")
    (root / "data/tau2/domains/library").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match="links are not followed"):
        one(tau2.read(root), "tau2-library")


# -- EnvFactory --------------------------------------------------------------------------------------------------------


async def test_a_server_of_envfactory(runtime: Runtime) -> None:
    made = await build(runtime, one(envfactory.read(PUBLISHED / "envs"), "envfactory-tool-shed"))
    bundle = made.bundle
    tools = {tool.name: tool for tool in bundle.tools}
    assert set(tools) == {"list_tools", "borrow", "order"}, "the state is not the agent's to load"
    assert tools["borrow"].description == "Borrow a tool from the shed."
    assert list(tools["order"].inputSchema["properties"]) == ["tool"], "the published schema names another parameter"
    assert tools["list_tools"].annotations.readOnlyHint and not tools["borrow"].annotations.readOnlyHint
    assert list(bundle.states) == ["initial", "scenario_2"] and not bundle.tasks
    async with await runtime.open(bundle) as session:
        saw = await session.call("borrow", {"tool": "saw"})
        assert saw.value is not None and saw.value["since"] == "2026-01-05T09:00:00"
        rakes = [(await session.call("borrow", {"tool": "rake"})).value for _ in range(2)]
        assert len({str(loan) for loan in (saw.value, *rakes)}) == 3, "each loan has an id of its own"
        refused = await session.call("borrow", {"tool": "saw"})
        assert (refused.outcome, refused.error) == ("agent", "There is no saw left")
        assert (await session.call("list_tools")).value == {"tools": {"saw": 0, "rake": 0}}
        reaching = await session.call("order", {"tool": "saw"})
        assert reaching.outcome == "environment" and "may not use requests.get here" in str(reaching.error)


async def test_a_server_that_does_not_start_keeps_no_other(runtime: Runtime) -> None:
    found = envfactory.read(PUBLISHED / "envs")
    assert set(found) == {"envfactory-tool-shed", "envfactory-broken"}
    with pytest.raises(EnvironmentFault, match="nothing to load"):
        await build(runtime, one(found, "envfactory-broken"))
    assert list(envfactory.read(PUBLISHED / "envs/tools/ToolShed.py")) == ["envfactory-tool-shed"]


async def test_bad_servers(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="name EnvFactory's folder"):
        envfactory.read(tmp_path)
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "x-y;z.py").write_text("")
    (tools / "Plain.py").write_text("x = 1")
    found = envfactory.read(tmp_path)
    with pytest.raises(UsageError, match="cannot be the name of a module"):
        one(found, "envfactory-x-y-z")
    with pytest.raises(UsageError, match="no tool `load_scenario`"):
        one(found, "envfactory-plain")
    for number in range(2_001):
        os.link(tools / "Plain.py", tools / f"P{number}.py")
    with pytest.raises(UsageError, match="are read at most"):
        envfactory.read(tmp_path)


# -- EnvScaler ---------------------------------------------------------------------------------------------------------


async def test_a_class_of_envscaler(runtime: Runtime) -> None:
    made = await build(runtime, one(envscaler.read(PUBLISHED / "envscaler"), "envscaler-env-7"))
    bundle = made.bundle
    assert [task.id for task in bundle.tasks] == ["scenario_1", "scenario_2"]
    assert not bundle.solutions and list(bundle.verifiers) == ["scenario_1"]
    assert "no function check_func" in made.left_out["scenario_2"]
    assert await score(runtime, bundle, "scenario_1", []) == 0.5, "Ana is in from the start"
    taken_in = TracedStep(tool="add_member", arguments={"name": "Bo", "voice": "bass"})
    assert await score(runtime, bundle, "scenario_1", [taken_in]) == 1.0
    assert await score(runtime, bundle, "scenario_1", [taken_in, taken_in]) == 0.5


def test_a_file_of_endless_json_is_measured_before_it_is_parsed(tmp_path: Path) -> None:
    root = shutil.copytree(PUBLISHED / "envscaler", tmp_path / "choir")
    (root / "rl_scenario_metadata.json").write_text("[" + "{}," * 5_000_000 + "{}]")
    with pytest.raises(UsageError, match=r"rl_scenario_metadata\.json is not read: it has 15,000,004 characters"):
        one(envscaler.read(root), "envscaler-env-7")


async def test_a_check_nested_too_deep_leaves_its_task_out(tmp_path: Path) -> None:
    root = shutil.copytree(PUBLISHED / "envscaler", tmp_path / "choir")
    path = root / "rl_scenario_metadata.json"
    given = json.loads(path.read_text())
    for scenario in given:
        for check in scenario["checklist_with_func"]:
            check["check_func"] = f"def check_func(state):\n    return {'+'.join('1' * 900)} > 0\n"
    path.write_text(json.dumps(given))
    draft = one(envscaler.read(root), "envscaler-env-7")
    assert "Its check 1 cannot be read: This source is nested more than" in draft.left_out["scenario_1"]
    assert [task.verifier for task in draft.tasks] == ["", ""]


async def test_bad_metadata_of_envscaler(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no …env_metadata\.json"):
        envscaler.read(tmp_path)
    root = shutil.copytree(PUBLISHED / "envscaler", tmp_path / "choir")
    path = root / "choir_env_metadata.json"
    given = json.loads(path.read_text())
    given["env_7"]["env_class_name"] = "x; import os"
    path.write_text(json.dumps(given))
    with pytest.raises(UsageError, match="env_class_name"):
        envscaler.read(root)


# -- signatures --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("annotation", "schema"),
    [
        ("str", {"type": "string"}),
        ("Optional[int]", {"anyOf": [{"type": "integer"}, {"type": "null"}]}),
        ("int | None", {"anyOf": [{"type": "integer"}, {"type": "null"}]}),
        ("Union[int, float]", {"anyOf": [{"type": "integer"}, {"type": "number"}]}),
        ("typing.List[Dict[str, Any]]", {"type": "array", "items": {"type": "object"}}),
        ("Literal['a', 'b']", {"enum": ["a", "b"]}),
        ("Annotated[bool, Field()]", {"type": "boolean"}),
        ("Order", {}),
        ("Optional[Order]", {}),
        ("'str'", {}),
    ],
)
def test_annotations(annotation: str, schema: dict[str, object]) -> None:
    [function] = parsed(f"def f(self, x: {annotation}, *, y=1): pass", "it").body
    assert isinstance(function, ast.FunctionDef)
    found = arguments_schema(function)
    assert found == {"type": "object", "properties": {"x": schema, "y": {}}, "required": ["x"]}


# -- the public data, where they lie -----------------------------------------------------------------------------------

PUBLIC = Path(os.environ.get("PUBLISHED_ENVIRONMENTS", "/nowhere"))
"""A folder with what the projects published, each in a folder named like its form."""


@pytest.mark.parametrize(
    ("form", "environments", "tasks", "calls", "unclean"),
    [("bfcl", 1, 200, 1_142, 0), ("tau2", 2, 122, 557, 15), ("envfactory", 85, 0, 0, 0)],
)
async def test_public_data(
    runtime: Runtime, form: str, environments: int, tasks: int, calls: int, unclean: int
) -> None:
    if not (PUBLIC / form).is_dir():
        pytest.skip(f"the public data of {form} are not here: PUBLISHED_ENVIRONMENTS/{form} is no folder")
    made = []
    for read in READERS[form](PUBLIC / form).values():
        try:
            made.append(await build(runtime, read()))
        except (EnvironmentFault, UsageError):
            continue
    assert len(made) == environments
    assert sum(len(each.bundle.tasks) for each in made) == tasks
    assert sum(each.calls for each in made) == calls
    assert sum(len(each.unclean) for each in made) == unclean
